r"""KV cache storage: costs of holding a cache in a tier and of reading it back.

.. math::

    r_i = \frac{\beta}{W_i} \$_i, \qquad h_i = \frac{\beta}{C_i} \$_i, \qquad
    \text{cost}_i(t) = r_i + h_i t, \qquad t^* = \frac{r_j - r_i}{h_i - h_j}

A tier of :math:`C` bytes with :math:`W` bytes/s is used in two ways: reading a token back takes its bandwidth for a
while, holding it takes its capacity. Recomputing holds nothing.

A drive that wears has a third cost: each byte written uses up a part of its endurance.

The hit rate of a tier follows from the times between uses of contexts. Where a part :math:`r` of the tokens is used
again, after exponential times with mean :math:`\tau`, a cache that holds for :math:`T`

.. math::

    h = r\,(1 - e^{-T/\tau}), \qquad C = \lambda \beta \left[(1 - r)\,T + r\,\tau\,(1 - e^{-T/\tau})\right]

finds a part :math:`h` and holds :math:`C` bytes at :math:`\lambda` tokens per second.

Sources: lecture 1:49-2:04 (D12-D17); Gray and Putzolu 1987, "The 5 minute rule"; Che et al. 2002, "Hierarchical web
caching systems".
"""

from ridgeline.equations.roofline import FLOP_PER_PARAM, memory_sweep_time_s
from ridgeline.numeric import INFINITY, Numeric, exp, minimum, ratio_or, solve

__all__ = [
    "break_even_s",
    "carried_per_s",
    "cost_usd",
    "drain_time_s",
    "first_token_s",
    "found_fraction",
    "held_bytes",
    "hold_time_s",
    "hold_usd_per_token_s",
    "kept_fraction",
    "mixed_per_s",
    "recompute_usd_per_token",
    "retrieve_time_s",
    "retrieve_usd_per_token",
    "reused_fraction",
    "taken_fraction",
    "wear_usd_per_token",
]


def drain_time_s(*, capacity_bytes: Numeric, bytes_per_s: Numeric) -> Numeric:
    """Time to read all that a tier holds, ``C / W``; the lecture matches it to the hold time of a cache.

    A flash drive of 7.68 TB at 14 GB/s needs nine minutes, where the board says one:

    >>> drain_time_s(capacity_bytes=7.68e12, bytes_per_s=14e9)
    548.6

    Source: lecture 2:01 (D15).
    """
    return memory_sweep_time_s(hbm_bytes=capacity_bytes, hbm_bytes_per_s=bytes_per_s)


def retrieve_usd_per_token(*, kv_bytes_per_token: Numeric, bytes_per_s: Numeric, usd_per_s: Numeric) -> Numeric:
    """Cost of reading a token's cache back: the tier's price for the time that its bandwidth is taken.

    >>> retrieve_usd_per_token(kv_bytes_per_token=2e3, bytes_per_s=14e9, usd_per_s=1e-4)
    1.43e-11

    Source: lecture 1:56 (D14).
    """
    return kv_bytes_per_token / bytes_per_s * usd_per_s


def hold_usd_per_token_s(*, kv_bytes_per_token: Numeric, capacity_bytes: Numeric, usd_per_s: Numeric) -> Numeric:
    """Cost of holding a token's cache for a second: its part of the tier's capacity.

    A million tokens of 2 kB, five minutes on a chip of 288 GB that rents for $2 an hour: a tenth of a cent.

    >>> hold_usd_per_token_s(kv_bytes_per_token=2e3, capacity_bytes=288e9, usd_per_s=2 / 3600) * 300 * 1e6
    0.00116

    Source: lecture 1:56 (D14).
    """
    return kv_bytes_per_token / capacity_bytes * usd_per_s


def recompute_usd_per_token(*, active_params: Numeric, flop_per_s: Numeric, usd_per_chip_s: Numeric) -> Numeric:
    """Cost of recomputing a token's cache: ``2 N_a / F`` of a chip, attention over the context left out.

    ``flop_per_s`` is the achieved rate. 100 billion active parameters at 40 % of 5 PFLOP/s, for $2 an hour; a list
    price of $5 a million is 90 times as much:

    >>> recompute_usd_per_token(active_params=100e9, flop_per_s=0.4 * 5e15, usd_per_chip_s=2 / 3600) * 1e6
    0.0556

    Source: lecture 1:56 (D14).
    """
    return FLOP_PER_PARAM * active_params / flop_per_s * usd_per_chip_s


def cost_usd(*, retrieve_usd: Numeric, hold_usd_per_s: Numeric, held_s: Numeric, reuses: Numeric = 1.0) -> Numeric:
    """Cost of a cache until it is dropped: reading it back at each reuse, and holding it all the while.

    >>> cost_usd(retrieve_usd=0.1, hold_usd_per_s=0.01, held_s=300)
    3.1

    Source: lecture 1:56 (D14).
    """
    return retrieve_usd * reuses + hold_usd_per_s * held_s


def break_even_s(
    *,
    retrieve_usd: Numeric,
    hold_usd_per_s: Numeric,
    slower_retrieve_usd: Numeric,
    slower_hold_usd_per_s: Numeric,
) -> Numeric:
    """Time between uses from which on the tier that is dearer to read and cheaper to hold wins: ``t*``.

    Recomputing is the tier without holding cost. Where one tier is read back for free and the other holds for free, at
    one price per second, it is the drain time: the lecture's rule.

    >>> break_even_s(retrieve_usd=0, hold_usd_per_s=1 / 7.68e12, slower_retrieve_usd=1 / 14e9, slower_hold_usd_per_s=0)
    548.6

    Derivation: both costs equal, as in lecture 2:01 (D16) and Gray and Putzolu 1987.
    """
    return (slower_retrieve_usd - retrieve_usd) / (hold_usd_per_s - slower_hold_usd_per_s)


def retrieve_time_s(*, kv_bytes: Numeric, bytes_per_s: Numeric, latency_s: Numeric = 0.0) -> Numeric:
    """Time from the request for a cache until the last of its bytes is back: ``latency + bytes / W``.

    100,000 tokens of 70 kB over eight links of 54 GB/s:

    >>> retrieve_time_s(kv_bytes=100e3 * 70e3, bytes_per_s=8 * 54e9, latency_s=10e-6)
    0.0162

    Source: the alpha-beta model of a message.
    """
    return latency_s + kv_bytes / bytes_per_s


def wear_usd_per_token(*, kv_bytes_per_token: Numeric, usd: Numeric, endurance_bytes: Numeric) -> Numeric:
    """Wear of a drive with ``endurance_bytes`` by writing a token's cache.

    It is charged on top of the years for which the drive is held, which it may not reach: an upper bound, at most twice
    too high. A million tokens of 70 kB written to a drive of $11,000 that lasts for 56 PB cost more than holding them
    there for half a day:

    >>> wear_usd_per_token(kv_bytes_per_token=70e3, usd=11000, endurance_bytes=56.064e15) * 1e6
    0.0137

    Derivation: the price of a drive over the bytes that its maker guarantees.
    """
    return kv_bytes_per_token / endurance_bytes * usd


def carried_per_s(*, bytes_per_s: Numeric, bytes_per_request: Numeric) -> Numeric:
    """Requests per second whose caches a store or a network carries; infinite where they carry none.

    Two thirds of 100,000 tokens of 70 kB, read from two drives of 14 GB/s:

    >>> carried_per_s(bytes_per_s=2 * 14e9, bytes_per_request=2 / 3 * 100e3 * 70e3)
    6.0

    Derivation: bandwidth over what a request takes of it.
    """
    return ratio_or(bytes_per_s, bytes_per_request, INFINITY)


def kept_fraction(
    *, capacity_bytes: Numeric, requests_per_s: Numeric, held_s: Numeric, bytes_per_request: Numeric
) -> Numeric:
    """Part of the caches that a memory holds for as long as asked: Little's law, 1 at most.

    A cache of 7 GB comes every second and is to be held for five minutes, in 210 GB:

    >>> kept_fraction(capacity_bytes=210e9, requests_per_s=1, held_s=300, bytes_per_request=7e9)
    0.1

    Source: Little 1961: the amount held is the rate of arrival times the hold time.
    """
    return minimum(capacity_bytes / (requests_per_s * held_s * bytes_per_request), 1.0)


def taken_fraction(
    *, capacity_bytes: Numeric, requests_per_s: Numeric, held_s: Numeric, bytes_per_request: Numeric
) -> Numeric:
    """Part of a tier that caches take if each is held for as long as asked; above 1 where it lacks room for all.

    A cache of 7 GB comes every second and is held for five minutes, in 210 GB:

    >>> taken_fraction(capacity_bytes=210e9, requests_per_s=1, held_s=300, bytes_per_request=7e9)
    10.0

    Source: Little 1961: the amount held is the rate of arrival times the hold time.
    """
    return requests_per_s * held_s * bytes_per_request / capacity_bytes


def reused_fraction(*, reuses: Numeric) -> Numeric:
    """Part of the requests that are a context's further uses, where each is written once and used ``reuses`` times.

    Three of ten contexts come back once: three of thirteen requests.

    >>> reused_fraction(reuses=0.3)
    0.231

    Derivation: ``r`` further uses after the first one.
    """
    return reuses / (1 + reuses)


def mixed_per_s(*, without_per_s: Numeric, with_per_s: Numeric, found_fraction: Numeric) -> Numeric:
    """Requests per second where a fraction of them finds its context: the times of both kinds add up.

    One request in two seconds without, ten in a second with, half of them found:

    >>> mixed_per_s(without_per_s=0.5, with_per_s=10, found_fraction=0.5)
    0.952

    Derivation: the mean time of a request is that of both kinds by their parts; a hit is for the whole context or none.
    """
    return 1 / ((1 - found_fraction) / without_per_s + found_fraction / with_per_s)


def found_fraction(*, reused_fraction: Numeric, mean_reuse_s: Numeric, held_s: Numeric) -> Numeric:
    """Part of the prompts' tokens that a cache finds which holds each for ``held_s`` after its last use: ``h``.

    A third is used again, after a mean of three minutes; with a hold time of five minutes, four fifths of that hit:

    >>> found_fraction(reused_fraction=1 / 3, mean_reuse_s=180, held_s=300)
    0.27

    Heuristic: exponential times to the next use. On Mooncake's traces it is within six points of the actual hit rate.
    """
    return reused_fraction * (1 - exp(-held_s / mean_reuse_s))


def held_bytes(
    *,
    tokens_per_s: Numeric,
    kv_bytes_per_token: Numeric,
    reused_fraction: Numeric,
    mean_reuse_s: Numeric,
    held_s: Numeric,
) -> Numeric:
    """Mean size of such a cache, ``C``: each token is held until its next use, or for the hold time.

    10,000 tokens a second of 70 kB, for five minutes:

    >>> held_bytes(
    ...     tokens_per_s=1e4, kv_bytes_per_token=70e3, reused_fraction=1 / 3, mean_reuse_s=180, held_s=300
    ... )
    1.74e+11

    Derivation: Little's law, with the mean of the smaller of an exponential time and ``held_s``.
    """
    once_s = (1 - reused_fraction) * held_s
    again_s = mean_reuse_s * found_fraction(reused_fraction=reused_fraction, mean_reuse_s=mean_reuse_s, held_s=held_s)
    return tokens_per_s * kv_bytes_per_token * (once_s + again_s)


MOST_HELD_S = 1e9
"""Thirty years, in seconds: where nearly all is used again, a cache may keep everything for ever."""


def hold_time_s(
    *,
    tokens_per_s: Numeric,
    kv_bytes_per_token: Numeric,
    reused_fraction: Numeric,
    mean_reuse_s: Numeric,
    capacity_bytes: Numeric,
) -> Numeric:
    """Hold time of a cache of ``capacity_bytes``: the inverse of ``held_bytes``.

    >>> hold_time_s(
    ...     tokens_per_s=1e4, kv_bytes_per_token=70e3, reused_fraction=1 / 3, mean_reuse_s=180, capacity_bytes=1.744e11
    ... )
    300.7

    Source: Che et al. 2002: a cache that drops the least recently used holds all for about one time.
    """

    def too_much(held_s: Numeric) -> Numeric:
        of_log = {"tokens_per_s": tokens_per_s, "kv_bytes_per_token": kv_bytes_per_token}
        of_reuse = {"reused_fraction": reused_fraction, "mean_reuse_s": mean_reuse_s}
        return held_bytes(**of_log, **of_reuse, held_s=held_s) - capacity_bytes

    return solve(too_much, 0.0 * capacity_bytes, MOST_HELD_S + 0.0 * capacity_bytes)


def first_token_s(
    *, prompt_tokens: Numeric, found_fraction: Numeric, token_read_s: Numeric, token_fetch_s: Numeric
) -> Numeric:
    """Time until a prompt's cache is ready: what is found is read back, or recomputed if faster, then the rest.

    12,000 tokens, of which a third is found, at 12 microseconds to read one and 1 to bring it back:

    >>> first_token_s(prompt_tokens=12e3, found_fraction=1 / 3, token_read_s=12e-6, token_fetch_s=1e-6)
    0.1

    Derivation: one after the other; no queue, and no part of a context fetched while another is read.
    """
    found_s = found_fraction * minimum(token_fetch_s, token_read_s)
    return prompt_tokens * ((1 - found_fraction) * token_read_s + found_s)
