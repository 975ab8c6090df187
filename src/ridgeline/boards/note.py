"""A claim's numbers as text: the speaker's, ours, their common noun, and the verdict in a line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.in_a_sentence import count_text, time_text
from ridgeline.quantity_text import format_dollars, format_quantity
from ridgeline.seconds import HOUR_S

__all__ = ["DIGITS", "UNITS", "Measure", "Note", "gives", "span_text", "stated"]

DIGITS = 3
"""Significant digits of shown numbers; documents keep all."""

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
"""Units of claims' numbers, each with the dimension in which a changed number is read; None where it has none."""

NOUNS = {
    "FLOP": "FLOP",
    "tokens": "tokens",
    "params": "parameters",
    "tokens/s": "tokens a second",
    "$/s": "an hour",
    "$/token": "per million tokens",
    "points": "points",
}
"""Nouns that follow a number, by unit; for times and bytes the unit is part of the number."""

PER_CENT, OF, TIMES = "% ", "of ", "times "
"""Beginnings of nouns after parts, which are given in per cent, and after multiples."""
GIVES = {Origin.SAID: "says", Origin.IMPLIED: "implies"}
"""Verb for the way in which he gives a number."""
EXACT = 1e-9
"""Part by which a float may differ from a number that has words of its own."""


def _dollars_an_hour(usd_per_s: float, digits: int) -> str:
    return format_quantity(usd_per_s * HOUR_S, "usd", digits)


def _dollars_a_million(usd_per_token: float, digits: int) -> str:
    return format_dollars(float(f"{usd_per_token:.{digits}g}"))


def _bytes(value: float, digits: int) -> str:
    return format_quantity(value, "bytes", digits)


WRITTEN: Mapping[str, Callable[[float, int], str]] = {
    "bytes": _bytes,
    "$/s": _dollars_an_hour,
    "$/token": _dollars_a_million,
}
"""Writers of numbers by unit, for units other than counts and times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """Noun and form of a claim's numbers.

    Attributes:
        unit: one of ``UNITS``; empty for ratios and for what is counted.
        what: words after the number, for the thing counted or measured; after "of" or "%" the number is in per cent.
        exactly: words for the few numbers that have better ones: no saving, twice the cables.
    """

    unit: str
    what: str
    exactly: Mapping[float, str] = field(default_factory=dict)

    def noun(self) -> str:
        """Noun that follows a number."""
        return " ".join(filter(None, (NOUNS.get(self.unit, ""), self.what.removeprefix(PER_CENT))))

    def number(self, value: float, *, digits: int = DIGITS, beside: float | None = None) -> str:
        """A number without its noun; in the unit of another that it stands beside, where that reads well."""
        if self.unit == "s":
            return time_text(value, digits, beside)
        if not self.unit and self.what.startswith((OF, PER_CENT)):
            return format_quantity(value, "fraction", digits)
        written = WRITTEN.get(self.unit, count_text)
        # What is not quite one is not told as one.
        while (text := written(value, digits)) == "1" and not math.isclose(value, 1, rel_tol=EXACT):
            digits += 1
        return text.replace("-", "\N{MINUS SIGN}")

    def text(self, value: float | None) -> str:
        """A number with its noun, or words for it.

        >>> Measure(unit="tokens", what="of context").text(54772)
        '54,800 tokens of context'
        >>> counted = Measure(unit="", what="times the cables", exactly={2.0: "twice the cables"})
        >>> counted.text(2.0), counted.text(2.5), counted.text(None)
        ('twice the cables', '2.5 times the cables', '-')
        >>> Measure(unit="", what="stages").text(1), Measure(unit="", what="of the time").text(0.5)
        ('1 stage', '50 % of the time')
        """
        if value is None:
            return "-"
        if words := self.words(value):
            return words
        number = self.number(value)
        noun = self.noun()
        if number == "1" and not noun.startswith(TIMES):
            first, *rest = noun.split(" ")
            noun = " ".join([first.removesuffix("s"), *rest])
        return " ".join(filter(None, (number, noun)))

    def beside(self, value: float, first: float) -> str:
        """A number after another whose text has the noun."""
        if words := self.words(value):
            return words
        if self.words(first):
            return self.text(value)
        return self.number(value, beside=first) + (" times" if self.noun().startswith(TIMES) else "")

    def texts(self, values: Iterable[float | None]) -> tuple[str, ...]:
        """Numbers one after another: the first with its noun, the others without; "-" where there is none.

        >>> Measure(unit="", what="sequences").texts((2400, None, 5441))
        ('2,400 sequences', '-', '5,440')
        """
        first: float | None = None
        found = []
        for value in values:
            if value is None:
                found.append("-")
            elif first is None:
                first = value
                found.append(self.text(value))
            else:
                found.append(self.beside(value, first))
        return tuple(found)

    def span(self, low: float, high: float) -> str:
        """Range from one number to another, with the unit once.

        >>> Measure(unit="bytes", what="").span(10e12, 20e12), Measure(unit="tokens", what="").span(1e5, 2e5)
        ('10 to 20 TB', '100,000 to 200,000')
        """
        least, most = self.number(low), self.number(high)
        *_, unit = most.split(" ")
        return f"{least.removesuffix(f' {unit}')} to {most}"

    def words(self, value: float) -> str:
        """Words for a number that has its own; empty for all others."""
        return next((text for number, text in self.exactly.items() if math.isclose(value, number, rel_tol=EXACT)), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Numbers of a claim as text, empty where there is none, and its verdict in a line.

    Attributes:
        his: number of the lecture, without its noun.
        his_by: speaker of that number and how he gives it: "he implies".
        ours: number with the lecture's constants, without its noun.
        published: number that others measured, where no equation gives one.
        of: the noun of all of them.
        word: first word of the verdict line: Yes, Roughly, Only if, No, Not computed.
        line: the rest of the line, words and numbers in turn, words first.
        given: inputs with which the number was computed, where a picture beside it may have others.
    """

    his: str
    his_by: str
    ours: str
    published: str
    of: str
    word: str
    line: tuple[str, ...]
    given: str

    def sentence(self) -> str:
        """The verdict line as one text."""
        line = f"{self.word}{''.join(self.line)}"
        return f"{line.removesuffix('.')} ({self.given})." if self.given else line


def gives(his: Constant) -> str:
    """Speaker of a number, and how he gives it.

    >>> from ridgeline.boards.constant import implied
    >>> gives(implied(2400, "0:19:22"))
    'he implies'
    """
    return f"{his.speaker} {GIVES[his.origin]}"


def stated(measure: Measure, his: Constant) -> str:
    """Stated number, or its range, with the noun.

    >>> from ridgeline.boards.constant import said
    >>> stated(Measure(unit="bytes", what=""), said(10e12, "0:45:30", hedge="10 to 20", between=(10e12, 20e12)))
    '10 to 20 TB'
    """
    if _is_span(measure, his):
        return f"{span_text(measure, his)} {measure.noun()}".rstrip()
    return measure.text(float(his))


def _is_span(measure: Measure, his: Constant) -> bool:
    """Whether the lecture gives a range, as 10 to 20 TB."""
    return his.origin is Origin.SAID and None not in (his.low, his.high) and not measure.words(float(his))


def span_text(measure: Measure, his: Constant) -> str:
    """Stated number, or its range, without the noun."""
    if _is_span(measure, his) and his.low is not None and his.high is not None:
        return measure.span(his.low, his.high)
    return measure.number(float(his))
