"""Studies of training: a step and a run at every number of chips, batch and layout, or by the best layout there is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ridgeline.quantity_text import written_exactly
from ridgeline.specs.fidelity import Fidelity
from ridgeline.studies.axis import Axis
from ridgeline.studies.study import Block, Column, Place, Study, columns_of, command_words, estimated
from ridgeline.training.asked import Asked
from ridgeline.training.outcome import Training as Answer
from ridgeline.training.train import train

__all__ = ["SEARCHED", "USUAL_FRAMEWORK", "Training"]

SEARCHED, USUAL_FRAMEWORK = "searched", "usual"
"""Words for the fastest layout of all that fit, and for the framework that is taken where none is named."""

COLUMNS = (
    Column("framework", "VARCHAR", "whose time is among the numbers"),
    Column("number_format", "VARCHAR", "what layers multiply in"),
    Column("chips", "INTEGER", "of the run"),
    Column("sequence_tokens", "INTEGER", "tokens of a sequence"),
    Column("batch_tokens", "BIGINT", "tokens of a step"),
    Column("layout", "VARCHAR", "of the run; the fastest that fits where it was searched"),
    Column("step_time_s", "DOUBLE", "time of a step, s"),
    Column("low_s", "DOUBLE", "lower end of its 80 % interval, s"),
    Column("high_s", "DOUBLE", "its upper end, s"),
    Column("mfu_fraction", "DOUBLE", "model FLOP over what the chips' peak would do"),
    Column("bubble_fraction", "DOUBLE", "part of the step in which the slowest stage waits"),
    Column("free_bytes", "DOUBLE", "memory that the fullest chip has left; times are void below 0"),
    Column("tokens_per_s_per_chip", "DOUBLE", "tokens trained on by each chip in a second"),
    Column("days", "DOUBLE", "of the run, failures included"),
    Column("goodput_fraction", "DOUBLE", "time of all steps, each once, over that of the run"),
    Column("kwh", "DOUBLE", "energy of the run, kWh"),
    Column("usd", "DOUBLE", "cost of the run, $"),
    Column("usd_per_token", "DOUBLE", "cost of a token trained on, $"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """Settings that hold for all points of a study of training.

    Attributes:
        fidelity: resolution of the model of time.
        tokens: training tokens of a run.
    """

    fidelity: Fidelity
    tokens: float


@columns_of.register
def _(kind: Training) -> tuple[Column, ...]:
    return COLUMNS


@estimated.register
def _(kind: Training, place: Place, inner: tuple[Axis, ...], first: slice) -> Block:
    found = train(_asked(kind, place))
    return Block(shared=_row(kind, place, found), rows={}, places=np.zeros(1, dtype=np.int64), left_out={})


def _row(kind: Training, place: Place, found: Answer) -> dict[str, str | float | None]:
    """Row of the first plan of an answer."""
    plan, run = found.plans[0], found.runs[0]
    job, low_high = plan.job, plan.interval_s or (None, None)
    return {
        "framework": job.trainer.name,
        "number_format": place.knobs["number_format"],
        "chips": job.layout.chips,
        "sequence_tokens": job.sequence_tokens,
        "batch_tokens": job.batch * job.sequence_tokens,
        "layout": str(job.layout),
        "step_time_s": plan.time.step_time_s,
        "low_s": low_high[0],
        "high_s": low_high[1],
        "mfu_fraction": plan.mfu_fraction,
        "bubble_fraction": plan.time.bubble_fraction,
        "free_bytes": plan.room_bytes - plan.memory.total_bytes,
        "tokens_per_s_per_chip": plan.tokens_per_s / job.layout.chips,
        "days": run.days,
        "goodput_fraction": run.goodput_fraction,
        "kwh": run.kwh,
        "usd": run.usd,
        "usd_per_token": None if run.usd is None else run.usd / kind.tokens,
    }


def _asked(kind: Training, place: Place) -> Asked:
    """Training question of a point, as ``ridgeline train`` asks it."""
    knobs = place.knobs
    return Asked(
        model=place.model,
        machine=place.machine,
        chips=(knobs["chips"],),
        tokens=kind.tokens,
        batch_tokens=knobs["batch_tokens"],
        sequence_tokens=knobs["sequence_tokens"],
        layout=None if knobs["layout"] == SEARCHED else knobs["layout"],
        why_not=None,
        schedule=None,
        recompute=None,
        micro_batch=None,
        number_format=knobs["number_format"],
        framework=None if knobs["framework"] == USUAL_FRAMEWORK else knobs["framework"],
        dispatcher="alltoall",
        routing=None,
        gradients=None,
        hides_dispatch=False,
        fidelity=kind.fidelity,
        tariff=place.machine.tariff,
        electricity_usd_per_j=None,
        pue=1.0,
        chip_mtbf_s=None,
        measured_s=None,
        count=1,
    )


@command_words.register
def _(kind: Training, study: Study, place: Place, values: Mapping[str, Any]) -> list[str]:
    knobs = place.knobs
    words = ["--chips", str(knobs["chips"]), "--tokens", _whole(kind.tokens)]
    words += ["--batch-tokens", _whole(knobs["batch_tokens"]), "--sequence", str(knobs["sequence_tokens"])]
    words += ["--format", knobs["number_format"], "--fidelity", kind.fidelity.name]
    if knobs["layout"] != SEARCHED:
        words += ["--layout", knobs["layout"]]
    if knobs["framework"] != USUAL_FRAMEWORK:
        words += ["--framework", knobs["framework"]]
    if place.machine.tariff is not None:
        words += ["--price", written_exactly(place.machine.tariff.usd_per_chip_s, "usd_per_s", ["$/h", "$/s"])]
    return ["train", *words]


def _whole(tokens: float) -> str:
    return str(int(tokens)) if tokens == math.floor(tokens) else repr(tokens)
