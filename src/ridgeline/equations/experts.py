r"""Mixture of experts: experts that a batch touches, and groups of chips that a token visits.

Every token visits :math:`k` of :math:`E` experts. When tokens choose independently and evenly, a batch of :math:`T`
touches

.. math::

    E \left(1 - (1 - k/E)^T\right)

of them, so a small batch does not read all weights; the lecture's "all parameters" is the limit of a large one.

Sources: lecture 32:00-40:00; the binomial and hypergeometric distributions.
"""

from collections.abc import Sequence

from ridgeline.numeric import NEXT_TO_NOTHING, Numeric, maximum, minimum, sqrt

__all__ = [
    "busiest",
    "busiest_unevenly",
    "copied_chip_load",
    "drawn_fraction",
    "experts_of_a_token",
    "experts_touched",
    "groups_visited",
    "largest_score",
    "read_fraction",
    "slots_per_chip",
    "touched_unevenly",
    "undrawn_fraction",
]


def experts_touched(*, experts: Numeric, active_experts: Numeric, tokens: Numeric) -> Numeric:
    """Distinct experts that ``tokens`` touch, each choosing ``active_experts`` of ``experts`` evenly.

    DeepSeek-V3's 256 experts at batch 1 and 256:

    >>> experts_touched(experts=256, active_experts=8, tokens=1)
    8.0
    >>> experts_touched(experts=256, active_experts=8, tokens=256)
    255.92

    Derivation: each expert is missed by a token with probability 1 - k/E.
    """
    return experts * (1 - (1 - active_experts / experts) ** tokens)


def read_fraction(*, expert_share: Numeric, expansion: Numeric, tokens: Numeric) -> Numeric:
    """Part of a model's parameters that a step of ``tokens`` reads: all but the experts that no token touches.

    One token reads its active parameters, one of ``expansion``; the rest are experts, any of which another token may
    touch. DeepSeek-V3 is to 97.7 % routed experts; one of its 18 parameters is active for a token, and a hundred
    sequences read nearly all. Without untouched experts, every step reads all.

    >>> read_fraction(expert_share=0.977, expansion=18, tokens=1)
    0.0556
    >>> read_fraction(expert_share=0.977, expansion=18, tokens=100)
    0.967
    >>> read_fraction(expert_share=0, expansion=18, tokens=1)
    1.0

    Derivation: each expert is missed by a token with the same probability.
    """
    missed = minimum((1 - 1 / expansion) / maximum(expert_share, NEXT_TO_NOTHING), 1.0)
    return 1 - expert_share * missed**tokens


def experts_of_a_token(*, experts: Numeric, expert_share: Numeric, expansion: Numeric) -> Numeric:
    """Experts that a token reads, where all parameters that it leaves unread lie in experts; one at least.

    Where a model has nothing but experts, 8 times as many parameters as a token reads are 32 of 256; with attention and
    all else that each token reads, DeepSeek-V3's 18.3 times are 8 of 256:

    >>> experts_of_a_token(experts=256, expert_share=1, expansion=8)
    32.0
    >>> experts_of_a_token(experts=256, expert_share=0.97584, expansion=18.296)
    8.00

    All else that each token reads may be more than is left of so large a ratio; a router still chooses an expert:

    >>> experts_of_a_token(experts=256, expert_share=0.97584, expansion=66.5)
    1.0

    Derivation: of all parameters a token leaves 1 - 1/expansion unread, and that part of all experts' own share.
    """
    return maximum(experts * (1 - (1 - 1 / expansion) / expert_share), 1.0)


def undrawn_fraction(*, things: Numeric, marked: Numeric, draws: int) -> Numeric:
    r"""Probability that a number of draws without replacement from ``things`` hit none of those marked.

    It is :math:`\prod_{i<k} (n - m - i)/(n - i)`, zero where too few are left. A token's 8 of 256 experts, 32 of them
    in a group:

    >>> undrawn_fraction(things=256, marked=32, draws=8)
    0.338

    Derivation: each draw in turn, from what is left.
    """
    chance: Numeric = 1.0
    for drawn in range(draws):
        chance = chance * maximum(things - marked - drawn, 0.0) / (things - drawn)
    return chance


def drawn_fraction(*, things: Numeric, marked: Numeric, draws: int, hits: int) -> Numeric:
    r"""Probability that a number of draws without replacement hit exactly ``hits`` of those marked: hypergeometric.

    There are :math:`\binom{k}{j}` orders, each of them as likely as all hits first. One of two chosen nodes among the
    two of eight that lie in a rack:

    >>> drawn_fraction(things=8, marked=2, draws=2, hits=1)
    0.429

    Source: the hypergeometric distribution.
    """
    chance: Numeric = 1.0
    for hit in range(hits):
        orders = (draws - hit) / (hit + 1)
        chance = chance * orders * maximum(marked - hit, 0.0) / (things - hit)
    return chance * undrawn_fraction(things=things - hits, marked=marked - hits, draws=draws - hits)


def groups_visited(
    *, experts: int, active_experts: int, groups: Numeric, routing_groups: int = 1, routed_groups: int = 1
) -> Numeric:
    r"""Distinct groups of chips that one token visits when ``experts`` lie evenly over ``groups``.

    A token's ``active_experts`` are drawn without replacement from :math:`t` of :math:`R` routing groups of :math:`e`
    experts, themselves drawn evenly. A group of chips that holds :math:`h = R/G` routing groups has :math:`j` of the
    chosen ones with the hypergeometric probability, and is then missed with :math:`\prod_{i<k} (te - je - i)/(te - i)`;
    one that holds a part of a routing group has that part of its experts. It is exact where one of :math:`R` and
    :math:`G` divides the other; otherwise, where groups of chips straddle routing groups, up to 12 % low.

    DeepSeek-V3 over 8 groups, with one expert a group, and over 8 nodes when its tokens keep to 4 of them:

    >>> groups_visited(experts=256, active_experts=8, groups=8)
    5.30
    >>> groups_visited(experts=256, active_experts=8, groups=256)
    8.0
    >>> groups_visited(experts=256, active_experts=8, groups=8, routing_groups=8, routed_groups=4)
    3.63

    Source: the hypergeometric distribution; DeepSeek-V3 technical report (arXiv 2412.19437), section 2.1.2, for the
    routing limited to nodes.
    """
    drawn_from = routed_groups * experts / routing_groups
    held = maximum(routing_groups / groups, 1.0)  # routing groups of a group of chips
    part = minimum(experts / groups, experts / routing_groups)  # experts that it holds of each of them
    missed: Numeric = 0.0
    for chosen in range(routed_groups + 1):
        chance = drawn_fraction(things=routing_groups, marked=held, draws=routed_groups, hits=chosen)
        missed = missed + chance * undrawn_fraction(things=drawn_from, marked=chosen * part, draws=active_experts)
    return groups * (1 - missed)


def largest_score(*, draws: Numeric) -> Numeric:
    r"""Mean of the largest of a number of draws from a normal distribution, in standard deviations.

    It is Blom's plotting position, :math:`p = (n - 3/8)/(n + 1/4)`, through Tukey's approximation of the normal
    quantile, :math:`4.91\,(p^{0.14} - (1-p)^{0.14})`. Zero for one draw; the exact means for 8 and 64 are 1.424 and
    2.370.

    >>> largest_score(draws=1), largest_score(draws=8), largest_score(draws=64)
    (0.0, 1.43, 2.34)

    Source: Blom 1958, "Statistical estimates and transformed beta-variables"; Tukey 1960.
    """
    place = (draws - 0.375) / (draws + 0.25)
    return 4.91 * (place**0.14 - (1 - place) ** 0.14)


def busiest(*, mean: Numeric, variance: Numeric, groups: Numeric, most: Numeric) -> Numeric:
    """Load of the busiest of ``groups`` equal ones, each with ``mean`` of it at random.

    It is at least one, since there is some load, and at most ``most``. A step waits for it, not for the mean.

    A mean of 512 visits per group, over 64 groups, by independent choices: the busiest has a tenth more.

    >>> busiest(mean=512, variance=512 * 63 / 64, groups=64, most=4096) / 512
    1.102

    Heuristic: visits of groups as independent normal variables; the mean of the largest of them.
    """
    return minimum(maximum(mean + sqrt(variance) * largest_score(draws=groups), 1), most)


def busiest_unevenly(
    *, tokens: Numeric, mean: Numeric, spread: Numeric, heaviest: Numeric, groups: Numeric, most: Numeric
) -> Numeric:
    r"""Visits to the busiest of ``groups`` when some experts have more load than others.

    The visits that a token pays to a group have a variance over groups, :math:`s^2`, common to all tokens: a group's
    visits vary by :math:`T k/G (1 - 1/G) + T^2 s^2`. The most loaded group has at least :math:`T h`, which with few
    experts per group exceeds the normal value; the larger of both is taken.

    512 tokens of 8 visits over 32 groups of 8 experts whose load falls with rank to the power -0.5, randomly placed,
    against 251 in draws; and without a skew, the result of ``busiest``:

    >>> busiest_unevenly(tokens=512, mean=128, spread=0.00563, heaviest=0.474, groups=32, most=4096)
    242.7
    >>> busiest_unevenly(tokens=512, mean=128, spread=0, heaviest=0.25, groups=32, most=4096)
    151.0

    Derivation: the law of total variance. Heuristic: as in ``busiest``; compared with drawn loads it is off by at most
    8 % where a group has a mean of 8 visits or more, and as low as ``busiest`` with fewer
    (``tests/estimator/test_expert_load.py``).
    """
    variance = mean * (1 - 1 / groups) + tokens**2 * spread
    by_chance = busiest(mean=mean, variance=variance, groups=groups, most=most)
    return maximum(by_chance, minimum(tokens * heaviest, most))


def touched_unevenly(*, places: Sequence[float], tokens: Numeric, groups: Numeric) -> tuple[Numeric, Numeric]:
    r"""Mean and variance of the distinct experts that tokens touch in a group, each with its own probability.

    The mean is :math:`\sum_e t_e / G` with :math:`t_e = 1 - (1 - v_e)^T`. Over randomly drawn groups, the variance is
    that of the draw of tokens, :math:`\sum_e t_e (1 - t_e) / G`, plus that of the draw of experts.

    >>> touched_unevenly(places=(0.9, 0.6, 0.3, 0.2), tokens=4, groups=2)
    (1.662, 0.262)

    Derivation: each expert is missed by a token with probability 1 - v; the variance of a sample without replacement.
    """
    woken = [1 - (1 - chance) ** tokens for chance in places]
    count, total = len(places), sum(woken[1:], woken[0])
    squares = sum((one * one for one in woken[1:]), woken[0] * woken[0])
    held, between = count / groups, squares / count - (total / count) ** 2
    return total / groups, (total - squares) / groups + held * between * (count - held) / maximum(count - 1, 1)


def slots_per_chip(*, experts: Numeric, redundant_experts: Numeric, chips: Numeric) -> Numeric:
    """Experts of a layer that each chip holds, with redundant ones: ``(E + r) / n``.

    The lecture's 256 over 64 of a rack's 72 chips; with 32 copies all 72 are used.

    >>> slots_per_chip(experts=256, redundant_experts=0, chips=64), slots_per_chip(
    ...     experts=256, redundant_experts=32, chips=72
    ... )
    (4.0, 4.0)

    Source: lecture 34:00 (B1); DeepSeek open-infra-index, day 6, for the 32.
    """
    return (experts + redundant_experts) / chips


def copied_chip_load(*, load_over_mean: Numeric, copies: Numeric, slots_per_chip: Numeric) -> Numeric:
    """Load of the chip that holds a busy expert, over the mean: ``(h / c + s - 1) / s``.

    The expert has ``load_over_mean`` times an expert's mean load, split evenly over its ``copies``; its neighbours have
    the mean. One with five times the mean, alone and in two copies:

    >>> copied_chip_load(load_over_mean=5, copies=1, slots_per_chip=4)
    2.0
    >>> copied_chip_load(load_over_mean=5, copies=2, slots_per_chip=4)
    1.375

    Derivation: the loads of a chip's experts, added up.
    """
    return (load_over_mean / copies + slots_per_chip - 1) / slots_per_chip
