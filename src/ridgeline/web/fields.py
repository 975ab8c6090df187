"""Reading of a question's fields; every fault is reported with the field's name."""

from __future__ import annotations

from collections.abc import Mapping

from ridgeline.boards.board import Board, Control, ControlError, Facts, Mode, View
from ridgeline.boards.lecture import board
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.boards.turned import end_beyond, end_text, turned_value
from ridgeline.quantity_text import QuantityError
from ridgeline.web.documents import ClampedDocument, RefusalDocument
from ridgeline.web.facts import Dropped, UnknownNameError

__all__ = [
    "BOTH",
    "MOST_CHARACTERS",
    "MOST_FIELDS",
    "MOST_MESSAGE",
    "FieldError",
    "UnknownPathError",
    "clamp",
    "facts_of",
    "framed_by",
    "frames_of",
    "modes_of",
    "named",
    "not_controls",
    "of_mode",
    "only_of",
    "short",
    "step_of",
    "turned",
]

MOST_CHARACTERS = 100
"""Characters of a field; no quantity needs as many."""
MOST_FRAMES_CHARACTERS = 500
"""Characters of the ends of x of all of a board's views."""
MOST_FIELDS = 40
"""Fields of a question; the board with the most controls has a third of that."""
MOST_MESSAGE = 600
"""Characters of a refusal."""

BOTH = "both"
"""The mode that shows the lecture's numbers and careful ones in one picture."""
MOST_ALONG = 1e30
"""The largest number that is drawn over; the smallest that ratios start from is one over it."""


class FieldError(ValueError):
    """Error for a field of a question with an invalid value.

    Attributes:
        field: name of the refused field; the first where there are several.
        wrong: fault of every field that is refused, by name.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.wrong = {field: message}

    @classmethod
    def of_all(cls, wrong: Mapping[str, str]) -> FieldError:
        """Error for one or more refused fields, named by the first."""
        found = cls(next(iter(wrong)), "; ".join(wrong.values()))
        found.wrong = dict(wrong)
        return found

    def document(self) -> RefusalDocument:
        """Refusal as it is sent: cut to length, and in characters that can be encoded."""
        wrong = {_said(name): _said(message) for name, message in self.wrong.items()}
        return {"field": _said(self.field), "message": _said(str(self)), "wrong": wrong}


class UnknownPathError(FieldError):
    """Error for an unknown path."""


def _said(text: str) -> str:
    """Text of a visitor, cut to length and encodable."""
    short = text if len(text) <= MOST_MESSAGE else f"{text[:MOST_MESSAGE]}..."
    return short.encode("utf-8", "replace").decode()


def short(fields: Mapping[str, str]) -> dict[str, str]:
    """Fields, checked for their number and length."""
    if len(fields) > MOST_FIELDS:
        raise FieldError("", f"{len(fields)} fields are more than {MOST_FIELDS}; no board has as many controls")
    for name, text in fields.items():
        most = MOST_FRAMES_CHARACTERS if name == "over" else MOST_CHARACTERS
        if len(name) > MOST_CHARACTERS or len(text) > most:
            raise FieldError(name[:MOST_CHARACTERS], f"is longer than {most} characters")
    return dict(fields)


def named(name: str) -> Board:
    """The board that a path names."""
    try:
        return board(name)
    except ValueError as error:
        raise FieldError("board", str(error)) from None


def facts_of(one: Board, fields: dict[str, str], dropped: Dropped) -> Facts:
    """Facts of the model and the machine that the fields name; both fields are removed."""
    names = {field: fields.pop(field, "") for field in ("model", "machine")}
    try:
        return dropped.facts(one, **names)
    except UnknownNameError as error:
        raise FieldError.of_all(error.wrong) from None


def modes_of(text: str) -> tuple[Mode, ...]:
    """One mode, or both."""
    if text == BOTH:
        return tuple(Mode)
    try:
        return (Mode(text),)
    except ValueError:
        raise FieldError("mode", f"{text!r} is not a mode; there are {', '.join((BOTH, *Mode))}") from None


def framed_by(text: str) -> tuple[Mode, ...]:
    """Modes that take part in the frame whichever are shown: both, so that it stays from mode to mode; else none."""
    if text not in ("", BOTH):
        raise FieldError("frame", f"{text!r} is no frame; it is {BOTH!r}, or is left out for that of the modes shown")
    return tuple(Mode) if text else ()


def frames_of(one: Board, text: str) -> list[tuple[float, float] | None] | None:
    """Ends of x for each view; None where lines end where they do by themselves."""
    if not text:
        return None
    parts = text.split(";")
    if len(parts) != len(one.views):
        raise FieldError("over", f"holds ends for {len(parts)} views, and board {one.name!r} has {len(one.views)}")
    return [_frame(view, part) if part else None for view, part in zip(one.views, parts, strict=True)]


def only_of(one: Board, text: str) -> int | None:
    """Place of the one view that is wanted; None for all."""
    if not text:
        return None
    places = [str(place) for place in range(len(one.views))]
    if text not in places:
        raise FieldError("only", f"{text!r} is no view of board {one.name!r}; there are {', '.join(places)}")
    return int(text)


def _frame(view: View, text: str) -> tuple[float, float]:
    """Ends of x of one view, between which it can be drawn."""
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        raise FieldError("over", f"{text!r} is not LOW:HIGH, two numbers in base units") from None
    # Nothing that is drawn is below zero.
    if not 0 <= low < high <= MOST_ALONG or (view.x.is_logarithmic and low < 1 / MOST_ALONG):
        above = f"{1 / MOST_ALONG:g}" if view.x.is_logarithmic else "0"
        raise FieldError("over", f"{text!r} does not rise between {above} and {MOST_ALONG:g}")
    return low, high


def of_mode(texts: Mapping[str, str], mode: Mode) -> dict[str, str]:
    """Texts of controls in a mode: "careful.chips" sets one in that mode alone, "chips" in both."""
    own = {name.removeprefix(f"{mode}."): text for name, text in texts.items() if name.startswith(f"{mode}.")}
    return {name: text for name, text in texts.items() if name == _bare(name)} | own


def _bare(name: str) -> str:
    """Name of the control that a field sets."""
    mode, _, control = name.partition(".")
    return control if mode in tuple(Mode) else name


def step_of(one: Board, text: str) -> str:
    """Id of the board's step whose sentence is followed; empty for none."""
    steps = [step["id"] for step in walk_document()["steps"] if step["board"] == one.name]
    if text and text not in steps:
        raise FieldError("step", f"{text!r} is no step of board {one.name!r}; there are {', '.join(steps) or 'none'}")
    return text


def not_controls(one: Board, fields: Mapping[str, str]) -> dict[str, str]:
    """Fields that the board does not have, as links collect them; they are dropped and reported."""
    found = {}
    for name in fields:
        try:
            one.control(_bare(name))
        except ControlError as error:
            found[name] = str(error)
    return found


def turned(one: Board, texts: Mapping[str, str], mode: Mode, facts: Facts) -> dict[str, float]:
    """Values of controls in a mode, read from text as a person types it; all faults are reported together."""
    wrong: dict[str, str] = {}
    found: dict[str, float] = {}
    for name, text in texts.items():
        try:
            value = turned_value(one, name, text, mode, facts)
            end = end_beyond(one.control(name), value)
            one.values(Mode.LECTURE, {name: value if end is None else end}, facts)
        except (ControlError, QuantityError) as error:
            wrong[name] = str(error)
        else:
            found[name] = value
    if wrong:
        raise FieldError.of_all(wrong)
    return found


def clamp(one: Board, given: Mapping[Mode, dict[str, float]]) -> dict[str, ClampedDocument]:
    """Controls that were turned beyond their range in some mode are set to its end in all, and it is said."""
    met = [(name, end_beyond(one.control(name), value)) for values in given.values() for name, value in values.items()]
    ends = {name: end for name, end in met if end is not None}
    for values in given.values():
        values.update({name: end for name, end in ends.items() if name in values})
    return {name: _clamped(one.control(name), end) for name, end in ends.items()}


def _clamped(control: Control, end: float) -> ClampedDocument:
    text, bound = end_text(control, end), "most" if end == control.high else "least"
    return {"text": text, "said": f"{control.short or control.label} set to {text}, the {bound} this board takes"}
