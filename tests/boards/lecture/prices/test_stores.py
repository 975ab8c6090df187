"""Where a cache lies: in the store that the chart's lines make the cheapest."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Stores
from ridgeline.boards.lecture.prices.stores import NEVER
from ridgeline.boards.lecture.prices.tiers import BOARD
from ridgeline.boards.picture import Curves
from ridgeline.quantity_text import parse_quantity

TURNED: tuple[dict[str, float], ...] = (
    {},
    {"kv_bytes_per_token": 2e5},
    {"usd_per_chip_s": 5e-5},
    {"reached_fraction": 1.0, "active_params": 1e9},
)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("turned", TURNED)
def test_each_store_says_when_its_line_is_the_lowest(mode: Mode, turned: dict[str, float]) -> None:
    picture = BOARD.views[0].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, Stores)
    heights = {line.name: line.y for line in picture.lines}
    stores = picture.companion.stores
    lowest = np.argmin([heights[one.line] for one in stores], axis=0)
    for place, store in enumerate(stores):
        held_s = picture.x[lowest == place]
        if store.when_text == NEVER:
            assert not held_s.size
            continue
        ends = [parse_quantity(text, "duration") for text in re.findall(r"[\d.,]+ [a-zµ]+", store.when_text)]
        is_first, is_last = store.when_text.startswith("until"), store.when_text.startswith("from")
        low, high = (None, *ends) if is_first else (*ends, None) if is_last else ends or (None, None)
        # Said to two digits, and on 401 points over eight powers of ten.
        assert low is None or held_s[0] == pytest.approx(low, rel=0.06)
        assert high is None or held_s[-1] == pytest.approx(high, rel=0.06)
        assert (low is None) == (held_s[0] == picture.x[0])
        assert (high is None) == (held_s[-1] == picture.x[-1])


def test_only_what_is_dropped_holds_nothing() -> None:
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, Stores)
    assert [one.line for one in picture.companion.stores if not one.is_kept] == ["recompute"]


def test_a_hit_costs_what_its_two_written_costs_make() -> None:
    """To the three digits in which both and their sum are written: of flash 0.0125 + 0.0204/12 = 0.0142 dollars."""
    picture = BOARD.views[0].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, Stores)
    heights = {line.name: np.interp(np.log(300), np.log(picture.x), line.y) for line in picture.lines}
    for store in picture.companion.stores[:-1]:
        fetched, held = (re.search(r"\$([\d.]+)", text) for text in (store.retrieve_text, store.hold_text))
        assert held
        made = (float(fetched[1]) if fetched else 0.0) + float(held[1]) / 12
        assert heights[store.line] == pytest.approx(made, rel=0.005), store.line  # half of the last digit, and the grid
