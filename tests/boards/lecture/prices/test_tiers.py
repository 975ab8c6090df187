"""The board of tiers: where the cheapest place changes, his table, and the list prices beside it."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.prices.tiers import BOARD, TOKENS
from ridgeline.boards.picture import Curves, Sheet

MODES = pytest.mark.parametrize("mode", list(Mode))


drawn = partial(curves_of, BOARD)


def table(mode: Mode = Mode.LECTURE) -> Sheet:
    picture = BOARD.views[1].compute(BOARD.values(mode))
    assert isinstance(picture, Sheet)
    return picture


def line(picture: Curves, name: str) -> np.ndarray:
    return next(one.y for one in picture.lines if one.name == name)


def claimed(name: str, *, mode: Mode) -> float:
    (claim,) = (one for one in CLAIMS if one.id == name)
    found = claim.lecture_mode() if mode is Mode.LECTURE else claim.careful()
    assert found is not None
    return found


@MODES
def test_the_cheapest_place_changes_at_break_evens(mode: Mode) -> None:
    found = drawn(mode)
    places = ("HBM", "DDR", "flash", "disk", "recompute")
    assert np.all(line(found, "cheapest") == np.min([line(found, name) for name in places], axis=0))
    for here, there in (("HBM", "DDR"), ("DDR", "flash"), ("flash", "disk")):
        held_s, usd = mark(found, f"{here} to {there}")
        for name in (here, there):
            assert np.interp(held_s, found.x, line(found, name)) == pytest.approx(usd), name
    assert mark(found, "flash to disk")[0] == pytest.approx(1.3 * 3600, rel=0.03)  # D16, of two digits


def test_a_small_cache_that_is_dear_to_hold_is_computed_again() -> None:
    found = drawn(kv_bytes_per_token=1e6, active_params=1e9)
    assert any(one.name.endswith("to recompute") for one in found.marks)


@MODES
def test_the_board_and_the_claims_have_one_number_for_making_a_cache_again(mode: Mode) -> None:
    """D14."""
    assert line(drawn(mode), "recompute")[0] / TOKENS == pytest.approx(claimed("D14", mode=mode))


@MODES
def test_the_times_for_which_caches_are_sold_are_marked_with_their_list_prices(mode: Mode) -> None:
    found = drawn(mode)
    assert [mark(found, f"{text} in the cheapest")[0] for text in ("5 min", "1 h")] == [300, 3600]
    (dots,) = found.dots
    assert list(dots.x) == [300, 3600]
    # $6.25 - $5 + $0.50 and $10 - $5 + $0.50 a million, on the list of Claude Opus 4.5.
    assert dots.y / TOKENS * 1e6 == pytest.approx([1.75, 5.5])
    assert line(found, "list: uncached")[0] / TOKENS == pytest.approx(5e-6)


def test_devices_are_read_whole_in_the_times_that_claims_have() -> None:
    found = BOARD.views[2].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(found, Curves)
    read = {one.text: one.y for one in found.marks}
    texts = ["9.1 minutes", "37 minutes", "30 hours", "3.6 s", "14 ms"]
    claims = [("D15", Mode.LECTURE), ("D15", Mode.CAREFUL), ("D26", Mode.LECTURE), ("D25", Mode.LECTURE)]
    claims.append(("A16", Mode.LECTURE))
    times = [claimed(name, mode=mode) for name, mode in claims]
    assert [read[text] for text in texts] == pytest.approx(times)
    assert line(found, "priced for\n5 min")[0] == 300
    # The equation's own number is the chip's.
    (number,) = BOARD.letter_numbers
    assert number.value(BOARD.values(Mode.LECTURE)) == pytest.approx(claimed("A16", mode=Mode.LECTURE))


def test_retrieve_and_hold_are_his_table_with_ddr_in_it() -> None:
    found = table()
    assert found.columns[1:] == ("retrieve", "hold 1 h", "drain")
    rows = {row[0]: row[1:] for row in found.rows}
    assert list(rows) == ["HBM", "DDR", "flash", "disk", "recompute"]
    assert rows["HBM"][0] == "nothing"
    assert rows["recompute"][1:] == ("nothing", "-")
    drained = ["14 ms", "3.6 s", "37 min", "30 h", "-"]
    assert [row[2] for row in rows.values()] == drained  # A16, D15, D25, D26
    assert found.bold == (2,)


@MODES
def test_slower_tiers_are_dearer_to_bring_back_and_cheaper_to_hold(mode: Mode) -> None:
    """As one cost goes up from tier to tier, the other goes down."""
    found = drawn(mode)
    short, long = ([float(line(found, name)[end]) for name in ("HBM", "DDR", "flash", "disk")] for end in (0, -1))
    assert short == sorted(short)
    assert long == sorted(long, reverse=True)
