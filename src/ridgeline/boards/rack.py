"""The rack beside a step of the walk: its chips, what lies in their memory, and what they do while a step lasts.

One drawing for the whole walk, whose state each step computes from the numbers of its own board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ridgeline.boards.board import Board, Control, ControlError, Facts, Mode, Values
from ridgeline.boards.colour import Colour
from ridgeline.boards.written import LOOKED_AT, WHERE_GIVEN

__all__ = [
    "Busy",
    "Cabinet",
    "Fill",
    "Paint",
    "Piece",
    "RackPicture",
    "Standing",
    "Track",
    "Word",
    "cabinets",
    "left_of",
    "number",
    "words",
]

MOST_CHIPS = 576
"""Drawn in all cabinets together; more would be smaller than a dot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a step's rack is computed from.

    Attributes:
        board: of the step.
        mode: whose numbers are taken.
        values: of all of the board's controls.
        facts: the model and the machine that careful numbers are of.
    """

    board: Board
    mode: Mode
    values: Values
    facts: Facts


def number(at: Standing, control: Control) -> float:
    """What a control is set to; of one that the board lacks, where it would start.

    Raises:
        ControlError: neither the board nor the facts have it.
    """
    found = at.values.get(control.name, control.start(at.mode, at.facts))
    if found is None:
        raise ControlError(
            f"the rack of board {at.board.name!r}: {at.facts.machine.id} has no {control.name}; choose another machine",
            control=control.name,
        )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """A part of a chip's memory.

    Attributes:
        colour: what lies there.
        fraction: how much of the memory it takes; all parts together may be more than there is.
    """

    colour: Colour
    fraction: float = field(metadata=LOOKED_AT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Busy:
    """A time during which a chip does something.

    Attributes:
        colour: what it does.
        start: when it begins, as a fraction of the time that is drawn.
        end: when it ends, likewise.
    """

    colour: Colour
    start: float = field(metadata=LOOKED_AT)
    end: float = field(metadata=LOOKED_AT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """One of the things that a chip can do at the same time as others: reading, computing, sending.

    Attributes:
        busy: its times, in their order; the chip is idle between them.
    """

    busy: tuple[Busy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """Chips that stand out from the others.

    Attributes:
        colour: what they stand for.
        chips: numbers of those in their cabinet, from 0.
    """

    colour: Colour
    chips: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cabinet:
    """One rack, or a box of chips that are joined as those of a rack; they are all alike but for the painted ones.

    Attributes:
        chips: chips that are drawn.
        memory: what lies in the memory of each, from the bottom.
        tracks: what each of them does.
        painted: chips that stand out.
    """

    chips: int
    memory: tuple[Fill, ...] = ()
    tracks: tuple[Track, ...] = ()
    painted: tuple[Paint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A piece of the caption.

    Attributes:
        text: the piece, with the spaces around it.
        colour: what it names in the drawing; None for what joins the pieces.
    """

    text: str
    colour: Colour | None = field(default=None, metadata=WHERE_GIVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class RackPicture:
    """The rack as a step has it.

    Attributes:
        cabinets: in the order in which work passes through them.
        words: the caption.
        asked: colours of what a step's question asks for, left out until it is answered; empty for all.
        kv_of_one: where it follows the batch at which the bill of the step's picture is read, part of its memory that
            the KV cache of one sequence takes; its times are then those of the bill. None where it follows nothing.
        is_before: whether the step has no rack of its own, and this is what is left of the one before.
    """

    cabinets: tuple[Cabinet, ...]
    words: tuple[Word, ...]
    asked: tuple[Colour, ...] = ()
    kv_of_one: float | None = field(default=None, metadata=WHERE_GIVEN)
    is_before: bool = False


Piece = str | tuple[str, Colour]
"""Of a caption: plain, or in a colour."""


def words(*pieces: Piece) -> tuple[Word, ...]:
    """A caption of its pieces.

    >>> [word.text for word in words("72 chips ", ("compute", Colour.COMPUTE))]
    ['72 chips ', 'compute']
    """
    return tuple(
        Word(text=piece) if isinstance(piece, str) else Word(text=piece[0], colour=piece[1]) for piece in pieces
    )


def left_of(rack: RackPicture) -> RackPicture:
    """What is left of a rack beside a step that is about none: its chips and what lies in them."""
    return RackPicture(
        cabinets=tuple(replace(cabinet, tracks=()) for cabinet in rack.cabinets),
        words=words("The rack as before."),
        is_before=True,
    )


def cabinets(
    count: int,
    *,
    chips: float,
    memory: Iterable[tuple[Colour, float]] = (),
    tracks: Iterable[Sequence[tuple[Colour, float, float]]] = (),
) -> tuple[Cabinet, ...]:
    """So many racks, all alike, with as many of their chips as are drawn.

    Args:
        count: of racks.
        chips: of each.
        memory: colours and fractions of what lies in a chip's memory.
        tracks: of what a chip does at the same time, colours with begin and end.
    """
    return (
        Cabinet(
            chips=min(int(chips), MOST_CHIPS // count),
            memory=tuple(Fill(colour=colour, fraction=fraction) for colour, fraction in memory),
            tracks=tuple(
                Track(busy=tuple(Busy(colour=colour, start=start, end=end) for colour, start, end in one))
                for one in tracks
            ),
        ),
    ) * count
