"""Models from a table of shapes, one per row, for models in case files that the catalog lacks."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from ridgeline.calibration.cases.case import CaseError, Unsupported
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

__all__ = ["ModelRow", "ModelTable", "model_row", "read_model_table", "table_model"]


def _whole(cell: object) -> int:
    try:
        number = float(cell) if isinstance(cell, (str, int, float)) else -1.0
    except ValueError:
        number = -1.0
    if number < 0 or number != int(number):
        raise ValueError(WHOLE)
    return int(number)


WHOLE = "is not a whole number from 0 up"
Whole = Annotated[int, BeforeValidator(_whole)]


class ModelRow(BaseModel):
    """A row of a model table, with its columns' names; those left out that some model needs are None."""

    model_config = ConfigDict(frozen=True, protected_namespaces=())

    model: str
    layers: Whole | None = None
    hidden: Whole | None = None
    query_heads: Whole | None = None
    kv_heads: Whole | None = None
    head_dim: Whole | None = None
    ffn_hidden: Whole | None = None
    gated: Whole = 1
    vocab: Whole | None = None
    tied_embeddings: Whole = 0
    experts: Whole = 0
    active_experts: Whole | None = None
    shared_experts: Whole = 0
    expert_hidden: Whole | None = None
    dense_first_layers: Whole = 0
    moe_every: Whole = 1
    attention: str = ""
    q_lora_rank: Whole = 0
    kv_lora_rank: Whole | None = None
    qk_nope_head_dim: Whole | None = None
    qk_rope_head_dim: Whole | None = None
    v_head_dim: Whole | None = None
    sliding_window: Whole = 0
    window_pattern: str = ""
    extra: str = ""
    total_params: Whole | None = None
    active_params: Whole | None = None

    def needed(self, column: str) -> int:
        """Value of a column without which the model is not determined.

        Raises:
            CaseError: the row lacks the value.
        """
        value: int | None = getattr(self, column)
        if value is None:
            raise CaseError(f"model table: {self.model}: {column}='' {WHOLE}")
        return value


ModelTable = Mapping[str, ModelRow]
"""Rows of a model table by model id."""


def model_row(cells: Mapping[str, str | None]) -> ModelRow:
    """A row from its cells' text.

    Raises:
        CaseError: a cell is invalid; the message names model and column.
    """
    said = {column: text.strip() for column, text in cells.items() if text and text.strip()}
    try:
        return ModelRow.model_validate({"model": "", **said})
    except ValidationError as error:
        fault = error.errors()[0]
        what = f"{fault['loc'][0]}={fault['input']!r} {fault['msg'].removeprefix('Value error, ')}"
        raise CaseError(f"model table: {said.get('model', '')}: {what}") from None


def read_model_table(path: Path) -> dict[str, ModelRow]:
    """Rows of a model table by model id.

    Raises:
        CaseError: the file is missing, lacks the column ``model``, or has an invalid cell, which the message names.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, restkey="")
            if "model" not in (reader.fieldnames or ()):
                raise CaseError(f"{path}: has no column model; a model table starts with its header")
            rows = {}
            for line, cells in enumerate(reader, start=2):
                try:
                    rows[cells["model"]] = model_row(cells)
                except CaseError as error:
                    raise CaseError(f"{path}:{line}: {error}") from None
            return rows
    except UnicodeDecodeError:
        raise CaseError(f"{path}: is no UTF-8 text; give a CSV file") from None
    except (OSError, csv.Error) as error:
        raise CaseError(f"{path}: cannot be read: {error}") from None


def table_model(row: ModelRow) -> Model:
    """The model of a row, in 16 bits until a case says otherwise.

    Raises:
        Unsupported: the model's attention cannot be described in a table.
        CaseError: a number is missing or contradicts another.
    """
    name = row.model
    if "linear" in row.extra or "sparse" in row.extra or "linear" in row.window_pattern:
        raise Unsupported(f"{name}: the table does not describe its linear or sparse layers; use a catalog model")
    if row.moe_every > 1:
        raise Unsupported(f"{name}: experts in every other layer only are not modelled from a table")
    try:
        return _model(row, name)
    except ImplausibleError as error:
        raise CaseError(f"model table: {name}: {error}") from None
    except ValueError as error:
        if isinstance(error, CaseError):
            raise
        raise CaseError(f"model table: {name}: {error}") from None


def _model(row: ModelRow, name: str) -> Model:
    layers, hidden, gated = row.needed("layers"), row.needed("hidden"), bool(row.gated)
    experts, first_dense = row.experts, row.dense_first_layers
    blocks: list[tuple[int, FeedForward]] = []
    if not experts or first_dense:
        dense = DenseFeedForward(ffn_hidden=row.needed("ffn_hidden"), gated=gated)
        blocks.append((first_dense if experts else layers, dense))
    if experts:
        width = row.needed("expert_hidden")
        routed = RoutedExperts(
            experts=experts,
            active_experts=row.needed("active_experts"),
            expert_hidden=width,
            shared_hidden=row.shared_experts * width,
            gated=gated,
        )
        blocks.append((layers - first_dense, routed))
    is_parallel = "parallel" in row.extra
    return Model(
        id=name,
        name=name,
        hidden=hidden,
        vocab=row.needed("vocab"),
        tied_embeddings=bool(row.tied_embeddings),
        groups=tuple(
            LayerGroup(layers=count, attention=attention, feed_forward=block, is_parallel=is_parallel)
            for block_layers, block in blocks
            for count, attention in _attentions(row, name, block_layers)
            if count
        ),
        precision=uniform_precision("bf16", kv="bf16"),
    )


def _attentions(row: ModelRow, name: str, layers: int) -> list[tuple[int, Attention]]:
    """Number of layers with each kind of attention; windows are in all, or in the part that the pattern names."""
    kind = row.attention
    if kind == "mla":
        latent = LatentAttention(
            query_heads=row.needed("query_heads"),
            query_rank=row.q_lora_rank,
            kv_rank=row.needed("kv_lora_rank"),
            content_head_dim=row.needed("qk_nope_head_dim"),
            position_head_dim=row.needed("qk_rope_head_dim"),
            value_head_dim=row.needed("v_head_dim"),
        )
        return [(layers, latent)]
    if kind not in {"mha", "gqa", "mqa"}:
        raise Unsupported(f"{name}: attention {kind!r} is not modelled; mha, gqa, mqa and mla are")
    full = GroupedQueryAttention(
        query_heads=row.needed("query_heads"), kv_heads=row.needed("kv_heads"), head_dim=row.needed("head_dim")
    )
    window, pattern = row.sliding_window, row.window_pattern
    if not window:
        return [(layers, full)]
    if "all layers" in pattern or not pattern:
        return [(layers, SlidingWindowAttention(base=full, window=window))]
    if pattern.startswith("alternate"):
        return [(layers - layers // 2, SlidingWindowAttention(base=full, window=window)), (layers // 2, full)]
    if pattern.startswith("chunked"):
        return [(layers - layers // 4, ChunkedAttention(base=full, window=window)), (layers // 4, full)]
    raise Unsupported(f"{name}: window pattern {pattern!r} is not known")
