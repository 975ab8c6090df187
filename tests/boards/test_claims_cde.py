"""Sections C, D and E of the ledger: complete, named after real equations, and as their verdicts say."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from ridgeline.boards import claims_ciphers, claims_prices, claims_training
from ridgeline.boards.claim import Claim, Verdict
from ridgeline.boards.ledger import claims
from ridgeline.catalog import load_model
from ridgeline.catalog.storage import storage_device
from ridgeline.equations import pricing, scaling, training
from ridgeline.estimator.parameters import active_params, flop_per_pair, kv_bytes_per_token

CLAIMS = (*claims_training.CLAIMS, *claims_prices.CLAIMS, *claims_ciphers.CLAIMS)
HOLDS = {Verdict.REPRODUCES, Verdict.ROUNDED}
CHAPTERS = [
    "roofline",
    "departures",
    "sparsity",
    "racks",
    "pipelines",
    "memory",
    "training",
    "prices",
    "tiers",
    "ciphers",
]


def _value(claim_id: str) -> tuple[float, float]:
    """Both numbers of a claim that has both."""
    (claim,) = (one for one in CLAIMS if one.id == claim_id)
    assert claim.lecture_mode is not None
    assert claim.careful is not None
    return claim.lecture_mode(), claim.careful()


def test_no_row_is_left_out() -> None:
    assert [claim.id for claim in claims_training.CLAIMS] == [f"C{number}" for number in range(14)]
    assert [claim.id for claim in claims_prices.CLAIMS] == [f"D{number}" for number in range(1, 18)]
    assert [claim.id for claim in claims_ciphers.CLAIMS] == [f"E{number}" for number in range(1, 10)]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_row_is_as_its_verdict_says(claim: Claim, behind: Callable[[str], object]) -> None:
    assert claim.chapter in CHAPTERS
    assert claim.why
    if claim.equation:
        assert inspect.isfunction(behind(claim.equation))
    computed = claim.lecture_mode or claim.careful
    assert (computed is None) == (claim.verdict is Verdict.NOT_DERIVABLE)
    for compute in (claim.lecture_mode, claim.careful):
        assert compute is None or isinstance(compute(), float)
    if claim.lecture is None or claim.lecture_mode is None:
        return
    is_near = claim.lecture_mode() == pytest.approx(claim.lecture, rel=claim.tolerance, abs=1e-15)
    # One that depends comes out under the lecture's assumption.
    assert is_near == (claim.verdict in HOLDS | {Verdict.DEPENDS})


@pytest.mark.parametrize(
    ("claim_id", "lecture_mode", "careful"),
    [
        ("C5", 1.5, 3.33),
        ("C7", 2.592e15, 2.63e15),
        ("C10", 100, 110.5),
        ("C11", 180e12, 75.8e12),
        ("D1", 0.5, 0.985),
        ("D3", 1667, 1128),
        ("D4", 2048, 70272),
        ("D5", 1755, 1814),
        ("D6", 5, 2.18),
        ("D7", 1, 3.16),
        ("D9", 54.8e3, 98.3e3),
        ("D10", 8 / 300, 241.8 / 295.2),
        ("D12", 0.1, 0.05),
        ("D13", 1.25, 2),
        ("D14", 0.0556e-6, 0.0780e-6),
        ("D15", 548.6, 16605),
        ("D17", 0.278, 0.263),
        ("E5", 4, 4),
    ],
)
def test_numbers_of_rows(claim_id: str, lecture_mode: float, careful: float) -> None:
    """0.5 %: the numbers here have three digits. DeepSeek-V3 multiplies 36.6 billion parameters, its embedding none."""
    assert _value(claim_id) == pytest.approx((lecture_mode, careful), rel=5e-3)


def test_what_the_reasons_say_in_numbers() -> None:
    """C10 has 17 by the printed fit; C11 a share of 0.27; D7 83 kB and a fifth; D16 1.3 hours; E9 two minutes."""
    best = scaling.optimal_tokens(params=100e9, law=scaling.HOFFMANN)
    assert scaling.over_training(tokens=200e12, compute_optimal_tokens=best) == pytest.approx(17, rel=0.01)
    share = training.training_share(tokens=_value("C11")[1], weighted_served_tokens=3 * 200e12)
    assert share == pytest.approx(0.275, abs=0.001)
    crossover = pricing.kv_bytes_at_crossover(
        active_params=100e9, bytes_per_param=1, balance_ratio=300, context_tokens=20e3 / 5
    )
    assert crossover == pytest.approx(83e3, rel=0.01)
    batches = pricing.balance_batches_at_ratio(ratio=5, context_tokens=20e3, crossover_tokens=200e3)
    assert batches == pytest.approx(1 / 5, rel=0.03)
    disk = storage_device("disk-30tb")
    assert _value("D16")[1] * disk.capacity_bytes.value / disk.bytes_per_s.value == pytest.approx(1.3 * 3600, rel=0.01)
    assert 60 < 300 * _value("E9")[1] < 120


@pytest.mark.parametrize(
    ("model_id", "tokens"), [("qwen3-235b-a22b", 14e3), ("llama-3.1-70b", 53.8e3), ("llama-3.1-405b", 98.3e3)]
)
def test_attention_reaches_parity_in_open_models(model_id: str, tokens: float) -> None:
    """D9: 14,000 to 100,000; 3 %, since the first is a round number."""
    found = pricing.attention_parity_tokens(
        active_params=active_params(load_model(model_id)), flop_per_pair=flop_per_pair(load_model(model_id))
    )
    assert found == pytest.approx(tokens, rel=0.03)


@pytest.mark.parametrize(("model_id", "times"), [("gpt-oss-120b", 20), ("llama-3.1-405b", 250)])
def test_open_models_store_many_times_the_boards_bytes(model_id: str, times: float) -> None:
    """D4: 20 to 250 times; 10 %, since both are round numbers."""
    model = load_model(model_id)
    assert kv_bytes_per_token(model, model.precision) / _value("D4")[0] == pytest.approx(times, rel=0.1)


def test_the_ledger_holds_them_in_the_lectures_order() -> None:
    found = claims()
    assert tuple(found[-len(CLAIMS) :]) == CLAIMS
    assert len({claim.id for claim in found}) == len(found)
    assert [claim.id for claim in claims("tiers")] == ["D12", "D13", "D14", "D15", "D16", "D17", "E9"]
