"""Trains of decode: which batch and which step belong together, and the traffic that they are compared with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from ridgeline.boards.as_sold import chip_counts
from ridgeline.boards.board import Control, Facts, Mode, Values
from ridgeline.boards.constant import Constant, filled_in
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.batch.step import read_fraction, step_controls, weight_bytes
from ridgeline.boards.lecture.numbers import SHORT_TOKENS, TRAIN_S
from ridgeline.boards.picture import Colour
from ridgeline.boards.pictures import At, at
from ridgeline.equations import memory, roofline
from ridgeline.estimator import parameters
from ridgeline.numeric import Numeric
from ridgeline.seconds import DAY_S
from ridgeline.specs.machine import Machine

__all__ = [
    "GOOGLE_TOKENS_PER_MONTH",
    "MONTH_S",
    "Train",
    "fewest_chips",
    "full_batch",
    "full_marks",
    "full_train",
    "least_period_s",
    "period_control",
    "rack_controls",
    "seats_control",
    "step_s",
    "sweep_s",
]

GOOGLE_TOKENS_PER_MONTH = {"May 2025": 480e12, "July 2025": 980e12, "Oct 2025": 1.3e15, "May 2026": 3.2e15}
"""Tokens a month of all products, input included, as Google published them."""

MONTH_S = 30 * DAY_S

HBM_BYTES = filled_in(
    controls.LECTURE_HBM_BYTES_PER_S * float(TRAIN_S),
    why="what a chip of that bandwidth reads in his 20 ms",
    claim="A15",
)
"""Memory that a chip of the lecture reads in the 20 ms of a train, at a bandwidth that was filled in."""

CHIPS = controls.chips()

SAID_DIGITS = 3
"""Significant digits of a least period."""

FEWEST_SEATS, MOST_SEATS = 32, 1e6
"""Range of seats; below it the equations of full trains stray by more than a few percent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Train:
    """A batch and the time of its step.

    Attributes:
        seats: number of sequences.
        period_s: time of the step, at whose end the next train leaves.
    """

    seats: float
    period_s: float


def rack_controls() -> tuple[Control, ...]:
    """A decode step and the memory that it reads, with the contexts of DeepSeek's own fleet as the careful ones.

    A model that one scale-up domain cannot hold starts on the fewest chips that do.
    """
    return (
        *step_controls(
            context_tokens=SHORT_TOKENS,
            careful_context_tokens=fleet.MEAN_CONTEXT_TOKENS,
            careful_context_is=lambda facts: "DeepSeek's mean" if facts.model.id == fleet.MODEL else "",
            chips=replace(controls.chips(), careful=_first_chips),
            kv_bytes_per_token=replace(controls.kv_bytes_per_token(), careful=_kv_bytes_per_token),
        ),
        controls.hbm_bytes(HBM_BYTES),
    )


def _kv_bytes_per_token(facts: Facts) -> float | None:
    """KV cache per further token; of a model with windows alone, whose cache stops growing, the mean over a context."""
    grown = controls.kv_bytes(facts)
    held = parameters.kv_bytes_held(facts.model, facts.model.precision, fleet.MEAN_CONTEXT_TOKENS)
    return grown or float(held) / fleet.MEAN_CONTEXT_TOKENS or None


@lru_cache(maxsize=8)
def _first_chips(facts: Facts) -> float:
    """Chips of a scale-up domain; where these cannot hold the model and a sequence, the fewest that do."""
    domain = facts.machine.scale_up_chips
    found = {one.name: one.start(Mode.CAREFUL, facts) for one in rack_controls() if one.name != CHIPS.name}
    at = {name: value for name, value in found.items() if value is not None}
    if len(at) < len(found):
        return domain
    return max(domain, fewest_chips(at, facts.machine) or domain)


def fewest_chips(at: Values, machine: Machine) -> int | None:
    """Fewest chips, in numbers in which the machine is rented, that hold the weights and one sequence, if any do."""
    counts = chip_counts(machine, CHIPS.high)
    return next((chips for chips in counts if full_batch({**at, CHIPS.name: float(chips)}) >= 1), None)


def step_s(at: Values, batch: Numeric) -> Numeric:
    """Time of a decode step of a batch, s."""
    return roofline.step_time_s(
        batch=batch,
        active_params=at["active_params"],
        weight_bytes=weight_bytes(at) * read_fraction(at, batch),
        kv_bytes_per_sequence=at["context_tokens"] * at["kv_bytes_per_token"],
        flop_per_s=at["chips"] * at["flop_per_s"],
        hbm_bytes_per_s=at["chips"] * at["hbm_bytes_per_s"],
    )


def full_batch(at: Values) -> float:
    """Sequences whose KV cache fills what the weights leave of the memory; none where weights fill all of it."""
    found = memory.memory_full_batch(
        hbm_bytes=at["chips"] * at["hbm_bytes"],
        weight_bytes=weight_bytes(at),
        kv_bytes_per_sequence=at["context_tokens"] * at["kv_bytes_per_token"],
    )
    return math.floor(found)


def full_marks(values: Values, *, on: str, least: float) -> list[At]:
    """Mark of the largest batch that fits, on a line; at the least batch shown where not even one sequence fits."""
    batch = full_batch(values)
    text = f"memory is full:\n{batch:,.0f} sequences" if batch else "does not fit:\nnot one sequence"
    return [at("memory is full", max(batch, least), on=on, text=text, colour=Colour.KV)]


@lru_cache(maxsize=8)
def full_train(facts: Facts) -> Train | None:
    """A model on a machine whose memory is full, and the step that reads all of it; None where nothing fits.

    This is where the lecture's 20 ms come from, so that seats and period are those of one and the same step.
    """
    found: Mapping[str, float | None] = {one.name: one.start(Mode.CAREFUL, facts) for one in rack_controls()}
    at = {name: value for name, value in found.items() if value is not None}
    if len(at) < len(found):
        return None
    seats = full_batch(at)
    return Train(seats=float(seats), period_s=float(step_s(at, float(seats)))) if seats >= FEWEST_SEATS else None


def sweep_s(machine: str) -> float:
    """Time to read all of a chip's memory once."""
    chip = fleet.facts(machine).machine.chip
    return float(roofline.memory_sweep_time_s(hbm_bytes=chip.hbm_bytes, hbm_bytes_per_s=chip.hbm_bytes_per_s))


def least_period_s() -> float:
    """Least time between departures by the lecture's numbers, s: the weights are read, and nothing else; as it is said.

    >>> least_period_s()
    0.00123
    """
    at = {one.name: float(one.lecture) for one in rack_controls()}
    read_s = weight_bytes(at) / (at["chips"] * at["hbm_bytes_per_s"])
    return float(f"{read_s:.{SAID_DIGITS}g}")


def period_control(lecture: Constant, low: float = 1e-4) -> Control:
    """Period of the trains, s.

    Args:
        lecture: the lecture's number.
        low: low end of its range.
    """
    return Control(
        name="period_s",
        meaning="between departures",
        short="departs every",
        dimension="s",
        low=low,
        high=1,
        lecture=lecture,
        careful=lambda facts: None if (train := full_train(facts)) is None else train.period_s,
    )


def seats_control(lecture: Constant) -> Control:
    """The batch at which a train is full."""
    return Control(
        name="seats",
        meaning="seats per train",
        dimension="count",
        low=FEWEST_SEATS,
        high=MOST_SEATS,
        lecture=lecture,
        careful=lambda facts: None if (train := full_train(facts)) is None else round(train.seats),
        is_whole=True,
    )
