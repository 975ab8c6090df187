"""Numbers of the claims on modes and on contexts."""

from __future__ import annotations

import math
from statistics import fmean

import pytest

from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture import CLAIMS, controls, fleet
from ridgeline.boards.lecture.batch.claims_contexts import SCORES
from ridgeline.equations import modes

BY_ID: dict[str, Claim] = {claim.id: claim for claim in CLAIMS}
FAST = {"price_ratio": 6.0, "speed_ratio": 2.5}


def careful(claim_id: str) -> float:
    found = BY_ID[claim_id].careful()
    assert found is not None
    return found


def test_alone_a_sequence_costs_the_balance_ratio_times_the_floor() -> None:
    """A4: as of a dense model, since it reads its active parameters alone."""
    assert careful("A4") == pytest.approx(controls.balance_ratio(fleet.facts("gb200-nvl72")))
    dense = BY_ID["A4"].value({"expansion": 1.0})
    assert dense == pytest.approx(300)
    assert BY_ID["A4"].bridge()[-1][1] < careful("A4")


def test_a_slow_mode_saves_nothing_where_arithmetic_binds_and_a_seventh_in_long_contexts() -> None:
    """A21: beyond the crossover a step is ``1 + k B`` and a large batch's ``k B``."""
    assert BY_ID["A21"].lecture_mode() == 0
    long = fleet.MEAN_CONTEXT_TOKENS / fleet.crossover_tokens("gb200-nvl72")
    assert careful("A21") == pytest.approx(0.5 / (0.5 + long))
    assert careful("A21") == pytest.approx(1 / 7, rel=0.05)  # a seventh, roughly


def test_no_batch_shares_what_each_sequence_reads_for_itself() -> None:
    """A28; a prefix common to all is read once, so that ten times the batch leaves a tenth for each."""
    assert BY_ID["A28"].lecture_mode() == 1
    assert BY_ID["A28"].value({"common_fraction": 1.0}) == pytest.approx(0.1)
    assert BY_ID["A28"].value({"times": 1000.0}) == 1


def test_a_fast_mode_and_what_no_price_exceeds() -> None:
    """A22 and A30: at the price that is known the speed that is known, and at any price the solver's limit."""
    assert BY_ID["A22"].lecture_mode() == 15
    assert BY_ID["A30"].value({"at_price_ratio": 6.0}) == pytest.approx(2.5)
    assert BY_ID["A30"].bridge()[-1][1] == pytest.approx(modes.largest_speed_up(**FAST))
    hundredfold = BY_ID["A30"].lecture_mode()
    assert hundredfold is not None
    assert 2.75 < hundredfold < modes.largest_speed_up(**FAST)


def test_a_rent_is_of_a_few_dollars_an_hour() -> None:
    """A9: a catalog's price beside the lecture's two."""
    assert BY_ID["A9"].lecture is not None
    assert float(BY_ID["A9"].lecture) * 3600 == pytest.approx(2)
    assert 1 < careful("A9") * 3600 < 10


def test_at_three_balance_batches_the_best_context_is_two_thirds_and_its_double_leaves_60_percent() -> None:
    """A7 and A27."""
    assert BY_ID["A7"].lecture_mode() == 0.5
    assert careful("A7") == pytest.approx(0.6)
    assert [value for _, value in BY_ID["A27"].bridge()] == pytest.approx([1, 4 / 3, 1])


def test_sparse_attention_is_linear_in_long_contexts_and_nearly_flat_in_short_ones() -> None:
    """A8; only blocks that grow with the context make a square root."""
    found = dict(BY_ID["A8"].bridge())
    *_, short_nsa, short_dsa, root = found.values()
    # Of the scheme that the step shows, by the numbers that it gives: K = 2,048, f = 0.115.
    assert BY_ID["A8"].lecture_mode() == pytest.approx(math.log2((2048 + 0.115 * 2e6) / (2048 + 0.115 * 1e6)), abs=5e-4)
    assert BY_ID["A8"].lecture_mode() == pytest.approx(1, abs=0.02)  # the fixed part is a fiftieth at a million tokens
    assert careful("A8") == pytest.approx(1, abs=0.02)
    assert max(short_dsa, short_nsa) < 0.5
    assert root == pytest.approx(0.5)


def test_published_scores_change_by_as_much_as_the_reason_says() -> None:
    """A8q."""
    changes = [sparse - full for full, sparse in SCORES.values()]
    assert careful("A8q") == pytest.approx(fmean(changes))
    assert (min(changes), max(changes)) == pytest.approx((-2.5, 2.9))
    assert f"{len(SCORES)} scores" in BY_ID["A8q"].careful_of


def test_attention_computes_little_in_short_contexts_and_as_much_as_the_parameters_at_5000() -> None:
    """A29: 61 layers of 128 heads, of 192 and 128 values a pair, or of 576 and 512 as stored."""
    assert BY_ID["A29"].lecture_mode() == pytest.approx(61 * 2 * 128 * (192 + 128) * 1000 / (2 * 37e9))
    assert BY_ID["A29"].value({"is_absorbed": True}) == pytest.approx(61 * 2 * 128 * (576 + 512) * 1000 / (2 * 37e9))
    assert 1 < careful("A29") < 1.2
