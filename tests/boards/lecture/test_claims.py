"""One rule for all claims: a verdict says what the computed numbers say, and a bridge leads from one to the other."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections.abc import Callable

import pytest
from tests.each import of_each

from ridgeline.boards.card import Card
from ridgeline.boards.claim import Claim, Verdict
from ridgeline.boards.constant import Origin, filled_in
from ridgeline.boards.exercise import Exercise
from ridgeline.boards.lecture import BOARDS, CARDS, CHAPTERS, CLAIMS, EXERCISES
from ridgeline.boards.lecture.prices.cache_prices import DISK
from ridgeline.boards.lecture.recording import seconds
from ridgeline.boards.note import DIGITS, UNITS
from ridgeline.boards.verdict import BEGINS, Contradicted
from ridgeline.catalog.storage import storage_device

NEW = CLAIMS
RECORDING_S = seconds("2:14:00")
"""Its length, rounded up."""
each = of_each("claim", NEW, ids=lambda claim: claim.id)
computed = of_each("claim", [one for one in NEW if one.compute is not None], ids=lambda claim: claim.id)
MOST_LETTERS = 260
"""Longest verdict line: five lines of a narrow column."""
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


@of_each("one", [*CLAIMS, *EXERCISES, *CARDS], ids=lambda one: one.id)
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


OWN = {"B33", "D7"}
"""Claims that his own inputs contradict: how passes lie in a schedule, and two readings of one price list."""


def test_what_does_not_reproduce_contradicts_his_inputs_or_published_facts() -> None:
    failing = [claim for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE]
    assert [claim for claim in CLAIMS if claim.contradicts()] == failing
    assert {claim.id for claim in failing if claim.contradicts() is Contradicted.OWN} == OWN
    for claim in failing:
        if claim.id in OWN:
            continue
        # What is filled in is no guess of ours that alone contradicts him: the catalog's facts do, too.
        careful = claim.careful()
        assert careful is not None or claim.id == "D26"
        assert careful is None or not claim.is_near(careful)
    disk = next(claim for claim in failing if claim.id == "D26")
    facts = storage_device(DISK)
    assert {float(one) for one in disk.inputs.values()} == {
        float(fact.value) for fact in (facts.capacity_bytes, facts.bytes_per_s) if fact
    }


def test_a_claim_of_his_inputs_alone_contradicts_them() -> None:
    """By what moves our number: an input that was filled in and changes nothing leaves it his own."""
    plain = next(claim for claim in CLAIMS if claim.id == "B33")
    moved = dataclasses.replace(plain, compute=lambda micro_batches, **_: 1 / micro_batches)
    assert (plain.contradicts(), moved.contradicts()) == (Contradicted.OWN, Contradicted.PUBLISHED)
    named = dataclasses.replace(plain, inputs={**plain.inputs, "machine": filled_in("a100")}, compute=lambda **_: 1.0)
    assert named.contradicts() is Contradicted.PUBLISHED
    assert dataclasses.replace(plain, verdict=Verdict.REPRODUCES).contradicts() is None


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
            if constant.origin is Origin.SAID:  # of "10 to 20" either is his number, and the middle is not
                assert float(constant) in (constant.low, constant.high)


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


SPOKEN = """
A22 A30 A34 A1 A2 A29 A4 A5 A3 A6 A27 A7 A8 A9 A21 A28 A10 A11 A12 A13 A25 A14 A20 A17 A15 A16 A33 A36 A31 A18 A19 A35
A23 A32 A24 B45 B1 B46 B30 B2 B3 B4 B22 B5 B44 B19 B21 B27 B28 B26 B6 B20 B23 B24 B47 B7 B29 B25 B8 B35 B36 B9 B31 B10
B32 B33 B11 B12 B34 B43 B13 B14 B41 B38 B15 B37 B18 B16 B39 B17 B40 B42 C1 C2 C3 C4 C6 C14 C5 C12 C13 C7 C8 C9 C10 D1
D18 D2 D3 D27 D4 D19 D24 D6 D22 D8 D12 D9 D10 D11 D20 D23 A8q D21 D14 D13 D25 D15 D26 D16 E8 E10 E5 E6 E11 E7 E2 E1 E4
E3 E12 E9
"""
"""Claims in the order in which the transcript has their sentences, which carry no seconds there."""

NOT_SPOKEN = {"A26", "C0", "C11", "D5", "D7", "D17"}
"""What follows from several sentences, or is said of them here."""

HEARD = {"A4": "0:04:26", "A8": "0:12:31", "A11": "0:19:22", "B44": "0:41:12", "B24": "0:46:14", "C12": "1:29:27"}
"""Seconds of sentences as published with quotations of them."""


def test_time_stamps_rise_as_the_transcript_goes_on() -> None:
    stamps, spoken = {claim.id: claim.time_stamp for claim in CLAIMS}, SPOKEN.split()
    assert set(spoken) | NOT_SPOKEN == set(stamps)
    in_time = sorted(spoken, key=lambda name: seconds(stamps[name]))
    assert [f"{stamps[name]} {name}" for name in spoken] == [f"{stamps[name]} {name}" for name in in_time]
    assert {name: stamps[name] for name in HEARD} == HEARD
    # the models whose layers share a cache are named at 1:39:04, before the shape that fits; hits after 1:48:38
    assert seconds(stamps["D3"]) < seconds("1:39:04") < seconds(stamps["D4"])
    assert seconds("1:48:38") < seconds(stamps["D12"])


BY_HAND = {
    "A33": (0.030 / (288 / 20e3), 0.030 / (288 / 22e3)),
    "A34": ((1 - 0.7**4) / 0.3, (1 - 0.7**4) / 0.3 / 4),
    "A36": ((700e9 + 2000 * 20e3 * 2e3) / (2000 * 2e3), None),
    "B29": (2.0, 1.0),
    "B45": (None, 256 / 8),
    "B46": (8 / 2, 18 / 2),
    "B30": (None, 72.0),
    "B41": (4.0, 5.0),
    "B42": (1e12 / (8 * 3.35e12), 1e12 / (72 * 8e12)),
    "B43": (1e12 / 512, 1e12 / 512 + 2400 * 1e5 * 2e3 / 64),
    "C14": (None, 14.8e3 / 8 * 2 / (1e12 / (180e3 * 3600) * 6)),
    "D21": (0.0, 0.0),
    "D22": (1.0, None),
    "E12": (8 / 6, None),
}
"""Of rows whose numbers take one line: with the lecture's constants, and careful; None where it takes more."""


@of_each(("name", "expected"), BY_HAND.items())
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


MONTHS = r"(February|October) 20\d\d"
ASSUMES = re.compile(r"Only if [^:]+: then .+")
"""A verdict line of what needs an assumption: that first, and what comes out under it."""
RIDDLES = re.compile(r"\bthe same\b|\bwe compute\b|\bhe (says|implies)\b|\bas he\b", re.IGNORECASE)
"""Words that answer a claim by pointing back at it."""


@each
def test_a_verdict_line_can_be_read_after_the_claim_alone(claim: Claim) -> None:
    """It begins with its word, says a number where there is one, none with more than three digits that count."""
    note = claim.note()
    sentence = note.sentence()
    assert sentence.startswith(BEGINS[claim.verdict][0])
    assert sentence.endswith(".")
    assert not re.search(r"[{}]|\.\.|\bnan\b|\binf\b", sentence)
    assert not RIDDLES.search(sentence)
    assert len(note.line) == (1 if claim.compute is None and claim.published is None else 3)
    assert not re.search(r"(?<![\d.,])[01] (?:%|times)(?! \()", sentence), "nothing and once have words of their own"
    for number in re.findall(r"\d[\d,.]*\d|\d", re.sub(MONTHS, "", sentence)):
        assert len(number.replace(",", "").replace(".", "").strip("0")) <= DIGITS, number
    assert len(sentence) < MOST_LETTERS


@each
def test_a_verdict_line_says_first_which_assumption_is_needed(claim: Claim) -> None:
    sentence = claim.note().sentence()
    assert bool(ASSUMES.fullmatch(sentence)) == (claim.verdict is Verdict.DEPENDS)
    assert sentence.count("Only if") == (claim.verdict is Verdict.DEPENDS)


@each
def test_numbers_of_a_verdict_line_follow_the_claims_inputs(claim: Claim) -> None:
    """No number that comes out is typed: with other inputs the line has another."""
    if claim.compute is None:
        return
    moved = dataclasses.replace(claim, compute=lambda **inputs: 1.37 * claim.compute(**inputs) + 0.0137)  # type: ignore[misc]
    assert moved.note().line[1] != claim.note().line[1]


@each
def test_what_does_not_reproduce_is_corrected_in_a_sentence(claim: Claim) -> None:
    """With our number or how many times it differs; nothing else is corrected."""
    correction = claim.correction()
    assert bool(correction) == (claim.verdict is Verdict.DOES_NOT_REPRODUCE)
    if not correction:
        return
    assert correction.endswith(".")
    assert correction.count(". ") == 0
    assert "{" not in correction
    assert re.search(r"\{(ours(:\d)?|his)\}", claim.headline)
    assert len(correction) < 140
