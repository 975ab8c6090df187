"""Chips on which a model starts: a scale-up domain, or as many more as hold it."""

from __future__ import annotations

from typing import Any

import pytest

from ridgeline.boards.as_sold import chip_counts, rack_chips
from ridgeline.boards.board import Facts, Mode
from ridgeline.boards.lecture import board
from ridgeline.boards.lecture.batch.trains import fewest_chips, full_batch
from ridgeline.catalog import load_machine, load_model, model_ids
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

COST = board("cost")
MOST_CHIPS = COST.control("chips").high


@pytest.mark.parametrize("machine", ["gb200-nvl72", "h100-sxm", "a100-40-sxm", "rtx-4090", "mi300x", "tpu-v6e"])
def test_every_model_starts_on_chips_that_hold_it(machine: str) -> None:
    sold = load_machine(machine)
    for model in model_ids():
        at = COST.values(Mode.CAREFUL, facts=Facts(model=load_model(model), machine=sold))
        assert full_batch(at) >= 1, model
        assert at["chips"] in chip_counts(sold, MOST_CHIPS)
        # No number below it that is rented does, unless it is the domain that one starts with.
        if at["chips"] > sold.scale_up_chips:
            fewer = [chips for chips in chip_counts(sold, MOST_CHIPS) if chips < at["chips"]]
            assert all(full_batch({**at, "chips": chips}) < 1 for chips in fewer)
            assert fewest_chips(at, sold) == at["chips"]


def test_a_rack_is_rented_whole_and_a_torus_by_the_slice() -> None:
    assert rack_chips(load_machine("gb200-nvl72")) == 72
    assert rack_chips(load_machine("h100-sxm")) is None
    assert rack_chips(load_machine("tpu-v6e")) is None
    assert chip_counts(load_machine("tpu-v6e"), 1024) == (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024)


def test_the_fewest_chips_follow_what_is_turned() -> None:
    def fewest(**turned: str) -> int:
        fields = {"mode": "careful", "model": "llama-3.1-405b", "machine": "h100-sxm", **turned}
        found: Any = answers("boards/cost/views", fields, Dropped())
        return int(found["fewest_chips"]["careful"])

    assert fewest() == 16
    assert fewest(chips="4") == 16
    assert fewest(hbm_bytes="192 GB") == 8
    assert fewest(hbm_bytes="40 GB") == 24


def test_a_model_of_windows_alone_has_the_cache_of_a_mean_context() -> None:
    """Mistral 7B v0.1: 32 layers of 8 heads of 128, keys and values in bf16, of the last 4,096 tokens."""
    at = COST.values(Mode.CAREFUL, facts=Facts(model=load_model("mistral-7b"), machine=load_machine("h100-sxm")))
    assert at["kv_bytes_per_token"] * at["context_tokens"] == pytest.approx(4096 * 2 * 32 * 8 * 128 * 2)
