"""Model types of Hugging Face: defaults of their configurations, and types that cannot be a ``Model``."""

from __future__ import annotations

from dataclasses import field
from datetime import date as Date  # noqa: N812  a field below is named date
from functools import lru_cache

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, FactFile

__all__ = ["ModelType", "model_type", "why_refused"]


class ModelType(FactFile):
    """Peculiarities of one model type.

    Attributes:
        gated: whether its feed-forward blocks have a gate.
        tied: whether embeddings are tied where a file does not say.
        parallel: whether attention and feed-forward block read the same stream where a file does not say.
        full_every: period of layers with full attention among those with windows where a file does not say; 0 for none.
        window_if_asked: whether a stated window is used only where ``use_sliding_window`` says so.
        one_kv_head_each: whether query heads never share a stored head.
        one_kv_head_by_default: whether all query heads share one, unless ``multi_query`` is false.
        output_gate: whether attention's output is gated where a file does not say.
        is_halved: whether its layers are attention or a state alone, or a feed-forward block alone.
        changes_no_shape: keys that do not change the shape in this type, and might in another.
        unmodelled: parts of the type's models that are not modelled.
        defaults: values of keys that a file may leave out.
        tower_defaults: values of keys that only the language model's part of a file may leave out.
    """

    gated: bool = True
    tied: bool = False
    parallel: bool = False
    full_every: int = 0
    window_if_asked: bool = False
    one_kv_head_each: bool = False
    one_kv_head_by_default: bool = False
    output_gate: bool = False
    is_halved: bool = False
    changes_no_shape: tuple[str, ...] = ()
    unmodelled: tuple[str, ...] = ()
    defaults: dict[str, int] = field(default_factory=dict)
    tower_defaults: dict[str, int] = field(default_factory=dict)


class Refused(FactFile):
    """Model types that cannot be described, with the reason."""

    why: str
    types: tuple[str, ...]


class ModelTypes(FactFile):
    """Contents of ``model_types.toml``."""

    source: str
    date: Date
    refused: tuple[Refused, ...]
    types: dict[str, ModelType]


@lru_cache(maxsize=1)
def _file() -> ModelTypes:
    return read_toml(CATALOG / "model_types.toml", ModelTypes)


def model_type(name: str) -> ModelType | None:
    """Peculiarities of a type; None for an unknown one."""
    return _file().types.get(name)


def why_refused(name: str) -> str | None:
    """Reason why models of a type cannot be described; None where there is none."""
    return next((group.why for group in _file().refused if name in group.types), None)
