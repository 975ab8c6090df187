"""Published facts of a model whose prices are read, to check an inference against."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.catalog.models import model_entry
from ridgeline.catalog.sold_models import sold_model
from ridgeline.estimator.parameters import active_params, kv_bytes_per_token, total_params

__all__ = ["Published", "published"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Published facts of an open model.

    Attributes:
        model: id in the catalog.
        values: values by the names of unknowns.
        counted: names of unpublished values, which are counted from its configuration.
        is_dense: whether all of its parameters are active.
    """

    model: str
    values: dict[str, float]
    counted: frozenset[str]
    is_dense: bool


def published(listing: str) -> Published | None:
    """Size and cache of the catalog's model that a listing sells; None where the catalog has none.

    >>> round(published("deepseek/deepseek-v4-pro").values["active_params"] / 1e9)
    49
    >>> found = published("groq/llama-3.1-8b-instant")
    >>> found.is_dense, round(found.values["active_params"] / 1e9, 1)
    (True, 8.0)
    """
    name = sold_model(listing)
    if name is None:
        return None
    entry = model_entry(name)
    model, facts = entry.model, entry.facts
    counts = {
        "active_params": float(active_params(model)),
        "total_params": float(total_params(model)),
        "kv_bytes_per_token": float(kv_bytes_per_token(model, model.precision)),
    }
    is_dense = counts["active_params"] == counts["total_params"]
    total = None if facts is None else facts.published_params
    active = total if is_dense or facts is None else facts.published_active_params
    said = {"active_params": active, "total_params": total}
    stated = {name: float(fact.value) for name, fact in said.items() if fact is not None}
    return Published(
        model=name,
        values=counts | stated,
        counted=frozenset(counts) - frozenset(stated),
        is_dense=is_dense,
    )
