"""Assumptions of an inference: values of unknowns, margins, and answers to discrete questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from frozendict import frozendict

from ridgeline.errors import RidgelineError
from ridgeline.inversion.priors import KINDS, TIERS
from ridgeline.quantity_text import format_quantity

__all__ = ["ASSUMABLE", "NOTHING", "Assumable", "Assumed", "assumed_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumable:
    """An unknown that may be assumed.

    Attributes:
        dimension: dimension of its value.
        least: smallest value that is possible.
        most: largest value that is possible.
    """

    dimension: str
    least: float
    most: float


ASSUMABLE = {
    "active_params": Assumable(dimension="count", least=1e8, most=1e14),
    "total_params": Assumable(dimension="count", least=1e8, most=1e14),
    "kv_bytes_per_token": Assumable(dimension="bytes", least=10.0, most=1e8),
    "read_fraction": Assumable(dimension="fraction", least=1e-4, most=1.0),
    "batch": Assumable(dimension="count", least=1.0, most=1e6),
    "context_tokens": Assumable(dimension="count", least=1.0, most=1e8),
    "prefill_fraction": Assumable(dimension="fraction", least=0.01, most=1.0),
    "decode_fraction": Assumable(dimension="fraction", least=0.01, most=1.0),
    "utilisation_fraction": Assumable(dimension="fraction", least=0.01, most=1.0),
    "chip_price_ratio": Assumable(dimension="ratio", least=0.01, most=100.0),
    "byte_price_ratio": Assumable(dimension="ratio", least=0.01, most=100.0),
    "price_over_cost": Assumable(dimension="ratio", least=0.01, most=1000.0),
}
"""Unknowns that may be assumed, by name, with the range outside of which no model and no machine is."""

ANSWERS = {"kind": KINDS, "tier": TIERS}
"""Discrete questions whose answer may be assumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """Values and answers that an inference takes as known.

    Attributes:
        values: values of unknowns that are sampled otherwise, by name.
        price_over_cost: price over cost of all lines of the list; None where each has its own.
        has_one_margin: whether all lines have one margin, which is not known.
        kind: kind of model, "dense" or "experts"; None where it is asked.
        tier: tier in which caches wait; None where it is asked.
        meaning: meaning of a step in the list, "crossover" or "policy"; None where it is asked.
        has_large_batch: whether the batch is so large that weights do not move the crossover, as on the board.
    """

    values: Mapping[str, float] = field(default_factory=frozendict)
    price_over_cost: float | None = None
    has_one_margin: bool = False
    kind: str | None = None
    tier: str | None = None
    meaning: str | None = None
    has_large_batch: bool = False

    def given(self) -> dict[str, float | str]:
        """Assumptions by name, as they may be asked for again."""
        named: dict[str, float | str | None] = {
            **self.values,
            "price_over_cost": self.price_over_cost,
            "kind": self.kind,
            "tier": self.tier,
        }
        return {name: value for name, value in named.items() if value is not None}


NOTHING = Assumed()
"""No assumptions: all is asked."""


def assumed_of(named: Mapping[str, float | str]) -> Assumed:
    """Assumptions from names and values in base units.

    Args:
        named: names and values: ``{"active_params": 100e9, "kind": "dense"}``.

    Raises:
        RidgelineError: a name is not known, or a value is not possible; says what is.

    >>> found = assumed_of({"active_params": 37e9, "total_params": 671e9})
    >>> found.kind, round(found.values["extra_expansion"], 1)
    ('experts', 17.1)
    """
    for name, value in named.items():
        _refuse(name, value)
    numbers = {name: float(value) for name, value in named.items() if name in ASSUMABLE}
    margin = numbers.pop("price_over_cost", None)
    kind, tier = (None if name not in named else str(named[name]) for name in ("kind", "tier"))
    total = numbers.pop("total_params", None)
    if total is not None:
        active = numbers.get("active_params")
        if active is None or total < active:
            raise RidgelineError(
                "total_params is assumed beside active_params, which are no more: active_params=37B total_params=671B"
            )
        if kind is not None and kind != _kind(active, total):
            raise RidgelineError(
                f"a model of {active:g} active of {total:g} parameters is not {kind!r}; leave kind out"
            )
        kind = _kind(active, total)
        if total > active:
            numbers["extra_expansion"] = total / active - 1
    return Assumed(values=frozendict(numbers), price_over_cost=margin, kind=kind, tier=tier)


def _kind(active_params: float, total_params: float) -> str:
    """Kind of a model: dense where all parameters are active."""
    return "dense" if total_params == active_params else "experts"


def _refuse(name: str, value: float | str) -> None:
    """Refuse a name that is no unknown, and a value that is not possible."""
    if name in ANSWERS:
        if value not in ANSWERS[name]:
            raise RidgelineError(f"{name} cannot be {value!r}; it is one of {', '.join(ANSWERS[name])}")
        return
    if name not in ASSUMABLE:
        raise RidgelineError(f"no unknown {name!r} to assume; there are {', '.join((*ASSUMABLE, *ANSWERS))}")
    if not isinstance(value, (int, float)):
        raise RidgelineError(f"{name} cannot be {value!r}; it is a number")
    at = ASSUMABLE[name]
    if not at.least <= value <= at.most:
        met, least, most = (_said(one, at.dimension) for one in (value, at.least, at.most))
        raise RidgelineError(f"{name} cannot be {met}; it lies from {least} to {most}")


def _said(value: float, dimension: str) -> str:
    if dimension == "fraction":
        return f"{100 * value:.3g} %"
    return format_quantity(value, "count" if dimension == "ratio" else dimension, 3)
