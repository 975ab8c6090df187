"""Models from a table of shapes, one a row: what case files name and the catalog may lack."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from ridgeline.calibration.cases import CaseError, Unsupported
from ridgeline.glossary import ImplausibleError
from ridgeline.specs.attention import (
    Attention,
    ChunkedAttention,
    GroupedQueryAttention,
    LatentAttention,
    SlidingWindowAttention,
)
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


@dataclass(frozen=True, slots=True)
class _Row:
    """A row whose cells are read as whole numbers."""

    cells: dict[str, str]

    def whole(self, column: str, default: int | None = None) -> int:
        """A cell.

        Raises:
            CaseError: it is empty without a default, or no whole number.
        """
        text = (self.cells.get(column) or "").strip()
        if not text and default is not None:
            return default
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if number < 0 or number != int(number):
            raise CaseError(f"model table: {self.cells['model']}: {column}={text!r} is not a whole number from 0 up")
        return int(number)


def table_model(cells: dict[str, str]) -> Model:
    """The model of a row, in 16 bits until a case says otherwise.

    Raises:
        Unsupported: it has an attention that a table cannot describe.
        CaseError: a number is missing, does not read or contradicts another.
    """
    row, name = _Row(cells), cells["model"]
    extra = cells.get("extra") or ""
    if "linear" in extra or "sparse" in extra or "linear" in (cells.get("window_pattern") or ""):
        raise Unsupported(f"{name}: the table does not describe its linear or sparse layers; use a catalog model")
    if row.whole("moe_every", 1) > 1:
        raise Unsupported(f"{name}: experts in every other layer only are not modelled from a table")
    try:
        return _model(row, name)
    except ImplausibleError as error:
        raise CaseError(f"model table: {name}: {error}") from None
    except ValueError as error:
        if isinstance(error, CaseError):
            raise
        raise CaseError(f"model table: {name}: {error}") from None


def _model(row: _Row, name: str) -> Model:
    layers, hidden, gated = row.whole("layers"), row.whole("hidden"), bool(row.whole("gated", 1))
    experts, first_dense = row.whole("experts", 0), row.whole("dense_first_layers", 0)
    blocks: list[tuple[int, FeedForward]] = []
    if not experts or first_dense:
        dense = DenseFeedForward(ffn_hidden=row.whole("ffn_hidden"), gated=gated)
        blocks.append((first_dense if experts else layers, dense))
    if experts:
        width = row.whole("expert_hidden")
        routed = RoutedExperts(
            experts=experts,
            active_experts=row.whole("active_experts"),
            expert_hidden=width,
            shared_hidden=row.whole("shared_experts", 0) * width,
            gated=gated,
        )
        blocks.append((layers - first_dense, routed))
    is_parallel = "parallel" in (row.cells.get("extra") or "")
    return Model(
        id=name,
        name=name,
        hidden=hidden,
        vocab=row.whole("vocab"),
        tied_embeddings=bool(row.whole("tied_embeddings", 0)),
        groups=tuple(
            LayerGroup(layers=count, attention=attention, feed_forward=block, is_parallel=is_parallel)
            for block_layers, block in blocks
            for count, attention in _attentions(row, name, block_layers)
            if count
        ),
        precision=uniform_precision("bf16", kv="bf16"),
    )


def _attentions(row: _Row, name: str, layers: int) -> list[tuple[int, Attention]]:
    """How many layers have which attention; a window is in all, or in the part that the pattern's text names."""
    kind = row.cells.get("attention") or ""
    if kind == "mla":
        latent = LatentAttention(
            query_heads=row.whole("query_heads"),
            query_rank=row.whole("q_lora_rank", 0),
            kv_rank=row.whole("kv_lora_rank"),
            content_head_dim=row.whole("qk_nope_head_dim"),
            position_head_dim=row.whole("qk_rope_head_dim"),
            value_head_dim=row.whole("v_head_dim"),
        )
        return [(layers, latent)]
    if kind not in {"mha", "gqa", "mqa"}:
        raise Unsupported(f"{name}: attention {kind!r} is not modelled; mha, gqa, mqa and mla are")
    full = GroupedQueryAttention(
        query_heads=row.whole("query_heads"), kv_heads=row.whole("kv_heads"), head_dim=row.whole("head_dim")
    )
    window, pattern = row.whole("sliding_window", 0), row.cells.get("window_pattern") or ""
    if not window:
        return [(layers, full)]
    if "all layers" in pattern or not pattern:
        return [(layers, SlidingWindowAttention(base=full, window=window))]
    if pattern.startswith("alternate"):
        return [(layers - layers // 2, SlidingWindowAttention(base=full, window=window)), (layers // 2, full)]
    if pattern.startswith("chunked"):
        return [(layers - layers // 4, ChunkedAttention(base=full, window=window)), (layers // 4, full)]
    raise Unsupported(f"{name}: window pattern {pattern!r} is not known")
