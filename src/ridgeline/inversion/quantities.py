"""All that is reported of each guess: the unknowns, what follows from them, and price over cost by line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.inversion.costs import DENSE, EXPERTS
from ridgeline.inversion.likelihood import MEANINGS, Explained, Likelihood
from ridgeline.inversion.machines import TIERS

__all__ = ["Chosen", "chosen_after", "chosen_before", "quantities"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is discrete, drawn for each guess: places in the axes of arrays."""

    machine: NDArray[np.intp]
    kind: NDArray[np.intp]
    tier: NDArray[np.intp]
    meaning: NDArray[np.intp]


def chosen_after(explained: Explained, seed: int) -> Chosen:
    """One of the machines, kinds, tiers and meanings for each guess, by their chances given it."""
    flat = np.cumsum(explained.joint.reshape(len(explained.joint), -1), axis=1)
    drawn = np.random.default_rng(seed + 1).random(len(flat))
    places = np.minimum((flat < drawn[:, None]).sum(axis=1), flat.shape[1] - 1)
    return Chosen(
        **dict(
            zip(
                ("machine", "kind", "tier", "meaning"), np.unravel_index(places, explained.joint.shape[1:]), strict=True
            )
        )
    )


def chosen_before(likelihood: Likelihood, seed: int, count: int) -> Chosen:
    """The same by their chances before prices are looked at."""
    random, known = np.random.default_rng(seed + 2), likelihood.priors
    dense = known.chances.dense
    tiers = [getattr(known.tiers, name) for name in TIERS]
    return Chosen(
        machine=random.choice(len(likelihood.of.chances), size=count, p=likelihood.of.chances),
        kind=np.where(random.random(count) < dense, DENSE, EXPERTS),
        tier=random.choice(len(TIERS), size=count, p=tiers),
        meaning=random.choice(len(MEANINGS), size=count),
    )


def quantities(
    likelihood: Likelihood, deviations: NDArray[np.float64], chosen: Chosen, *, with_prices: bool, seed: int
) -> dict[str, NDArray[np.float64]]:
    """All that is reported, of each guess: the unknowns, what follows from them, and price over cost by line."""
    values, at = likelihood.values(deviations), likelihood.costs(deviations)
    rows = np.arange(len(deviations))
    picked = rows, chosen.machine, chosen.kind
    expansion = np.where(chosen.kind == DENSE, 1.0, 1 + values["extra_expansion"])
    found = {
        "active_params": values["active_params"],
        "total_params": values["active_params"] * expansion,
        "kv_bytes_per_token": values["kv_bytes_per_token"],
        "read_bytes_per_token": values["kv_bytes_per_token"] * values["read_fraction"],
        "batch": at.batch[picked],
        "balance_batches": values["balance_batches"],
        "context_tokens": values["context_tokens"],
        "prefill_fraction": values["prefill_fraction"],
        "decode_fraction": values["decode_fraction"],
        "utilisation_fraction": values["utilisation_fraction"],
        "usd_per_chip_s": likelihood.of.usd_per_chip_s[chosen.machine] * values["chip_price_ratio"],
        "crossover_tokens": at.crossover_tokens[picked],
    }
    log_costs = {"input": at.input[picked], "output": at.output[picked]}
    log_costs |= {name: getattr(at, name)[rows, chosen.machine, chosen.tier] for name in ("cached_input", "hold")}
    if with_prices:
        over = {name: likelihood.observed[place] - log_costs[name] for place, name in enumerate(likelihood.lines)}
    else:
        drawn = np.random.default_rng(seed + 3).multivariate_normal(
            likelihood.margin, likelihood.covariance, size=len(deviations)
        )
        over = {name: drawn[:, place] for place, name in enumerate(likelihood.lines)}
    if "price_over_cost" not in likelihood.pins:
        found |= {f"{name}_price_over_cost": np.exp(one) for name, one in over.items()}
    return found
