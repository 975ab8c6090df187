"""The rack beside a step of the walk: its chips, what lies in their memory, and what they do while a step lasts.

One drawing for the whole walk, whose state each step computes from the numbers of its own board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from ridgeline.boards.board import Board, Control, ControlError, Facts, Mode, Values
from ridgeline.boards.colour import Colour
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.written import LOOKED_AT, WHERE_GIVEN
from ridgeline.quantity_text import counted, format_quantity

__all__ = [
    "Busy",
    "Cabinet",
    "DecodeStep",
    "Fill",
    "Paint",
    "Piece",
    "RackPicture",
    "Standing",
    "Track",
    "Visited",
    "Word",
    "cabinets",
    "decode_step",
    "number",
    "portions",
    "stated",
    "words",
]

MOST_CHIPS = 576
"""Largest number of chips in all cabinets together; more would be smaller than a dot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """State of a step that its rack is computed from.

    Attributes:
        board: board of the step.
        mode: mode whose numbers are taken.
        values: values of all of the board's controls.
        facts: the model and the machine that careful numbers are of.
    """

    board: Board
    mode: Mode
    values: Values
    facts: Facts


def number(at: Standing, control: Control) -> float:
    """Value of a control; the start of one that the board lacks.

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
        colour: colour of the part's contents.
        fraction: fraction of the memory; the sum of all parts may exceed one.
    """

    colour: Colour
    fraction: float = field(metadata=LOOKED_AT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Busy:
    """A time during which a chip does something.

    Attributes:
        colour: colour of the activity.
        start: start as a fraction of the time that is drawn.
        end: end as a fraction of the time that is drawn.
    """

    colour: Colour
    start: float = field(metadata=LOOKED_AT)
    end: float = field(metadata=LOOKED_AT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """One of the things that a chip can do at the same time as others: reading, computing, sending.

    Attributes:
        busy: busy times in their order; the chip is idle between them.
    """

    busy: tuple[Busy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """Chips that stand out from the others.

    Attributes:
        colour: colour of their group.
        chips: numbers of the chips in their cabinet, from 0.
    """

    colour: Colour
    chips: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cabinet:
    """One rack, or a box of chips that are joined as those of a rack; they are all alike but for the painted ones.

    Attributes:
        chips: chips that are drawn.
        memory: parts of each chip's memory, from the bottom.
        tracks: tracks of each chip.
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
        colour: colour of the thing that it names in the drawing; None for pieces that join others.
        filled_in: reason for a number that stands among the lecture's although it gives none; None for all others.
    """

    text: str
    colour: Colour | None = field(default=None, metadata=WHERE_GIVEN)
    filled_in: str | None = field(default=None, metadata=WHERE_GIVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """Chips that one of the tokens of the step's picture visits, while it is played.

    Attributes:
        chips: numbers of those that it visits, from 0, by cabinet.
        words: caption during the visit.
    """

    chips: tuple[tuple[int, ...], ...]
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RackPicture:
    """The rack as a step has it.

    Attributes:
        cabinets: cabinets in the order in which work passes through them.
        words: words of the caption.
        follows_bill: whether its times are those of the bill of the step's picture, wherever that is read.
        kv_of_one: part of the memory that the KV cache of one sequence takes, where the bill is read by the batch; None
            where no memory is followed.
        tokens: routes of the picture's tokens, in the order in which they are played; empty where it plays none.
        scene_spans: whole time of the step's picture, where it plays the same work, over the time that is drawn here;
            None where it plays something else.
        is_resting: whether the step is about no rack, so that the rack is shown idle.
    """

    cabinets: tuple[Cabinet, ...]
    words: tuple[Word, ...]
    follows_bill: bool = False
    kv_of_one: float | None = field(default=None, metadata=WHERE_GIVEN)
    tokens: tuple[Visited, ...] = ()
    scene_spans: float | None = field(default=None, metadata=WHERE_GIVEN)
    is_resting: bool = False


Piece = str | tuple[str, Colour] | Word
"""Piece of a caption: plain, in a colour, or a word as it stands."""


def words(*pieces: Piece) -> tuple[Word, ...]:
    """A caption of its pieces.

    >>> [word.text for word in words("72 chips ", ("compute", Colour.COMPUTE))]
    ['72 chips ', 'compute']
    """
    return tuple(_word(piece) for piece in pieces)


def _word(piece: Piece) -> Word:
    if isinstance(piece, Word):
        return piece
    return Word(text=piece) if isinstance(piece, str) else Word(text=piece[0], colour=piece[1])


def stated(at: Standing, control: Control, counts: str = "") -> Word:
    """Value of a control for a caption, marked where it stands among the lecture's numbers and was filled in.

    Args:
        at: state of the step.
        control: a control of the board, or one that the board lacks.
        counts: noun of the things that it counts, in the singular; empty for numbers with a unit.
    """
    value = number(at, control)
    own = next((one for one in at.board.controls if one.name == control.name), control)
    is_open = at.mode is Mode.LECTURE and own.origin is Origin.FILLED_IN and value == own.start(at.mode, at.facts)
    why = own.lecture.why if is_open and isinstance(own.lecture, Constant) else None
    return Word(text=counted(value, counts) if counts else format_quantity(value, control.dimension), filled_in=why)


def cabinets(
    count: int,
    *,
    chips: float,
    memory: Iterable[tuple[Colour, float]] = (),
    tracks: Iterable[Sequence[tuple[Colour, float, float]]] = (),
) -> tuple[Cabinet, ...]:
    """Cabinets of ``count`` equal racks, each with as many of its chips as are drawn.

    Args:
        count: number of racks.
        chips: chips of each rack.
        memory: colours and fractions of what lies in a chip's memory.
        tracks: tracks of a chip: colours with their starts and ends.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeStep:
    """Shares of a decode step's time; chips read and compute at the same time, so that parts add up to more than 1.

    Attributes:
        weights: fraction of the time in which weights are read.
        kv: fraction of the time in which KV cache is read.
        compute: fraction of the time in which chips compute.
    """

    weights: float
    kv: float
    compute: float

    def tracks(self, shown: Sequence[Colour]) -> list[list[tuple[Colour, float, float]]]:
        """Tracks of a chip: reads above, compute below, as far as they are shown."""
        read = [
            (Colour.WEIGHTS, 0.0, self.weights),
            (Colour.KV, self.weights, self.weights + self.kv),
        ]
        tracks = read, [(Colour.COMPUTE, 0.0, self.compute)]
        return [[one for one in track if one[0] in shown] for track in tracks]


def decode_step(*, weights: float, kv: float, compute: float) -> DecodeStep:
    """Decode step from three times, in any unit: it lasts as long as the longer of reading and computing.

    >>> decode_step(weights=3, kv=1, compute=2)
    DecodeStep(weights=0.75, kv=0.25, compute=0.5)
    """
    step = max(weights + kv, compute)
    return DecodeStep(weights=weights / step, kv=kv / step, compute=compute / step)


def portions(chips: int, parts: Mapping[Colour, float]) -> tuple[Paint, ...]:
    """Chips shared out by fractions of all, rounded to whole chips.

    >>> [paint.chips for paint in portions(4, {Colour.COMPUTE: 0.5, Colour.ALSO: 0.3})]
    [(0, 1), (2,)]
    """
    ends = [round(chips * part) for part in accumulate(parts.values(), initial=0.0)]
    return tuple(
        Paint(colour=colour, chips=tuple(range(start, end)))
        for colour, (start, end) in zip(parts, pairwise(ends), strict=True)
    )
