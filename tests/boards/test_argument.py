"""Which claim rests on which, and what turns when a number is another."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from ridgeline.boards.argument import (
    ImplausibleNumberError,
    UnknownNumberError,
    argument_picture,
    follow,
    links,
    names,
    resolved,
)
from ridgeline.boards.claim import Claim, Step, Verdict, claim, step
from ridgeline.boards.constant import said
from ridgeline.boards.lecture import CLAIMS
from ridgeline.equations import departures, roofline


def _careful() -> list[Step]:
    return [step("half as many experts", expansion=4.0), step("a slower memory", balance_ratio=600.0)]


RATIO = said(300.0, "0:01:00", name="ratio", claim="R")
GROUND = claim(
    "R",
    "0:01:00",
    "A chip multiplies 300 parameters while it reads one.",
    lecture=said(300.0, "0:01:00"),
    equation=roofline.balance_ratio,
    inputs={"flop_per_s": 6e14, "hbm_bytes_per_s": 1e12, "bytes_per_param": 1.0},
    verdict=Verdict.REPRODUCES,
    answer="{ours}",
    why="By its sheet.",
)
BATCH = claim(
    "B",
    "0:02:00",
    "It balances at 2,400 sequences.",
    lecture=said(2400.0, "0:02:00"),
    equation=roofline.balance_batch,
    inputs={"balance_ratio": RATIO, "expansion": 8.0},
    careful=_careful,
    careful_of="another chip",
    verdict=Verdict.REPRODUCES,
    answer="{ours}",
    why="So it is.",
    tolerance=0.05,
)
RATE = claim(
    "T",
    "0:03:00",
    "2,000 seats make 100,000 tokens a second.",
    lecture=said(1e5, "0:03:00", hedge="or so", between=(5e4, 2e5)),
    equation=departures.tokens_per_s,
    inputs={"batch": said(2000.0, "0:03:00", claim="B"), "period_s": 0.02},
    verdict=Verdict.REPRODUCES,
    answer="{ours}",
    why="So it is.",
)
ALL: tuple[Claim, ...] = (GROUND, BATCH, RATE)


def test_a_bridge_changes_one_assumption_at_a_time() -> None:
    assert BATCH.bridge() == (
        ("the lecture's constants", 2400.0),
        ("half as many experts", 1200.0),
        ("a slower memory", 2400.0),
    )
    assert BATCH.careful() == 2400.0
    assert BATCH.careful_inputs() == {"balance_ratio": 600.0, "expansion": 4.0}
    assert RATE.careful() is None
    assert GROUND.bridge() == (("the lecture's constants", 300.0),)


def test_links_follow_from_where_inputs_are_taken() -> None:
    assert [(link.source, link.target, link.inputs, link.moves) for link in links(ALL)] == [
        ("R", "B", ("balance_ratio",), True),
        ("B", "T", ("batch",), True),
    ]
    assert names(ALL) == ("ratio", "R", "B")


@pytest.mark.parametrize("changed", [{"R": 150.0}, {"ratio": 150.0}])
def test_a_change_goes_all_the_way_and_keeps_what_was_rounded(changed: dict[str, float]) -> None:
    found = {one.claim.id: one for one in follow(ALL, changed)}
    assert found["B"].after == 1200.0
    assert found["B"].is_turned
    assert found["T"].after == 50e3  # half of 2,000 seats, not 1,200 of them
    assert not found["T"].is_turned  # inside what "or so" leaves open


def test_a_number_that_a_claim_states_beside_its_own_does_not_move_with_that() -> None:
    beside = replace(RATE, inputs={**RATE.inputs, "period_s": said(0.02, "0:02:00", beside="B")})
    other = replace(RATE, id="U", inputs={"batch": said(1.0, "0:03:00"), "period_s": said(0.02, "0:02:00", beside="B")})
    found = links((*ALL[:2], beside, other))
    assert [(link.source, link.target, link.moves) for link in found] == [
        ("R", "B", True),
        ("B", "T", True),
        ("B", "U", False),
    ]
    outcomes = {one.claim.id: one.after for one in follow((*ALL[:2], beside, other), {"B": 4800.0})}
    assert outcomes == {"B": 4800.0, "T": 2e5}
    assert [cable.is_dashed for cable in argument_picture((*ALL[:2], beside, other)).cables] == [False, False, True]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("R", 0.0, "R=0 is outside 3 to 30k, around the 300 that is stated; set it inside"),
        ("R", -5.0, "R=-5 is outside"),
        ("r", 1e300, "is outside"),
        ("R", math.inf, "is outside"),
        ("R", math.nan, "is outside"),
        ("ratio", 0.5, "ratio=0.5 is outside 3 to 30k"),
    ],
)
def test_numbers_for_which_nothing_follows_are_refused(name: str, value: float, expected: str) -> None:
    with pytest.raises(ImplausibleNumberError, match=re.escape(expected)):
        follow(ALL, {name: value})


def test_what_is_counted_stays_whole_and_what_has_no_number_is_named() -> None:
    with pytest.raises(ImplausibleNumberError, match=r"stages=4\.5 is not whole, but counted; write 4"):
        follow(CLAIMS, {"stages": 4.5})
    with pytest.raises(ImplausibleNumberError, match=r"with stages=1 there is no number for B33 .*; set it nearer"):
        follow(CLAIMS, {"stages": 1})


def test_what_is_not_reached_is_not_told() -> None:
    assert [one.claim.id for one in follow(ALL, {"B": 4800.0})] == ["B", "T"]


def test_an_unknown_number_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownNumberError, match="'T' is no number that claims start from; there are ratio, R, B"):
        follow(ALL, {"T": 1.0})


def test_the_picture_has_a_box_for_each_and_shows_what_turned() -> None:
    found = argument_picture(ALL, follow(ALL, {"R": 150.0}))
    assert [box.text for box in found.boxes] == ["R  150", "B  1,200", "T  50,000"]
    assert [box.x for box in found.boxes] == sorted(box.x for box in found.boxes)
    assert len(found.cables) == 2
    assert found.text == "2 of 3 numbers that move turn a verdict"


def test_a_claim_moves_only_inputs_that_are_its_number() -> None:
    """What rests on a claim moves in proportion to it, so it has to be that number, at most rounded to one digit."""
    by_id = {row.id: row for row in CLAIMS}
    for row in CLAIMS:
        for name, one in row.inputs.items():
            if one.claim:
                source = by_id[one.claim]
                stated = source.value() if source.lecture is None else float(source.lecture)
                # 1.667 kB "rounded up" to 2 kB is the coarsest rounding.
                assert float(one) == pytest.approx(stated, rel=0.2), (row.id, name)


def test_a_number_moves_all_that_rests_on_it_and_each_once() -> None:
    moving = [link for link in links(CLAIMS) if link.moves]
    for name in dict.fromkeys(link.source for link in moving):
        reached = {name}
        while more := {link.target for link in moving if link.source in reached} - reached:
            reached |= more
        source = next(row for row in CLAIMS if row.id == name)
        stated = source.value() if source.lecture is None else float(source.lecture)
        assert stated is not None
        assert {one.claim.id for one in follow(CLAIMS, {name.lower(): 0.98 * stated})} == reached
    found = {one.claim.id: one for one in follow(CLAIMS, {"A10": 250.0})}
    assert found["A11"].after == 2000.0
    once = {"A4": 1, "A11": 1, "A12": 1, "A14": 1, "A18": 1, "A19": 1, "A26": -1, "B25": 1}
    for name, power in once.items():
        before, after = found[name].before, found[name].after
        assert before is not None
        assert after == pytest.approx(before * (250 / 300) ** power), name


def test_no_two_numbers_differ_in_capitals_alone() -> None:
    for those in (names(CLAIMS), [row.id for row in CLAIMS]):
        assert len({one.casefold() for one in those}) == len(those)


def test_the_lectures_argument_has_no_circle() -> None:
    """``follow`` sorts it, which a circle would not allow; nothing changes where a number is set to what it is."""
    for name in names(CLAIMS):
        stated = next((one.value for claim in CLAIMS for one in claim.inputs.values() if one.name == name), None)
        if stated is None:
            continue
        for one in follow(CLAIMS, {name: stated}):
            assert one.after == one.before


@pytest.mark.parametrize(
    ("written", "near"),
    [("BALANSE_RATIO", "balance_ratio"), ("Stagges", "stages"), ("d33", "D3"), ("BALANCE", "balance")],
)
def test_a_misspelt_name_finds_its_nearest_whatever_its_capitals(written: str, near: str) -> None:
    with pytest.raises(UnknownNumberError, match=f"nearest: (.*, )?{near}"):
        resolved(CLAIMS, written)
