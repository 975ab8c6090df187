"""Claims on contexts: the numbers of their rows, and what their reasons say in numbers."""

from __future__ import annotations

import math
import re

import pytest

from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture import board
from ridgeline.boards.lecture.prices import claims_crossover, claims_long
from ridgeline.boards.lecture.prices.shapes import read_bytes
from ridgeline.boards.lecture.walk import others_of
from ridgeline.catalog import load_model
from ridgeline.equations import pricing
from ridgeline.estimator.parameters import active_params, embedding_params, flop_per_pair, kv_bytes_per_token

CLAIMS = {one.id: one for one in (*claims_crossover.CLAIMS, *claims_long.CLAIMS)}


def value(claim: Claim) -> tuple[float | None, float | None]:
    return claim.lecture_mode(), claim.careful()


@pytest.mark.parametrize(
    ("name", "lecture_mode", "careful"),
    [
        ("D1", 0.5, 0.985),
        ("D2", 166.7e3, 166.7e3 * (1 - 1 / 2.409)),
        ("D3", 1667, 100e9 / (304.5 * 200e3) * (1 - 1 / 2.409)),
        ("D4", 2048, 327_680),
        ("D5", 61.7e3, 1715),
        ("D9", 54.8e3, 97.8e3),
        ("D10", 8 / 300, 241.8 / 295.2),
        ("D11", 500, 100e6 / 1715),
        ("D18", 300e3, 300e3 + 0.5 * 200e3 / 2.409),
        ("D19", 204_800 / 1666.7, 127),
        ("D23", math.log2(500), math.log(500) / math.log(8 / 3.35)),
    ],
)
def test_numbers_of_rows(name: str, lecture_mode: float, careful: float) -> None:
    """0.5 %: the numbers here have three digits. DeepSeek-V3 multiplies 36.6 billion parameters, its embedding none."""
    assert value(CLAIMS[name]) == pytest.approx((lecture_mode, careful), rel=5e-3)


def test_formats_double_or_halve_the_bytes_that_a_step_gives_away() -> None:
    """D3."""
    (*_, narrow) = (number for _, number in CLAIMS["D3"].bridge())
    assert narrow == pytest.approx(0.5 * (CLAIMS["D3"].careful() or 0.0))


def test_a_gb200s_ratio_is_one_number_on_the_walk() -> None:
    """D3 takes the ratio that the step on balance batches tells of DeepSeek-V3."""
    latency = board("latency")
    told = others_of(latency, latency.facts())
    (said,) = re.findall(r"a GB200 multiplies ([\d.]+) times", " ".join(told.values()))
    assert f"a GB200's own ratio of {float(said):.0f} " in CLAIMS["D3"].note().sentence()


def test_deepseek_v3s_bridge_goes_by_its_cache_first() -> None:
    """D5: 70,272 bytes on the lecture's chip put it at 1,755 tokens."""
    steps = [number for _, number in CLAIMS["D5"].bridge()]
    assert steps[1] == pytest.approx(1755, rel=1e-3)


def test_absorbed_attention_reaches_parity_first() -> None:
    """D9: 2 * 36.6e9 over 61 layers of 2 * 128 * (576 + 512) FLOP a pair, as its reason says."""
    (*_, absorbed) = (number for _, number in CLAIMS["D9"].bridge())
    assert absorbed == pytest.approx(4300, rel=0.01)


@pytest.mark.parametrize(
    ("model_id", "tokens"), [("qwen3-235b-a22b", 14e3), ("llama-3.1-70b", 53e3), ("llama-3.1-405b", 97.8e3)]
)
def test_attention_reaches_parity_in_open_models_before_a_hundred_thousand(model_id: str, tokens: float) -> None:
    """D9; 3 %, since the first is a round number."""
    model = load_model(model_id)
    found = pricing.attention_parity_tokens(
        active_params=active_params(model) - embedding_params(model), flop_per_pair=flop_per_pair(model)
    )
    assert found == pytest.approx(tokens, rel=0.03)


def test_an_indexed_model_reads_a_ninth_of_what_it_keeps_most_of_it_index() -> None:
    """D19; 3 %, since a ninth is a round number."""
    model, tokens = load_model("deepseek-v3.2"), 200e3
    read = read_bytes(model, tokens)
    assert kv_bytes_per_token(model, model.precision) / read == pytest.approx(9, rel=0.03)
    assert model.layers * 132 / read > 0.9
