"""DeepSeek's day: open-infra-index, day 6 (2025-03-01), "DeepSeek-V3/R1 Inference System Overview".

608 billion input tokens of which 342 were found on disk, 168 billion output tokens, 226.75 nodes of eight H800 on the
mean at $2 a GPU-hour: $87,072. A node that reads took in 73,700 tokens a second, one that writes made 14,800.
"""

from __future__ import annotations

import pytest

from ridgeline.equations import pricing
from ridgeline.inversion.operating import Operating, PricedDeployment, operating
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy

INPUT_TOKENS, FOUND_TOKENS, OUTPUT_TOKENS = 608e9, 342e9, 168e9
NODES, PEAK_NODES, CHIPS_PER_NODE, USD_PER_CHIP_H = 226.75, 278, 8, 2.0
INPUT_TOKENS_PER_NODE_S, OUTPUT_TOKENS_PER_NODE_S = 73.7e3, 14.8e3
TOKENS_PER_USER_S, MEAN_CONTEXT_TOKENS = 21.0, 4989

WITHIN = 0.25
"""Half again what the 80 % interval of a step's time is on this chip; another engine ran that day."""


def lengths() -> tuple[int, int]:
    """Of a request: an output token has the prompt and half of the answer behind it on the mean."""
    inputs_per_output = INPUT_TOKENS / OUTPUT_TOKENS
    output = MEAN_CONTEXT_TOKENS / (inputs_per_output + 0.5)
    return round(inputs_per_output * output), round(output)


@pytest.fixture(scope="module")
def day() -> Operating:
    """DeepSeek's own layouts: prompts on units of 32 chips, tokens on units with the experts of a layer spread wide.

    The largest unit that the search tries beside it, 64 chips and not 144; ``docs/planning.md`` has 144.
    """
    prompt, output = lengths()
    return operating(
        PricedDeployment(
            deployment=deploy("deepseek-v3", "h800-sxm", engine="sglang"),
            workload=Workload(
                prompt_tokens=prompt,
                output_tokens=output,
                hit_fraction=FOUND_TOKENS / INPUT_TOKENS,
                tpot_s=1 / TOKENS_PER_USER_S,
            ),
            pools=2,
            layouts=(Layout.from_text("ep32,dp32"), Layout.from_text("ep64,dp64")),
            chips=176,
            weights=None,
            usd_per_chip_s=USD_PER_CHIP_H / 3600,
            electricity_usd_per_j=None,
        )
    )


def usd_per_token(tokens_per_node_s: float) -> float:
    return float(
        pricing.usd_per_token(
            time_s=1, chips=CHIPS_PER_NODE, tokens=tokens_per_node_s, usd_per_chip_s=USD_PER_CHIP_H / 3600
        )
    )


def test_the_disclosed_numbers_are_one_day() -> None:
    """2 %: they are given with three digits, and add up over both kinds of nodes."""
    day_usd = NODES * CHIPS_PER_NODE * USD_PER_CHIP_H * 24
    assert day_usd == pytest.approx(87_072)
    by_tokens = INPUT_TOKENS * usd_per_token(INPUT_TOKENS_PER_NODE_S) + OUTPUT_TOKENS * usd_per_token(
        OUTPUT_TOKENS_PER_NODE_S
    )
    assert by_tokens == pytest.approx(day_usd, rel=0.02)
    assert usd_per_token(INPUT_TOKENS_PER_NODE_S) == pytest.approx(0.060e-6, rel=0.01)
    assert usd_per_token(OUTPUT_TOKENS_PER_NODE_S) == pytest.approx(0.30e-6, rel=0.01)


@pytest.mark.slow
def test_chips_at_work_cost_what_they_did(day: Operating) -> None:
    """A node's tokens a second are those of nodes at work; idle hours and idle chips come beside them."""
    assert day.input_usd == pytest.approx(0.060e-6, rel=WITHIN)
    assert day.output_usd == pytest.approx(0.30e-6, rel=WITHIN)


def test_the_day_costs_what_it_did(day: Operating) -> None:
    whole = INPUT_TOKENS * day.input_usd + OUTPUT_TOKENS * day.output_usd
    assert whole == pytest.approx(87_072, rel=WITHIN)


def test_the_revenue_at_r1s_prices_and_its_margin() -> None:
    """$562,027 by DeepSeek's account, 545 % above the cost; 0.1 %: tokens are rounded to a billion."""
    revenue = pricing.mixed_usd_per_request(
        input_tokens=INPUT_TOKENS,
        output_tokens=OUTPUT_TOKENS,
        hit_fraction=FOUND_TOKENS / INPUT_TOKENS,
        usd_per_input_token=0.55e-6,
        usd_per_cached_token=0.14e-6,
        usd_per_output_token=2.19e-6,
    )
    assert revenue == pytest.approx(562_027, rel=1e-3)
    margin = float(pricing.margin_fraction(price_usd=revenue, cost_usd=87_072))
    assert margin / (1 - margin) == pytest.approx(5.45, rel=0.01)
