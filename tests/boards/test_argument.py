"""Which claim rests on which, and what turns when a number is another."""

from __future__ import annotations

import pytest

from ridgeline.boards.argument import UnknownNumberError, argument_picture, follow, links, names
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
    assert [(link.source, link.target, link.inputs) for link in links(ALL)] == [
        ("R", "B", ("balance_ratio",)),
        ("B", "T", ("batch",)),
    ]
    assert names(ALL) == ("ratio", "R", "B")


@pytest.mark.parametrize("changed", [{"R": 150.0}, {"ratio": 150.0}])
def test_a_change_goes_all_the_way_and_keeps_what_was_rounded(changed: dict[str, float]) -> None:
    found = {one.claim.id: one for one in follow(ALL, changed)}
    assert found["B"].after == 1200.0
    assert found["B"].is_turned
    assert found["T"].after == 50e3  # half of 2,000 seats, not 1,200 of them
    assert not found["T"].is_turned  # inside what "or so" leaves open


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


def test_the_lectures_argument_has_no_circle() -> None:
    """``follow`` sorts it, which a circle would not allow; nothing changes where a number is set to what it is."""
    for name in names(CLAIMS):
        stated = next((one.value for claim in CLAIMS for one in claim.inputs.values() if one.name == name), None)
        if stated is None:
            continue
        for one in follow(CLAIMS, {name: stated}):
            assert one.after == one.before
