"""FLOP of a step, against formulas that were published."""

from __future__ import annotations

import dataclasses

import pytest
from tests.training.jobs import job

from ridgeline.training.flop import hardware_flop, hfu_fraction, mfu_fraction, model_flop
from ridgeline.training.recipe import Recipe
from ridgeline.training.recompute import Recompute


def test_model_flop_are_palms_formula() -> None:
    """6 N + 12 L H Q T a token, PaLM (arXiv 2204.02311), appendix B; N without the embedding, which is looked up."""
    one = job("llama-3.1-8b", batch=64, sequence_tokens=8192)
    parameters = 8.03e9 - 128_256 * 4096
    per_token = 6 * parameters + 12 * 32 * 32 * 128 * 8192
    # The parameters are written with three digits.
    assert model_flop(one) == pytest.approx(per_token * 64 * 8192, rel=1e-3)


def test_a_causal_mask_leaves_half_of_attention() -> None:
    one = job(sequence_tokens=65_536)
    whole, causal, none = model_flop(one), model_flop(one, causal=True), 6 * one.batch * 65_536 * 7.5e9
    assert (whole - none) / (causal - none) == pytest.approx(2, rel=0.01)


def test_recompute_counts_for_the_hardware_alone() -> None:
    plain, full = job(), job(recompute=Recompute(is_full=True))
    assert model_flop(plain) == model_flop(full) == hardware_flop(plain)
    assert hardware_flop(full) == pytest.approx(4 / 3 * model_flop(full))
    assert hfu_fraction(full, 5.0) == pytest.approx(4 / 3 * mfu_fraction(full, 5.0))


def test_parts_that_are_computed_again_count_by_their_matrices() -> None:
    """Two FLOP a parameter and token; norms none; of attention all pairs but for one in 4096, as in the model's own."""
    one = job(layout="tp2,pp2,dp2,vpp2,mb2")
    plain, tokens = model_flop(one), one.batch * one.sequence_tokens

    def more(text: str) -> float:
        return hardware_flop(dataclasses.replace(one, recipe=Recipe(recompute=Recompute.from_text(text)))) - plain

    assert more("selective:mlp") == pytest.approx(2 * 32 * 3 * 4096 * 14_336 * tokens)
    assert more("selective:core_attn") == pytest.approx(4 * 32 * 32 * 128 * 4096 * tokens, rel=1e-3)
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
        hardware_flop(dataclasses.replace(one, recipe=dataclasses.replace(one.recipe, recompute=layer)))
        for one in (plain, ahead)
    ]
    again = [whole - model_flop(one) for whole, one in zip(again, (plain, ahead), strict=True)]
    assert again[1] == pytest.approx(again[0] * 59 / 58)
