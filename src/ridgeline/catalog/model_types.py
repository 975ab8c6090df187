"""Model types of Hugging Face: what a configuration means where it is silent, and which types are no ``Model``."""

from __future__ import annotations

from dataclasses import field
from datetime import date as Date  # noqa: N812  a field below is named date
from functools import lru_cache

from ridgeline.catalog.facts import CATALOG, FactFile, read_toml

__all__ = ["ModelType", "model_type", "why_refused"]


class ModelType(FactFile):
    """What is peculiar to one model type.

    Attributes:
        gated: whether its feed-forward blocks have a gate.
        tied: whether the embedding is the head where a file does not say.
        parallel: whether attention and feed-forward block read the same stream where a file does not say.
        full_every: of layers with windows, every so many sees everything where a file does not say; 0 where none does.
        window_if_asked: whether a stated window is used only where ``use_sliding_window`` says so.
        one_kv_head_each: whether query heads never share a stored head.
        one_kv_head_by_default: whether all query heads share one, unless ``multi_query`` is false.
        output_gate: whether attention's output is gated where a file does not say.
        is_halved: whether its layers are attention or a state alone, or a feed-forward block alone.
        changes_no_shape: keys that change no shape in this type, and might in another.
        unmodelled: what models of the type have that is left out.
        defaults: values of keys that a file may leave out.
        tower_defaults: values of keys that only a part of a file for the language model may leave out.
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
    """The file ``model_types.toml``."""

    source: str
    date: Date
    refused: tuple[Refused, ...]
    types: dict[str, ModelType]


@lru_cache(maxsize=1)
def _file() -> ModelTypes:
    return read_toml(CATALOG / "model_types.toml", ModelTypes)


def model_type(name: str) -> ModelType | None:
    """What is peculiar to a type; None for one that is not known."""
    return _file().types.get(name)


def why_refused(name: str) -> str | None:
    """Why models of a type cannot be described; None where nothing is known against it."""
    return next((group.why for group in _file().refused if name in group.types), None)
