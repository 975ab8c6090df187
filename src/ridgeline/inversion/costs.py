"""What each line of a list would cost, for many guesses of the unknowns at once: the lecture's equations on arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import caching, contexts, pricing, roofline
from ridgeline.inversion.machines import TIERS, Candidates
from ridgeline.inversion.priors import UNKNOWNS, LogNormal, Priors

__all__ = ["DENSE", "EXPERTS", "KINDS", "Costs", "costs", "values_of"]

EXPERTS, DENSE = 0, 1
KINDS = ("experts", "dense")
"""Of models, as they stand in arrays."""

Values = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Logarithms of costs, dollars a token; axes are guesses, machines, kinds of models, and of some lines tiers.

    Attributes:
        input: of a token that is computed.
        output: of a token that is made.
        cached_input: of one that is found, by tier.
        hold: of keeping one for a second, by tier.
        crossover_tokens: context at which reading takes as long as computing.
        batch: sequences that are decoded together.
    """

    input: NDArray[np.float64]
    output: NDArray[np.float64]
    cached_input: NDArray[np.float64]
    hold: NDArray[np.float64]
    crossover_tokens: NDArray[np.float64]
    batch: NDArray[np.float64]


def values_of(
    deviations: NDArray[np.float64], priors: Priors, pins: Mapping[str, float]
) -> dict[str, NDArray[np.float64]]:
    """The unknowns at so many deviations of each from the middle of its prior; those that are pinned at their pin.

    Args:
        deviations: a row a guess, a column an unknown.
        priors: of them.
        pins: values that are assumed.
    """
    found = {}
    for place, name in enumerate(UNKNOWNS):
        prior = LogNormal.stated(priors.unknowns[name])
        found[name] = np.full(len(deviations), pins[name]) if name in pins else prior.value(deviations[:, place])
    return found


def costs(values: Values, of: Candidates, request_s: float) -> Costs:
    """Costs of every guess on every machine, with experts and without.

    A dense model is all active. A token that is found takes bringing it back, and its room in HBM while the request
    runs. Chips are paid for as long as nobody asks, in input and output alike.

    Args:
        values: of the unknowns, one a guess.
        of: machines.
        request_s: for which a request keeps a found token.
    """
    at = {name: one[:, None, None] for name, one in values.items()}
    machine = {
        name: getattr(of, name)[None, :, None]
        for name in ("flop_per_s", "hbm_bytes_per_s", "bytes_per_param", "usd_per_chip_s")
    }
    expansion = np.concatenate([1 + at["extra_expansion"], np.ones_like(at["extra_expansion"])], axis=2)
    usd_per_chip_s = machine["usd_per_chip_s"] * at["chip_price_ratio"]
    balance = roofline.balance_ratio(
        flop_per_s=machine["flop_per_s"],
        hbm_bytes_per_s=machine["hbm_bytes_per_s"],
        bytes_per_param=machine["bytes_per_param"],
    )
    batch = at["balance_batches"] * roofline.balance_batch(balance_ratio=balance, expansion=expansion)
    read_bytes = at["kv_bytes_per_token"] * at["read_fraction"]
    step_s = roofline.step_time_s(
        batch=batch,
        active_params=at["active_params"],
        weight_bytes=at["active_params"] * expansion * machine["bytes_per_param"],
        kv_bytes_per_sequence=at["context_tokens"] * read_bytes,
        flop_per_s=machine["flop_per_s"],
        hbm_bytes_per_s=machine["hbm_bytes_per_s"],
    )
    output = pricing.usd_per_token(
        time_s=step_s / at["decode_fraction"], chips=1.0, tokens=batch, usd_per_chip_s=usd_per_chip_s
    )
    inputs = caching.recompute_usd_per_token(
        active_params=at["active_params"],
        flop_per_s=machine["flop_per_s"] * at["prefill_fraction"],
        usd_per_chip_s=usd_per_chip_s,
    )
    crossover = contexts.crossover_context_tokens(
        active_params=at["active_params"],
        bytes_per_param=machine["bytes_per_param"],
        balance_ratio=balance,
        kv_bytes_per_token=read_bytes,
    )
    cached, hold = _of_caches(values, of, request_s)
    served = pricing.usd_per_token_served(usd_per_token=1.0, utilisation_fraction=at["utilisation_fraction"])
    return Costs(
        input=np.log(inputs * served) + np.zeros_like(expansion),
        output=np.log(output * served),
        cached_input=np.log(cached),
        hold=np.log(hold),
        crossover_tokens=crossover + np.zeros_like(expansion),
        batch=batch,
    )


def _of_caches(values: Values, of: Candidates, request_s: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of a token found and of one held, by guess, machine and tier. HBM's price goes with the chip's."""
    kv_bytes = values["kv_bytes_per_token"][:, None, None]
    in_hbm = np.array([name == TIERS[0] for name in TIERS])
    ratio = np.where(in_hbm, values["chip_price_ratio"][:, None, None], values["byte_price_ratio"][:, None, None])
    resident = of.hbm_usd_per_byte_s[None, :, None] * values["chip_price_ratio"][:, None, None] * request_s
    cached = kv_bytes * (of.read_usd_per_byte[None] * ratio + resident)
    return cached, kv_bytes * of.hold_usd_per_byte_s[None] * ratio
