"""Studies of serving: a decode step, or the reading of prompts, at every batch and context."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.catalog.engines import default_engine, load_engine
from ridgeline.equations.pricing import usd_per_token
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.grid import StepGrid, estimate_grid
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timing import Cause
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, is_ideal
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.passes import prefill
from ridgeline.studies.axis import Axis
from ridgeline.studies.study import Block, Column, Place, Study, columns_of, command_words, estimated

__all__ = ["PUBLISHED", "USUAL", "Serving", "deployment_at"]

PUBLISHED, USUAL = "published", "usual"
"""Words for the checkpoint's number formats, and for the engine that is taken where none is named."""

COLUMNS = (
    Column("phase", "VARCHAR", "decode, or prefill"),
    Column("engine", "VARCHAR", "that runs it"),
    Column("weights", "VARCHAR", "number format of the layers' weights, or published"),
    Column("kv", "VARCHAR", "number format of the KV cache, or published"),
    Column("layout", "VARCHAR", "of one replica"),
    Column("chips", "INTEGER", "of one replica"),
    Column("batch", "INTEGER", "sequences of the replica, or prompts read together", is_of_row=True),
    Column("context_tokens", "INTEGER", "tokens of each", is_of_row=True),
    Column("step_time_s", "DOUBLE", "time of the pass, s", is_of_row=True),
    Column("low_s", "DOUBLE", "lower end of its 80 % interval, s", is_of_row=True),
    Column("high_s", "DOUBLE", "its upper end, s", is_of_row=True),
    Column("bound", "VARCHAR", "what takes most of the time", is_of_row=True, names=tuple(map(str, Cause))),
    Column("free_bytes", "DOUBLE", "memory that the fullest chip has left; times are void below 0", is_of_row=True),
    Column("tokens_per_s_per_chip", "DOUBLE", "tokens written, or read, by each chip in a second", is_of_row=True),
    Column("usd_per_token", "DOUBLE", "cost of a token written, or read, $", is_of_row=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Settings that hold for all points of a study of serving.

    Attributes:
        fidelity: resolution of the model of time.
        own_engines: engines with the user's own numbers, by their names along the axis; empty for the catalog's.
    """

    fidelity: Fidelity
    own_engines: Mapping[str, Engine] = field(default_factory=dict)


@columns_of.register
def _(kind: Serving) -> tuple[Column, ...]:
    return COLUMNS


@estimated.register
def _(kind: Serving, place: Place, inner: tuple[Axis, ...], first: slice) -> Block:
    deployment, layout = deployment_at(kind.fidelity, kind.own_engines, place), place.knobs["layout"]
    batch, context = (np.array(axis.values, dtype=float) for axis in inner)
    batch, is_prompt = batch[first], place.knobs["phase"] == "prefill"
    grid = estimate_grid(deployment, [layout], batch=batch, context_tokens=context, is_prompt=is_prompt)
    columns, is_kept = _columns(grid, place.machine, is_prompt=is_prompt), None
    left_out: dict[str, int] = {}
    if is_prompt:
        is_kept = _read_together(dataclasses.replace(deployment, layout=layout), batch, context).reshape(-1)
        if not is_kept.all():
            columns = {name: values[is_kept] for name, values in columns.items()}
            left_out[TOO_MANY] = int((~is_kept).sum())
    shared = {name: place.knobs[name] for name in ("phase", "weights", "kv")}
    return Block(
        shared={**shared, "engine": deployment.engine.name, "layout": str(layout), "chips": layout.chips},
        rows=columns,
        places=np.arange(batch.size * context.size) if is_kept is None else np.flatnonzero(is_kept),
        left_out=left_out,
    )


def _columns(grid: StepGrid, machine: Machine, *, is_prompt: bool) -> dict[str, NDArray[Any]]:
    """Columns of a grid of one layout, a point a row."""
    time_s, chips = grid.step_time_s[0], grid.layouts[0].chips
    batch, context = np.broadcast_arrays(grid.batch[:, None], grid.context_tokens[None, :])
    tokens = batch * context if is_prompt else batch
    price = np.nan if machine.tariff is None else machine.tariff.usd_per_chip_s
    columns = {
        "batch": batch.astype(np.int32),
        "context_tokens": context.astype(np.int32),
        "step_time_s": time_s,
        "low_s": grid.low_s[0],
        "high_s": grid.high_s[0],
        "bound": _bound(grid),
        "free_bytes": grid.free_bytes[0],
        "tokens_per_s_per_chip": tokens / (time_s * chips),
        "usd_per_token": np.asarray(usd_per_token(time_s=time_s, chips=chips, tokens=tokens, usd_per_chip_s=price)),
    }
    return {name: values.reshape(-1) for name, values in columns.items()}


def _bound(grid: StepGrid) -> NDArray[np.uint8]:
    """Number of the cause that takes most of the time, the first of those that tie."""
    most, number = None, np.zeros(grid.step_time_s[0].shape, dtype=np.uint8)
    for at, part_s in enumerate(grid.causes_s.values()):
        if most is None:
            most = part_s[0].copy()
        else:
            number[part_s[0] > most] = at
            np.maximum(most, part_s[0], out=most)
    return number


TOO_MANY = (
    "the engine reads these prompts in several passes, and a row is of one; lower batch or context_tokens, or add the"
    " passes up by ridgeline estimate --phase prefill"
)
"""Reason for which prompts have no row: a pass takes several whole prompts, or a part of one."""


def _read_together(
    deployment: Deployment, batch: NDArray[np.float64], context: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Whether one pass takes all prompts at once, or each group has one prompt, by batch and context."""
    most = limits_of(deployment).pass_tokens
    shares = shares_of(prefill(batch=batch[:, None], prompt_tokens=context[None, :]), deployment.layout)
    return np.broadcast_to((shares.rows <= most) | (shares.sequences <= 1), (batch.size, context.size))


def deployment_at(fidelity: Fidelity, own_engines: Mapping[str, Engine], place: Place) -> Deployment:
    """Deployment of a block on one chip; its points differ from it in the layout alone."""
    knobs = place.knobs
    weights, kv = (None if knobs[name] == PUBLISHED else knobs[name] for name in ("weights", "kv"))
    engine = _engine(fidelity, place.machine, own_engines, knobs["engine"])
    return deploy(place.model, place.machine, Layout(), fidelity=fidelity, engine=engine, weights=weights, kv=kv)


def _engine(fidelity: Fidelity, machine: Machine, own_engines: Mapping[str, Engine], name: str) -> Engine:
    """The engine of that name as ``ridgeline estimate`` takes it."""
    if fidelity.at_peaks:
        if name not in (USUAL, IDEAL_ENGINE.name):
            raise RidgelineError(
                f"engine {name} takes time that fidelity {fidelity.name} leaves out; leave engines out"
            )
        return IDEAL_ENGINE
    engine = default_engine(machine) if name == USUAL else load_engine(name)
    return engine if is_ideal(engine) else own_engines.get(name, engine)


@command_words.register
def _(kind: Serving, study: Study, place: Place, values: Mapping[str, Any]) -> list[str]:
    knobs = place.knobs
    words = ["--layout", str(knobs["layout"]), "--phase", knobs["phase"]]
    words += ["--batch", str(values["batch"]), "--context", str(values["context_tokens"])]
    words += ["--fidelity", kind.fidelity.name]
    for option, usual in (("engine", USUAL), ("weights", PUBLISHED), ("kv", PUBLISHED)):
        if knobs[option] != usual:
            words += [f"--{option}", knobs[option]]
    return ["estimate", *words]
