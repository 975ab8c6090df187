"""The picture at the walk's end names every claim that does not reproduce, and has a number of each chapter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.claim import Verdict
from ridgeline.boards.lecture import CHAPTERS, CLAIMS, board, chapter_of
from ridgeline.boards.lecture.batch.opened import shares
from ridgeline.boards.lecture.results import DECISIVE, PARTS, SHORT_NAMES, follows

MOST_CHARACTERS = 26
"""Letters for which half of a phone's width has room, at the least height that is read."""


def test_all_that_fails_is_named_and_what_is_named_has_a_number() -> None:
    named = {claim.id: claim for claim in CLAIMS if claim.id in SHORT_NAMES}
    assert len(named) == len(SHORT_NAMES) == sum(len(part.results) for part in PARTS)
    assert {claim.id for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE} <= set(named)
    assert all(claim.lecture_mode() is not None for claim in named.values())
    assert {chapter_of(claim).name for claim in named.values()} == {chapter.name for chapter in CHAPTERS}
    assert len(set(SHORT_NAMES.values())) == len(SHORT_NAMES)
    assert max(map(len, SHORT_NAMES.values())) <= MOST_CHARACTERS


def test_what_does_not_reproduce_is_read_first_in_each_part() -> None:
    failing = {claim.id for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE}
    for part in PARTS:
        order = [claim not in failing for claim in part.results]
        assert order == sorted(order), part.name


def test_the_chip_is_at_the_balance_batch_and_of_the_rack_beside_it() -> None:
    latency, named = board("latency"), {claim.id: claim for claim in CLAIMS}
    values = latency.values(Mode.CAREFUL)
    found = shares(values)
    assert found.compute_time_fraction == pytest.approx(found.weights_time_fraction, rel=1e-5)  # but for unread experts
    assert found.weights_time_fraction + found.kv_time_fraction == 1  # reading is the longer, with contexts
    # A step that reads weights alone takes their share of the time in which all memory is read.
    step_s, sweep_s = (named[one].careful() for one in ("A20", "A15"))
    assert step_s is not None
    assert sweep_s is not None
    assert found.weights_memory_fraction == pytest.approx(step_s / sweep_s)
    assert values["chips"] * values["hbm_bytes"] == named["B20"].lecture_mode()


def test_what_is_sent_has_a_number_of_each_part_and_what_follows_is_computed() -> None:
    by_id = {claim.id: claim for claim in CLAIMS}
    assert len(PARTS) == 8
    assert all(by_id[one].verdict is Verdict.DOES_NOT_REPRODUCE and by_id[one].headline for one in DECISIVE)
    said = follows(CLAIMS)
    assert len(said) == 3
    for text, claim, number in (
        (said[0], "A4", "2,400"),
        (said[0], "A11", "2,400"),
        (said[1], "D2", "200,000"),
        (said[2], "E12", "1.33"),
    ):
        assert f" {number}" in text, claim
    assert all(len(one.split()) <= 30 for one in said)
    # They are the claims' own numbers: with others they say others.
    (other,) = (replace(claim, compute=lambda **_: 7.0) for claim in CLAIMS if claim.id == "A4")
    assert "costs 7 times" in follows([other, *(claim for claim in CLAIMS if claim.id != "A4")])[0]
    # One set of numbers a sentence: his, as his own steps tell them, and no published model beside them.
    assert "By his numbers" in said[0]
    assert "if all weights are read for it" in said[0]  # as he has it: of a mixture's experts it wakes few
    assert "DeepSeek" not in said[0]
    (priced,) = (step for chapter in CHAPTERS for step in chapter.steps if "D2" in step.claims)
    start = board(priced.board).control("price_step_tokens").start(Mode.LECTURE, board(priced.board).facts())
    assert start == float(by_id["D2"].lecture or 0)
