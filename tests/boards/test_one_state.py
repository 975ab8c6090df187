"""One state a screen: what a step has twice is written alike in sentences, marks and claims."""

from __future__ import annotations

import itertools
import re

from ridgeline.boards.lecture import CHAPTERS, CLAIMS, board
from ridgeline.boards.lecture.walk import StepDocument, walk_document
from ridgeline.boards.picture import Curves
from ridgeline.boards.walk import Step, turned_of
from ridgeline.boards.written import flat
from ridgeline.seconds import DAY_S, HOUR_S, MINUTE_S

BY_ID = {claim.id: claim for claim in CLAIMS}
STEPS = [step for chapter in CHAPTERS for step in chapter.steps]

SIZES = {"": 1.0, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "million": 1e6, "billion": 1e9, "trillion": 1e12}
TIMES = {
    "ns": 1e-9,
    "µs": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "min": MINUTE_S,
    "h": HOUR_S,
    "d": DAY_S,
    "minute": MINUTE_S,
    "minutes": MINUTE_S,
    "hour": HOUR_S,
    "hours": HOUR_S,
    "days": DAY_S,
}
BYTES = {"B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
WRITTEN = re.compile(
    r"(?P<usd>\$)?(?<![\w.,])(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?P<size>[kMBT]\b)?"
    r"(?: (?P<unit>%|ns|µs|ms|s|min|h|d|minutes?|hours?|days|kB|MB|GB|TB|million|billion|trillion)(?!\w))?"
)
NEAR = 0.04
"""Part by which numbers of one kind may differ and still be taken for one that is rounded twice."""
POINT = 0.6
"""Per cent by which parts may: to whole ones both are rounded by half of one at most."""
SAME = 1e-9
"""What floats leave of the same digits."""
LEAST_COUNT = 1000
"""Smaller ones count racks, experts and steps, of which two may be close."""
OTHERS = (
    {"5,440", "5,570"},  # at his 300, and at a GB200's own ratio, as the sentence says
    {"10 %", "9.6 %"},  # the price of a cached token, and part of the memory that caches take
    {"50 %", "50.4 %"},  # half of a block, and that half with the bytes that a round leaves by chance
)
"""Of two quantities that happen to be close."""


def quantities(text: str) -> set[tuple[str, float, str]]:
    """Numbers of a text that somebody could hold against another: kind, value, and as written."""
    found = set()
    for one in WRITTEN.finditer(text):
        value, unit, size = float(one["number"].replace(",", "")), one["unit"] or "", one["size"] or ""
        kind = "$" if one["usd"] else "%" if unit == "%" else "s" if unit in TIMES else "bytes" if unit in BYTES else ""
        scale = TIMES.get(unit, BYTES.get(unit, SIZES.get(unit, 1.0))) * SIZES[size]
        if kind or value * scale >= LEAST_COUNT:
            found.add((kind, value * scale, one[0].strip()))
    return found


def said(step: Step, document: StepDocument) -> dict[str, str]:
    """What stands on a step's screen, by where."""
    texts = {"sentence": document["sentence"]}
    if question := document["question"]:
        texts |= {"question": question["prompt"], "answer": question["reveal"]}
    where = board(step.board)
    values = {mode: where.values(mode, turned_of(step, mode)) for mode in step.modes}
    for one in values.values():
        if isinstance(picture := where.views[step.view].compute(one), Curves):
            lines = set(document["lines"]) or {flat(line.name) for line in picture.lines}
            texts |= {
                f"mark {mark.name}": mark.text
                for mark in picture.marks
                if not mark.is_quiet and flat(mark.line) in lines and (not mark.crosses or flat(mark.crosses) in lines)
            }
    texts |= {f"claim {name}": BY_ID[name].note().sentence() for name in step.claims}
    return texts


def test_what_a_screen_has_twice_is_written_alike() -> None:
    for step, document in zip(STEPS, walk_document()["steps"], strict=True):
        there = [(*one, where) for where, text in said(step, document).items() for one in quantities(text)]
        for (kind, value, text, where), (other_kind, other, other_text, elsewhere) in itertools.combinations(there, 2):
            if kind != other_kind or not value * other or {text, other_text} in OTHERS:
                continue
            is_same = abs(value / other - 1) < SAME
            apart = abs(value - other) / POINT if kind == "%" else abs(value / other - 1) / NEAR
            assert is_same or apart > 1, f"{document['id']}: {text} in {where}, {other_text} in {elsewhere}"


def test_what_is_rounded_twice_is_found() -> None:
    assert quantities("29.8 hours") != quantities("1.2 d")
    ((_, hours, _),), ((_, days, _),) = quantities("29.8 hours"), quantities("1.2 d")
    assert SAME < abs(hours / days - 1) < NEAR
