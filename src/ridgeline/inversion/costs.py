"""Costs of each line of a list, for many guesses of the unknowns at once: the lecture's equations on arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import caching, contexts, pricing, roofline
from ridgeline.inversion.machines import Candidates
from ridgeline.inversion.priors import DENSE, KINDS, TIERS, UNKNOWNS, Priors
from ridgeline.numeric import INFINITY

__all__ = ["Chosen", "Costs", "costs", "costs_of_chosen", "values_of"]

Values = Mapping[str, NDArray[np.float64]]
"""Values of unknowns by name; axes are guesses and kinds of models."""

OF_MACHINES = ("flop_per_s", "hbm_bytes_per_s", "bytes_per_param", "usd_per_chip_s")
OF_CACHES = ("kv_bytes_per_token", "chip_price_ratio", "byte_price_ratio")
"""Quantities that a cache's cost comes from; HBM's price goes with the chip's."""

OF_TIERS = ("read_usd_per_byte", "hold_usd_per_byte_s")
"""Prices of a tier for a token that is found there."""

IN_HBM = 0
"""Place of HBM among the tiers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Discrete unknowns, drawn for each guess, as indices into the axes of arrays.

    Attributes:
        machine: index of the machine on which it runs.
        kind: index of the kind of model.
        tier: index of the tier in which caches wait.
    """

    machine: NDArray[np.intp]
    kind: NDArray[np.intp]
    tier: NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Logarithms of costs, dollars a token; axes are guesses, machines, and kinds of models or tiers.

    Attributes:
        input: cost of an input token that is computed.
        output: cost of an output token.
        cached_input: cost of an input token that is found, by tier.
        hold: cost of keeping a token for a second, by tier.
        crossover_tokens: context at which reading takes as long as computing, zero where it always takes longer.
        balance_batches: sequences that are decoded together over those at which weights take as long as computing.
    """

    input: NDArray[np.float64]
    output: NDArray[np.float64]
    cached_input: NDArray[np.float64]
    hold: NDArray[np.float64]
    crossover_tokens: NDArray[np.float64]
    balance_batches: NDArray[np.float64]


def values_of(
    deviations: NDArray[np.float64], priors: Priors, pins: Mapping[str, float]
) -> dict[str, NDArray[np.float64]]:
    """Values of the unknowns at deviations from the middle of their priors; those that are pinned at their pin.

    A dense model has no parameters beside its active ones, and may have other priors than one with experts.

    Args:
        deviations: deviations, a row a guess, a column an unknown.
        priors: priors of the unknowns.
        pins: values that are assumed, by name.
    """
    middle, log_sd, most = priors.log_normals
    # An unknown a row: each lies in one piece, as do all guesses of it.
    values = np.minimum(np.exp(middle[:, None] + log_sd[:, None] * deviations.T[:, :, None]), most[:, None])
    found = dict(zip(UNKNOWNS, values, strict=True))
    for name in pins:
        found[name] = np.full((len(deviations), len(KINDS)), pins[name])
    found["extra_expansion"][:, DENSE] = 0.0
    return found


def costs(values: Values, of: Candidates, request_s: float, *, has_large_batch: bool = False) -> Costs:
    """Costs of every guess on every machine, with experts and without.

    A found token costs reading it back, and its room in HBM while the request runs. Idle time of chips is paid for as
    well, in input and output alike.

    Args:
        values: values of the unknowns, by guess and kind.
        of: machines to cost on.
        request_s: time for which a request keeps a found token, in seconds.
        has_large_batch: whether the crossover is that of an infinite batch.
    """
    at = {name: one[:, None, :] for name, one in values.items()}
    machine = {name: getattr(of, name)[None, :, None] for name in OF_MACHINES}
    # Caches cost the same for both kinds of models.
    caches = {name: values[name][:, :1, None] for name in OF_CACHES}
    hbm_usd_per_byte_s = of.hbm_usd_per_byte_s[None, :, None]
    prices = {name: getattr(of, name)[None] for name in OF_TIERS}
    cached, hold = _of_caches(caches, np.arange(len(TIERS)), hbm_usd_per_byte_s, **prices, request_s=request_s)
    return _logs(at, machine, cached, hold, has_large_batch=has_large_batch)


def costs_of_chosen(values: Values, of: Candidates, request_s: float, chosen: Chosen) -> Costs:
    """Costs of every guess on one machine, of one kind and in one tier, which is what ``costs`` has there.

    All are one number a guess; the crossover is that of an infinite batch.

    Args:
        values: values of the unknowns, by guess and kind.
        of: machines to cost on.
        request_s: time for which a request keeps a found token, in seconds.
        chosen: machine, kind and tier of each guess.
    """
    at = {name: one[np.arange(len(one)), chosen.kind] for name, one in values.items()}
    machine = {name: getattr(of, name)[chosen.machine] for name in OF_MACHINES}
    caches = {name: values[name][:, 0] for name in OF_CACHES}
    hbm_usd_per_byte_s = of.hbm_usd_per_byte_s[chosen.machine]
    prices = {name: getattr(of, name)[chosen.machine, chosen.tier] for name in OF_TIERS}
    cached, hold = _of_caches(caches, chosen.tier, hbm_usd_per_byte_s, **prices, request_s=request_s)
    return _logs(at, machine, cached, hold, has_large_batch=True)


def _of_caches(
    caches: Values,
    tier: NDArray[np.intp],
    hbm_usd_per_byte_s: NDArray[np.float64],
    *,
    read_usd_per_byte: NDArray[np.float64],
    hold_usd_per_byte_s: NDArray[np.float64],
    request_s: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Costs of a found token, $, and of keeping it, $/s, in tiers; all arrays are on axes that broadcast."""
    kv_bytes, chip_ratio, byte_ratio = (caches[name] for name in OF_CACHES)
    ratio = np.where(tier == IN_HBM, chip_ratio, byte_ratio)
    resident = hbm_usd_per_byte_s * chip_ratio * request_s
    return kv_bytes * (read_usd_per_byte * ratio + resident), kv_bytes * hold_usd_per_byte_s * ratio


def _logs(
    at: Values, machine: Values, cached: NDArray[np.float64], hold: NDArray[np.float64], *, has_large_batch: bool
) -> Costs:
    """Costs at values of unknowns and machines that are given on axes of their own, or together."""
    expansion = 1 + at["extra_expansion"]
    usd_per_chip_s = machine["usd_per_chip_s"] * at["chip_price_ratio"]
    balance = roofline.balance_ratio(
        flop_per_s=machine["flop_per_s"],
        hbm_bytes_per_s=machine["hbm_bytes_per_s"],
        bytes_per_param=machine["bytes_per_param"],
    )
    balance_batches = at["batch"] / roofline.balance_batch(balance_ratio=balance, expansion=expansion)
    read_bytes = at["kv_bytes_per_token"] * at["read_fraction"]
    step_s = roofline.step_time_s(
        batch=at["batch"],
        active_params=at["active_params"],
        weight_bytes=at["active_params"] * expansion * machine["bytes_per_param"],
        kv_bytes_per_sequence=at["context_tokens"] * read_bytes,
        flop_per_s=machine["flop_per_s"],
        hbm_bytes_per_s=machine["hbm_bytes_per_s"],
    )
    output = pricing.usd_per_token(
        time_s=step_s / at["decode_fraction"], chips=1.0, tokens=at["batch"], usd_per_chip_s=usd_per_chip_s
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
        balance_batches=INFINITY if has_large_batch else balance_batches,
    )
    served = pricing.usd_per_token_served(usd_per_token=1.0, utilisation_fraction=at["utilisation_fraction"])
    return Costs(
        input=np.log(inputs * served),
        output=np.log(output * served),
        cached_input=np.log(cached),
        hold=np.log(hold),
        crossover_tokens=np.asarray(crossover, dtype=float),
        balance_batches=np.asarray(balance_batches, dtype=float),
    )
