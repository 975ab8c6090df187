r"""Mixture of experts: how many experts a batch wakes, and how many groups of chips a token visits.

Every token visits :math:`k` of :math:`E` experts. When tokens choose independently and evenly, a batch of :math:`T`
touches

.. math::

    E \left(1 - (1 - k/E)^T\right)

of them, so a small batch does not read all weights; the lecture's "all parameters" is the limit of a large one.

Sources: lecture 32:00-40:00; the binomial and hypergeometric distributions.
"""

from ridgeline.numeric import Numeric, maximum, minimum, sqrt

__all__ = ["busiest", "experts_touched", "groups_visited", "largest_score"]


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


def largest_score(*, draws: Numeric) -> Numeric:
    r"""Where the largest of so many draws from a normal distribution lies on the mean, in standard deviations.

    Blom's plotting position, :math:`p = (n - 3/8)/(n + 1/4)`, through Tukey's approximation of the normal quantile,
    :math:`4.91\,(p^{0.14} - (1-p)^{0.14})`. Zero for one draw; the exact means for 8 and 64 are 1.424 and 2.370.

    >>> largest_score(draws=1), largest_score(draws=8), largest_score(draws=64)
    (0.0, 1.43, 2.34)

    Source: Blom 1958, "Statistical estimates and transformed beta-variables"; Tukey 1960.
    """
    place = (draws - 0.375) / (draws + 0.25)
    return 4.91 * (place**0.14 - (1 - place) ** 0.14)


def busiest(*, mean: Numeric, variance: Numeric, groups: Numeric, most: Numeric) -> Numeric:
    """What the busiest of ``groups`` alike has to do, when each has ``mean`` of it by chance.

    At least one, since something is done somewhere, and at most ``most``. A step waits for it, not for the mean.

    512 visits a group on the mean, over 64 groups, by independent choices: the busiest has a tenth more.

    >>> busiest(mean=512, variance=512 * 63 / 64, groups=64, most=4096) / 512
    1.102

    Source: the largest of so many normal variables.
    """
    return minimum(maximum(mean + sqrt(variance) * largest_score(draws=groups), 1), most)
