"""Shapes of attention: what a token keeps, by the formula on the board and by the catalog's models."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.picture import Colour
from ridgeline.catalog import load_model, model_ids
from ridgeline.equations import attention
from ridgeline.estimator.parameters import kv_bytes_held, kv_bytes_read, multiplied_params
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import (
    BlockSparseAttention,
    ChunkedAttention,
    CompressedAttention,
    GroupedQueryAttention,
    IndexedSparseAttention,
    LatentAttention,
    LinearAttention,
    SlidingWindowAttention,
    SquareRootAttention,
)
from ridgeline.specs.model import Model
from ridgeline.specs.passes import decode

__all__ = [
    "ACTIVE",
    "FEWEST_KV_HEADS",
    "HEAD_DIM",
    "KINDS",
    "KV_HEADS",
    "MOST_KV_HEADS",
    "SHARED_LAYERS",
    "SHORT_VALUE",
    "Kind",
    "Shape",
    "kept_bytes",
    "kind_of",
    "part_of_models",
    "read_bytes",
    "shape_kv_bytes",
    "shapes",
]

HEAD_DIM = said(128.0, "1:39:40", hedge="typical")
"""Width of a head."""

FEWEST_KV_HEADS, MOST_KV_HEADS = 1.0, 8.0
KV_HEADS = said(MOST_KV_HEADS, "1:41:05", hedge="typically 1 to 8", between=(FEWEST_KV_HEADS, MOST_KV_HEADS))
"""Heads whose keys and values are stored."""

SHARED_LAYERS = said(1.0, "1:40:05", hedge="where one cache of the whole context serves all layers")
"""Number of whole-context caches that keep a token."""

SHORT_VALUE = filled_in(1.0, why="values of 8 bits, which his 2 kB needs")
"""Bytes of a value."""


ACTIVE = re.compile(r"-A\d+B$")
"""Pattern of active parameters in a model's name, which are left out where names are many."""


def shape_kv_bytes(*, layers: Numeric, kv_heads: Numeric, head_dim: Numeric, bytes_per_value: Numeric) -> Numeric:
    """Bytes that a token keeps in ``layers`` layers: the board's product, two being a key and a value."""
    return (
        layers * bytes_per_value * attention.grouped_kv_values(kv_heads=kv_heads, key_dim=head_dim, value_dim=head_dim)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """Way in which models save keys and values.

    Attributes:
        short: name in one word.
        colour: colour of its models, which kinds that read alike share.
        has: whether a model is of it, unless it is of one before.
    """

    short: str
    colour: Colour
    has: Callable[[Model], bool]


def _any(model: Model, *kinds: type) -> bool:
    return any(isinstance(group.attention, kinds) for group in model.groups)


def _heads(model: Model) -> list[GroupedQueryAttention]:
    """Attention of the layers that read all of their own keys and values."""
    return [group.attention for group in model.groups if isinstance(group.attention, GroupedQueryAttention)]


KINDS: tuple[Kind, ...] = (
    Kind(
        short="sparse",
        colour=Colour.BOUND,
        has=lambda model: _any(
            model, IndexedSparseAttention, BlockSparseAttention, CompressedAttention, SquareRootAttention
        ),
    ),
    Kind(
        short="windows",
        colour=Colour.ALSO,
        has=lambda model: _any(model, SlidingWindowAttention, ChunkedAttention, LinearAttention),
    ),
    Kind(
        short="MLA",
        colour=Colour.KV,
        has=lambda model: _any(model, LatentAttention),
    ),
    Kind(
        short="MQA",
        colour=Colour.KV,
        has=lambda model: all(kind.kv_heads == 1 for kind in _heads(model)),
    ),
    Kind(
        short="MHA",
        colour=Colour.KV,
        has=lambda model: all(kind.kv_heads == kind.query_heads for kind in _heads(model)),
    ),
    Kind(
        short="GQA",
        colour=Colour.KV,
        has=lambda model: bool(_heads(model)),
    ),
)
"""Kinds of models, starting with the farthest from the original attention; a model is of the first that it fits."""


def kind_of(model: Model) -> Kind:
    """Kind of a model by its attention.

    Raises:
        ValueError: it fits none.
    """
    found = next((kind for kind in KINDS if kind.has(model)), None)
    if found is None:
        raise ValueError(f"attention of {model.id!r} fits none of the kinds {[kind.short for kind in KINDS]}")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Bytes that a model keeps and reads per token of context.

    Attributes:
        model: model that is measured.
        kind: kind of its attention.
        active_params: parameters that a token is multiplied with.
        kept_bytes: bytes kept per token, windows and states spread over the context.
        read_bytes: bytes read per token in a step: less where attention chooses.
    """

    model: Model
    kind: Kind
    active_params: float
    kept_bytes: float
    read_bytes: float


def kept_bytes(model: Model, context_tokens: float) -> float:
    """Bytes a token that a sequence of that length keeps in all layers."""
    return float(kv_bytes_held(model, model.precision, context_tokens)) / context_tokens


def read_bytes(model: Model, context_tokens: float) -> float:
    """Bytes a token of context that a decode step reads."""
    (lane,) = decode(batch=1, context_tokens=context_tokens).lanes
    return float(kv_bytes_read(model, model.precision, lane)) / context_tokens


def part_of_models(fits: Callable[[GroupedQueryAttention], bool]) -> float:
    """Fraction of the catalog's models with layers that read all of their KV heads in which each such layer fits."""
    there = [heads for name in model_ids() if (heads := _heads(load_model(name)))]
    return sum(all(map(fits, heads)) for heads in there) / len(there)


@lru_cache(maxsize=64)
def shapes(context_tokens: float) -> tuple[Shape, ...]:
    """Shapes of all models of the catalog."""
    return tuple(_shape(load_model(name), context_tokens) for name in model_ids())


def _shape(model: Model, context_tokens: float) -> Shape:
    return Shape(
        model=model,
        kind=kind_of(model),
        active_params=multiplied_params(model),
        kept_bytes=kept_bytes(model, context_tokens),
        read_bytes=read_bytes(model, context_tokens),
    )
