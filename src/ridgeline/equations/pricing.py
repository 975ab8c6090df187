r"""Cost in dollars from chip-seconds, and inference from list prices.

.. math::

    \frac{\$}{\text{token}} = \frac{n\, t\, \$_{chip \cdot s}}{\text{tokens}}, \qquad
    \frac{t_{memory}}{t_{compute}} = \frac{B^*}{B} + \frac{L}{L^*}, \qquad L^* = \frac{N_a b_w}{R\, \beta}

A decode step of :math:`B` sequences of :math:`L` tokens is memory-bound where the middle ratio is above 1. The lecture
reads a step in a price list as :math:`L^*`, and the price of output over input as that ratio; each is one equation in
several unknowns.

Sources: lecture 13:00 (A9) and 1:33-2:04 (D1-D17).
"""

from ridgeline.equations.contexts import crossover_context_tokens, memory_over_compute
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.numeric import INFINITY, Numeric, maximum, ratio_or

__all__ = [
    "attention_flop_per_byte",
    "attention_parity_tokens",
    "balance_batches_at_ratio",
    "break_even_requests_per_s",
    "decode_over_prefill",
    "failed_work_fraction",
    "hits_to_pay_back",
    "kv_bytes_at_crossover",
    "margin_fraction",
    "mixed_usd_per_request",
    "part_of_cost_fraction",
    "part_price_ratio",
    "price_step_fraction",
    "price_step_reach_tokens",
    "usd_per_request",
    "usd_per_token",
    "usd_per_token_served",
]


def usd_per_token(*, time_s: Numeric, chips: Numeric, tokens: Numeric, usd_per_chip_s: Numeric) -> Numeric:
    """Cost of a token when ``chips`` work ``time_s`` for ``tokens``.

    72 chips at $2 an hour that decode 2,400 sequences every 20 ms: 33 cents a million.

    >>> usd_per_token(time_s=0.02, chips=72, tokens=2400, usd_per_chip_s=2 / 3600) * 1e6
    0.333

    Source: lecture 13:00 (A9).
    """
    return time_s * chips * usd_per_chip_s / tokens


def usd_per_request(
    *, input_tokens: Numeric, output_tokens: Numeric, usd_per_input_token: Numeric, usd_per_output_token: Numeric
) -> Numeric:
    """Bill of a request, all of its tokens at the prices of its tier.

    200,000 tokens in and 1,000 out at $2 and $12 a million:

    >>> usd_per_request(input_tokens=2e5, output_tokens=1e3, usd_per_input_token=2e-6, usd_per_output_token=12e-6)
    0.412

    Source: price lists; crossing a tier reprices the whole request.
    """
    return input_tokens * usd_per_input_token + output_tokens * usd_per_output_token


def price_step_fraction(*, usd_below: Numeric, usd_above: Numeric) -> Numeric:
    """Increase from the lower to the upper tier of a price, over the lower.

    >>> price_step_fraction(usd_below=12, usd_above=18)
    0.5

    Source: lecture 1:33 (D1).
    """
    return usd_above / usd_below - 1


def kv_bytes_at_crossover(
    *,
    active_params: Numeric,
    bytes_per_param: Numeric,
    balance_ratio: Numeric,
    context_tokens: Numeric,
    balance_batches: Numeric = INFINITY,
) -> Numeric:
    """Bytes per token for which ``context_tokens`` is the crossover, whose equation has ``beta`` where it has ``L*``.

    >>> kv_bytes_at_crossover(active_params=100e9, bytes_per_param=1, balance_ratio=300, context_tokens=200e3)
    1666.7

    Source: lecture 1:37 (D3).
    """
    return crossover_context_tokens(
        active_params=active_params,
        bytes_per_param=bytes_per_param,
        balance_ratio=balance_ratio,
        kv_bytes_per_token=context_tokens,
        balance_batches=balance_batches,
    )


def decode_over_prefill(
    *, context_tokens: Numeric, crossover_tokens: Numeric, balance_batches: Numeric = INFINITY
) -> Numeric:
    """Cost of an output token over that of an input token, where prefill is compute-bound: 1 at least.

    The lecture's two readings together, 200,000 tokens for the crossover and a price five times as high, do not fit:

    >>> decode_over_prefill(context_tokens=20e3, crossover_tokens=200e3)
    1.0

    Source: lecture 1:45 (D6, D7).
    """
    ratio = memory_over_compute(
        context_over_crossover=context_tokens / crossover_tokens, batch_over_balance=balance_batches
    )
    return maximum(ratio, 1.0)


def balance_batches_at_ratio(*, ratio: Numeric, context_tokens: Numeric, crossover_tokens: Numeric) -> Numeric:
    """Batch over ``B*`` at which memory takes ``ratio`` times as long as compute; infinite where KV alone takes longer.

    Both readings hold together only for a batch of a fifth of the balance batch, which nobody would run:

    >>> balance_batches_at_ratio(ratio=5, context_tokens=20e3, crossover_tokens=200e3)
    0.204

    Derivation: ``contexts.memory_over_compute`` solved for the batch (D7).
    """
    return ratio_or(1.0, ratio - context_tokens / crossover_tokens, INFINITY)


def price_step_reach_tokens(*, crossover_tokens: Numeric, price_ratio: Numeric) -> Numeric:
    """Context up to which a price that steps at the crossover still covers the cost: ``m L*``.

    The cost is proportional to the context beyond the crossover, so a step by a half covers half as much again:

    >>> price_step_reach_tokens(crossover_tokens=200e3, price_ratio=1.5)
    300000.0

    Source: the lecture's picture of cost against context, 1:35 (D2), at no margin.
    """
    return crossover_tokens * price_ratio


def attention_parity_tokens(*, active_params: Numeric, flop_per_pair: Numeric) -> Numeric:
    """Context at which attention computes as much for a token as the parameters do: ``2 N_a`` over FLOP a pair.

    ``flop_per_pair`` of a query and a key is summed over all layers: ``4 n_q d_h`` each with full attention. A prompt's
    tokens attend to half of it on average, so a prompt reaches parity at twice as many.

    Llama-3.1-405B, 126 layers of 128 heads of 128:

    >>> attention_parity_tokens(active_params=405.9e9, flop_per_pair=126 * 4 * 128 * 128)
    98310.2

    Source: lecture 1:52 says millions (D9).
    """
    return FLOP_PER_PARAM * active_params / flop_per_pair


def attention_flop_per_byte(*, flop_per_pair: Numeric, kv_bytes_per_token: Numeric) -> Numeric:
    """FLOP of attention for each byte of the cache that it reads, in decode.

    With grouped 16-bit heads it is the number of query heads that share a stored one; latent attention nearly reaches a
    chip's balance:

    >>> attention_flop_per_byte(flop_per_pair=4 * 64 * 128, kv_bytes_per_token=2 * 2 * 8 * 128)
    8.0
    >>> attention_flop_per_byte(flop_per_pair=2 * 128 * (512 + 64 + 512), kv_bytes_per_token=2 * (512 + 64))
    241.8

    Source: lecture 1:53 (D10).
    """
    return flop_per_pair / kv_bytes_per_token


def hits_to_pay_back(*, write_ratio: Numeric, read_ratio: Numeric) -> Numeric:
    """Hits from which a cache write pays for itself: ``(m_w - 1) / (1 - m_r)``, prices over that of an input token.

    Writes at 1.25 times and reads at a tenth:

    >>> hits_to_pay_back(write_ratio=1.25, read_ratio=0.1)
    0.278

    Derivation: a write's premium over a hit's saving; prices at lecture 1:58 (D13, D17).
    """
    return (write_ratio - 1) / (1 - read_ratio)


def part_of_cost_fraction(*, part_fraction: Numeric, price_ratio: Numeric) -> Numeric:
    """A part's share of a bill after a change of its price alone: ``s x / (1 - s + s x)``.

    Memory is a tenth of what a rack costs, and triples in price: a quarter.

    >>> part_of_cost_fraction(part_fraction=0.1, price_ratio=3)
    0.25

    Derivation: the part's new price over that and the rest.
    """
    return part_fraction * price_ratio / (1 - part_fraction + part_fraction * price_ratio)


def part_price_ratio(*, part_fraction: Numeric, to_fraction: Numeric) -> Numeric:
    """Ratio by which a part's price must change until it has a given share of the bill.

    >>> part_price_ratio(part_fraction=0.1, to_fraction=0.25)
    3.0

    Derivation: ``part_of_cost_fraction`` solved for the ratio.
    """
    return to_fraction / (1 - to_fraction) * (1 - part_fraction) / part_fraction


def usd_per_token_served(
    *, usd_per_token: Numeric, utilisation_fraction: Numeric = 1.0, lost_fraction: Numeric = 0.0
) -> Numeric:
    """Cost of a billed token, with chips paid while idle and some work lost: ``c / (u (1 - f))``.

    ``u`` is the day's mean load over the chips' capacity.

    A day like DeepSeek's, with a mean of 226.75 nodes and 278 at the peak, all of them paid all day:

    >>> usd_per_token_served(usd_per_token=0.30e-6, utilisation_fraction=226.75 / 278) * 1e6
    0.368

    Derivation: chip-time that is paid over that which makes billed tokens.
    """
    return usd_per_token / (utilisation_fraction * (1 - lost_fraction))


def failed_work_fraction(*, mtbf_s: Numeric, restart_s: Numeric, request_s: Numeric) -> Numeric:
    """Part of a replica's time that failures take: until it serves again, and half a request done again.

    32 chips that fail once in 5.8 years each, ten minutes to serve again, a minute a request:

    >>> failed_work_fraction(mtbf_s=5.8 * 365 * 86400 / 32, restart_s=600, request_s=60)
    0.00011

    Derivation: failures at random, each in the middle of the requests in flight.
    """
    return (restart_s + request_s / 2) / mtbf_s


def mixed_usd_per_request(
    *,
    input_tokens: Numeric,
    output_tokens: Numeric,
    hit_fraction: Numeric,
    usd_per_input_token: Numeric,
    usd_per_cached_token: Numeric,
    usd_per_output_token: Numeric,
) -> Numeric:
    """Price or cost of a request with a cached part of its input: ``S ((1-h) p_i + h p_c) + T p_o``.

    DeepSeek's day at R1's prices, 608 billion tokens in and 168 out:

    >>> mixed_usd_per_request(input_tokens=608e9, output_tokens=168e9, hit_fraction=342 / 608,
    ...     usd_per_input_token=0.55e-6, usd_per_cached_token=0.14e-6, usd_per_output_token=2.19e-6)
    562100.0

    Source: open-infra-index, day 6 (2025-03-01), which says $562,027.
    """
    missed, found = (1 - hit_fraction) * usd_per_input_token, hit_fraction * usd_per_cached_token
    return input_tokens * (missed + found) + output_tokens * usd_per_output_token


def margin_fraction(*, price_usd: Numeric, cost_usd: Numeric) -> Numeric:
    """Part of a price that is not cost: ``1 - c / p``.

    DeepSeek's day, by its own account at R1's prices:

    >>> margin_fraction(price_usd=562027, cost_usd=87072)
    0.845

    Source: open-infra-index, day 6 (2025-03-01), which says 545 % of the cost.
    """
    return 1 - cost_usd / price_usd


def break_even_requests_per_s(*, usd_per_s: Numeric, usd_per_request: Numeric) -> Numeric:
    """Load from which on chips paid all the time cost less than paying for each request: ``$ / p``.

    Eight chips at $2 an hour against two cents a request:

    >>> break_even_requests_per_s(usd_per_s=8 * 2 / 3600, usd_per_request=0.02)
    0.222

    Derivation: both bills equal; the chips must have the capacity.
    """
    return usd_per_s / usd_per_request
