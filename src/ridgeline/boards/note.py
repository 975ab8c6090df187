"""A claim in a line: the lecture's number and ours, each once, and what both are of."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["DIGITS", "UNITS", "Note", "note", "number_text"]

UNITS = {
    "": None,
    "s": "duration",
    "bytes": "bytes",
    "FLOP": "flop",
    "tokens": "count",
    "params": "count",
    "tokens/s": "tokens_per_s",
    "$/s": "usd_per_s",
    "$/token": "usd_per_token",
    "points": None,
}
"""Units of claims' numbers, each with the dimension that ``format_quantity`` writes it in; None where it has none."""

DIGITS = 4
PART, TIMES, AS = "of ", "times ", "as "
"""Nouns that begin so are of a part, and of a ratio to something, or to how large something is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Numbers of a claim, as text without what they are of; empty where there is none.

    Attributes:
        his: the lecture's.
        ours: with the lecture's constants.
        published: what others measured, where no equation gives a number.
        of: what all of them are of; empty where each has a unit of its own.
    """

    his: str
    ours: str
    published: str
    of: str


def note(*, his: float | None, ours: float | None, published: float | None, unit: str, what: str) -> Note:
    """The numbers of a claim, with what they are of once.

    >>> note(his=8.0, ours=9.0, published=None, unit="", what="times the bandwidth")
    Note(his='8', ours='9', published='', of='times the bandwidth')
    >>> note(his=1.0, ours=1.0, published=None, unit="", what="times as long")
    Note(his='just as', ours='just as', published='', of='long')
    """
    values = (his, ours, published)
    known = [value for value in values if value is not None]
    texts = {value: _parts(value, unit, what) for value in known}
    are_alike = len({number for number, _ in texts.values()}) == 1
    if not are_alike:
        texts = {value: (_number(value, unit, what), _of(what, unit, is_one=False)) for value in known}
        # The noun follows the last number.
        last = texts[known[-1]][0] if known else ""
        of = _of(what, unit, is_one=last == "1")
    else:
        of = texts[known[0]][1]
    numbers = ["" if value is None else texts[value][0] for value in values]
    return Note(his=numbers[0], ours=numbers[1], published=numbers[2], of=of if known else "")


def number_text(value: float | None, unit: str, what: str = "") -> str:
    """A number of a claim to four digits, as people read it; one of no dimension without prefixes, with its noun.

    >>> number_text(0.0011687, "s"), number_text(200e3, "tokens"), number_text(5448.2, ""), number_text(None, "s")
    ('1.169 ms', '200k tokens', '5,448', '-')
    >>> number_text(4, "", "stages"), number_text(1, "", "stages"), number_text(0.5, "", "of the peak")
    ('4 stages', '1 stage', '50 % of the peak')
    >>> number_text(2, "", "times as long"), number_text(1, "", "times as long"), number_text(1, "", "times the bound")
    ('2 times as long', 'just as long', 'equal to the bound')
    """
    return "-" if value is None else " ".join(filter(None, _parts(value, unit, what)))


def _parts(value: float, unit: str, what: str) -> tuple[str, str]:
    """A number, and what it is of; a ratio of one in words."""
    number = _number(value, unit, what)
    if number == "1" and what.startswith(TIMES):
        to = what.removeprefix(TIMES)
        return ("just as", to.removeprefix(AS)) if to.startswith(AS) else ("equal", f"to {to}")
    return number, _of(what, unit, is_one=number == "1")


def _number(value: float, unit: str, what: str) -> str:
    """As people read it, with its unit where that is more than a noun."""
    dimension = "fraction" if what.startswith(PART) else UNITS[unit]
    return format_number(value, DIGITS) if dimension is None else format_quantity(value, dimension, DIGITS)


def _of(what: str, unit: str, *, is_one: bool) -> str:
    """What a number is of; of one where it is one, and a ratio has no singular."""
    if unit:
        return unit if UNITS[unit] in (None, "count") else ""
    first, *rest = what.split(" ")
    return " ".join([first.removesuffix("s"), *rest]) if is_one and first not in {"times", "as"} else what
