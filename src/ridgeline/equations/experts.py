r"""Mixture of experts: how many experts a batch wakes, and how many groups of chips a token visits.

Every token visits :math:`k` of :math:`E` experts. When tokens choose independently and evenly, a batch of :math:`T`
touches

.. math::

    E \left(1 - (1 - k/E)^T\right)

of them, so a small batch does not read all weights; the lecture's "all parameters" is the limit of a large one.

Sources: lecture 32:00-40:00; the binomial and hypergeometric distributions.
"""

from ridgeline.numeric import Numeric, log, maximum, minimum, sqrt

__all__ = ["busiest", "experts_touched", "groups_visited"]


def experts_touched(*, experts: Numeric, active_experts: Numeric, tokens: Numeric) -> Numeric:
    """Distinct experts that ``tokens`` wake, each choosing ``active_experts`` of ``experts`` evenly.

    DeepSeek-V3's 256 experts at batch 1 and 256:

    >>> experts_touched(experts=256, active_experts=8, tokens=1)
    8.0
    >>> experts_touched(experts=256, active_experts=8, tokens=256)
    255.92

    Source: each expert is missed by a token with probability 1 - k/E.
    """
    return experts * (1 - (1 - active_experts / experts) ** tokens)


def groups_visited(*, experts: int, active_experts: int, groups: Numeric) -> Numeric:
    r"""Distinct groups that one token visits when ``experts`` lie evenly over ``groups``.

    Its ``active_experts`` are drawn without repetition, so a group of :math:`g = E/G` experts is missed with
    probability :math:`\prod_{i<k} (E - g - i)/(E - i)`.

    DeepSeek-V3 over 8 groups, and with one expert a group:

    >>> groups_visited(experts=256, active_experts=8, groups=8)
    5.30
    >>> groups_visited(experts=256, active_experts=8, groups=256)
    8.0

    Source: the hypergeometric distribution.
    """
    missed: Numeric = 1.0
    for drawn in range(active_experts):
        missed = missed * (1 - experts / groups / (experts - drawn))
    return groups * (1 - missed)


def busiest(*, mean: Numeric, variance: Numeric, groups: Numeric, most: Numeric) -> Numeric:
    r"""What the busiest of ``groups`` alike has to do, when each has ``mean`` of it by chance.

    The largest of :math:`G` draws lies near :math:`\mu + \sigma\sqrt{2 \ln G}`; it is at least one, since
    something is done somewhere, and at most ``most``. A step waits for it, not for the mean.

    512 visits a group on the mean, over 64 groups, by independent choices: the busiest has an eighth more.

    >>> busiest(mean=512, variance=512 * 63 / 64, groups=64, most=4096) / 512
    1.126

    Source: extreme values of normal variables; Cramer 1946, section 28.6.
    """
    return minimum(maximum(mean + sqrt(2 * variance * log(groups)), 1), most)
