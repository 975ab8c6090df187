"""Claims on training, reinforcement learning and what is served: section C, 1:19-1:33 of the lecture."""

from __future__ import annotations

from ridgeline.boards.claim import Claim, Verdict, old_claim
from ridgeline.boards.old_numbers import ACTIVE_PARAMS, MONTH_S
from ridgeline.catalog import load_model
from ridgeline.equations import pricing, scaling, training
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.estimator.parameters import active_params, flop_per_pair

__all__ = [
    "CLAIMS",
    "LAW",
    "LIFETIME_MONTHS",
    "MODEL_TRAFFIC_FRACTION",
    "RELATIVE_EFFICIENCY",
    "RL_BUDGET_FRACTION",
    "RL_FLOP_PER_PARAM",
    "SERVED_TOKENS",
    "handled_tokens",
    "rl_tokens_for",
]

SERVED_TOKENS = 200e12
RELATIVE_EFFICIENCY = 1 / 3
TRAFFIC_TOKENS_PER_S = 500e6
LIFETIME_MONTHS = 2.0
MODEL_TRAFFIC_FRACTION = 1 / 10
RL_FLOP_PER_PARAM = 3.0
RL_BUDGET_FRACTION = 0.1
"""Of pre-training's cost: DeepSeek-V3.2's post-training takes more than that (arXiv 2512.02556, section 1)."""

CALENDAR_MONTH_S = 365.25 / 12 * 86400
BOARD = {
    "active_params": ACTIVE_PARAMS,
    "served_tokens": SERVED_TOKENS,
    "relative_efficiency_fraction": RELATIVE_EFFICIENCY,
}
LAW = scaling.BESIROGLU
CHINCHILLA = scaling.HOFFMANN


def _with_attention(flop_per_param: float, mean_context_tokens: float) -> float:
    """FLOP a parameter and a token of Llama-3.1-405B, attention included."""
    model = load_model("llama-3.1-405b")
    parity = float(
        pricing.attention_parity_tokens(active_params=active_params(model), flop_per_pair=flop_per_pair(model))
    )
    return flop_per_param * (1 + mean_context_tokens / parity)


def _matching(tokens: float, flop_per_param: float, relative_efficiency_fraction: float) -> float:
    return float(
        training.matching_pretraining_tokens(
            tokens=tokens,
            flop_per_param=flop_per_param,
            relative_efficiency_fraction=relative_efficiency_fraction,
        )
    )


def handled_tokens(months: float, month_s: float, traffic_fraction: float) -> float:
    """Tokens of a model that lives so many months of a length, with its part of the board's traffic."""
    return float(
        training.served_tokens(
            tokens_per_s=TRAFFIC_TOKENS_PER_S, lifetime_s=months * month_s, traffic_fraction=traffic_fraction
        )
    )


def rl_tokens_for(
    *, budget_fraction: float, tokens: float, flop_per_param: float, relative_efficiency_fraction: float
) -> float:
    """Tokens of reinforcement learning that cost so large a part of pre-training on ``tokens``."""
    return budget_fraction * tokens / _matching(1, flop_per_param, relative_efficiency_fraction)


def _best_tokens(law: ScalingLaw, served: float = SERVED_TOKENS) -> float:
    """Training tokens of the cheapest model as good as the board's, with serving paid for."""
    loss = scaling.model_loss(params=ACTIVE_PARAMS, tokens=SERVED_TOKENS, law=law)
    weighted = served / RELATIVE_EFFICIENCY
    return float(scaling.optimal_tokens_when_served(loss=loss, weighted_served_tokens=weighted, law=law))


def _over_training(law: ScalingLaw) -> float:
    best = scaling.optimal_tokens(params=ACTIVE_PARAMS, law=law)
    return float(scaling.over_training(tokens=SERVED_TOKENS, compute_optimal_tokens=best))


CLAIMS: tuple[Claim, ...] = (
    old_claim(
        id="C0",
        time_stamp="",
        chapter="training",
        claim="Side numbers: sizes of unreleased models, spending, depth, months of work.",
        lecture=None,
        inputs={},
        equation="",
        lecture_mode=None,
        careful=None,
        verdict=Verdict.NOT_DERIVABLE,
        why="Said in passing, some as rumour; no equation gives them.",
    ),
    old_claim(
        id="C1",
        time_stamp="1:20:00",
        chapter="training",
        claim="A falling and a rising cost add up to the least where they are equal: rising over falling.",
        lecture=1.0,
        inputs={"rising_power": 1.0, "falling_power": 1.0, "careful": "loss terms of Besiroglu et al. at fixed 6ND"},
        equation="training.balanced_cost_ratio",
        lecture_mode=lambda: float(training.balanced_cost_ratio(rising_power=1, falling_power=1)),
        careful=lambda: float(
            training.balanced_cost_ratio(rising_power=LAW.tokens_power, falling_power=LAW.params_power)
        ),
        verdict=Verdict.DEPENDS,
        why="Equal only where both have one power; else their ratio is that of the powers, alike in fits of loss.",
    ),
    old_claim(
        id="C2",
        time_stamp="1:22:00",
        chapter="training",
        claim="Training takes 6 FLOP for each active parameter and token.",
        lecture=6.0,
        unit="FLOP",
        inputs={"active_params": 1.0, "tokens": 1.0, "careful": "llama-3.1-405b, 8,192 tokens, half seen on the mean"},
        equation="training.token_flop",
        lecture_mode=lambda: float(
            training.token_flop(flop_per_param=training.TRAINING_FLOP_PER_PARAM, active_params=1, tokens=1)
        ),
        careful=lambda: _with_attention(training.TRAINING_FLOP_PER_PARAM, 8192 / 2),
        verdict=Verdict.REPRODUCES,
        why="Two forward and four backward; attention over 8,192 tokens adds a twentieth to a large dense model.",
    ),
    old_claim(
        id="C3",
        time_stamp="1:23:00",
        chapter="training",
        claim="Reinforcement learning takes 2 to 6 FLOP for each parameter and token written: all trained on.",
        lecture=6.0,
        unit="FLOP",
        inputs={"trained_fraction": 1.0, "careful": "the trainer repeats the forward pass"},
        equation="training.rl_flop_per_param",
        lecture_mode=lambda: float(training.rl_flop_per_param(trained_fraction=1)),
        careful=lambda: float(training.rl_flop_per_param(trained_fraction=1, repeated_forward_fraction=1)),
        verdict=Verdict.REPRODUCES,
        why="2 where nothing is trained on, to 6; a trainer that cannot use the sampler's activations pays 8."
        " Inefficiency comes on top.",
    ),
    old_claim(
        id="C4",
        time_stamp="1:24:00",
        chapter="training",
        claim="Serving takes 2 FLOP for each active parameter and token.",
        lecture=2.0,
        unit="FLOP",
        inputs={"active_params": 1.0, "tokens": 1.0, "careful": "llama-3.1-405b after 100,000 tokens"},
        equation="training.token_flop",
        lecture_mode=lambda: float(training.token_flop(flop_per_param=FLOP_PER_PARAM, active_params=1, tokens=1)),
        careful=lambda: _with_attention(FLOP_PER_PARAM, 100e3),
        verdict=Verdict.REPRODUCES,
        why="One multiply and add; after 100,000 tokens attention doubles it for a large dense model.",
    ),
    old_claim(
        id="C5",
        time_stamp="1:25:00",
        chapter="training",
        claim="With equal budgets, pre-training reads 1.5 tokens for each token of reinforcement learning.",
        lecture=1.5,
        inputs={
            "flop_per_param": RL_FLOP_PER_PARAM,
            "relative_efficiency_fraction": RELATIVE_EFFICIENCY,
            "careful": "6 FLOP, at the 0.3 of the efficiency that was said first",
        },
        equation="training.matching_pretraining_tokens",
        lecture_mode=lambda: _matching(1, RL_FLOP_PER_PARAM, RELATIVE_EFFICIENCY),
        careful=lambda: _matching(1, float(training.rl_flop_per_param(trained_fraction=1)), 0.3),
        verdict=Verdict.REPRODUCES,
        why="Active parameters cancel; from nothing to all trained on, at 0.3 of the efficiency, it is 1.1 to 3.3.",
        tolerance=1e-9,
    ),
    old_claim(
        id="C6",
        time_stamp="1:26:00",
        chapter="training",
        claim="Were training as a whole to equal serving, pre-training's share would be off by a small factor.",
        lecture=0.25,
        inputs={"groups": 2.0, "members": 2.0},
        equation="training.equal_share",
        lecture_mode=lambda: float(training.equal_share(groups=2, members=2)),
        careful=None,
        verdict=Verdict.REPRODUCES,
        why="A quarter in place of a third: no share moves by more than half of itself, a small factor as he says.",
    ),
    old_claim(
        id="C7",
        time_stamp="1:30:00",
        chapter="training",
        claim="A provider handles 2.6e15 tokens in two months at 500 million a second.",
        lecture=2.6e15,
        unit="tokens",
        inputs={"tokens_per_s": TRAFFIC_TOKENS_PER_S, "months": LIFETIME_MONTHS, "careful": "months of the calendar"},
        equation="training.served_tokens",
        lecture_mode=lambda: handled_tokens(LIFETIME_MONTHS, MONTH_S, 1),
        careful=lambda: handled_tokens(LIFETIME_MONTHS, CALENDAR_MONTH_S, 1),
        verdict=Verdict.REPRODUCES,
        why="Two digits of 2.59e15; such totals count input tokens and small models too.",
        tolerance=0.01,  # two digits
    ),
    old_claim(
        id="C8",
        time_stamp="1:31:00",
        chapter="training",
        claim="One model handles about 200 trillion tokens, with a tenth of the traffic.",
        lecture=200e12,
        unit="tokens",
        inputs={
            "tokens_per_s": TRAFFIC_TOKENS_PER_S,
            "months": LIFETIME_MONTHS,
            "traffic_fraction": MODEL_TRAFFIC_FRACTION,
            "careful": "a fifth of the traffic, the other end of what he says, over months of the calendar",
        },
        equation="training.served_tokens",
        lecture_mode=lambda: handled_tokens(LIFETIME_MONTHS, MONTH_S, MODEL_TRAFFIC_FRACTION),
        careful=lambda: handled_tokens(LIFETIME_MONTHS, CALENDAR_MONTH_S, 1 / 5),
        verdict=Verdict.ROUNDED,
        why="259 trillion by his own factors, rounded down by a quarter; with a fifth of the traffic twice that.",
        tolerance=0.3,
    ),
    old_claim(
        id="C9",
        time_stamp="1:31:00",
        chapter="training",
        claim="A frontier model is trained on 150 trillion tokens, by rumour.",
        lecture=150e12,
        unit="tokens",
        inputs={},
        equation="",
        lecture_mode=None,
        careful=None,
        verdict=Verdict.NOT_DERIVABLE,
        why="A rumour, and said to be one.",
    ),
    old_claim(
        id="C10",
        time_stamp="1:31:56",
        chapter="training",
        claim="A model of 100 billion active parameters is trained on 100 times Chinchilla's tokens.",
        lecture=100.0,
        inputs={**BOARD, "tokens_per_param": scaling.CHINCHILLA_TOKENS_PER_PARAM, "careful": "Besiroglu et al. 2024"},
        equation="scaling.over_training",
        lecture_mode=lambda: float(
            scaling.over_training(
                tokens=SERVED_TOKENS, compute_optimal_tokens=scaling.chinchilla_tokens(active_params=ACTIVE_PARAMS)
            )
        ),
        careful=lambda: _over_training(LAW),
        verdict=Verdict.DEPENDS,
        why="By 20 tokens a parameter, which the replicated fit bears out; the paper's own fit, as printed, gives 17.",
        tolerance=1e-9,
    ),
    old_claim(
        id="C11",
        time_stamp="1:25:00",
        chapter="training",
        claim="Where 200 trillion tokens are served, training on as many costs least in all, in tokens.",
        lecture=SERVED_TOKENS,
        unit="tokens",
        inputs={**BOARD, "law": "Hoffmann et al. 2022, as printed", "careful": "Besiroglu et al. 2024"},
        equation="scaling.optimal_tokens_when_served",
        lecture_mode=lambda: _best_tokens(CHINCHILLA),
        careful=lambda: _best_tokens(LAW),
        verdict=Verdict.DEPENDS,
        why="On the fit: equal parts are near the optimum of the printed one; the better one wants a larger model, and"
        " 0.27 of the money for training.",
        tolerance=0.1,
    ),
    old_claim(
        id="C12",
        time_stamp="1:29:27",
        chapter="training",
        claim="A model handles as many tokens as it was trained on: served over trained.",
        lecture=1.0,
        inputs={**BOARD, "careful": "at the optimum by Besiroglu et al. 2024"},
        equation="training.matching_pretraining_tokens",
        lecture_mode=lambda: 1 / _matching(1, FLOP_PER_PARAM, RELATIVE_EFFICIENCY),
        careful=lambda: SERVED_TOKENS / _best_tokens(LAW),
        verdict=Verdict.DEPENDS,
        why="Holds for equal budgets at a third of the efficiency, and counts tokens read along with those written.",
        tolerance=1e-9,
    ),
    old_claim(
        id="C13",
        time_stamp="1:30:00",
        chapter="training",
        claim="A model with half a chance to be served is worth half the pre-training tokens.",
        lecture=None,
        inputs={**BOARD, "traffic_fraction": 0.5, "careful": "cheapest model as good, by Besiroglu et al. 2024"},
        equation="training.served_tokens",
        lecture_mode=lambda: (
            handled_tokens(LIFETIME_MONTHS, MONTH_S, 0.5) / handled_tokens(LIFETIME_MONTHS, MONTH_S, 1)
        ),
        careful=lambda: _best_tokens(LAW, SERVED_TOKENS / 2) / _best_tokens(LAW),
        verdict=Verdict.REPRODUCES,
        why="In proportion where budgets are equal; as an optimum at the same quality, a smaller chance makes the model"
        " larger and its tokens fewer by less than half.",
    ),
)
