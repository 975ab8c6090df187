"""Models of the catalog: shapes, and number formats of their published checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Date  # noqa: N812  a field below is named date
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ridgeline.catalog.facts import CATALOG, CatalogError, Fact, FactFile, find, ids, read_toml, reads
from ridgeline.specs.attention import Attention, GroupedQueryAttention, LatentAttention
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.number_format import matmul_format, number_format
from ridgeline.specs.precision import Component, Precision

__all__ = ["ModelEntry", "load_model", "model_entry", "model_ids"]

MODELS = CATALOG / "models"


class GroupedQueryFacts(FactFile):
    """``kind = "grouped_query"``: multi-head, grouped-query or multi-query attention."""

    kind: Literal["grouped_query"]
    query_heads: int
    kv_heads: int
    head_dim: int

    def spec(self) -> Attention:
        """The record."""
        return GroupedQueryAttention(**self.model_dump(exclude={"kind"}))


class LatentFacts(FactFile):
    """``kind = "latent"``: multi-head latent attention."""

    kind: Literal["latent"]
    query_heads: int
    query_rank: int
    kv_rank: int
    content_head_dim: int
    position_head_dim: int
    value_head_dim: int

    def spec(self) -> Attention:
        """The record."""
        return LatentAttention(**self.model_dump(exclude={"kind"}))


class DenseFacts(FactFile):
    """``kind = "dense"``: one feed-forward block for every token."""

    kind: Literal["dense"]
    ffn_hidden: int
    gated: bool = True

    def spec(self) -> FeedForward:
        """The record."""
        return DenseFeedForward(**self.model_dump(exclude={"kind"}))


class RoutedFacts(FactFile):
    """``kind = "routed"``: experts."""

    kind: Literal["routed"]
    experts: int
    active_experts: int
    expert_hidden: int
    shared_experts: int = 0
    gated: bool = True

    def spec(self) -> FeedForward:
        """The record."""
        return RoutedExperts(**self.model_dump(exclude={"kind"}))


class GroupFacts(FactFile):
    """One ``[[groups]]`` table: layers that are alike, by the names of their parts."""

    layers: int
    attention: str
    feed_forward: str


class FormatFacts(FactFile):
    """The ``[formats]`` table: ``layers`` for all weights of layers, and what departs from it."""

    layers: str
    attention: str | None = None
    experts: str | None = None
    router: str = "bf16"
    embedding: str = "bf16"
    head: str = "bf16"
    kv: str = "bf16"

    def spec(self) -> Precision:
        """The record."""
        own = {
            Component.ATTENTION: self.attention,
            Component.EXPERTS: self.experts,
            Component.ROUTER: self.router,
            Component.EMBEDDING: self.embedding,
            Component.HEAD: self.head,
        }
        return Precision(
            **{component.value: matmul_format(own.get(component) or self.layers) for component in Component},
            kv=number_format(self.kv),
        )


class ModelFacts(FactFile):
    """A model's file; ``source`` and ``date`` hold for all values without their own."""

    id: str
    name: str
    source: str
    date: Date
    also: tuple[str, ...] = ()
    published_params: Annotated[Fact, reads("count")] | None = None
    hidden: int
    vocab: int
    tied_embeddings: bool
    formats: FormatFacts
    attention: dict[str, Annotated[GroupedQueryFacts | LatentFacts, Field(discriminator="kind")]]
    feed_forward: dict[str, Annotated[DenseFacts | RoutedFacts, Field(discriminator="kind")]]
    groups: tuple[GroupFacts, ...]
    unmodelled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """A model with the facts behind it.

    Attributes:
        model: the record that estimates use.
        facts: the file's contents with their source and date.
    """

    model: Model
    facts: ModelFacts


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
            unmodelled=facts.unmodelled,
        )
    except (ValueError, KeyError) as error:
        raise CatalogError(f"{path}: {error.args[0]}") from None
    return ModelEntry(model=model, facts=facts)


def _group(group: GroupFacts, facts: ModelFacts) -> LayerGroup:
    for kind, name, tables in (
        ("attention", group.attention, facts.attention),
        ("feed_forward", group.feed_forward, facts.feed_forward),
    ):
        if name not in tables:
            raise ValueError(f"groups: {kind} {name!r} has no table [{kind}.{name}]; there are {', '.join(tables)}")
    return LayerGroup(
        layers=group.layers,
        attention=facts.attention[group.attention].spec(),
        feed_forward=facts.feed_forward[group.feed_forward].spec(),
    )


def model_ids() -> list[str]:
    """Ids of all models of the catalog."""
    return ids(MODELS)


@lru_cache(maxsize=256)
def model_entry(name: str) -> ModelEntry:
    """A model with its facts, by catalog id or path to a TOML file.

    Raises:
        CatalogError: there is none of that name (lists the nearest), or its file is not of the form.
    """
    return find("model", MODELS, name, _read)


def load_model(name: str) -> Model:
    """A model, by catalog id or path to a TOML file.

    Raises:
        CatalogError: there is none of that name (lists the nearest), or its file is not of the form.
    """
    return model_entry(name).model
