"""Models from a table of shapes, one a row: what case files name and the catalog may lack."""

from __future__ import annotations

import csv
from pathlib import Path

from ridgeline.calibration.cases import CaseError, Unsupported
from ridgeline.specs.attention import Attention, GroupedQueryAttention, LatentAttention
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.precision import uniform_precision

__all__ = ["read_model_table", "table_model"]


def read_model_table(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a model table by model id.

    Raises:
        CaseError: the file is missing or has no column ``model``.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if "model" not in (reader.fieldnames or ()):
                raise CaseError(f"{path}: has no column model; a model table starts with its header")
            return {row["model"]: row for row in reader}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CaseError(f"{path}: cannot be read: {error}") from None


def table_model(row: dict[str, str]) -> Model:
    """The model of a row, in 16 bits until a case says otherwise.

    Raises:
        Unsupported: it has an attention that is not modelled.
        CaseError: a number is missing or does not read.
    """

    def whole(column: str, default: int | None = None) -> int:
        text = (row.get(column) or "").strip()
        if not text and default is not None:
            return default
        try:
            return int(float(text))
        except ValueError:
            raise CaseError(f"model table: {row['model']}: {column}={text!r} is not a number") from None

    if (row.get("window_pattern") or "").strip() or "sparse" in (row.get("extra") or ""):
        raise Unsupported(f"{row['model']}: windowed, linear and sparse attention are not modelled")
    layers, hidden, gated = whole("layers"), whole("hidden"), bool(whole("gated", 1))
    attention = _attention(row["attention"], row["model"], whole)
    dense = DenseFeedForward(ffn_hidden=max(whole("ffn_hidden", 1), 1), gated=gated)
    groups: tuple[tuple[int, FeedForward], ...] = ((layers, dense),)
    if whole("experts", 0):
        first = whole("dense_first_layers", 0)
        routed = RoutedExperts(
            experts=whole("experts"),
            active_experts=whole("active_experts"),
            expert_hidden=whole("expert_hidden"),
            shared_hidden=whole("shared_experts", 0) * whole("expert_hidden"),
            gated=gated,
        )
        groups = ((first, dense), (layers - first, routed))
    return Model(
        id=row["model"],
        name=row["model"],
        hidden=hidden,
        vocab=whole("vocab"),
        tied_embeddings=bool(whole("tied_embeddings", 0)),
        groups=tuple(
            LayerGroup(layers=count, attention=attention, feed_forward=block) for count, block in groups if count
        ),
        precision=uniform_precision("bf16", kv="bf16"),
    )


def _attention(kind: str, model: str, whole) -> Attention:  # type: ignore[no-untyped-def]  # noqa: ANN001  the row's reader
    if kind in {"mha", "gqa", "mqa"}:
        return GroupedQueryAttention(
            query_heads=whole("query_heads"), kv_heads=whole("kv_heads"), head_dim=whole("head_dim")
        )
    if kind == "mla":
        return LatentAttention(
            query_heads=whole("query_heads"),
            query_rank=whole("q_lora_rank", 0),
            kv_rank=whole("kv_lora_rank"),
            content_head_dim=whole("qk_nope_head_dim"),
            position_head_dim=whole("qk_rope_head_dim"),
            value_head_dim=whole("v_head_dim"),
        )
    raise Unsupported(f"{model}: attention {kind!r} is not modelled; mha, gqa, mqa and mla are")
