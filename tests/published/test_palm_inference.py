"""Table 2 and section 4.4 of Pope et al. 2022, "Efficiently Scaling Transformer Inference" (arXiv 2211.05102).

PaLM 540B on 64 TPU v4, its 48 heads padded to 64, over 2,048 tokens: weights stay where they are and are cut in two
dimensions, or are gathered along all three axes of the cube of chips.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ridgeline.calibration.cases import read_cases
from ridgeline.calibration.judge.validate import validate

DECODE = '{"case": {"attention_shard": "batch", "ffn_layout": "ws2d", "padded_heads": 64}}'
PREFILL = '{"case": {"attention_shard": "head", "ffn_layout": "ws2d", "padded_heads": 64}}'
GATHERED = '{"case": {"attention_shard": "batch", "ffn_layout": "wg_xyz", "padded_heads": 64}}'
ROWS = (
    # kind, weights, batch, column of the tokens, layout, seconds
    ("decode_step", "int8", 64, "context_tokens", DECODE, 1.82 / 64),
    ("decode_step", "bf16", 512, "context_tokens", DECODE, 6.0 / 64),
    ("decode_step", "bf16", 64, "context_tokens", DECODE, 0.0369),
    ("prefill", "int8", 1, "prompt_tokens", PREFILL, 0.29),
    ("prefill", "bf16", 512, "prompt_tokens", GATHERED, 85.2),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}")
def test_palm_540b(row: tuple[str, str, int, str, str, float], tmp_path: Path) -> None:
    kind, weights, batch, tokens, layout, seconds = row
    case = {
        "case": "one",
        "kind": kind,
        "model": "palm-540b",
        "machine": "tpu-v4",
        "chips": 64,
        "tp": 64,
        "weight_dtype": weights,
        "activation_dtype": "bf16",
        "kv_dtype": "bf16",
        "batch": batch,
        tokens: 2048,
        "quantity": "latency_s",
        "measured": seconds,
        "overrides": layout,
    }
    path = tmp_path / "palm.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(case))
        writer.writeheader()
        writer.writerow(case)
    found = validate(read_cases(path))
    assert not found.warnings
    # 15 %: efficiencies of TPUs are guesses, and the paper overlaps messages with products where it can.
    assert found.rows[0].predicted == pytest.approx(seconds, rel=0.15)
