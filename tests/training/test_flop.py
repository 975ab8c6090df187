"""FLOP of a step, against formulas that were published."""

from __future__ import annotations

import dataclasses

import pytest
from tests.training.jobs import job

from ridgeline.training.flop import hardware_flop, hfu_fraction, mfu_fraction, model_flop
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.recipe import Recipe
from ridgeline.training.recompute import Recompute


def test_model_flop_are_palms_formula() -> None:
    """6 N + 12 L H Q T a token, PaLM (arXiv 2204.02311), appendix B; N without the embedding, which is looked up."""
    one = job("llama-3.1-8b", batch=64, sequence_tokens=8192)
    parameters = 8.03e9 - 128_256 * 4096
    per_token = 6 * parameters + 12 * 32 * 32 * 128 * 8192
    # The parameters are written with three digits.
    assert model_flop(one) == pytest.approx(per_token * 64 * 8192, rel=1e-3)


WIDTHS = {"llama-3.1-8b": 32 * 256, "gemma-3-27b": 32 * 256, "deepseek-v3": 128 * 320}
"""Heads times the width of a key and a value."""


@pytest.mark.parametrize(("model", "keys"), [("llama-3.1-8b", 32 * 8192), ("deepseek-v3", 61 * 8192)])
def test_without_a_mask_attention_is_the_square_of_the_sequence(model: str, keys: int) -> None:
    """PaLM's ``12 L H Q T`` a token: every token with all of the sequence, in every layer."""
    one = job(model, batch=1, sequence_tokens=8192)
    found = model_flop(one) - model_flop(one, causal=True)
    # Of S^2 pairs a causal mask leaves S (S + 1) / 2.
    assert found == pytest.approx(3 * 2 * WIDTHS[model] * keys * 8191 / 2, rel=1e-9)


def test_windows_count_as_windows() -> None:
    """Of 62 layers of Gemma 3 ten are global, the others see 1,024 tokens: 12.2 TFLOP of 8,192 tokens with the mask.

    Without it each token has a window of its own: 18.1 TFLOP. All pairs in all layers were 68.2, and more than a chip
    can do where sequences are long.
    """
    one, tokens, window, width = job("gemma-3-27b", batch=1, sequence_tokens=8192), 8192, 1024, 2 * 32 * 256
    masked = width * (10 * tokens * (tokens + 1) / 2 + 52 * (window * (window + 1) / 2 + (tokens - window) * window))
    plain = width * tokens * (10 * tokens + 52 * window)
    assert [plain, masked] == pytest.approx([18.1e12, 12.2e12], rel=4e-3)  # three digits
    assert model_flop(one) - model_flop(one, causal=True) == pytest.approx(3 * (plain - masked), rel=1e-9)
    long = dataclasses.replace(one, sequence_tokens=131_072)
    assert model_flop(long) < 2 * hardware_flop(long, causal=True)


def test_hardware_without_recompute_computes_what_the_model_takes_with_a_mask_and_without() -> None:
    one = job(sequence_tokens=65_536)
    assert hardware_flop(one, causal=True) == model_flop(one, causal=True) < 0.8 * model_flop(one)
    assert hardware_flop(one) == model_flop(one)


def test_no_plan_has_the_hardware_do_less_than_the_model_takes() -> None:
    """HFU counts attention as MFU does, so that what is computed again is all that lies between them."""
    plain, full = (TrainingPlan(job=job(recompute=Recompute(is_full=again))) for again in (False, True))
    assert plain.hfu_fraction == plain.mfu_fraction
    assert full.hfu_fraction == pytest.approx(4 / 3 * full.mfu_fraction)


def test_recompute_counts_for_the_hardware_alone() -> None:
    plain, full = job(), job(recompute=Recompute(is_full=True))
    assert model_flop(plain) == model_flop(full) == hardware_flop(plain)
    assert hardware_flop(full) == pytest.approx(4 / 3 * hardware_flop(plain))
    assert hfu_fraction(full, 5.0) == pytest.approx(4 / 3 * mfu_fraction(full, 5.0))


def test_parts_that_are_computed_again_count_by_their_matrices() -> None:
    """Two FLOP a parameter and token; norms none; of attention the pairs that a causal mask leaves."""
    one = job(layout="tp2,pp2,dp2,vpp2,mb2")
    tokens = one.batch * one.sequence_tokens

    def more(text: str) -> float:
        again = dataclasses.replace(one, recipe=Recipe(recompute=Recompute.from_text(text)))
        return hardware_flop(again, causal=True) - hardware_flop(one, causal=True)

    assert more("selective:mlp") == pytest.approx(2 * 32 * 3 * 4096 * 14_336 * tokens)
    assert more("selective:core_attn") == pytest.approx(2 * 32 * 32 * 128 * 4097 * tokens, rel=1e-9)
    assert more("selective:layernorm") == 0
    assert more("selective:mlp+core_attn") == pytest.approx(more("selective:mlp") + more("selective:core_attn"))


def test_utilisation_is_of_the_peak_of_the_format() -> None:
    assert mfu_fraction(job(), 5.0) == pytest.approx(2 * mfu_fraction(job(scaling="tensor"), 5.0), rel=1e-3)
    assert mfu_fraction(job(), 5.0) == pytest.approx(model_flop(job()) / 5.0 / 8 / 989.4e12, rel=1e-3)


def test_a_token_that_is_predicted_ahead_takes_its_layer_and_the_head_once_more() -> None:
    """Megatron-Bridge's rates of DeepSeek-V3 with a causal mask: 260 GFLOP a token with MTP, 250.4 without."""
    plain, ahead = (job("deepseek-v3", "dp64,ep64", predicted_tokens=count) for count in (0, 1))
    tokens = plain.batch * plain.sequence_tokens
    assert model_flop(plain, causal=True) / tokens == pytest.approx(250.4e9, rel=0.01)
    assert model_flop(ahead, causal=True) / tokens == pytest.approx(260e9, rel=0.01)
    layer = Recompute.from_text("selective:moe")
    again = [
        hardware_flop(dataclasses.replace(one, recipe=dataclasses.replace(one.recipe, recompute=layer)), causal=True)
        for one in (plain, ahead)
    ]
    again = [whole - model_flop(one, causal=True) for whole, one in zip(again, (plain, ahead), strict=True)]
    assert again[1] == pytest.approx(again[0] * 59 / 58)
