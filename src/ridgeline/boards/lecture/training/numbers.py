"""Numbers of the chapter: traffic, how long a model lives, and what a token of each kind takes."""

from __future__ import annotations

from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture.numbers import MONTH_S
from ridgeline.seconds import JULIAN_YEAR_S

__all__ = [
    "CALENDAR_MONTH_S",
    "DEPLOYED_FRACTION",
    "LIFETIME_MONTHS",
    "LIFETIME_S",
    "MODEL_TRAFFIC_FRACTION",
    "RELATIVE_EFFICIENCY",
    "RL_BUDGET_FRACTION",
    "RL_FLOP_PER_PARAM",
    "SERVED_TOKENS",
    "TRAFFIC_TOKENS_PER_S",
    "TRAINED_TOKENS",
]

TRAFFIC_TOKENS_PER_S = said(
    500e6, "1:30:15", hedge="a few hundred million, maybe five hundred", between=(200e6, 500e6), name="tokens_per_s"
)
"""Tokens a second of all of a provider's models."""

LIFETIME_MONTHS = 2
LIFETIME_S = said(LIFETIME_MONTHS * MONTH_S.value, "1:30:30", name="lifetime_s")
"""Time until a model is obsolete: two months."""

CALENDAR_MONTH_S = JULIAN_YEAR_S / 12

MODEL_TRAFFIC_FRACTION = said(
    1 / 10, "1:30:50", hedge="5 or 10 times smaller, or something like that", between=(1 / 10, 1 / 5)
)
"""Fraction of the traffic for one model of a family."""

SERVED_TOKENS = said(200e12, "1:31:00", hedge="around; big error bars", name="served_tokens", claim="C8")
"""Tokens that one model serves in its life."""

TRAINED_TOKENS = implied(200e12, "1:31:56", hedge="about as many as are served", claim="C8")
"""Tokens in pre-training, where its cost is that of serving."""

RELATIVE_EFFICIENCY = implied(
    1 / 3, "1:27:15", hedge="30 %, maybe too generous", name="relative_efficiency_fraction", claim="C14"
)
"""Efficiency of decoding over training's: it makes his second factor one."""

RL_FLOP_PER_PARAM = implied(
    3.0, "1:27:15", hedge="somewhere in the range of two to six", between=(2.0, 6.0), name="rl_flop_per_param"
)
"""FLOP a parameter and token of RL: it makes his first factor one and a half."""

DEPLOYED_FRACTION = filled_in(1.0, why="he says that there is a chance, and gives none")
"""Probability that a model is deployed: he says that there is some, and gives none."""

RL_BUDGET_FRACTION = 0.1
"""Cost of RL over pre-training's: DeepSeek-V3.2's post-training takes more than that (arXiv 2512.02556, section 1)."""
