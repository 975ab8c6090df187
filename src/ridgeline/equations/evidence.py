r"""Likelihoods of prices given unknowns: logarithms of expected prices are normal, some of them capped.

.. math::

    p(\beta \mid L) \propto p(\beta)\left(\pi\, \phi_s\!\left(\ln L - \ln \frac{N_a b_w}{R \beta}\right) q^{k-1}
    + (1 - \pi)\, \frac{1}{\ln L_{max} / L_{min}}\right)

A step :math:`L` of a list is either this model's crossover, so that it lies near it, or a policy, so that it lies
anywhere; :math:`q` is the probability that another model of the vendor's has its crossover at the same step.

Sources: Bayes 1763; lecture 1:33-2:04 for the readings by hand (D1-D17).
"""

from ridgeline.equations import normal
from ridgeline.numeric import Numeric, exp, log, sqrt

__all__ = [
    "capped_mean",
    "capped_sum_density",
    "capped_variance",
    "chance_after",
    "crossover_step_log_density",
    "policy_step_log_density",
    "same_step_fraction",
]


def chance_after(*, chance: Numeric, likelihood: Numeric, other_likelihood: Numeric) -> Numeric:
    """Probability of one of two hypotheses after an observation, from its likelihood under each.

    Even odds before; a step that is seven times as likely under a policy as under a crossover leaves that an eighth:

    >>> chance_after(chance=0.5, likelihood=0.04, other_likelihood=0.28)
    0.125

    Source: Bayes 1763.
    """
    return chance * likelihood / (chance * likelihood + (1 - chance) * other_likelihood)


def crossover_step_log_density(*, step_tokens: Numeric, crossover_tokens: Numeric, log_sd: Numeric) -> Numeric:
    """Log density of a step that stands for a crossover, up to rounding and taste: normal in the logarithm.

    The lecture's step at its own crossover, and at that of a model of 70 kB per token, where it is not expected:

    >>> exp(crossover_step_log_density(step_tokens=200e3, crossover_tokens=200e3, log_sd=0.4))
    0.9974
    >>> exp(crossover_step_log_density(step_tokens=200e3, crossover_tokens=4.8e3, log_sd=0.4)) < 1e-15
    True

    Heuristic: sellers round to a number that sells, within a factor of about 1.5.
    """
    return normal.log_density(value=log(step_tokens), mean=log(crossover_tokens), sd=log_sd)


def policy_step_log_density(*, low_tokens: Numeric, high_tokens: Numeric) -> Numeric:
    """Log density of a step that is a policy: uniform in the logarithm between two ends.

    >>> exp(policy_step_log_density(low_tokens=32e3, high_tokens=1e6))
    0.2905

    Heuristic: nothing else is known beforehand about a policy.
    """
    return -log(log(high_tokens / low_tokens))


def same_step_fraction(*, step_ratio: Numeric, log_spread: Numeric) -> Numeric:
    """Probability that another model's crossover lies at the same step, of steps at a constant ratio: the middle cell.

    Models whose crossovers spread by a factor of seven, at steps 1.3 times apart:

    >>> same_step_fraction(step_ratio=1.3, log_spread=2.0)
    0.0523

    Derivation: probability of a normal variable to lie within half a step to either side.
    """
    return 1 - 2 * normal.tail(deviations=log(step_ratio) / 2 / log_spread)


def capped_sum_density(
    *, value: Numeric, mean: Numeric, sd: Numeric, capped_mean: Numeric, capped_sd: Numeric
) -> Numeric:
    """Density of a normal variable plus another that is cut at zero, ``X + min(Y, 0)``.

    Either the capped one is zero, or both add up, and the sum gives the probability that it was below zero. A logarithm
    of bytes stored and one of the part of them that is read, which is all of them in two of five draws:

    >>> capped_sum_density(value=0.0, mean=0.0, sd=1.0, capped_mean=0.0, capped_sd=1.0)
    0.3405
    >>> capped_sum_density(value=1.0, mean=0.0, sd=1.0, capped_mean=9.0, capped_sd=1.0)  # never below
    0.242

    Derivation: the sum of both cases; given the sum of two normal variables, each is normal.
    """
    whole = sqrt(sd * sd + capped_sd * capped_sd)
    given = capped_mean + capped_sd * capped_sd / (whole * whole) * (value - mean - capped_mean)
    is_cut = normal.tail(deviations=-capped_mean / capped_sd) * exp(normal.log_density(value=value, mean=mean, sd=sd))
    adds_up = exp(normal.log_density(value=value, mean=mean + capped_mean, sd=whole))
    return is_cut + adds_up * normal.tail(deviations=given / (sd * capped_sd / whole))


def capped_mean(*, mean: Numeric, sd: Numeric) -> Numeric:
    """Mean of a normal variable that is cut at zero, ``E min(Y, 0)``.

    >>> capped_mean(mean=0.0, sd=1.0), capped_mean(mean=-9.0, sd=1.0)
    (-0.39894, -9.0)

    Derivation: the density's first moment below zero.
    """
    density = exp(normal.log_density(value=0.0, mean=mean, sd=sd))
    return mean * normal.tail(deviations=mean / sd) - sd * sd * density


def capped_variance(*, mean: Numeric, sd: Numeric) -> Numeric:
    """Variance of a normal variable that is cut at zero, ``min(Y, 0)``.

    >>> capped_variance(mean=0.0, sd=1.0), capped_variance(mean=-9.0, sd=1.0)
    (0.3408, 1.0)

    Derivation: the density's second moment below zero, less the squared mean.
    """
    below = normal.tail(deviations=mean / sd)
    density = exp(normal.log_density(value=0.0, mean=mean, sd=sd))
    second = (mean * mean + sd * sd) * below - mean * sd * sd * density
    return second - capped_mean(mean=mean, sd=sd) ** 2
