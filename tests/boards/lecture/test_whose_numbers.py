"""What is said to be his is his: a number that a reader has turned is never called his."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.boards.walked import SEEN, STEPS, every_step

from ridgeline.boards.board import Control, Mode
from ridgeline.boards.lecture.live_numbers import LiveDocument, live
from ridgeline.boards.lecture.walk import sentence_of, step_id
from ridgeline.boards.lecture.whose import otherwise_his
from ridgeline.boards.live_controls import live_controls
from ridgeline.boards.tie import NUMBER
from ridgeline.boards.walk import Seen, Step, other_mode, turned_of
from ridgeline.quantity_text import format_quantity

ONE_OR_BOTH = ((Mode.LECTURE,), (Mode.CAREFUL,), (Mode.LECTURE, Mode.CAREFUL))

HE = r"\b(?:he|him|his)\b"
NEXT = rf"(?i:{HE})(?: numbers)?,?[^.,;:?\d]*"
AFTER = r"[^.,;:?\d]*\b(?:(?:by|with) his numbers\b|(?:that|which) he\b)"
HIS = re.compile(rf"{NEXT}(?P<after>{NUMBER.pattern})|(?P<before>{NUMBER.pattern}){AFTER}")
"""Number that a text gives to him: the next one after a word for him, or one that is followed by "that he guesses"."""
OWN = re.compile(r"(?i:with your) [^:]*? and otherwise his numbers\b")
TWICE = re.compile(rf"(?P<one>{NUMBER.pattern})[^.;,]*,\s(?:where|not)\b[^.;,]*?(?<![\w.,/])(?P=one)(?![\w,]|\.\d)")
"""One number set against itself: "20 ms, not 20 ms"."""


def his_numbers(text: str) -> set[str]:
    return {found["after"] or found["before"] for found in HIS.finditer(text)}


def places(control: Control, seen: Seen, mode: Mode) -> list[float]:
    """A little above where it stands, or below, both ends, and where the other mode starts."""
    here = seen.values[mode][control.name]
    nearby = [max(round(here * 1.4), here + 1), round(here / 1.4)] if control.is_whole else [here * 1.4, here / 1.4]
    starts = [one for mode in Mode if (one := control.start(mode, seen.board.facts())) is not None]
    starts = [round(one) for one in starts] if control.is_whole else starts  # a mean is no number that one can turn to
    near = next((one for one in nearby if control.low <= one <= control.high), here)
    return [near, control.low, control.high, *starts]


def as_told(step: Step, seen: Seen, modes: tuple[Mode, ...], **turned: float) -> Iterator[str]:
    """Sentences on the screen in some modes, with a control turned in all of them."""
    values = {mode: seen.board.values(mode, {**turned_of(step, mode), **turned}) for mode in modes}
    found: LiveDocument = live(step_id(step), values)
    beside, sentence = other_mode(step), sentence_of(step, seen)
    if found["other"]:
        yield found["other"].replace("\N{NO-BREAK SPACE}", " ")
    if beside not in modes or len(modes) > 1 or not step.other:
        for one in sorted((*found["numbers"], *found["overturned"]), key=lambda one: -one["start"]):
            sentence = sentence[: one["start"]] + one["text"] + sentence[one["end"] :]
        yield sentence.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.slow
@every_step
def test_no_number_that_is_turned_is_called_his(step: Step, seen: Seen) -> None:
    """Numbers that a text gives to him stay what they are; one made with a reader's own says so, and names that."""
    offered = live_controls(seen.board, seen.view) if step.controls is None else step.controls
    for modes in ONE_OR_BOTH:
        begins = list(as_told(step, seen, modes))
        for name in offered:
            control = seen.board.control(name)
            for place in places(control, seen, modes[0]):
                told = list(as_told(step, seen, modes, **{name: place}))
                for text, before in zip(told, begins, strict=True):
                    his = his_numbers(text) - his_numbers(before)
                    assert not his or OWN.search(text), (name, place, text)
                    is_made_anew = other_mode(step) is Mode.LECTURE and text is told[0] and text != before
                    assert not (is_made_anew and "By his numbers" in text), (name, place, text)
                    assert not TWICE.search(text), (name, place, text)
                    if OWN.search(text):
                        assert format_quantity(place, control.dimension) in text, (name, place, text)
                        assert not his_numbers(OWN.sub("", text)) - his_numbers(before), (name, place, text)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("the ratio is 304 in 8-bit numbers, his 300.", {"300"}),
        ("As 36.6B give 603 B of cache per token, where he has 1.67 kB.", {"1.67 kB"}),
        ("pays 106 times as much, and 2,400 times by his numbers.", {"2,400"}),
        ("89 times less than the 2.5 ms that he guesses. His own 2,400 would take 16.8 µs.", {"2.5 ms", "2,400"}),
        ("By his numbers, looking back at all takes 150.", {"150"}),
        ("His KV caches are small, 2 kB a token", set()),
        ("At 2,400 sequences a step takes 2.63 ms", set()),
    ],
)
def test_what_a_text_gives_to_him_is_found(text: str, numbers: set[str]) -> None:
    assert his_numbers(text) == numbers


def test_one_number_set_against_itself_is_found() -> None:
    assert TWICE.search("trains leave every 20 ms, not 20 ms")
    assert TWICE.search("are 8 times as fast as those out of it, where he says 8 times")
    assert not TWICE.search("are 18 times as fast as those out of it, where he says 8 times")


def own_of(name: str, **turned: float) -> tuple[Step, Seen, str]:
    ((step, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if step_id(both[0]) == name]
    return step, seen, next(as_told(step, seen, (Mode.LECTURE,), **turned))


def test_a_cache_that_a_reader_has_set_is_not_his() -> None:
    """Moved among sourced numbers, and then Pope's chosen: his cache is 2 kB, and his limit is at 3,550."""
    _, _, own = own_of("latency-0:20:00")
    assert "His KV caches are small, 2 kB a token" in own
    _, _, turned = own_of("latency-0:20:00", kv_bytes_per_token=5230.0)
    assert turned.startswith("With your bytes of KV cache per token (5.23 kB) and otherwise his numbers: a chip")
    assert "A KV cache has 5.23 kB a token" in turned
    assert "His KV" not in turned


def test_several_of_a_readers_numbers_are_counted() -> None:
    step, seen, _ = own_of("latency-0:20:00")
    names = ("kv_bytes_per_token", "chips", "expansion")
    values = seen.board.values(Mode.LECTURE, dict.fromkeys(names, 100.0))
    found = live(step_id(step), {Mode.LECTURE: values})["other"]
    assert found.startswith("With your 3 numbers and otherwise his numbers: ")
    assert otherwise_his(seen) == ""
