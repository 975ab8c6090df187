"""Published closed forms to which what is found by search or by sums here is held; no prediction is made from them."""

from __future__ import annotations

from ridgeline.equations.reliability import young_interval_s
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM
from ridgeline.numeric import Numeric, sqrt, where

__all__ = ["compute_optimal_params", "daly_interval_s"]


def daly_interval_s(*, checkpoint_s: Numeric, mtbf_s: Numeric) -> Numeric:
    r"""Work between checkpoints that loses least, to a higher order than Young's.

    :math:`\sqrt{2 \delta M} (1 + \frac13 \sqrt{x} + \frac19 x) - \delta`.

    With :math:`x = \delta / 2M`; valid below ``x = 1``, and ``M`` beyond. Restarts do not move it.

    >>> daly_interval_s(checkpoint_s=5, mtbf_s=24 * 60), daly_interval_s(checkpoint_s=5, mtbf_s=15)
    (116.7, 9.1)

    Source: Daly 2006.
    """
    x = checkpoint_s / (2 * mtbf_s)
    near = young_interval_s(checkpoint_s=checkpoint_s, mtbf_s=mtbf_s) * (1 + sqrt(x) / 3 + x / 9) - checkpoint_s
    return where(x < 1, near, mtbf_s)


def compute_optimal_params(*, training_flop: Numeric, law: ScalingLaw) -> Numeric:
    r"""Parameters of least loss for a training budget :math:`C = 6ND`, in closed form.

    :math:`N = G (C/6)^{\beta / (\alpha + \beta)}` with :math:`G = (\alpha A / \beta B)^{1 / (\alpha + \beta)}`.
    Gopher's budget, on which Chinchilla has 70 billion:

    >>> law = ScalingLaw(1.8172, 482.01, 0.3478, 2085.43, 0.3658)
    >>> compute_optimal_params(training_flop=5.76e23, law=law)
    73e9

    Source: Hoffmann et al. 2022, equation 4.
    """
    both = law.params_power + law.tokens_power
    ratio = law.params_power * law.params_factor / (law.tokens_power * law.tokens_factor)
    params: Numeric = ratio ** (1 / both) * (training_flop / TRAINING_FLOP_PER_PARAM) ** (law.tokens_power / both)
    return params
