r"""Contexts: where reading a sequence's keys and values takes longer than computing its token.

.. math::

    L^* = \frac{2 N_a W}{F \beta}, \qquad \frac{t_{memory}}{t_{compute}} = \frac{B^*}{B} + \frac{L}{L^*}

Sources: lecture 11:00 (A7), 20:00 (A25) and 1:35 (D2).
"""

from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.numeric import Numeric, maximum

__all__ = ["compute_fraction", "crossover_context_tokens", "memory_over_compute"]


def crossover_context_tokens(
    *, active_params: Numeric, kv_bytes_per_token: Numeric, flop_per_s: Numeric, hbm_bytes_per_s: Numeric
) -> Numeric:
    """Context at which a sequence's keys and values take as long to read as its token to compute.

    Assumes full attention, whose every token is read. Beyond it no batch is bound by compute.

    DeepSeek-V3 in 8 bits with a cache in 16, on a chip whose ratio is the board's 300:

    >>> crossover_context_tokens(active_params=37e9, kv_bytes_per_token=70272, flop_per_s=600, hbm_bytes_per_s=1)
    1755.1

    Source: lecture 1:35 (D2); with the ratio ``R``, ``N_a b_w / (R beta)``.
    """
    return FLOP_PER_PARAM * active_params * hbm_bytes_per_s / (flop_per_s * kv_bytes_per_token)


def memory_over_compute(*, batch_over_balance: Numeric, context_over_crossover: Numeric) -> Numeric:
    """Time to read over time to compute: ``B* / B + L / L*``.

    Three times the balance batch, twice the crossover context:

    >>> memory_over_compute(batch_over_balance=3, context_over_crossover=2)
    2.333

    Source: both times of the roofline, divided.
    """
    return 1 / batch_over_balance + context_over_crossover


def compute_fraction(*, batch_over_balance: Numeric, context_over_crossover: Numeric) -> Numeric:
    """Part of a step that the arithmetic is busy: the most that its utilisation can be.

    The lecture's doubling past the crossover, for a batch so large that weights do not matter:

    >>> compute_fraction(batch_over_balance=1e12, context_over_crossover=2)
    0.5

    Source: lecture 11:00 (A7).
    """
    over = memory_over_compute(batch_over_balance=batch_over_balance, context_over_crossover=context_over_crossover)
    return 1 / maximum(over, 1)
