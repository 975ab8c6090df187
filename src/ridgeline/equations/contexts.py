r"""Contexts at which reading a sequence's keys and values takes longer than computing its token.

.. math::

    L^* = \frac{2 N_a W}{F \beta} = \frac{N_a b_w}{R \beta}, \qquad
    \frac{t_{memory}}{t_{compute}} = \frac{B^*}{B} + \frac{L}{L^*}

:math:`R` is the balance ratio of weights of :math:`b_w` bytes, the board's 300, in which those bytes cancel.

Sources: lecture 11:00 (A7), 20:00 (A25) and 1:35 (D2).
"""

from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.numeric import INFINITY, Numeric, maximum

__all__ = [
    "compute_fraction",
    "crossover_context_tokens",
    "memory_over_compute",
    "prompt_flop",
    "scanned_crossover_tokens",
    "square_root_crossover_tokens",
]


def crossover_context_tokens(
    *,
    active_params: Numeric,
    bytes_per_param: Numeric,
    balance_ratio: Numeric,
    kv_bytes_per_token: Numeric,
    balance_batches: Numeric = INFINITY,
) -> Numeric:
    """Context at which reading takes as long as computing: ``L* = N_a b_w / (R beta) (1 - B* / B)``.

    ``balance_batches`` is ``B / B*``; at a finite one the weights take a part of the time. The result is zero where
    they take all. Full attention is assumed, which reads every token. Beyond ``L*`` no batch is compute-bound.

    The board's 100 billion active parameters of one byte, and 1,667 bytes a token; DeepSeek-V3 in 8 bits with a cache
    in 16, on the board's chip:

    >>> crossover_context_tokens(active_params=100e9, bytes_per_param=1, balance_ratio=300, kv_bytes_per_token=1667)
    199960.0
    >>> crossover_context_tokens(active_params=37e9, bytes_per_param=1, balance_ratio=300, kv_bytes_per_token=70272)
    1755.1

    Source: lecture 1:35 (D2).
    """
    large_batch = active_params * bytes_per_param / (balance_ratio * kv_bytes_per_token)
    return large_batch * maximum(1 - 1 / balance_batches, 0.0)


def memory_over_compute(*, context_over_crossover: Numeric, batch_over_balance: Numeric = INFINITY) -> Numeric:
    """Time to read over time to compute in a decode step: ``B* / B + L / L*``, with ``L*`` of a large batch.

    It is also the least number of prompt tokens that one pass must read for compute to take longer (D8).

    At three balance batches twice the crossover context takes longer to read, a tenth of it to compute:

    >>> memory_over_compute(context_over_crossover=2, batch_over_balance=3)
    2.333
    >>> memory_over_compute(context_over_crossover=0.1, batch_over_balance=3)
    0.433

    Derivation: both times of the roofline, divided; lecture 1:45-1:48 (D6-D8).
    """
    return 1 / batch_over_balance + context_over_crossover


def compute_fraction(*, batch_over_balance: Numeric, context_over_crossover: Numeric) -> Numeric:
    """Part of a step that the arithmetic is busy: an upper bound on its utilisation.

    The lecture's doubling past the crossover, for a batch so large that weights do not matter:

    >>> compute_fraction(batch_over_balance=1e12, context_over_crossover=2)
    0.5

    Source: lecture 11:00 (A7).
    """
    over = memory_over_compute(batch_over_balance=batch_over_balance, context_over_crossover=context_over_crossover)
    return 1 / maximum(over, 1)


def prompt_flop(*, prompt_tokens: Numeric, active_params: Numeric, pairs: Numeric, flop_per_pair: Numeric) -> Numeric:
    """FLOP to read a prompt: its tokens by the parameters, and its query-key pairs, ``2 N_a S + c P``.

    With full attention ``P`` is half the square of the prompt. A hundred million tokens by the lecture's 100 billion
    parameters, whose attention computes as much as they do at a million tokens: fifty times as much for the pairs.

    >>> prompt_flop(prompt_tokens=1e8, active_params=100e9, pairs=1e8**2 / 2, flop_per_pair=2e5)
    1.02e+21

    Source: scaling book, transformers; lecture 1:52 (D9).
    """
    return FLOP_PER_PARAM * active_params * prompt_tokens + flop_per_pair * pairs


def square_root_crossover_tokens(*, crossover_context_tokens: Numeric) -> Numeric:
    """The crossover where a token reads ``2 sqrt(L)`` others, by that of full attention: ``(L* / 2)**2``.

    From the lecture's 200,000, ten billion: such a model would never be bound by its context.

    >>> square_root_crossover_tokens(crossover_context_tokens=200_000)
    1e10

    Source: the lecture's form (A8), of which no published mechanism is.
    """
    return (crossover_context_tokens / 2) ** 2


def scanned_crossover_tokens(
    *, crossover_context_tokens: Numeric, chosen_tokens: Numeric, scan_fraction: Numeric, window: Numeric = 0.0
) -> Numeric:
    """The crossover where a token reads ``chosen_tokens``, a window, and a part of every other's bytes to choose.

    The bytes read, ``f L + min(L, c) + min(L, w)``, are the least of four straight lines, so the crossover is the
    largest of theirs: at most ``1 / f`` times as long. From 200,000, with DeepSeek-V3.2's scan (132 of 1,152 bytes) and
    with NSA's (a summary of 16 tokens, 1,024 chosen, a window of 512); from DeepSeek-V3's own 1,755 nothing is gained.

    >>> scanned_crossover_tokens(crossover_context_tokens=200_000, chosen_tokens=2048, scan_fraction=132 / 1152)
    1727581.1
    >>> scanned_crossover_tokens(
    ...     crossover_context_tokens=200_000, chosen_tokens=1024, window=512, scan_fraction=1 / 16
    ... )
    3175424.0
    >>> scanned_crossover_tokens(crossover_context_tokens=1755, chosen_tokens=2048, scan_fraction=132 / 1152)
    1574.6

    Source: DeepSeek-V3.2-Exp technical report (2025); Yuan et al. 2025 (arXiv 2502.11089); solved for the context.
    """
    short = maximum(
        crossover_context_tokens / (2 + scan_fraction), (crossover_context_tokens - chosen_tokens) / (1 + scan_fraction)
    )
    middle = (crossover_context_tokens - window) / (1 + scan_fraction)
    long = (crossover_context_tokens - chosen_tokens - window) / scan_fraction
    return maximum(maximum(short, middle), long)
