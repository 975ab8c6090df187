r"""Pipelines: stages that each hold some of the layers, and micro-batches that fill them.

A token passes all :math:`p` stages, so a pipeline makes no step faster; with :math:`m` micro-batches in flight no
stage idles once :math:`m \ge p`. With :math:`t_{max}` for a micro-batch in the slowest stage, and :math:`t_{path}`
around:

.. math::

    t_{step} = \max(m\, t_{max},\; t_{path}), \qquad t_{fill} = t_{path} + (m - 1)\, t_{max}

A training step fills and drains. With :math:`F` for a micro-batch's forward pass through a stage, :math:`B` for the
gradient of its input, :math:`W` for that of the stage's weights, and :math:`v` chunks of layers a stage, it takes
:math:`m (F + B + W)` and a bubble:

.. math::

    t_{1F1B} = (p - 1)(F + B + W) / v, \qquad t_{ZB-H1} = (p - 1)(F + B - W), \qquad t_{ZB-H2} = (p - 1)(F + B - 2W)

Sources: lecture 58:00-1:14 (B9-B11, B15); Huang et al. 2018, "GPipe" (arXiv 1811.06965); DualPipe's README for what a
stage keeps; Narayanan et al. 2021 (arXiv 2104.04473); Qi et al. 2023 (arXiv 2401.10241) and 2024 (arXiv 2405.15362).
"""

from ridgeline.numeric import Numeric, maximum, minimum

__all__ = [
    "bubble_fraction",
    "filled_time_s",
    "flushed_bubble_s",
    "handed_on_outputs",
    "idle_fraction",
    "interleaved_peak_micro_batches",
    "loop_time_s",
    "peak_micro_batches",
    "slowest_stage_time_s",
    "training_bubble_fraction",
    "uneven_idle_fraction",
    "zb_h1_bubble_s",
    "zb_h2_bubble_s",
]


def idle_fraction(*, stages: Numeric, micro_batches: Numeric) -> Numeric:
    """Part of its time that a stage of an inference loop idles: ``1 - m / p``, none from ``m = p`` on.

    The lecture's four stages without micro-batches, and with four:

    >>> idle_fraction(stages=4, micro_batches=1), idle_fraction(stages=4, micro_batches=4)
    (0.75, 0.0)

    Source: lecture 58:00 (B9).
    """
    return maximum(1 - micro_batches / stages, 0.0)


def training_bubble_fraction(*, stages: Numeric, micro_batches: Numeric) -> Numeric:
    """Part of a training step in which stages fill and drain: ``(p - 1) / (m + p - 1)``.

    GPipe's schedule, with equal stages and micro-batches, or one forward and one backward in turn: neither the order
    nor the times of forward and backward change it. That of the lecture's drawing:

    >>> training_bubble_fraction(stages=4, micro_batches=4)
    0.43

    Source: lecture 1:00 (B10); Huang et al. 2018.
    """
    return (stages - 1) / (micro_batches + stages - 1)


def bubble_fraction(*, bubble_s: Numeric, work_s: Numeric) -> Numeric:
    """Part of a step that is bubble: ``t_bubble / (t_bubble + t_work)``.

    A bubble of 21 beside 32 micro-batches of 3:

    >>> bubble_fraction(bubble_s=21, work_s=32 * 3)
    0.1795

    Derivation: a stage works or idles.
    """
    return bubble_s / (bubble_s + work_s)


def flushed_bubble_s(
    *, stages: Numeric, forward_s: Numeric, backward_s: Numeric, virtual_stages: Numeric = 1
) -> Numeric:
    """Bubble of a step through stages of ``v`` chunks, in turn or not: ``(p - 1) (F + B) / v``, B with both gradients.

    It holds for GPipe, 1F1B, and 1F1B interleaved, whose micro-batches are a multiple of the stages; times are a whole
    stage's.

    >>> flushed_bubble_s(stages=8, forward_s=1, backward_s=2), flushed_bubble_s(
    ...     stages=8, forward_s=1, backward_s=2, virtual_stages=4
    ... )
    (21.0, 5.25)

    Source: Huang et al. 2018; Narayanan et al. 2021 (arXiv 2104.04473), section 2.2.
    """
    return (stages - 1) * (forward_s + backward_s) / virtual_stages


def zb_h1_bubble_s(
    *, stages: Numeric, forward_s: Numeric, input_gradient_s: Numeric, weight_gradient_s: Numeric
) -> Numeric:
    """Bubble of ZB-H1: ``(p - 1) (F + B - W)``, and no less than ``(p - 1) B``.

    It holds from ``m = p`` on. Published without the second bound, which applies where the weight gradient takes longer
    than the forward pass. A third of 1F1B's where all three are equal:

    >>> zb_h1_bubble_s(stages=8, forward_s=1, input_gradient_s=1, weight_gradient_s=1)
    7

    Source: Qi et al. 2023 (arXiv 2401.10241), table 2; the bound as played.
    """
    return (stages - 1) * maximum(forward_s + input_gradient_s - weight_gradient_s, input_gradient_s)


def zb_h2_bubble_s(
    *, stages: Numeric, forward_s: Numeric, input_gradient_s: Numeric, weight_gradient_s: Numeric
) -> Numeric:
    """Bubble of ZB-H2: ``(p - 1) (F + B - 2 W)``, and no less than ``(p - 1) (B - F)`` nor 0.

    It holds from ``m = 2 p - 1`` on, where the next step follows without waiting for all stages. Published without
    bounds.

    >>> zb_h2_bubble_s(stages=8, forward_s=1, input_gradient_s=1, weight_gradient_s=1)
    0

    Source: Qi et al. 2023 (arXiv 2401.10241), table 2; the bounds as played.
    """
    left_s = forward_s + input_gradient_s - 2 * weight_gradient_s
    return (stages - 1) * maximum(maximum(left_s, input_gradient_s - forward_s), 0)


def peak_micro_batches(*, stages: Numeric, micro_batches: Numeric, stage: Numeric = 0) -> Numeric:
    """Micro-batches whose activations a stage keeps at its peak, forward and backward in turn: ``min(m, p - i)``.

    Stages are counted from 0; the first waits longest for a gradient. GPipe keeps all ``m``, in every stage.

    >>> peak_micro_batches(stages=4, micro_batches=32), peak_micro_batches(stages=4, micro_batches=32, stage=3)
    (4, 1)

    Source: DualPipe's README, table of 1F1B; it warms up with that many forward passes.
    """
    return minimum(micro_batches, stages - stage)


def interleaved_peak_micro_batches(
    *, stages: Numeric, micro_batches: Numeric, virtual_stages: Numeric, stage: Numeric = 0
) -> Numeric:
    """Micro-batches whose activations a stage keeps at its peak, 1F1B interleaved: ``p (1 + (p - 1) / (p v))``.

    This is the first stage's; each further one runs two chunks of ``v`` less ahead. At most all micro-batches are kept.

    >>> interleaved_peak_micro_batches(stages=8, micro_batches=32, virtual_stages=2)
    11.5

    Source: Narayanan et al. 2021 (arXiv 2104.04473), and the warm-up of Megatron-LM's schedule.
    """
    return minimum(micro_batches, stages + (stages - 1 - 2 * stage) / virtual_stages)


def loop_time_s(*, path_s: Numeric, slowest_s: Numeric, micro_batches: Numeric) -> Numeric:
    """Time in which every micro-batch of a loop comes round once: ``max(m t_max, t_path)``.

    Assumes that a micro-batch starts again as soon as it has come round and the first stage is free. Splitting a step
    of 20 ms over four equal stages with four micro-batches changes nothing but the hops:

    >>> loop_time_s(path_s=0.020 + 4 * 2e-5, slowest_s=0.005, micro_batches=4)
    0.02008

    Source: lecture 1:01 (B11).
    """
    return maximum(micro_batches * slowest_s, path_s)


def filled_time_s(*, path_s: Numeric, slowest_s: Numeric, micro_batches: Numeric) -> Numeric:
    """Time until the last of some micro-batches has passed a pipeline that was empty: ``t_path + (m - 1) t_max``.

    >>> filled_time_s(path_s=0.020, slowest_s=0.005, micro_batches=4)
    0.035

    Source: Huang et al. 2018.
    """
    return path_s + (micro_batches - 1) * slowest_s


def slowest_stage_time_s(*, layer_s: Numeric, ends_s: Numeric, most_layers: Numeric, last_layers: Numeric) -> Numeric:
    """Time of the slowest stage: the one with the most layers, or the last, which has the head besides.

    ``most_layers`` lie in the fullest of the stages before the last, ``last_layers`` in the last; all layers take the
    same time. 60 layers of a millisecond over four stages, and a head of two: with 15 layers in each the last stage is
    the slowest, with 12 in the last the others are.

    >>> slowest_stage_time_s(layer_s=1e-3, ends_s=2e-3, most_layers=15, last_layers=15)
    0.017
    >>> slowest_stage_time_s(layer_s=1e-3, ends_s=2e-3, most_layers=16, last_layers=12)
    0.016

    Derivation: the largest of the stages' times.
    """
    return maximum(most_layers * layer_s, last_layers * layer_s + ends_s)


def uneven_idle_fraction(*, path_s: Numeric, slowest_s: Numeric, stages: Numeric) -> Numeric:
    """Part of their time that stages of a full pipeline wait for the slowest one: ``1 - t_path / (p t_max)``.

    It is the mean over stages, with as many micro-batches as keep the slowest one busy. Three stages of 4 ms and one of
    6:

    >>> uneven_idle_fraction(path_s=0.018, slowest_s=0.006, stages=4)
    0.25

    Derivation: in each turn of the slowest stage, every stage works for its own time, with mean ``t_path / p``.
    """
    return 1 - path_s / (stages * slowest_s)


def handed_on_outputs(*, layers_before: Numeric, attended_layers: Numeric) -> Numeric:
    """Vectors that a stage sends for a token where later layers attend to earlier outputs: ``min(a, l)``.

    ``layers_before`` have been run when the token leaves the stage. A plain residual stream is one vector. After 25
    layers, for layers that attend to one, to the last four, and to all before them:

    >>> [handed_on_outputs(layers_before=25, attended_layers=layers) for layers in (1, 4, 100)]
    [1, 4, 25]

    Source: Kimi Team 2026, "Attention Residuals" (arXiv 2603.15031), for layers that attend to all; lecture 0:54:40.
    """
    return minimum(attended_layers, layers_before)
