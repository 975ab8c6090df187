"""Models of the catalog: shapes, and number formats of their published checkpoints."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import date as Date  # noqa: N812  a field below is named date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, YOURS, CatalogError, Fact, FactFile, Reading, reads, reads_month, unsourced
from ridgeline.catalog.huggingface import fetch_config, import_config
from ridgeline.catalog.lookup import find, ids, nearest
from ridgeline.catalog.packed import is_file
from ridgeline.specs.attention import (
    Attention,
    BlockSparseAttention,
    ChunkedAttention,
    CompressedAttention,
    CrossLayerAttention,
    GroupedQueryAttention,
    IndexedSparseAttention,
    LatentAttention,
    LinearAttention,
    SlidingWindowAttention,
    SquareRootAttention,
)
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.number_format import matmul_format, number_format
from ridgeline.specs.precision import Component, Precision

if TYPE_CHECKING:
    from pydantic import ValidationInfo

__all__ = ["ATTENTION_KINDS", "FEED_FORWARD_KINDS", "ModelEntry", "load_model", "model_entry", "model_ids"]

MODELS = CATALOG / "models"

ATTENTION_KINDS: dict[str, type[Any]] = {
    "grouped_query": GroupedQueryAttention,
    "latent": LatentAttention,
    "sliding_window": SlidingWindowAttention,
    "chunked": ChunkedAttention,
    "cross_layer": CrossLayerAttention,
    "indexed_sparse": IndexedSparseAttention,
    "block_sparse": BlockSparseAttention,
    "compressed": CompressedAttention,
    "square_root": SquareRootAttention,
    "linear": LinearAttention,
}
"""Attention records by the ``kind`` in a file; ``base`` names another table of the same file."""

FEED_FORWARD_KINDS: dict[str, type[Any]] = {
    "dense": DenseFeedForward,
    "routed": RoutedExperts,
    "none": NoFeedForward,
}
"""Feed-forward records by the ``kind`` in a file."""

UNWRITTEN = ("load",)
"""Fields of records that no file gives: how tokens choose experts is said with the run."""


class GroupFacts(FactFile):
    """One ``[[groups]]`` table: equal layers, by the names of their parts."""

    layers: int
    attention: str
    feed_forward: str
    is_parallel: bool = False


class EightBitsFact(FactFile):
    """The 8-bit float format of checkpoints that a model's makers publish beside the first."""

    value: str
    source: str
    date: Date
    unverified: bool = False

    @classmethod
    def before(cls, raw: Any, info: ValidationInfo) -> Any:  # noqa: ANN401  what TOML gives
        """Raw values of a file outside the catalog, with its source and date."""
        return {**unsourced(raw, info), **raw}


class FormatFacts(FactFile):
    """The ``[formats]`` table: ``layers`` for all weights of layers, exceptions, and 8-bit checkpoints beside them."""

    layers: str
    attention: str | None = None
    dense: str | None = None
    experts: str | None = None
    shared_experts: str | None = None
    router: str = "bf16"
    embedding: str = "bf16"
    head: str = "bf16"
    kv: str = "bf16"
    eight_bits: EightBitsFact | None = None

    def spec(self) -> Precision:
        """The formats as a record of ``specs``."""
        matmuls: dict[str, Any] = {
            component.value: matmul_format(getattr(self, component.value) or self.layers) for component in Component
        }
        return Precision(**matmuls, kv=number_format(self.kv))


def _some(raw: object, _: ValidationInfo) -> object:
    if not raw:
        raise ValueError("should have at least one table")
    return raw


class ModelFacts(FactFile):
    """Contents of a model's file; ``source`` and ``date`` hold for all values without their own.

    A file outside the catalog may leave both out.
    """

    id: str
    name: str
    checkpoint: str | None = None
    source: str
    date: Date
    unverified: bool = False
    also: tuple[str, ...] = ()
    released: Annotated[Fact, reads_month()] | None = None
    published_params: Annotated[Fact, reads("count")] | None = None
    published_active_params: Annotated[Fact, reads("count")] | None = None
    trained_tokens: Annotated[Fact, reads("count")] | None = None
    hidden: int
    vocab: int
    tied_embeddings: bool
    max_context_tokens: int | None = None
    repeats_prediction: bool = False
    formats: FormatFacts
    attention: dict[str, dict[str, Any]]
    feed_forward: dict[str, dict[str, Any]]
    groups: Annotated[tuple[GroupFacts, ...], Reading(_some)]
    unmodelled: tuple[str, ...] = ()

    @classmethod
    def before(cls, raw: Any, info: ValidationInfo) -> Any:  # noqa: ANN401  what TOML gives
        """Raw values of a file outside the catalog, with its source and date."""
        return {**unsourced(raw, info), **raw}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """A model with the facts behind it.

    Attributes:
        model: record that estimates use.
        facts: contents of the file with their source and date; None for a model imported from a configuration.
    """

    model: Model
    facts: ModelFacts | None


def _read(path: Path) -> ModelEntry:
    facts = read_toml(path, ModelFacts)
    try:
        model = Model(
            id=facts.id,
            name=facts.name,
            hidden=facts.hidden,
            vocab=facts.vocab,
            tied_embeddings=facts.tied_embeddings,
            groups=tuple(_group(group, facts) for group in facts.groups),
            precision=facts.formats.spec(),
            eight_bits=None if facts.formats.eight_bits is None else number_format(facts.formats.eight_bits.value).name,
            max_context_tokens=facts.max_context_tokens,
            trained_tokens=None if facts.trained_tokens is None else facts.trained_tokens.value,
            repeats_prediction=facts.repeats_prediction,
            unmodelled=facts.unmodelled,
            checkpoint=facts.checkpoint,
            remarks=(f"{facts.id}, not verified: its file names no source",) if facts.source == YOURS else (),
        )
    except ValueError as error:
        raise CatalogError(f"{path}: {error}") from None
    return ModelEntry(model=model, facts=facts)


def _group(group: GroupFacts, facts: ModelFacts) -> LayerGroup:
    attention: Attention = _record("attention", group.attention, facts.attention, ATTENTION_KINDS)
    feed_forward: FeedForward = _record("feed_forward", group.feed_forward, facts.feed_forward, FEED_FORWARD_KINDS)
    return LayerGroup(
        layers=group.layers, attention=attention, feed_forward=feed_forward, is_parallel=group.is_parallel
    )


def _record(part: str, name: str, tables: dict[str, dict[str, Any]], kinds: dict[str, type[Any]]) -> Any:  # noqa: ANN401  any of the kinds
    """Record that a table describes; its ``base``, where it has one, is another table."""
    if name not in tables:
        raise ValueError(f"{part} {name!r} has no table [{part}.{name}]; there are {', '.join(tables)}")
    fields = dict(tables[name])
    kind = fields.pop("kind", None)
    if kind not in kinds:
        raise ValueError(f"[{part}.{name}]: kind {kind!r} is not one of {', '.join(kinds)}")
    if "base" in fields:
        others = {key: table for key, table in tables.items() if key != name}
        fields["base"] = _record(part, fields["base"], others, kinds)
    allowed = {one.name: one for one in dataclasses.fields(kinds[kind]) if one.name not in UNWRITTEN}
    for field in fields:
        if field not in allowed:
            raise ValueError(f"[{part}.{name}]: no field {field!r}{_meant(field, list(allowed))}")
    needed = [key for key, one in allowed.items() if one.default is one.default_factory is dataclasses.MISSING]
    missing = [one for one in needed if one not in fields]
    if missing:
        raise ValueError(f"[{part}.{name}]: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    try:
        return kinds[kind](**fields)
    except ValueError as error:
        # A record's own message names the field that is out of range.
        raise ValueError(f"[{part}.{name}]: {error}") from None


def _meant(field: str, allowed: list[str]) -> str:
    """Clause on the field that a misspelt one may be, or on all that there are."""
    near = nearest(field, allowed)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there are {', '.join(allowed)}" if allowed else "; there are none"


def model_ids() -> list[str]:
    """Ids of all models of the catalog."""
    return ids(MODELS)


def model_entry(name: str, *, ignore_unknown: bool = False) -> ModelEntry:
    """A model with its facts. A user's files are read each time, so that changes to them are seen.

    Args:
        name: a catalog id, or another name of a model of the same shape; a path to a TOML file of the catalog's form; a
            path to a ``config.json`` or to a folder with one; or ``hf:org/name``, which fetches the configuration from
            the Hugging Face hub (extra ``hf``).
        ignore_unknown: whether unknown keys of a configuration are ignored, and named in ``Model.unmodelled``.

    Raises:
        CatalogError: the name is unknown (the message lists the nearest), or its file is malformed.
    """
    if name.startswith("hf:"):
        repository = name.removeprefix("hf:")
        return _imported(fetch_config(repository), repository, ignore_unknown=ignore_unknown)
    path = Path(name)
    if name and (path.is_dir() or (name.endswith(".json") and path.is_file())):
        config = path / "config.json" if path.is_dir() else path
        if not config.is_file():
            raise CatalogError(f"there is no file {str(config)!r}; give a path to a config.json, or a catalog id")
        # An engine loads a folder by its config.json, whatever else lies there.
        folder = str(config.parent) if config.name == "config.json" else None
        return _imported(config, folder, ignore_unknown=ignore_unknown)
    # Without reading all the others, which other names need, or listing them.
    if name and "/" not in name and is_file(MODELS / f"{name.lower()}.toml"):
        return find("model", MODELS, name, _read)
    by_alias = _entries_by_alias()
    if entry := by_alias.get(_as_id(name)):
        return entry
    return find("model", MODELS, name, _read, {alias: entry.model.id for alias, entry in by_alias.items()})


def _imported(config: Path, checkpoint: str | None, *, ignore_unknown: bool) -> ModelEntry:
    """Model of a configuration, with the place of its weights; None where none is known."""
    model = import_config(config, ignore_unknown=ignore_unknown)
    return ModelEntry(model=dataclasses.replace(model, checkpoint=checkpoint), facts=None)


def _as_id(name: str) -> str:
    """A name in the spelling of ids."""
    return name.lower().replace(" ", "-")


@lru_cache(maxsize=1)
def _entries_by_alias() -> dict[str, ModelEntry]:
    """Entries by the other names under which models of their shape are published, which every output shows.

    Models of one shape differ in their training: another model's training tokens do not apply.
    """
    entries = [find("model", MODELS, model_id, _read) for model_id in model_ids()]
    return {
        _as_id(alias): dataclasses.replace(
            entry,
            # For a model that only shares the shape, the catalog has neither weights nor training tokens.
            model=dataclasses.replace(
                entry.model,
                name=f"{alias} (of the shape of {entry.model.name})",
                checkpoint=None,
                trained_tokens=None,
            ),
        )
        for entry in entries
        if entry.facts
        for alias in entry.facts.also
    }


def load_model(name: str, *, ignore_unknown: bool = False) -> Model:
    """A model; see ``model_entry`` for the names that it takes.

    Raises:
        CatalogError: the name is unknown (the message lists the nearest), or its file is malformed.
    """
    return model_entry(name, ignore_unknown=ignore_unknown).model
