"""What papers and READMEs say of pipeline schedules that are played here: bubbles and activations kept.

No prediction is made from these: a schedule without a closed form in ``ridgeline.training.pipeline`` is played, and
played schedules are held to what their authors say.

Sources: Qi et al. 2023 (arXiv 2401.10241) and 2024 (arXiv 2405.15362); deepseek-ai/DualPipe, README.
"""

from __future__ import annotations

__all__ = [
    "dualpipe_bubble_s",
    "dualpipe_peak_micro_batches",
    "loop_bubble_s",
    "v_half_bubble_s",
    "v_half_peak_micro_batches",
    "v_min_bubble_s",
    "v_min_peak_micro_batches",
    "zb_h1_peak_micro_batches",
    "zb_h2_peak_micro_batches",
    "zb_v_bubble_s",
]


def zb_v_bubble_s(*, stages: float, input_gradient_s: float, weight_gradient_s: float) -> float:
    """Bubble of ZB-V: none where all three parts take as long, else ``(p - 1) (B - W)``.

    From ``m = 2 p`` on, where the next step follows without waiting for all stages, and for ``W <= F <= B``.

    >>> zb_v_bubble_s(stages=8, input_gradient_s=1.1, weight_gradient_s=1)
    0.7

    Source: Qi et al. 2023 (arXiv 2401.10241), section 6, for none; the other as played.
    """
    return (stages - 1) * (input_gradient_s - weight_gradient_s)


def v_half_bubble_s(*, stages: float, work_s: float) -> float:
    """Bubble of V-Half, about: ``p / 2 (F + B + W)``.

    Where all three take as long, ``t`` each. As played, without the authors' reordering of its beginning and end, it is
    ``(7 p / 4 - 1) t``, or ``(7 p / 4 - 7 / 4) t`` for odd numbers of stages: up to 1/6 longer.

    >>> v_half_bubble_s(stages=8, work_s=3)
    12.0

    Source: Qi et al. 2024 (arXiv 2405.15362), table 1: a rate of about ``p / 2 m``.
    """
    return stages / 2 * work_s


def v_min_bubble_s(*, stages: float, work_s: float) -> float:
    """Bubble of V-Min, about: ``2 p / 3 (F + B + W)``.

    Where all three take as long, ``t`` each; where they do not it grows with the micro-batches. As played it is
    ``(2 p - 5 / 2) t``, or ``(2 p - 3 / 2) t`` for multiples of three stages.

    >>> v_min_bubble_s(stages=6, work_s=3)
    12.0

    Source: Qi et al. 2024 (arXiv 2405.15362), table 1: a rate of about ``2 p / 3 m``.
    """
    return 2 * stages / 3 * work_s


def dualpipe_bubble_s(*, stages: float, pair_s: float, backward_s: float, weight_gradient_s: float) -> float:
    """Bubble of DualPipe: ``(p / 2 - 1) (F&B + B - 3 W)``, for a forward and a backward pass that run as one.

    ``backward_s`` has both gradients. Exact where forward passes and input gradients take as long, and weight gradients
    no longer; else it is off by at most ``(p / 2 - 1)`` times the difference of the former.

    >>> dualpipe_bubble_s(stages=8, pair_s=3, backward_s=2, weight_gradient_s=1)
    6.0

    Source: deepseek-ai/DualPipe, README.
    """
    return (stages / 2 - 1) * (pair_s + backward_s - 3 * weight_gradient_s)


def loop_bubble_s(*, stages: float, micro_batches: float, rounds: float, forward_s: float) -> float:
    """Time that each stage of an inference loop waits in some rounds: ``(p - m) F`` between two, and no less than 0.

    >>> loop_bubble_s(stages=4, micro_batches=1, rounds=9, forward_s=1)
    24

    Derivation: a micro-batch comes round in ``p F``, in which a stage has ``m`` of them.
    """
    return max(stages - micro_batches, 0) * (rounds - 1) * forward_s


def zb_h1_peak_micro_batches(*, stages: float, micro_batches: float) -> float:
    """Micro-batches that every stage of ZB-H1 keeps at its peak, and of ZB-V: ``min(m, p)``.

    >>> zb_h1_peak_micro_batches(stages=8, micro_batches=32)
    8

    Source: Qi et al. 2023 (arXiv 2401.10241), table 2 and section 6.
    """
    return min(micro_batches, stages)


def zb_h2_peak_micro_batches(*, stages: float, micro_batches: float) -> float:
    """Micro-batches that every stage of ZB-H2 keeps at its peak: ``min(m, 2 p - 1)``.

    >>> zb_h2_peak_micro_batches(stages=8, micro_batches=32)
    15

    Source: Qi et al. 2023 (arXiv 2401.10241), table 2.
    """
    return min(micro_batches, 2 * stages - 1)


def v_half_peak_micro_batches(*, stages: float, micro_batches: float) -> float:
    """Micro-batches that a stage of V-Half keeps at its peak, at most: ``min(m, floor((p + 2) / 2))``.

    >>> v_half_peak_micro_batches(stages=8, micro_batches=32)
    5

    Source: Qi et al. 2024 (arXiv 2405.15362), table 1.
    """
    return min(micro_batches, (stages + 2) // 2)


def v_min_peak_micro_batches(*, stages: float, micro_batches: float) -> float:
    """Micro-batches that a stage of V-Min keeps at its peak, at most: ``min(m, floor((p + 4) / 3))``.

    >>> v_min_peak_micro_batches(stages=8, micro_batches=32)
    4

    Source: Qi et al. 2024 (arXiv 2405.15362), table 1.
    """
    return min(micro_batches, (stages + 4) // 3)


def dualpipe_peak_micro_batches(*, stages: float) -> float:
    """Micro-batches that every stage of DualPipe keeps at its peak: ``p + 1``.

    Of both directions, each through half of what the stage holds.

    >>> dualpipe_peak_micro_batches(stages=8)
    9

    Source: deepseek-ai/DualPipe, README.
    """
    return stages + 1
