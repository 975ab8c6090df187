"""Changes of a step's sentence once somebody has turned its board's controls: numbers, and words that hold no more."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypedDict

from ridgeline.boards.board import Mode, Values
from ridgeline.boards.clause import Clause, pattern
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import NAMED_COUNTS, SINGULAR, count_text, singular, time_text
from ridgeline.boards.lecture import CHAPTERS, CLAIMS, board
from ridgeline.boards.lecture.walk import RungDocument, rungs_document, sentence_of, step_id, unbroken
from ridgeline.boards.tie import NUMBER, Tie
from ridgeline.boards.walk import Seen, Step, other_mode, other_than, see, told
from ridgeline.quantity_text import format_quantity

__all__ = ["LiveDocument", "LiveNumberDocument", "OverturnedDocument", "live", "rewritten"]

WRITTEN = re.compile(r"(?P<number>[\d,.]+)(?P<over>/\d+)?(?P<unit>.*)")
SPACE = " \N{NO-BREAK SPACE}"
TIMES = {"ns", "µs", "ms", "s", "minutes", "hours"}
BYTES = {"B", "kB", "MB", "GB", "TB", "PB"}
"""Units of bytes, with a space before them: a B without one is a billion."""
LEAST_DIGITS, MOST_DIGITS = 2, 4
DIGITS_OF_QUANTITIES = 3
"""Least digits of a number with a unit that controls have changed: as many as at their sliders."""
THOUSAND, DIGITS_OF_THOUSANDS = 1000, 3
"""Least digits of a number from a thousand on: zeros at its end may have come by rounding, or not."""
PLURAL = re.compile(rf"[{SPACE}]({'|'.join(SINGULAR)})\b")
EQUAL = re.compile(rf"[\d.,]+[{SPACE}]times (as \w+)")
"""A multiple that is said of what there is as much of once it is one."""
UNMOVED = 1e-9
"""Part by which a number differs at most where sums of the same controls round otherwise: far below a written digit."""


class LiveNumberDocument(TypedDict):
    """A number of a step's sentence that the turned controls have changed.

    Attributes:
        start: index of its first character in the sentence, from 0.
        end: index of the first character after it, behind its unit.
        text: number as it is now.
        x: position along at which a handle reads it now; null where no handle does.
    """

    start: int
    end: int
    text: str
    x: float | None


class OverturnedDocument(TypedDict):
    """Words of a step's sentence that do not hold with the controls as they are.

    Attributes:
        start: index of their first character in the sentence, from 0.
        end: index of the first character after them.
        text: words that hold instead; empty where there are none.
    """

    start: int
    end: int
    text: str


class LiveDocument(TypedDict):
    """Changes of a step's sentence, and of the numbers beside it.

    Attributes:
        numbers: numbers of the sentence that are others.
        overturned: words of the sentence that do not hold.
        other: sentence of the step about the numbers that it does not open in, as they are now; empty for none.
        ladder: numbers of one name that the steps up to here have told, as they are now; empty for none.
    """

    numbers: list[LiveNumberDocument]
    overturned: list[OverturnedDocument]
    other: str
    ladder: list[RungDocument]


class _Told(NamedTuple):
    """A step as it opens.

    Attributes:
        step: step of the walk.
        seen: state of the step.
        numbers: numbers of its sentence, one for each of the step's ties.
        clauses: places in its sentence of its clauses.
    """

    step: Step
    seen: Seen
    numbers: tuple[re.Match[str], ...]
    clauses: tuple[re.Match[str], ...]


def live(name: str, values: Mapping[Mode, Values]) -> LiveDocument:
    """Changes of a step's sentence at given values of its board's controls.

    What somebody says is left as it is; a number that then has no value, or no finite one, is struck. A sentence whose
    mode is not among the values is left as it is, but for one that is true of both modes. A sentence takes what is
    turned in its own mode alone: numbers of the other mode with which it compares are as they begin, so that they are
    still those of whom it names.

    Args:
        name: id of the step.
        values: values of all controls of its board, by mode.

    Raises:
        ValueError: the walk has no such step.
    """
    step, begins, numbers, places = _told(name)
    beside = other_mode(step)
    other = _other(step, _turned(begins, beside, values)) if beside and beside in values else ""
    own = begins.mode if step.other or begins.mode in values else next(iter(values))
    if own not in values:
        return {"numbers": [], "overturned": [], "other": other, "ladder": []}
    now = _turned(begins, own, values)
    overturned = [
        _overturned(found, text)
        for found, one in zip(places, step.clauses, strict=True)
        if (text := _instead(one, found[0], now)) is not None
    ]
    others: list[LiveNumberDocument] = []
    for number, tie in zip(numbers, step.ties, strict=True):
        if tie.is_said or any(one["start"] < number.end() and number.start() < one["end"] for one in overturned):
            continue
        value = _value(tie, now, step)
        if not math.isfinite(value):
            overturned.append(_overturned(number, ""))
        elif not math.isclose(value, tie.value(begins, step), rel_tol=UNMOVED):
            least = DIGITS_OF_QUANTITIES if tie.control else LEAST_DIGITS
            text = rewritten(number[0], round(value) if tie.is_whole else value, plain_digits=least)
            if text == "1" and (equal := EQUAL.match(number.string, number.start())):
                overturned.append(_overturned(equal, equal[1]))
            elif text != number[0]:
                x = tie.x(now, step) if tie.x else None
                others.append({"start": number.start(), "end": number.end(), "text": text, "x": x})
                overturned.extend(_singular(number) if text == "1" else ())
    ladder = rungs_document(step.ladder(now)) if step.ladder else []
    return {"numbers": others, "overturned": overturned, "other": other, "ladder": ladder}


def _turned(begins: Seen, mode: Mode, values: Mapping[Mode, Values]) -> Seen:
    """State of a step with what is turned in one mode; numbers of the other are as they begin."""
    found = values[mode]
    return replace(
        begins,
        mode=mode,
        values={**begins.values, mode: found},
        pictures={**begins.pictures, mode: begins.view.compute(found)},
    )


def _overturned(found: re.Match[str], text: str) -> OverturnedDocument:
    return {"start": found.start(), "end": found.end(), "text": text}


def _singular(number: re.Match[str]) -> Iterator[OverturnedDocument]:
    """The noun behind a number that is one by now."""
    found = PLURAL.match(number.string, number.end())
    if found:
        yield {"start": found.start(1), "end": found.end(1), "text": SINGULAR[found[1]]}


def _other(step: Step, now: Seen) -> str:
    try:
        return unbroken(other_than(step, now))
    except (ValueError, ZeroDivisionError):  # what is marked no more cannot be spoken of
        return ""


def _instead(one: Clause, words: str, now: Seen) -> str | None:
    """Words that hold in place of a clause, or none of them; None where it holds itself."""
    try:
        if one.holds is not None and one.holds(now):
            return None
        text = singular(unbroken(told(one.otherwise, now)))
    except ValueError:  # what is marked no more cannot be spoken of
        return ""
    return None if text == words else text


def _value(tie: Tie, now: Seen, step: Step) -> float:
    """Number that a tie has by now; not a number where that is of something marked no more."""
    try:
        return tie.value(now, step)
    except (ValueError, ZeroDivisionError):
        return math.nan


def rewritten(
    number: str, value: float, quantity_digits: int = DIGITS_OF_QUANTITIES, plain_digits: int = LEAST_DIGITS
) -> str:
    """Another value of the quantity that a number of a sentence tells.

    Args:
        number: number as it stands in the sentence, with its unit.
        value: value that the controls give it.
        quantity_digits: minimum number of significant digits where it has a unit; others keep those of the sentence.
        plain_digits: minimum number of significant digits of those others, be they multiples or shares.

    >>> rewritten("2,400", 5440.2), rewritten("1.63 ms", 0.0123), rewritten("6 %", 0.31), rewritten("1/32", 1 / 8)
    ('5,440', '12.3 ms', '31 %', '1/8')
    >>> rewritten("671B", 37e9), rewritten("24 kB", 2e6), rewritten("1 trillion", 1.5e12), rewritten("9 minutes", 7200)
    ('37B', '2 MB', '1.5 trillion', '2 hours')
    """
    found = WRITTEN.fullmatch(number)
    if not found:
        raise ValueError(f"{number!r} is no number with a unit")
    after = found["unit"]
    unit = after.strip(SPACE)
    digits = _digits(found["number"], plain_digits if unit in {"", "%"} else quantity_digits)
    if found["over"] and value < 1:
        text = f"1/{shown(1 / value, 'count', digits)}"
    elif unit in TIMES:
        text = time_text(value, digits)
    elif unit == "%":
        text = format_quantity(value, "fraction", digits)
    elif unit in BYTES and after != unit:
        text = format_quantity(value, "bytes", digits)
    elif unit in {one for _, one in NAMED_COUNTS}:
        text = count_text(value, digits)
    elif unit:
        text = format_quantity(value, "count", digits)
    else:
        # So has a whole number below: of 256 things one says 256.
        digits = max(digits, DIGITS_OF_THOUSANDS) if value >= THOUSAND or value == int(value) else digits
        text = shown(float(f"{value:.{digits}g}"), "count", digits)
    return text.replace(" ", "\N{NO-BREAK SPACE}") if "\N{NO-BREAK SPACE}" in number else text


def _digits(number: str, least: int) -> int:
    """Digits that say something in a number as it stands in a sentence."""
    told = number.replace(",", "")
    if "." not in told:
        told = told.rstrip("0")
    return min(max(len(told.replace(".", "").lstrip("0")), least), MOST_DIGITS)


@cache
def _told(name: str) -> _Told:
    steps = {step_id(step): step for chapter in CHAPTERS for step in chapter.steps}
    if name not in steps:
        raise ValueError(f"the walk has no step {name!r}; the first is {next(iter(steps))!r}")
    step = steps[name]
    seen = see(step, board(step.board), {claim.id: claim for claim in CLAIMS})
    sentence = sentence_of(step, seen)
    return _Told(step, seen, tuple(NUMBER.finditer(sentence)), tuple(_places(step, sentence)))


def _places(step: Step, sentence: str) -> Iterator[re.Match[str]]:
    """Places in the sentence of its clauses, one behind the other."""
    after = 0
    for one in step.clauses:
        found = pattern(one.words).search(sentence, after)
        if not found:
            raise ValueError(f"step {step_id(step)} has no clause {one.words!r}; take words of {sentence[after:]!r}")
        yield found
        after = found.end()
