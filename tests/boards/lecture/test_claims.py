"""One rule for all claims: a verdict says what the computed numbers say, and a bridge leads from one to the other."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable

import pytest

from ridgeline.boards.card import Card
from ridgeline.boards.claim import UNITS, Claim, Verdict
from ridgeline.boards.constant import Origin
from ridgeline.boards.exercise import Exercise
from ridgeline.boards.lecture import BOARDS, CARDS, CHAPTERS, CLAIMS, EXERCISES
from ridgeline.boards.lecture.recording import seconds

NEW = CLAIMS
RECORDING_S = seconds("2:14:00")
"""Its length, rounded up."""
each = pytest.mark.parametrize("claim", NEW, ids=lambda claim: claim.id)
computed = pytest.mark.parametrize("claim", [one for one in NEW if one.compute is not None], ids=lambda claim: claim.id)
LIMIT = {Verdict.REPRODUCES: 0.05, Verdict.ROUNDED: 1 / 3}
"""What a computed number may be off under a verdict: he rounds to one or two digits, and says "about" up to a third."""


def test_ids_are_unique_and_rise_within_a_chapter() -> None:
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS)
    for chapter in CHAPTERS:
        letters = [claim.id[0] for claim in chapter.claims]
        assert letters == sorted(letters)


@each
def test_a_claim_is_said_in_one_line_and_judged_in_a_few(claim: Claim) -> None:
    for text in (claim.claim, claim.why):
        assert text.endswith(".")
        assert "\n" not in text
    assert claim.unit in UNITS


@pytest.mark.parametrize("one", [*CLAIMS, *EXERCISES, *CARDS], ids=lambda one: one.id)
def test_every_claim_and_question_has_its_second_of_the_recording(one: Claim | Exercise | Card) -> None:
    assert re.fullmatch(r"\d:[0-5]\d:[0-5]\d", one.time_stamp)
    assert seconds(one.time_stamp) < RECORDING_S


def test_every_claim_is_shown_on_a_board() -> None:
    assert {claim.id for claim in CLAIMS} == {name for board in BOARDS for name in board.claims}


@each
def test_a_verdict_is_what_the_numbers_say(claim: Claim) -> None:
    if claim.verdict is Verdict.NOT_DERIVABLE:
        assert (claim.compute, claim.equation) == (None, "")
        return
    value = claim.lecture_mode()
    assert value is not None
    assert math.isfinite(value)
    if claim.lecture is None:
        return
    readings = [value, *(found for _, found in claim.bridge())]
    match claim.verdict:
        case Verdict.REPRODUCES | Verdict.ROUNDED:
            assert claim.is_near(value)
            assert claim.tolerance <= LIMIT[claim.verdict]
        case Verdict.DOES_NOT_REPRODUCE:
            assert not claim.is_near(value)
        case Verdict.DEPENDS:
            # Under some of the assumptions it comes out, under others it does not.
            assert min(readings) <= float(claim.lecture) <= max(readings) or any(map(claim.is_near, readings))
            assert not all(map(claim.is_near, readings))


@computed
def test_a_claim_calls_its_equation_on_the_inputs_that_it_shows(claim: Claim, behind: Callable[[str], object]) -> None:
    assert inspect.isfunction(behind(claim.equation))
    assert claim.compute is not None
    inspect.signature(claim.compute).bind(**claim.inputs)


@computed
def test_a_bridge_leads_from_the_lectures_number_to_the_careful_one(claim: Claim) -> None:
    steps = claim.bridge()
    assert steps[0][1] == claim.lecture_mode()
    if claim.careful_steps is None:
        return
    taken = list(claim.careful_steps())
    assert steps[len(taken)][1] == claim.careful()
    for one in taken:
        assert one.change
        assert set(one.inputs) <= set(claim.inputs), one.change


@each
def test_what_is_said_has_its_minute_and_what_is_filled_in_has_none(claim: Claim) -> None:
    for constant in (*claim.inputs.values(), *([claim.lecture] if claim.lecture else [])):
        assert bool(constant.time_stamp) == (constant.origin is not Origin.FILLED_IN)
        if constant.low is not None and constant.high is not None:
            assert constant.hedge
            assert constant.low <= float(constant) <= constant.high


@each
def test_a_careful_number_says_what_it_is_of(claim: Claim) -> None:
    if claim.careful() is not None:
        assert claim.careful_of or claim.contrast
        assert not (claim.careful_of and claim.contrast)


def test_what_a_number_is_taken_from_is_a_claim() -> None:
    ids = {claim.id for claim in CLAIMS}
    for claim in NEW:
        taken = {one.claim for one in claim.inputs.values() if one.claim}
        assert taken <= ids - {claim.id}, claim.id


BY_HAND = {
    "A33": (0.030 / (288 / 20e3), 0.030 / (288 / 22e3)),
    "A34": ((1 - 0.7**4) / 0.3, (1 - 0.7**4) / 0.3 / 4),
    "A35": (100e6 / 1000 / 128e3, 1.3e15 / (30 * 86400) / 1000 / 128e3),
    "A36": (2000 * 2e3 / (700e9 + 2000 * 20e3 * 2e3), None),
    "B29": (2.0, 1.0),
    "B30": (None, 72.0),
    "B41": (4.0, 5.0),
    "B42": (1e12 / (8 * 3.35e12), 1e12 / (72 * 8e12)),
    "B43": (1e12 / 512, 1e12 / 512 + 2400 * 1e5 * 2e3 / 64),
    "D21": (0.0, 0.0),
    "D22": (1.0, None),
    "E12": (8 / 6, None),
}
"""Of rows whose numbers take one line: with the lecture's constants, and careful; None where it takes more."""


@pytest.mark.parametrize(("name", "expected"), BY_HAND.items())
def test_numbers_worked_by_hand(name: str, expected: tuple[float | None, float | None]) -> None:
    (claim,) = (one for one in CLAIMS if one.id == name)
    for found, by_hand in zip((claim.lecture_mode(), claim.careful()), expected, strict=True):
        if by_hand is not None:
            assert found == pytest.approx(by_hand, rel=1e-9)  # rounding of floats


def test_hops_as_long_as_his_ask_for_two_more_micro_batches() -> None:
    """B41: 20 ms of work in four stages and four hops of 2.5 ms are six stages' turns."""
    (claim,) = (one for one in CLAIMS if one.id == "B41")
    assert [number for _, number in claim.bridge()] == [4, 5, 6]


def test_more_nodes_in_a_row_read_a_model_no_sooner() -> None:
    """B42."""
    (claim,) = (one for one in CLAIMS if one.id == "B42")
    assert claim.value({"stages": 8}) == pytest.approx(claim.value({"stages": 1}))


def test_a_place_that_is_dearer_in_both_is_out_of_order() -> None:
    """D21: a disk that lasted a minute and a half would be dearer to read back than to make again."""
    (claim,) = (one for one in CLAIMS if one.id == "D21")
    assert claim.value({"life_s": 90.0}) == 1
