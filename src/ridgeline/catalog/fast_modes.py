"""Fast modes on sale: price and speed of each beside those of the same model's regular mode."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, FactFile, above

__all__ = ["FastMode", "fast_modes"]

Positive = Annotated[float, above(0)]


class FastMode(FactFile):
    """A fast mode of a model.

    Attributes:
        name: name of the model, as its provider writes it.
        source: address of the provider's page.
        date: first date on which it was sold so, or on which its page was read.
        price_unit: unit that both prices are in.
        regular_price: price of a token in the regular mode.
        fast_price: price of a token in the fast mode.
        speed_ratio: maximum output tokens per second over those of the regular mode.
        listings: price lists that sell it, as ``quotes`` names them.
    """

    name: str
    source: str
    date: dt.date
    price_unit: str
    regular_price: Positive
    fast_price: Positive
    speed_ratio: Positive
    listings: tuple[str, ...] = ()

    @property
    def price_ratio(self) -> float:
        """Price of a token over the regular price."""
        return self.fast_price / self.regular_price


class FastModes(FactFile):
    """The contents of ``fast_modes.toml``."""

    modes: dict[str, FastMode]


@lru_cache(maxsize=1)
def fast_modes() -> dict[str, FastMode]:
    """All fast modes, by id."""
    return read_toml(CATALOG / "fast_modes.toml", FastModes).modes
