"""The argument as a graph: which claim takes a number from which, and what turns when one number is another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from ridgeline.boards.claim import Claim, number_text
from ridgeline.boards.constant import Constant
from ridgeline.boards.picture import Box, Cable, Colour, Schematic

__all__ = ["Link", "Outcome", "UnknownNumberError", "argument_picture", "follow", "links", "names"]


class UnknownNumberError(ValueError):
    """A number that is neither a claim's nor a named constant's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One claim that takes a number from another.

    Attributes:
        source: id of the claim that states or computes it.
        target: id of the claim that starts from it.
        inputs: names of the inputs that are taken.
    """

    source: str
    target: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a claim when numbers before it changed.

    Attributes:
        claim: whose.
        before: its number with the lecture's constants; None where nothing is computed.
        after: the same once the changes have come through.
        stood: whether the number before is what the lecture says.
        stands: whether the number after is.
    """

    claim: Claim
    before: float | None
    after: float | None
    stood: bool
    stands: bool

    @property
    def is_turned(self) -> bool:
        """Whether the claim held and holds no more, or the other way round."""
        return self.stood != self.stands


def links(claims: Iterable[Claim]) -> tuple[Link, ...]:
    """All of them, in the order of the claims that start from others."""
    found = []
    for claim in claims:
        taken: dict[str, list[str]] = {}
        for name, constant in claim.inputs.items():
            if constant.claim:
                taken.setdefault(constant.claim, []).append(name)
        found += [Link(source=source, target=claim.id, inputs=tuple(names)) for source, names in taken.items()]
    return tuple(found)


def names(claims: Sequence[Claim]) -> tuple[str, ...]:
    """What can be changed: named constants, and claims whose numbers others start from."""
    constants = {one.name: None for claim in claims for one in claim.inputs.values() if one.name}
    return (*constants, *dict.fromkeys(link.source for link in links(claims)))


def follow(claims: Sequence[Claim], changed: Mapping[str, float]) -> tuple[Outcome, ...]:
    """Compute every claim again with some numbers changed; what rests on a claim moves in proportion to it.

    A number that he rounds on the way (2,400 sequences, then "about 2,000") keeps its rounding: it grows by the factor
    by which the claim that it comes from has grown.

    Args:
        claims: all of them.
        changed: new numbers, by a claim's id or a constant's name.

    Returns:
        Of the claims that the changes reach, in the order of ``claims``.

    Raises:
        UnknownNumberError: a name is neither; lists those that there are.
    """
    known = names(claims)
    for name in changed:
        if name not in known:
            raise UnknownNumberError(f"{name!r} is no number that claims start from; there are {', '.join(known)}")
    by_id = {claim.id: claim for claim in claims}
    rests: dict[str, set[str]] = {claim.id: set() for claim in claims}
    for link in links(claims):
        rests[link.target].add(link.source)
    factors: dict[str, float] = {}
    found: dict[str, Outcome] = {}
    for name in TopologicalSorter(rests).static_order():
        outcome = _followed(by_id[name], changed, factors)
        if outcome is not None:
            found[name] = outcome
    return tuple(found[claim.id] for claim in claims if claim.id in found)


def _followed(claim: Claim, changed: Mapping[str, float], factors: dict[str, float]) -> Outcome | None:
    """A claim's outcome, and in ``factors`` by how much it grew; None where no change reaches it."""
    before = claim.value()
    inputs = {name: new for name, one in claim.inputs.items() if (new := _new(one, changed, factors)) is not None}
    after = claim.value(inputs) if inputs else before
    if claim.id in changed:
        after = changed[claim.id]
        stated = before if claim.lecture is None else float(claim.lecture)
        if stated:
            factors[claim.id] = after / stated
    elif before and after is not None and after != before:
        factors[claim.id] = after / before
    if not inputs and claim.id not in changed:
        return None
    stood, stands = (number is None or claim.is_near(number) for number in (before, after))
    return Outcome(claim=claim, before=before, after=after, stood=stood, stands=stands)


def _new(constant: Constant, changed: Mapping[str, float], factors: Mapping[str, float]) -> Any:  # noqa: ANN401
    """The new value of an input; None where it stays."""
    if constant.name in changed:
        return changed[constant.name]
    if constant.claim in factors and isinstance(constant.value, int | float):
        return constant.value * factors[constant.claim]
    return None


COLUMN, ROW = 5.2, 1.7
"""From one box to the next, in the picture's own units..."""
BOX_WIDTH, BOX_HEIGHT = 3.6, 1.2
"""...and a box's size."""


def argument_picture(claims: Sequence[Claim], outcomes: Sequence[Outcome] = ()) -> Schematic:
    """Claims that rest on others, from the left, where the argument begins, to the right.

    Args:
        claims: all of them; those that neither start from others nor are started from are left out.
        outcomes: of changed numbers, which are written instead; what has turned stands out.
    """
    found = links(claims)
    joined = {one for link in found for one in (link.source, link.target)}
    shown = [claim for claim in claims if claim.id in joined]
    places = _places(shown, found)
    turned = {one.claim.id: one for one in outcomes}
    boxes = tuple(_box(claim, places[claim.id], turned.get(claim.id)) for claim in shown)
    cables = tuple(
        Cable(
            x=places[link.source][0] + BOX_WIDTH,
            y=places[link.source][1] + BOX_HEIGHT / 2,
            to_x=places[link.target][0],
            to_y=places[link.target][1] + BOX_HEIGHT / 2,
            colour=Colour.ASIDE,
            is_arrow=True,
        )
        for link in found
    )
    said = f"{sum(one.is_turned for one in outcomes)} of {len(outcomes)} numbers that move turn a verdict"
    return Schematic(
        width=max(x for x, _ in places.values()) + BOX_WIDTH,
        height=max(y for _, y in places.values()) + BOX_HEIGHT,
        boxes=boxes,
        cables=cables,
        text=said if outcomes else f"{len(shown)} of {len(claims)} claims rest on one another",
    )


def _places(shown: Sequence[Claim], found: Sequence[Link]) -> dict[str, tuple[float, float]]:
    """Upper left corners: a column for each step of the argument, rows in the lecture's order."""
    depth: dict[str, int] = {}
    rests = {claim.id: {link.source for link in found if link.target == claim.id} for claim in shown}
    for name in TopologicalSorter(rests).static_order():
        depth[name] = max((depth[source] + 1 for source in rests[name]), default=0)
    rows: dict[int, int] = {}
    places = {}
    for claim in shown:
        column = depth[claim.id]
        places[claim.id] = (column * COLUMN, rows.get(column, 0) * ROW)
        rows[column] = rows.get(column, 0) + 1
    return places


def _box(claim: Claim, place: tuple[float, float], outcome: Outcome | None) -> Box:
    number = outcome.after if outcome else claim.value() if claim.lecture is None else float(claim.lecture)
    colour = Colour.WEIGHTS if outcome is None else Colour.KV if outcome.is_turned else Colour.COMPUTE
    return Box(
        x=place[0],
        y=place[1],
        width=BOX_WIDTH,
        height=BOX_HEIGHT,
        text=f"{claim.id}  {number_text(number, claim.unit)}",
        colour=colour,
    )
