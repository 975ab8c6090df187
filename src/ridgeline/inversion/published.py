"""What is published of a model whose prices are read, to hold an inference against."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.catalog import load_model
from ridgeline.catalog.sold_models import sold_model
from ridgeline.estimator.parameters import active_params, kv_bytes_per_token, total_params

__all__ = ["Published", "published"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Of an open model.

    Attributes:
        model: id in the catalog.
        values: by the names of unknowns.
    """

    model: str
    values: dict[str, float]

    @property
    def is_dense(self) -> bool:
        """Whether all of its parameters are active."""
        return self.values["total_params"] == self.values["active_params"]


def published(listing: str) -> Published | None:
    """Size and cache of the catalog's model that a listing sells; None where the catalog has none.

    >>> found = published("groq/llama-3.1-8b-instant")
    >>> found.is_dense, round(found.values["active_params"] / 1e9, 1)
    (True, 8.0)
    """
    name = sold_model(listing)
    if name is None:
        return None
    model = load_model(name)
    return Published(
        model=name,
        values={
            "active_params": float(active_params(model)),
            "total_params": float(total_params(model)),
            "kv_bytes_per_token": float(kv_bytes_per_token(model, model.precision)),
        },
    )
