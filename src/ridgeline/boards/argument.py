"""The argument as a graph of claims that take numbers from each other, and the effect of changing one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from graphlib import TopologicalSorter
from typing import Any

from ridgeline.boards.claim import Claim
from ridgeline.boards.constant import Constant
from ridgeline.boards.exercise import dimension_of
from ridgeline.boards.note import UNITS
from ridgeline.boards.picture import Box, Cable, Colour, Schematic
from ridgeline.glossary import GLOSSARY
from ridgeline.quantity_text import format_apart, format_quantity

__all__ = [
    "LEGEND",
    "ImplausibleNumberError",
    "Link",
    "Outcome",
    "UnknownNumberError",
    "argument_picture",
    "dimension",
    "follow",
    "links",
    "names",
    "resolved",
]

FEWEST_LETTERS = 3
"""A text of so many letters or more also finds the names that contain it."""

MOST_TIMES = 100.0
"""Bound on a number over the stated one, up or down: beyond it the claims say nothing any more."""
DIGITS = 4


class UnknownNumberError(ValueError):
    """Error for a name that is neither a claim nor a named constant."""


class ImplausibleNumberError(ValueError):
    """Error for a new value for which the argument cannot be followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One claim that takes a number from another.

    Attributes:
        source: id of the claim that states or computes it.
        target: id of the claim that starts from it.
        inputs: names of the inputs that are taken.
        moves: whether any of them is the source's own number, which another value of that changes; else the source
            states them beside it.
    """

    source: str
    target: str
    inputs: tuple[str, ...]
    moves: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Effect on a claim of a change in the numbers before it.

    Attributes:
        claim: claim that is recomputed.
        before: number with the lecture's constants; None where nothing is computed.
        after: number after the changes; None where nothing is computed.
        stood: whether the number before is what the lecture says.
        stands: whether the number after is.
    """

    claim: Claim
    before: float | None
    after: float | None
    stood: bool
    stands: bool

    @property
    def is_moved(self) -> bool:
        """Whether the number changed by more than rounding."""
        return self.before != self.after and (
            self.before is None or self.after is None or not math.isclose(self.before, self.after)
        )

    @property
    def is_turned(self) -> bool:
        """Whether the claim held and holds no more, or the reverse."""
        return self.stood != self.stands


def links(claims: Iterable[Claim]) -> tuple[Link, ...]:
    """Links between claims, in the order of the claims that start from others."""
    found = []
    for claim in claims:
        taken: dict[str, list[str]] = {}
        for name, constant in claim.inputs.items():
            if constant.claim or constant.beside:
                taken.setdefault(constant.claim or constant.beside, []).append(name)
        own = {constant.claim for constant in claim.inputs.values()}
        found += [
            Link(source=source, target=claim.id, inputs=tuple(names), moves=source in own)
            for source, names in taken.items()
        ]
    return tuple(found)


def names(claims: Sequence[Claim]) -> tuple[str, ...]:
    """Names that can be changed: named constants, and claims whose numbers others start from."""
    return tuple(_stated(claims))


def _stated(claims: Sequence[Claim]) -> dict[str, Any]:
    """Stated values of the numbers that can be changed, whole where they are counts."""
    constants = {one.name: one.value for claim in claims for one in claim.inputs.values() if one.name}
    by_id = {claim.id: claim for claim in claims}
    sources = dict.fromkeys(link.source for link in links(claims) if link.moves)
    return constants | {name: _own(by_id[name]) for name in sources}


def _own(claim: Claim) -> float | None:
    """Number of a claim: the lecture's, or, where it gives none, the result of its constants."""
    return claim.value() if claim.lecture is None else float(claim.lecture)


def resolved(claims: Sequence[Claim], name: str) -> str:
    """Name in its proper capitals, whichever the caller wrote.

    Raises:
        UnknownNumberError: there is no such number; lists the nearest, or where none is near all.
    """
    known = names(claims)
    found = next((one for one in known if one.casefold() == name.casefold()), None)
    if found is None:
        within = [one for one in known if len(name) >= FEWEST_LETTERS and name.casefold() in one.casefold()]
        folded = {one.casefold(): one for one in known}
        near = within or [folded[one] for one in get_close_matches(name.casefold(), folded)]
        said = f"nearest: {', '.join(near)}" if near else f"there are {', '.join(known)}"
        raise UnknownNumberError(f"{name!r} is no number that claims start from; {said}")
    return found


def dimension(claims: Sequence[Claim], name: str) -> str:
    """Dimension of a claim's or a constant's number."""
    claim = next((one for one in claims if one.id == name), None)
    return dimension_of(name) if claim is None else UNITS[claim.unit] or "count"


def follow(claims: Sequence[Claim], changed: Mapping[str, float]) -> tuple[Outcome, ...]:
    """Compute every claim again with some numbers changed; what rests on a claim moves in proportion to it.

    A number that he rounds on the way (2,400 sequences, then "about 2,000") keeps its rounding: it grows by the factor
    by which the claim that it comes from has grown.

    Args:
        claims: all claims of the lecture.
        changed: new numbers, by a claim's id or a constant's name.

    Returns:
        Of the claims that the changes reach, in the order of ``claims``.

    Raises:
        UnknownNumberError: a name is neither; lists those that there are.
        ImplausibleNumberError: a value is far from what is stated, or leaves a claim without a number.
    """
    stated = _stated(claims)
    changed = {resolved(claims, name): value for name, value in changed.items()}
    for name, value in changed.items():
        _require_plausible(name, value, stated[name], dimension(claims, name))
    by_id = {claim.id: claim for claim in claims}
    rests: dict[str, set[str]] = {claim.id: set() for claim in claims}
    for link in links(claims):
        rests[link.target].add(link.source)
    factors: dict[str, float] = {}
    found: dict[str, Outcome] = {}
    for name in TopologicalSorter(rests).static_order():
        try:
            outcome = _followed(by_id[name], changed, factors)
        except (ArithmeticError, ValueError) as error:
            given = ", ".join(
                f"{one}={format_quantity(value, dimension(claims, one), DIGITS)}" for one, value in changed.items()
            )
            raise ImplausibleNumberError(
                f"with {given} there is no number for {name} ({by_id[name].claim}); set it nearer to what is stated"
            ) from error
        if outcome is not None:
            found[name] = outcome
    return tuple(found[claim.id] for claim in claims if claim.id in found)


def _require_plausible(name: str, value: float, stated: float, dimension: str) -> None:
    """Refuse values that are out of proportion, or fractions of counts, and say which may be set instead."""
    low, high = stated / MOST_TIMES, stated * MOST_TIMES
    quantity = GLOSSARY.get(name)
    if quantity is not None:
        low, high = max(low, quantity.low), min(high, quantity.high)
    if not low <= value <= high:
        met, (least, most) = format_apart(value, (low, high), dimension, DIGITS)
        said = format_quantity(stated, dimension, DIGITS)
        raise ImplausibleNumberError(
            f"{name}={met} is outside {least} to {most}, around the {said} that is stated; set it inside"
        )
    if isinstance(stated, int) and value != round(value):
        raise ImplausibleNumberError(f"{name}={value:g} is not whole, but counted; write {round(value)}")


def _followed(claim: Claim, changed: Mapping[str, float], factors: dict[str, float]) -> Outcome | None:
    """Outcome of a claim, whose growth goes into ``factors``; None where no change reaches it."""
    before = claim.value()
    inputs = {name: new for name, one in claim.inputs.items() if (new := _new(one, changed, factors)) is not None}
    after = claim.value(inputs) if inputs else before
    if claim.id in changed:
        after = changed[claim.id]
        stated = _own(claim)
        if stated:
            factors[claim.id] = after / stated
    elif before and after is not None and after != before:
        factors[claim.id] = after / before
    if not inputs and claim.id not in changed:
        return None
    stood, stands = (number is None or claim.is_near(number) for number in (before, after))
    return Outcome(claim=claim, before=before, after=after, stood=stood, stands=stands)


def _new(constant: Constant, changed: Mapping[str, float], factors: Mapping[str, float]) -> Any:  # noqa: ANN401
    """New value of an input; None where it does not change."""
    if constant.name in changed:
        return changed[constant.name]
    if constant.claim in factors and isinstance(constant.value, int | float):
        return constant.value * factors[constant.claim]
    return None


BOX_HEIGHT, ROW, BETWEEN = 1.2, 1.7, 3.4
"""Height of a box, distance from its upper edge to the next one's, and gap between columns, in the picture's units."""
LETTER, PADDING = 0.26, 0.6
"""Largest width of a letter, and the padding of a box beside its text."""
LEGEND = (
    (Colour.ASIDE, "as stated"),
    (Colour.ALSO, "reached by the change"),
    (Colour.BOUND, "turned: its verdict is another"),
)
"""Colours and their meaning; the first entry alone where nothing was changed."""


def argument_picture(claims: Sequence[Claim], outcomes: Sequence[Outcome] = ()) -> Schematic:
    """Claims that rest on others, from the left, where the argument begins, to the right.

    Args:
        claims: all of them; those that neither start from others nor are started from are left out.
        outcomes: outcomes with changed numbers, which are written instead; claims whose verdict turned stand out.
    """
    found = links(claims)
    joined = {one for link in found for one in (link.source, link.target)}
    shown = [claim for claim in claims if claim.id in joined]
    turned = {one.claim.id: one for one in outcomes}
    width = max(len(_text(claim, turned.get(claim.id))) for claim in shown) * LETTER + PADDING
    places = _places(shown, found, width + BETWEEN)
    boxes = tuple(_box(claim, places[claim.id], width, turned.get(claim.id)) for claim in shown)
    cables = tuple(
        Cable(
            x=places[link.source][0] + width,
            y=places[link.source][1] + BOX_HEIGHT / 2,
            to_x=places[link.target][0],
            to_y=places[link.target][1] + BOX_HEIGHT / 2,
            colour=Colour.ASIDE,
            is_arrow=True,
            is_dashed=not link.moves,
        )
        for link in found
    )
    moved, turning = sum(one.is_moved for one in outcomes), sum(one.is_turned for one in outcomes)
    said = f"{turning} of {moved} numbers that move turn a verdict"
    return Schematic(
        width=max(x for x, _ in places.values()) + width,
        height=max(y for _, y in places.values()) + BOX_HEIGHT,
        boxes=boxes,
        cables=cables,
        text=said if outcomes else f"{len(shown)} of {len(claims)} claims rest on one another",
    )


def _places(shown: Sequence[Claim], found: Sequence[Link], column_width: float) -> dict[str, tuple[float, float]]:
    """Upper left corners: a column for each step of the argument, rows in the lecture's order."""
    depth: dict[str, int] = {}
    rests = {claim.id: {link.source for link in found if link.target == claim.id} for claim in shown}
    for name in TopologicalSorter(rests).static_order():
        depth[name] = max((depth[source] + 1 for source in rests[name]), default=0)
    rows: dict[int, int] = {}
    places = {}
    for claim in shown:
        column = depth[claim.id]
        places[claim.id] = (column * column_width, rows.get(column, 0) * ROW)
        rows[column] = rows.get(column, 0) + 1
    return places


def _text(claim: Claim, outcome: Outcome | None) -> str:
    return f"{claim.id}  {claim.text(outcome.after if outcome else _own(claim))}"


def _box(claim: Claim, place: tuple[float, float], width: float, outcome: Outcome | None) -> Box:
    colour = Colour.ASIDE if outcome is None else Colour.BOUND if outcome.is_turned else Colour.ALSO
    return Box(
        x=place[0],
        y=place[1],
        width=width,
        height=BOX_HEIGHT,
        text=_text(claim, outcome),
        colour=colour,
    )
