"""Reported quantities of each guess: the unknowns, what follows from them, and price over cost by line."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.inversion.costs import Chosen
from ridgeline.inversion.likelihood import Explained, Likelihood
from ridgeline.inversion.priors import KINDS, TIERS

__all__ = ["chosen_after", "chosen_before", "quantities"]


def chosen_after(explained: Explained, seed: int) -> Chosen:
    """Machine, kind and tier drawn for each guess, by their chances given it."""
    chances = explained.joint.sum(axis=-1)
    flat = np.cumsum(chances.reshape(len(chances), -1), axis=1)
    drawn = np.random.default_rng(seed + 1).random(len(flat))
    places = np.minimum((flat < drawn[:, None]).sum(axis=1), flat.shape[1] - 1)
    machine, kind, tier = np.unravel_index(places, chances.shape[1:])
    return Chosen(machine=machine, kind=kind, tier=tier)


def chosen_before(likelihood: Likelihood, seed: int, count: int) -> Chosen:
    """Discrete unknowns drawn by their chances before prices are looked at."""
    random = np.random.default_rng(seed + 2)
    return Chosen(
        machine=random.choice(len(likelihood.of.chances), size=count, p=likelihood.of.chances),
        kind=random.choice(len(KINDS), size=count, p=likelihood.kinds()),
        tier=random.choice(len(TIERS), size=count, p=likelihood.tiers()),
    )


def quantities(
    likelihood: Likelihood, deviations: NDArray[np.float64], chosen: Chosen, *, with_prices: bool, seed: int
) -> dict[str, NDArray[np.float64]]:
    """Reported quantities of each guess: the unknowns, what follows from them, and price over cost by line.

    Args:
        likelihood: likelihood of guesses.
        deviations: deviations of the unknowns, a row a guess.
        chosen: discrete unknowns of each guess.
        with_prices: whether price over cost is that of the list; else it is drawn from its prior.
        seed: seed of the draws of price over cost without prices.
    """
    of_kinds, rows = likelihood.values(deviations), np.arange(len(deviations))
    at = likelihood.costs_of_chosen(of_kinds, chosen)
    values = {name: one[rows, chosen.kind] for name, one in of_kinds.items()}
    expansion = 1 + values["extra_expansion"]
    read_bytes = values["kv_bytes_per_token"] * values["read_fraction"]
    found = {
        "active_params": values["active_params"],
        "total_params": values["active_params"] * expansion,
        "expansion": expansion,
        "kv_bytes_per_token": values["kv_bytes_per_token"],
        "read_bytes_per_token": read_bytes,
        "batch": values["batch"],
        "balance_batches": at.balance_batches,
        "context_tokens": values["context_tokens"],
        "prefill_fraction": values["prefill_fraction"],
        "decode_fraction": values["decode_fraction"],
        "utilisation_fraction": values["utilisation_fraction"],
        "usd_per_chip_s": likelihood.of.usd_per_chip_s[chosen.machine] * values["chip_price_ratio"],
        "crossover_tokens": at.crossover_tokens,
    }
    if likelihood.assumed.price_over_cost is not None:
        return found
    if with_prices:
        over = {name: likelihood.observed[place] - getattr(at, name) for place, name in enumerate(likelihood.lines)}
    else:
        random = np.random.default_rng(seed + 3)
        drawn = random.multivariate_normal(likelihood.margin, likelihood.covariance, size=len(deviations))
        over = {name: drawn[:, place] for place, name in enumerate(likelihood.lines)}
    return found | {f"{name}_price_over_cost": np.exp(one) for name, one in over.items()}
