"""Tier in which caches wait, from the prices of a found token and of holding one: a normal density a tier.

Given what bytes and chips cost, logarithms of both prices are normal, and share the cache's bytes and a margin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ridgeline.equations import normal
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.priors import PINNED_LOG_SD, TIERS, LogNormal, Priors

__all__ = ["CachePrices", "held_over_cost", "tiers_alone", "tiers_as_costs", "tiers_before"]

FURTHEST = 3
"""Deviations up to which prices of bytes and chips are summed over, in whole steps: to a part in a thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachePrices:
    """Prices that a list asks for caches, with their rounding.

    Attributes:
        cached_usd: price of a token that is found, dollars.
        hold_usd_per_s: price of keeping a token, dollars a second.
        cached_log_sd: deviation of the logarithm of ``cached_usd``, by its digits.
        hold_log_sd: deviation of the logarithm of ``hold_usd_per_s``, by its digits.
    """

    cached_usd: float
    hold_usd_per_s: float
    cached_log_sd: float
    hold_log_sd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Logarithms of both prices over the cost of a byte: means and variances, each by itself and shared.

    Attributes:
        cached: mean for a found token.
        hold: mean for a held token.
        cached_variance: variance of ``cached`` by itself.
        hold_variance: variance of ``hold`` by itself.
        shared_variance: variance of what moves both.
    """

    cached: float
    hold: float
    cached_variance: float
    hold_variance: float
    shared_variance: float


def tiers_before(known: Priors) -> dict[str, float]:
    """Chances of tiers before any price."""
    return {name: float(getattr(known.tiers, name)) for name in TIERS}


def tiers_alone(known: Priors, of: Candidates, prices: CachePrices, *, is_policy: bool) -> dict[str, float]:
    """Chances of tiers by both prices with nothing else assumed: any cache, any margins.

    Args:
        known: priors of the unknowns.
        of: machines that may be behind the list.
        prices: prices of the list.
        is_policy: whether both are the vendor's multiples of its input prices, whatever the model.
    """
    kv, active = (LogNormal.stated(known.unknowns[name]) for name in ("kv_bytes_per_token", "active_params"))
    shared, cached, hold = (LogNormal.stated(known.margins[name]) for name in ("shared", "cached_input", "hold"))
    # Variance between models of a cached token's cost over a computed one's.
    left_open = kv.log_sd**2 + active.log_sd**2 if is_policy else 0.0
    spread = Spread(
        cached=kv.middle + shared.middle + cached.middle,
        hold=kv.middle + shared.middle + hold.middle,
        cached_variance=cached.log_sd**2 + prices.cached_log_sd**2 + left_open,
        hold_variance=hold.log_sd**2 + prices.hold_log_sd**2 + left_open,
        shared_variance=kv.log_sd**2 + shared.log_sd**2,
    )
    return _chances(known, of, prices, spread, FURTHEST)


def tiers_as_costs(
    known: Priors, of: Candidates, prices: CachePrices, *, kv_bytes_per_token: float
) -> dict[str, float]:
    """Chances of tiers if prices were costs, as the lecture takes them, of a cache that is known."""
    bytes_log = float(np.log(kv_bytes_per_token))
    spread = Spread(
        cached=bytes_log,
        hold=bytes_log,
        cached_variance=PINNED_LOG_SD**2 + prices.cached_log_sd**2,
        hold_variance=PINNED_LOG_SD**2 + prices.hold_log_sd**2,
        shared_variance=0.0,
    )
    return _chances(known, of, prices, spread, 0)


def _chances(known: Priors, of: Candidates, prices: CachePrices, spread: Spread, furthest: int) -> dict[str, float]:
    """Chance of each tier, over all machines and all prices of bytes and of chips."""
    before = tiers_before(known)
    places = _places(of)
    nodes = {name: _nodes(known, name, furthest) for name in ("chip_price_ratio", "byte_price_ratio")}
    logs = {
        name: np.array(
            [
                np.log(before[name] * chance) + density
                for machine, chance in places.items()
                for density in _densities(known, of, (machine, tier), prices, spread, nodes)
            ]
        )
        for tier, name in enumerate(TIERS)
    }
    top = max(float(np.max(one)) for one in logs.values())
    weights = {name: float(np.sum(np.exp(one - top))) for name, one in logs.items()}
    return {name: one / sum(weights.values()) for name, one in weights.items()}


def _places(of: Candidates) -> dict[int, float]:
    """Each machine's first place, with the chance of it in all number formats, which caches do not depend on."""
    first = {name: of.ids.index(name) for name in of.ids}
    return {
        place: sum(float(of.chances[other]) for other, one in enumerate(of.ids) if one == name)
        for name, place in first.items()
    }


Nodes = Mapping[str, list[tuple[float, float]]]


def _densities(
    known: Priors, of: Candidates, at: tuple[int, int], prices: CachePrices, spread: Spread, nodes: Nodes
) -> list[float]:
    """Logarithms of both prices' density on a machine in a tier, at each price of a byte and a chip."""
    found = []
    in_hbm = TIERS[at[1]] == TIERS[0]
    for chip, chip_chance in nodes["chip_price_ratio"]:
        # A byte of HBM is a part of its chip.
        for byte, byte_chance in [(chip, 1.0)] if in_hbm else nodes["byte_price_ratio"]:
            cached, hold = _costs(known, of, at, chip=chip, byte=byte)
            density = normal.pair_log_density(
                first=float(np.log(prices.cached_usd / cached)) - spread.cached,
                second=float(np.log(prices.hold_usd_per_s / hold)) - spread.hold,
                first_variance=spread.cached_variance,
                second_variance=spread.hold_variance,
                shared_variance=spread.shared_variance,
            )
            found.append(float(density) + float(np.log(chip_chance * byte_chance)))
    return found


def _nodes(known: Priors, name: str, furthest: int) -> list[tuple[float, float]]:
    """Values of a price's ratio in whole deviations about its middle, with their chances."""
    prior = LogNormal.stated(known.unknowns[name])
    if not furthest:
        return [(1.0, 1.0)]
    weights = {step: float(np.exp(-0.5 * step**2)) for step in range(-furthest, furthest + 1)}
    return [
        (float(np.exp(prior.middle + prior.log_sd * step)), weight / sum(weights.values()))
        for step, weight in weights.items()
    ]


def _costs(known: Priors, of: Candidates, at: tuple[int, int], *, chip: float, byte: float) -> tuple[float, float]:
    """Cost of a found byte, read back from its tier and kept in HBM for a request; and of one held for a second."""
    machine, tier = at
    resident = float(of.hbm_usd_per_byte_s[machine]) * chip * known.fixed.request_s
    cached = float(of.read_usd_per_byte[machine][tier]) * byte + resident
    return cached, float(of.hold_usd_per_byte_s[machine][tier]) * byte


def held_over_cost(of: Candidates, prices: CachePrices, *, kv_bytes_per_token: float) -> Mapping[str, float]:
    """Price of holding over its cost in each tier, on the likeliest machine, of a cache that is known."""
    machine = int(np.asarray(of.chances).argmax())
    return {
        name: prices.hold_usd_per_s / (kv_bytes_per_token * float(of.hold_usd_per_byte_s[machine][tier]))
        for tier, name in enumerate(TIERS)
    }
