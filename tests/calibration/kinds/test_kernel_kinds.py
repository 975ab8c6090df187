"""Kernels and messages by themselves, at the spec sheet's peaks, against arithmetic by hand."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest

from ridgeline.calibration.cases import read_cases
from ridgeline.calibration.judge.validate import validate
from ridgeline.specs.fidelity import ROOFLINE

F, W, UP, OUT = 989e12, 3.35e12, 450e9, 50e9  # of an H100 SXM, and of its links


def predicted(
    folder: Path,
    kind: str,
    quantity: str = "latency_s",
    case: dict[str, Any] | None = None,
    **columns: Any,  # noqa: ANN401  any cell
) -> float:
    cells = {"case": "c", "kind": kind, "machine": "h100-sxm", "quantity": quantity, "measured": "", **columns}
    if case:
        cells["overrides"] = json.dumps({"case": case})
    path = folder / "family.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(cells))
        writer.writeheader()
        writer.writerow(cells)
    found = validate(read_cases(path), fidelity=ROOFLINE)
    assert not found.unsupported, found.unsupported
    assert not [warning for warning in found.warnings if "not modelled" in warning]
    (row,) = found.rows
    return row.predicted


def test_a_product_for_each_group_reads_every_matrix(tmp_path: Path) -> None:
    found = predicted(tmp_path, "grouped_gemm", m=4, n=4096, k=7168, groups=8, weight_dtype="bf16")
    moved = 8 * 4096 * 7168 * 2 + 32 * (7168 + 4096) * 2
    assert found == pytest.approx(moved / W)
    rate = predicted(
        tmp_path, "grouped_gemm", quantity="flop_per_s", m=4096, n=4096, k=7168, groups=8, weight_dtype="bf16"
    )
    assert rate == pytest.approx(F)


def test_a_layer_of_experts_has_three_matrices_each(tmp_path: Path) -> None:
    facts = {"fused_moe": True, "gated": True, "rows": 16, "experts": 8, "local_experts": 8, "moe_ep": 1, "moe_tp": 1}
    columns: dict[str, Any] = {
        "m": 2,
        "n": 14336,
        "k": 4096,
        "groups": 8,
        "weight_dtype": "bf16",
        "activation_dtype": "bf16",
    }
    found = predicted(tmp_path, "grouped_gemm", case={**facts, "top_k": 2}, **columns)
    weights = 8 * 3 * 14336 * 4096 * 2
    activations = 16 * (4096 * 4 + 2 * 2 * 14336 * 2 + 2 * 14336 * 2)
    assert found == pytest.approx((weights + activations) / W)


HEADS: dict[str, Any] = {"query_heads": 64, "kv_heads": 8, "head_dim": 128, "kv_dtype": "bf16"}


@pytest.mark.parametrize(("window", "attended"), [(None, 4096), (1024, 1024)])
def test_decode_attention_reads_its_cache(tmp_path: Path, window: int | None, attended: int) -> None:
    case = {"window": window} if window else None
    found = predicted(tmp_path, "attention_decode", case=case, batch=32, context_tokens=4096, **HEADS)
    moved = 32 * attended * 2 * 8 * 128 * 2 + 32 * 64 * 256 * 2
    assert found == pytest.approx(moved / W)


def test_prefill_attention_computes_the_causal_half(tmp_path: Path) -> None:
    found = predicted(tmp_path, "attention_prefill", case={"causal": True}, batch=2, prompt_tokens=8192, **HEADS)
    assert found == pytest.approx(2 * 4 * 64 * 128 * 8192 * 8193 / 2 / F)
    latent: dict[str, Any] = {**HEADS, "kv_heads": 64, "head_dim": 192}
    facts = {"causal": True, "mla": True, "v_head_dim": 128}
    expanded = predicted(tmp_path, "attention_prefill", case=facts, batch=1, prompt_tokens=8192, **latent)
    assert expanded == pytest.approx(2 * 64 * (192 + 128) * 8192 * 8193 / 2 / F)


def test_latent_decode_attention_shares_one_vector(tmp_path: Path) -> None:
    columns: dict[str, Any] = {"batch": 8, "context_tokens": 32_768, "query_heads": 8, "kv_heads": 1, "head_dim": 576}
    found = predicted(tmp_path, "mla_decode", case={"v_head_dim": 512}, kv_dtype="fp8", **columns)
    assert found == pytest.approx((8 * 32_768 * 576 + 8 * 8 * (576 + 512) * 2) / W)


def test_a_stream_moves_its_tensors(tmp_path: Path) -> None:
    found = predicted(tmp_path, "elementwise", case={"op": "rmsnorm", "streams": 2}, m=8192, n=4096)
    assert found == pytest.approx(8192 * 4096 * 2 * 2 / W)


@pytest.mark.parametrize(
    ("kind", "ranks", "time_s", "bus_bytes_per_s"),
    [
        ("all_reduce", 8, 2 * 7 / 8 / UP, UP),
        ("all_gather", 8, 7 / 8 / UP, UP),
        ("reduce_scatter", 4, 3 / 4 / UP, UP),
        # Two domains of 8: nearly all inside, an eighth of the buffer across.
        ("all_reduce", 16, 2 * 7 / 8 / UP + 2 * 1 / 2 / 8 / OUT, None),
    ],
)
def test_messages_take_their_bytes_over_their_links(
    tmp_path: Path, kind: str, ranks: int, time_s: float, bus_bytes_per_s: float | None
) -> None:
    assert predicted(tmp_path, kind, message_bytes=1e9, ranks=ranks) == pytest.approx(time_s * 1e9)
    if bus_bytes_per_s:
        rate = predicted(tmp_path, kind, quantity="bus_bytes_per_s", message_bytes=1e9, ranks=ranks)
        assert rate == pytest.approx(bus_bytes_per_s)


def test_an_all_to_all_keeps_its_own_part(tmp_path: Path) -> None:
    found = predicted(tmp_path, "all_to_all_dispatch", case={"uniform": True}, message_bytes=8e6, ranks=8)
    assert found == pytest.approx(8e6 * 7 / 8 / UP)


def test_tokens_without_stated_bytes_travel_once_to_each_group(tmp_path: Path) -> None:
    """Inside one domain a copy for each of 8 ranks that a token visits; across four, one for each domain of four."""
    facts = {"experts": 256, "top_k": 8, "hidden": 7168}
    visited = 8 * (1 - math.comb(224, 8) / math.comb(256, 8))
    inside = predicted(tmp_path, "all_to_all_combine", case=facts, batch=4096, ranks=8, activation_dtype="bf16")
    assert inside == pytest.approx(4096 * visited * 7168 * 2 * 7 / 8 / UP)
    rate = predicted(
        tmp_path,
        "all_to_all_combine",
        quantity="bytes_per_s",
        case=facts,
        batch=4096,
        ranks=8,
        activation_dtype="bf16",
    )
    assert rate == pytest.approx(UP * 8 / 7)
    nodes = 4 * (1 - math.comb(192, 8) / math.comb(256, 8))
    across = predicted(tmp_path, "all_to_all_combine", case=facts, batch=4096, ranks=32, activation_dtype="bf16")
    assert across == pytest.approx(4096 * nodes * 7168 * 2 * 3 / 4 / OUT)


@pytest.mark.parametrize(
    ("case", "bytes_per_s"),
    [
        ({"scope": "intra_node"}, UP),
        ({"scope": "inter_node"}, OUT),
        ({"fabric": "roce"}, OUT),
        ({"fabric": "nvlink"}, UP),
    ],
)
def test_one_message_takes_the_link_that_it_needs(tmp_path: Path, case: dict[str, str], bytes_per_s: float) -> None:
    facts = {"scope": "", "fabric": "", **case}
    assert predicted(tmp_path, "point_to_point", case=facts, message_bytes=1e9, ranks=2) == pytest.approx(
        1e9 / bytes_per_s
    )
    rate = predicted(tmp_path, "point_to_point", quantity="bytes_per_s", case={**facts, "asymptotic": True}, ranks=2)
    assert rate == pytest.approx(bytes_per_s)
