"""Traffic to experts on the chips of racks: loads of the chips, and routes of some tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridgeline.boards.board import Values
from ridgeline.boards.lecture.layouts.layer_messages import active
from ridgeline.boards.scene import Chip, Rack, Racks, Token, Visit
from ridgeline.estimator import expert_placement
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["leaving_fraction", "traffic", "visits"]

MOST_CHIPS, MOST_EXPERTS = 72, 16
"""Largest numbers of chips of a rack, and of experts of a chip, that are drawn: the busiest."""

STEPS = 9
"""Numbers of copies of which the best is taken: too many can raise the load of the busiest chip."""

TOKENS, SEED = 6, 2
"""Number of tokens whose visits are drawn, and the seed of the draw."""

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Copies of experts, and where they lie.

    Attributes:
        copies: number of copies of each expert.
        holders: chips that hold each expert.
        arriving: visits to each chip, by the rack that they come from.
    """

    copies: tuple[int, ...]
    holders: tuple[tuple[int, ...], ...]
    arriving: Matrix

    @property
    def loads(self) -> tuple[float, ...]:
        """Visits of a mean token to each chip."""
        return tuple(round(sum(served), expert_placement.DIGITS) for served in zip(*self.arriving, strict=True))

    @property
    def busiest(self) -> float:
        """Visits to the busiest chip, over the mean."""
        return expert_placement.load_over_mean(loads=self.loads)


def visits(values: Values, skew: float) -> tuple[float, ...]:
    """Probability that a token visits each expert."""
    return expert_placement.visit_fractions(experts=int(values["experts"]), active_experts=active(values), skew=skew)


def leaving_fraction(arriving: Matrix) -> float:
    """Part of all visits that leave the rack of their token."""
    between = np.array(expert_placement.visits_between_racks(arriving=arriving))
    return float(between.sum() - np.trace(between))


def traffic(values: Values) -> Racks:
    """The racks as they are when many tokens come, and six of these."""
    counts = {round(count) for count in np.linspace(0, values["redundant_experts"], STEPS)}
    placed = min((_placed(values, count) for count in sorted(counts)), key=lambda one: one.busiest)
    racks, loads = int(values["racks"]), np.array(placed.loads)
    sought = np.array(visits(values, values["skew"]))
    mean_copy = sought.sum() / sum(placed.copies)
    drawn = _drawn(values, placed, loads / loads.mean())
    leaving = leaving_fraction(placed.arriving)
    return Racks(
        racks=drawn,
        heat=tuple((sought / placed.copies / mean_copy).tolist()),
        copies=placed.copies,
        slots=expert_placement.slots_of_chips(copies=placed.copies, chips=loads.size),
        tokens=_tokens(sought, placed, drawn),
        busiest=int(loads.argmax()),
        busiest_text=_busiest_text(placed.busiest),
        leaving_fraction=leaving,
        leaving_text=f"{format_quantity(leaving, 'fraction')} of all visits leave their rack" if racks > 1 else "",
        text=_text(values, placed),
    )


def _busiest_text(busiest: float) -> str:
    said = format_number(busiest)
    return "all chips are visited alike" if said == format_number(1.0) else f"busiest: {said} times the mean"


def _placed(values: Values, redundant_experts: int) -> Placed:
    sought, racks = visits(values, values["skew"]), int(values["racks"])
    chips = racks * int(values["chips"])
    copies = expert_placement.copies_of_experts(visits=sought, redundant_experts=redundant_experts)
    holders = expert_placement.holders_of_experts(visits=sought, copies=copies, chips=chips)
    arriving = expert_placement.arriving_visits(visits=sought, holders=holders, chips=chips, racks=racks)
    return Placed(copies=copies, holders=holders, arriving=arriving)


def _drawn(values: Values, placed: Placed, load: np.ndarray) -> tuple[Rack, ...]:
    """Racks with their busiest chips, in the chips' order; chips are dealt to racks in turn."""
    racks = int(values["racks"])
    held: list[list[int]] = [[] for _ in load]
    for expert, chips in enumerate(placed.holders):
        for chip in chips:
            held[chip].append(expert)
    found = []
    served = placed.loads
    totals = [sum(row) for row in placed.arriving]
    parts = [[visits / total for visits in row] for row, total in zip(placed.arriving, totals, strict=True)]
    for rack in range(racks):
        numbers = np.arange(rack, load.size, racks)
        shown = np.sort(numbers[np.argsort(-load[numbers], kind="stable")[:MOST_CHIPS]])
        found.append(
            Rack(
                chips=tuple(
                    Chip(
                        number=int(chip),
                        load=float(load[chip]),
                        experts=tuple(held[chip][:MOST_EXPERTS]),
                        part_of_rack=tuple(row[chip] for row in parts),
                        near_fraction=placed.arriving[rack][chip] / served[chip] if served[chip] else 0.0,
                    )
                    for chip in shown
                ),
                leaving_text=_leaving_text(1 - sum(parts[rack][rack::racks])) if racks > 1 else "",
            )
        )
    return tuple(found)


def _leaving_text(fraction: float) -> str:
    return f"{format_quantity(fraction, 'fraction')} of its tokens' visits leave the rack"


def _tokens(sought: np.ndarray, placed: Placed, drawn: tuple[Rack, ...]) -> tuple[Token, ...]:
    """Tokens from all racks in turn, each on a chip that is drawn."""
    rng = np.random.default_rng(SEED)
    shown = {chip.number for rack in drawn for chip in rack.chips}
    found = []
    for number in range(TOKENS):
        rack = number % len(drawn)
        home = drawn[rack].chips[int(rng.integers(len(drawn[rack].chips)))].number
        asked = [(expert, _served(rng, placed.holders[expert], rack, len(drawn))) for expert in _chosen(rng, sought)]
        near = sum(chip % len(drawn) == rack for _, chip in asked)
        found.append(
            Token(
                rack=rack,
                chip=home,
                near=near,
                beyond=len(asked) - near,
                visits=tuple(
                    Visit(expert=expert, chip=chip, rack=chip % len(drawn)) for expert, chip in asked if chip in shown
                ),
            )
        )
    return tuple(found)


def _chosen(rng: np.random.Generator, sought: np.ndarray) -> list[int]:
    """A token's experts: systematic sampling in a random order, which visits none twice and each with its chance."""
    order = rng.permutation(sought.size)
    edges = np.cumsum(sought[order])
    found = np.searchsorted(edges, rng.random() + np.arange(round(edges[-1])), side="right")
    return sorted(int(expert) for expert in order[np.minimum(found, sought.size - 1)])


def _served(rng: np.random.Generator, held_by: tuple[int, ...], rack: int, racks: int) -> int:
    """One of the copies in the token's own rack where there are some, else of all."""
    near = [chip for chip in held_by if chip % racks == rack] or list(held_by)
    return near[int(rng.integers(len(near)))]


def _text(values: Values, placed: Placed) -> str:
    chips, asked = int(values["chips"]), int(values["redundant_experts"])
    copies = sum(placed.copies) - len(placed.copies)
    of = f" of {asked}" if copies < asked else ""
    held = f" and {copies}{of} copies" if asked else ""
    racks = f"{int(values['racks'])} racks of {chips} chips" if values["racks"] > 1 else f"{chips} chips"
    shown = f"; the busiest {MOST_CHIPS} of a rack are drawn" if chips > MOST_CHIPS else ""
    return f"{len(placed.copies)} experts{held} on {racks}; a token visits {active(values)}{shown}"
