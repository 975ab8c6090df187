"""Studies of plans: for every workload the best layout and batch that a search finds, as ``ridgeline plan`` does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ridgeline.errors import UnservedError
from ridgeline.planner.compare import unserved
from ridgeline.planner.outcome import Planning as Found
from ridgeline.planner.plan import plan
from ridgeline.quantity_text import counted, written_exactly
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.workload import Workload
from ridgeline.studies.axis import Axis
from ridgeline.studies.serving import PUBLISHED, USUAL, deployment_at
from ridgeline.studies.study import (
    Block,
    Column,
    Measures,
    Place,
    Study,
    columns_of,
    command_words,
    estimated,
    measures_of,
)

__all__ = ["NO_LIMIT", "Planning"]

NO_LIMIT = 0.0
"""Text that stands for no limit along an axis of limits."""

COLUMNS = (
    Column("engine", "VARCHAR", "that runs it"),
    Column("weights", "VARCHAR", "number format of the layers' weights, or published"),
    Column("kv", "VARCHAR", "number format of the KV cache, or published"),
    Column("chips", "INTEGER", "budget, replicas included"),
    Column("prompt_tokens", "INTEGER", "input tokens of a request"),
    Column("output_tokens", "INTEGER", "output tokens of a request"),
    Column("tpot_limit_s", "DOUBLE", "longest time per output token; null for no limit, s"),
    Column("ttft_limit_s", "DOUBLE", "longest time to the first token; null for no limit, s"),
    Column("layout", "VARCHAR", "of one replica of the best plan"),
    Column("replicas", "INTEGER", "that the budget holds"),
    Column("batch", "INTEGER", "requests under way on one replica"),
    Column("tpot_s", "DOUBLE", "time per output token, other requests' prompts included, s"),
    Column("tpot_low_s", "DOUBLE", "lower end of its 80 % interval, s"),
    Column("tpot_high_s", "DOUBLE", "its upper end, s"),
    Column("ttft_s", "DOUBLE", "time to the first token in an idle system, s"),
    Column("bound", "VARCHAR", "what takes most of the chip-time"),
    Column("free_bytes", "DOUBLE", "memory that the fullest chip has left"),
    Column("requests_per_s", "DOUBLE", "that all replicas can serve"),
    Column("output_tokens_per_s_per_chip", "DOUBLE", "of the chips in use"),
    Column("usd_per_input_token", "DOUBLE", "cost of a token read, $"),
    Column("usd_per_output_token", "DOUBLE", "cost of a token written, $"),
    Column("usd_per_request", "DOUBLE", "cost of a request, idle chips of the budget paid, $"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planning:
    """Settings that hold for all points of a study of plans.

    Attributes:
        fidelity: resolution of the model of time.
        own_engines: engines with the user's own numbers, by their names along the axis; empty for the catalog's.
    """

    fidelity: Fidelity
    own_engines: Mapping[str, Engine] = field(default_factory=dict)


@columns_of.register
def _(kind: Planning) -> tuple[Column, ...]:
    return COLUMNS


@measures_of.register
def _(kind: Planning) -> Measures:
    return Measures(time="tpot_s", cost="usd_per_request")


@estimated.register
def _(kind: Planning, place: Place, inner: tuple[Axis, ...], first: slice) -> Block:
    knobs, deployment = place.knobs, deployment_at(kind.fidelity, kind.own_engines, place)
    workload = Workload(
        prompt_tokens=knobs["prompt_tokens"],
        output_tokens=knobs["output_tokens"],
        tpot_s=knobs["tpot_limit_s"] or None,
        ttft_s=knobs["ttft_limit_s"] or None,
    )
    weights = None if knobs["weights"] == PUBLISHED else knobs["weights"]
    found = plan(deployment, workload, weights=weights, chips=knobs["chips"])
    if not found.plans:
        raise UnservedError(f"nothing serves {place.model.id} on {counted(knobs['chips'], 'chip')}: {unserved(found)}")
    shared = {
        "engine": deployment.engine.name,
        "weights": knobs["weights"],
        "kv": knobs["kv"],
        "chips": knobs["chips"],
        "prompt_tokens": workload.prompt_tokens,
        "output_tokens": workload.output_tokens,
        "tpot_limit_s": workload.tpot_s,
        "ttft_limit_s": workload.ttft_s,
    }
    return Block(shared=shared | _row(found), rows={}, places=np.zeros(1, dtype=np.int64), left_out={})


def _row(found: Found) -> dict[str, str | float | None]:
    """Row of the best plan of a search."""
    best, price = found.plans[0], found.usd_per_chip_s
    return {
        "layout": str(best.layout),
        "replicas": best.replicas,
        "batch": best.batch,
        "tpot_s": best.tpot_s,
        "tpot_low_s": best.tpot_low_s,
        "tpot_high_s": best.tpot_high_s,
        "ttft_s": best.ttft_s,
        "bound": best.bound.value,
        "free_bytes": float(best.memory.free_bytes),
        "requests_per_s": best.requests_per_s,
        "output_tokens_per_s_per_chip": best.output_tokens_per_s_per_chip,
        "usd_per_input_token": best.usd_per_input_token,
        "usd_per_output_token": best.usd_per_output_token,
        "usd_per_request": None if price is None else price * best.paid_chip_s_per_request,
    }


@command_words.register
def _(kind: Planning, study: Study, place: Place, values: Mapping[str, Any]) -> list[str]:
    knobs = place.knobs
    words = ["--chips", str(knobs["chips"])]
    words += ["--prompt", str(knobs["prompt_tokens"]), "--output", str(knobs["output_tokens"])]
    for option in ("tpot", "ttft"):
        limit_s = knobs[f"{option}_limit_s"]
        if limit_s != NO_LIMIT:
            words += [f"--{option}", written_exactly(limit_s, "s", ["ms", "s"])]
    for option, usual in (("engine", USUAL), ("weights", PUBLISHED), ("kv", PUBLISHED)):
        if knobs[option] != usual:
            words += [f"--{option}", knobs[option]]
    words += ["--fidelity", kind.fidelity.name]
    if place.machine.tariff is not None:
        words += ["--price", written_exactly(place.machine.tariff.usd_per_chip_s, "usd_per_s", ["$/h", "$/s"])]
    return ["plan", *words]
