r"""Fast and slow modes: effect of a smaller or a larger batch on a user's speed and on the price.

.. math::

    t(B) = \max(B\, t_c,\; t_w + B\, t_{kv}), \qquad \text{price} \propto \frac{t(B)}{B}

with :math:`t_w` to read the weights, and :math:`t_c` and :math:`t_{kv}` to compute one sequence and to read its
context. A smaller batch is faster until only reading the weights is left, a larger one cheaper until their cost is
negligible.

Source: lecture 0:01 and 15:39 (A21, A22); the two solvers are derived from the step time.
"""

from ridgeline.numeric import Numeric, maximum

__all__ = [
    "batch_ratio",
    "cost_over_floor",
    "fast_batch",
    "largest_saving_fraction",
    "largest_speed_up",
    "price_at_speed",
    "sequence_share_ratio",
    "speed_at_price",
]


def cost_over_floor(
    *,
    batch: Numeric,
    weight_time_s: Numeric,
    compute_time_per_sequence_s: Numeric,
    kv_time_per_sequence_s: Numeric,
) -> Numeric:
    """Cost of a token at a batch, over its lower bound at any batch: ``(t(B) / B) / max(t_c, t_kv)``.

    Without batching and without context, a token costs its balance batch times the minimum; at 300 and an expansion of
    8:

    >>> cost_over_floor(batch=1, weight_time_s=2400.0, compute_time_per_sequence_s=1.0, kv_time_per_sequence_s=0.0)
    2400.0

    Source: lecture 4:26 (A4) and 15:39 (A21).
    """
    floor_s = maximum(compute_time_per_sequence_s, kv_time_per_sequence_s)
    step_s = maximum(batch * compute_time_per_sequence_s, weight_time_s + batch * kv_time_per_sequence_s)
    return step_s / batch / floor_s


def batch_ratio(*, price_ratio: Numeric, speed_ratio: Numeric) -> Numeric:
    """Ratio of the regular batch to a fast mode's, when a chip earns as much in both: ``p v``.

    Six times the price for 2.5 times the speed:

    >>> batch_ratio(price_ratio=6, speed_ratio=2.5)
    15.0

    Source: lecture 0:01 (A22), whose question gives the numbers and whose answer gives none.
    """
    return price_ratio * speed_ratio


def fast_batch(
    *,
    price_ratio: Numeric,
    speed_ratio: Numeric,
    weight_time_s: Numeric,
    compute_time_per_sequence_s: Numeric,
    kv_time_per_sequence_s: Numeric,
) -> Numeric:
    r"""Batch of a fast mode, where a regular batch of ``p v`` times as many is v times as slow.

    .. math:: b = \frac{t_w}{\max\left(\frac{p - 1}{1 - 1/v}\, t_{kv},\; p\, t_c - t_{kv}\right)}

    with the price p and the speed v over the regular ones, both above 1, :math:`t_w` to read the weights, and
    :math:`t_c` and :math:`t_{kv}` to compute one sequence and to read its context. Both steps read all weights;
    a fast one is then bound by memory for any p ≥ 1.

    Weights of 1 ms and contexts of 0.6 µs; the regular batch spends 1.8 times as long on contexts as on weights:

    >>> round(
    ...     fast_batch(
    ...         price_ratio=6,
    ...         speed_ratio=2.5,
    ...         weight_time_s=1e-3,
    ...         compute_time_per_sequence_s=0.2e-6,
    ...         kv_time_per_sequence_s=0.6e-6,
    ...     )
    ... )
    200

    With 2 µs to compute a sequence, the regular step is bound by computing:

    >>> round(
    ...     fast_batch(
    ...         price_ratio=6,
    ...         speed_ratio=2.5,
    ...         weight_time_s=1e-3,
    ...         compute_time_per_sequence_s=2e-6,
    ...         kv_time_per_sequence_s=0.6e-6,
    ...     )
    ... )
    88

    Derivation: ``t(p v b) = v t(b)``.
    """
    read_s = (price_ratio - 1) / (1 - 1 / speed_ratio) * kv_time_per_sequence_s
    computed_s = price_ratio * compute_time_per_sequence_s - kv_time_per_sequence_s
    return weight_time_s / maximum(read_s, computed_s)


def sequence_share_ratio(*, price_ratio: Numeric, speed_ratio: Numeric) -> Numeric:
    r"""Time for the sequences of a regular step over that for its weights: :math:`k B_0 / t_w = (v - 1) / (1 - 1/p)`.

    It determines both speeds if nothing but the batch differs.

    >>> sequence_share_ratio(price_ratio=6, speed_ratio=2.5)
    1.8

    Derivation: ``t(B) = t_w + k B`` at both batches.
    """
    return (speed_ratio - 1) / (1 - 1 / price_ratio)


def largest_speed_up(*, price_ratio: Numeric, speed_ratio: Numeric) -> Numeric:
    """Limit of the speed at any price, over the regular one, given the price of one other speed.

    A single sequence still waits for the weights: 2.8 times, at any price.

    >>> largest_speed_up(price_ratio=6, speed_ratio=2.5)
    2.8

    Derivation: the step of one sequence, ``t_w``.
    """
    return 1 + sequence_share_ratio(price_ratio=price_ratio, speed_ratio=speed_ratio)


def largest_saving_fraction(*, price_ratio: Numeric, speed_ratio: Numeric) -> Numeric:
    """Limit of a slow mode's saving, over the regular price, given the price of one other speed.

    It is the weights' part of a step; zero where compute binds.

    >>> largest_saving_fraction(price_ratio=6, speed_ratio=2.5)
    0.357

    Source: lecture 15:39 (A21); the step of a batch without end.
    """
    return 1 / largest_speed_up(price_ratio=price_ratio, speed_ratio=speed_ratio)


def price_at_speed(*, speed_up: Numeric, sequence_share_ratio: Numeric) -> Numeric:
    r"""Price of a token at another speed, over the regular price: :math:`p(v) = r / (1 + r - v)` with r as above.

    The batch that gives a speed ``v`` is :math:`((1 + r)/v - 1)/r` regular ones, and a token costs its share of a step.

    >>> price_at_speed(speed_up=2.5, sequence_share_ratio=1.8), price_at_speed(speed_up=1.0, sequence_share_ratio=1.8)
    (6.0, 1.0)

    Derivation: ``t(B) = t_w + k B`` solved for the batch, and ``t(B) / B`` there.
    """
    return sequence_share_ratio / (1 + sequence_share_ratio - speed_up)


def speed_at_price(*, price_ratio: Numeric, sequence_share_ratio: Numeric) -> Numeric:
    r"""Speed that another price buys, over the regular speed: :math:`v(p) = 1 + r (1 - 1/p)`, price_at_speed reversed.

    The lecture asks for a hundred times the price, where six already buy a speed of 2.5:

    >>> speed_at_price(price_ratio=100, sequence_share_ratio=1.8)
    2.782

    Derivation: ``sequence_share_ratio`` solved for the speed.
    """
    return 1 + sequence_share_ratio * (1 - 1 / price_ratio)
