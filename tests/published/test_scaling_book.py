"""Numbers of "How to Scale Your Model" (jax-ml/scaling-book)."""

from __future__ import annotations

import pytest

from ridgeline.equations import attention, roofline

# Chapter 7, "Modeling throughput and latency for LLaMA 2-13B": 8 TPU v5e, 8192-token sequences.
PUBLISHED_STEP_MS = {1: 4.98, 8: 12.13, 16: 20.30, 32: 36.65, 64: 69.33, 240: 249.09}


@pytest.mark.parametrize(("batch", "step_ms"), PUBLISHED_STEP_MS.items())
def test_llama_2_13b_step_time(batch: int, step_ms: float) -> None:
    kv_per_token = 40 * 2 * attention.grouped_kv_values(kv_heads=40, key_dim=128, value_dim=128)
    step_s = roofline.step_time_s(
        batch=batch,
        active_params=13e9,
        weight_bytes=26e9,
        kv_bytes_per_sequence=8192 * kv_per_token,
        flop_per_s=8 * 197e12,
        hbm_bytes_per_s=8 * 820e9,
    )
    # 0.2 %: the book rounds the cache of a sequence, 6.71 GB, to 6.7.
    assert step_s * 1e3 == pytest.approx(step_ms, rel=2e-3)
