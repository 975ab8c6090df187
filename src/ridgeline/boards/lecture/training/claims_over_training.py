"""Claims on how many tokens a model serves and is trained on, over Chinchilla's: 1:28 to 1:33."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS
from ridgeline.boards.lecture.training.laws import (
    BESIROGLU,
    EQUAL_BUDGETS,
    HOFFMANN,
    UNROUNDED,
    Fit,
    Rule,
    as_good,
    cheapest,
)
from ridgeline.boards.lecture.training.numbers import (
    CALENDAR_MONTH_S,
    LIFETIME_MONTHS,
    LIFETIME_S,
    MODEL_TRAFFIC_FRACTION,
    RELATIVE_EFFICIENCY,
    SERVED_TOKENS,
    TRAFFIC_TOKENS_PER_S,
    TRAINED_TOKENS,
)
from ridgeline.catalog import load_model
from ridgeline.equations import scaling, training
from ridgeline.estimator.parameters import active_params

__all__ = ["CLAIMS"]


def _over_training(*, tokens: float, active_params: float, tokens_per_param: float) -> float:
    """Over-training relative to ``tokens_per_param``, which is best for training alone."""
    return float(scaling.over_training(tokens=tokens, compute_optimal_tokens=tokens_per_param * active_params))


def _best_tokens(*, served_tokens: float, active_params: float, relative_efficiency_fraction: float, fit: Fit) -> float:
    return as_good(served_tokens, active_params, relative_efficiency_fraction, fit=fit)


def _served_over_trained(
    *, served_tokens: float, active_params: float, relative_efficiency_fraction: float, rule: Rule
) -> float:
    trained = rule.pretraining_tokens(served_tokens, active_params, relative_efficiency_fraction)
    return served_tokens / trained


def _kept_tokens(
    *,
    deployed_fraction: float,
    served_tokens: float,
    active_params: float,
    relative_efficiency_fraction: float,
    rule: Rule,
) -> float:
    """Pre-training tokens of a model that may never be served, over those of one that surely is."""
    sure, unsure = (
        rule.pretraining_tokens(
            float(training.served_tokens(tokens_per_s=served_tokens, lifetime_s=1, traffic_fraction=chance)),
            active_params,
            relative_efficiency_fraction,
        )
        for chance in (1.0, deployed_fraction)
    )
    return unsure / sure


def _over_calendar_months() -> Iterable[Step]:
    yield step("months of the calendar", lifetime_s=LIFETIME_MONTHS * CALENDAR_MONTH_S)


def _with_a_fifth_of_the_traffic() -> Iterable[Step]:
    yield step("a fifth of the traffic, the other end of what he says", traffic_fraction=MODEL_TRAFFIC_FRACTION.high)


def _per_param(fit: Fit) -> float:
    """Tokens a parameter that are best for training alone, at the lecture's size."""
    params = float(ACTIVE_PARAMS)
    return float(scaling.optimal_tokens(params=params, law=fit.law)) / params


def _by_the_better_fit() -> Iterable[Step]:
    yield step(f"best tokens by the fit of {BESIROGLU.paper}", tokens_per_param=_per_param(BESIROGLU))


def _by_other_fits_and_models() -> Iterable[Step]:
    for fit in (UNROUNDED, HOFFMANN):
        yield step(f"best tokens by the fit of {fit.paper}", tokens_per_param=_per_param(fit))
    for name in ("llama-3.1-8b", "deepseek-v3"):
        model = load_model(name)
        yield step(
            f"{name} and its published tokens, by 20 a parameter",
            tokens=model.trained_tokens,
            active_params=float(active_params(model)),
            tokens_per_param=float(scaling.CHINCHILLA_TOKENS_PER_PARAM),
        )


def _cheapest_by_the_better_fit() -> Iterable[Step]:
    yield step(f"the fit of {BESIROGLU.paper}", fit=BESIROGLU)


def _rule_of_the_better_fit() -> Iterable[Step]:
    yield step(f"the cheapest model of the same loss, by {BESIROGLU.paper}", rule=cheapest(BESIROGLU))


MODEL = {"active_params": ACTIVE_PARAMS, "relative_efficiency_fraction": RELATIVE_EFFICIENCY}

CLAIMS: tuple[Claim, ...] = (
    claim(
        "C7",
        "1:30:30",
        "At 500 million tokens a second a provider handles 2,600 trillion tokens in two months.",
        lecture=said(2.6e15, "1:30:30", hedge="maybe 500 million; I don't really know"),
        unit="tokens",
        equation=training.served_tokens,
        inputs={"tokens_per_s": TRAFFIC_TOKENS_PER_S, "lifetime_s": LIFETIME_S},
        careful=_over_calendar_months,
        careful_of="the same traffic over two months of the calendar",
        verdict=Verdict.REPRODUCES,
        what="in two months",
        answer="{ours:3} tokens",
        why="2,592 trillion. The traffic is his guess. Such totals count tokens read and small models too.",
        tolerance=0.01,  # he gives two digits
    ),
    claim(
        "C8",
        "1:31:00",
        "One model, with a tenth of the traffic, handles around 200 trillion tokens in its life.",
        lecture=said(200e12, "1:31:00", hedge="around; big error bars"),
        unit="tokens",
        equation=training.served_tokens,
        inputs={
            "tokens_per_s": TRAFFIC_TOKENS_PER_S,
            "lifetime_s": LIFETIME_S,
            "traffic_fraction": MODEL_TRAFFIC_FRACTION,
        },
        careful=_over_calendar_months,
        further=_with_a_fifth_of_the_traffic,
        careful_of="his traffic and his tenth of it over months of the calendar",
        verdict=Verdict.ROUNDED,
        what="in its life",
        answer="his own factors make {ours:3}, which he takes as {his}",
        why="259 trillion by his own factors, of which he drops nearly a quarter. A fifth of the traffic, which he"
        " allows too, makes twice that.",
        tolerance=0.3,  # within "around", and his big error bars
    ),
    statement(
        "C9",
        "1:31:15",
        "A frontier model is pre-trained on 150 trillion tokens, as somebody told the interviewer.",
        lecture=said(150e12, "1:31:15", hedge="the interviewer's: somebody told him; not well-cited"),
        unit="tokens",
        answer="a rumour, and called one",
        why="A rumour, and called one. The most that a lab has published for a model of the catalog is 40 trillion.",
    ),
    claim(
        "C10",
        "1:31:56",
        "A frontier model of 100 billion active parameters is trained on about 100 times Chinchilla's tokens.",
        computed="its tokens over those of the rule",
        lecture=said(100.0, "1:31:56", hedge="about; of two hundred trillion tokens or one hundred; big error bars"),
        equation=scaling.over_training,
        compute=_over_training,
        inputs={
            "tokens": TRAINED_TOKENS,
            "active_params": ACTIVE_PARAMS,
            "tokens_per_param": said(float(scaling.CHINCHILLA_TOKENS_PER_PARAM), "1:31:40"),
        },
        careful=_by_the_better_fit,
        further=_by_other_fits_and_models,
        careful_of=f"the lecture's model by the fit of {BESIROGLU.paper}",
        verdict=Verdict.DEPENDS,
        what="times Chinchilla's tokens",
        answer="Chinchilla's rule is {tokens_per_param} tokens a parameter: then it is {ours:3} times. By the paper's"
        " own fit, as printed, it is {at[3]:3} times",
        why="True by 20 tokens a parameter, which the replicated fit supports. The paper's own fit, as printed, gives"
        " 17. Models whose tokens are published are at 20 times (DeepSeek-V3) and 93 times (Llama 3.1 8B).",
    ),
    claim(
        "C11",
        "1:27:40",
        "A model that serves 200 trillion tokens costs least in all if it is trained on as many.",
        computed="tokens of the cheapest training",
        lecture=implied(200e12, "1:31:56", hedge="within factors that we are not able to reason about"),
        unit="tokens",
        equation=scaling.optimal_tokens_when_served,
        compute=_best_tokens,
        inputs={"served_tokens": SERVED_TOKENS, **MODEL, "fit": filled_in(HOFFMANN)},
        careful=_cheapest_by_the_better_fit,
        careful_of=f"a model of the same loss, by {BESIROGLU.paper}",
        verdict=Verdict.DEPENDS,
        answer="the loss follows Hoffmann's printed fit: then {ours} are cheapest without reinforcement"
        " learning. By Besiroglu's fit {careful} are, and more with reinforcement learning",
        why="Equal parts are near the optimum of Hoffmann's printed fit. By the better fit a larger model on fewer"
        " tokens is cheaper, and training takes 27 % of the cost.",
        tolerance=0.1,  # 180 trillion, by the printed fit, is "about as many"
    ),
    claim(
        "C12",
        "1:29:27",
        "A model should hand its users about as many tokens as it was trained on.",
        computed="tokens served over tokens trained on",
        lecture=said(1.0, "1:27:40", hedge="within factors that we are not able to reason about"),
        equation=training.matching_pretraining_tokens,
        compute=_served_over_trained,
        inputs={"served_tokens": SERVED_TOKENS, **MODEL, "rule": filled_in(EQUAL_BUDGETS)},
        careful=_rule_of_the_better_fit,
        careful_of=f"the cheapest model of the same loss, by {BESIROGLU.paper}",
        verdict=Verdict.DEPENDS,
        what="times the tokens that it was trained on",
        exactly={1.0: "as many tokens as it was trained on"},
        answer="training and serving get equal budgets, and decoding a third of training's efficiency: then"
        " {ours}. The cheapest model of equal loss serves {careful:number} times as many",
        why="True for equal budgets at a third of the efficiency. Tokens that a model reads count as served too.",
    ),
    claim(
        "C13",
        "1:29:50",
        "A model with half a chance to be deployed deserves half the pre-training tokens.",
        computed="its tokens over those of a model that surely is",
        equation=training.served_tokens,
        compute=_kept_tokens,
        inputs={
            "deployed_fraction": filled_in(0.5),
            "served_tokens": SERVED_TOKENS,
            **MODEL,
            "rule": filled_in(EQUAL_BUDGETS),
        },
        careful=_rule_of_the_better_fit,
        careful_of=f"the cheapest model of the same loss, by {BESIROGLU.paper}",
        verdict=Verdict.REPRODUCES,
        what="of the pre-training tokens",
        answer="{ours} of the tokens, where budgets are equal",
        why="He says that such a chance derates the tokens served, and gives no number. Where budgets are equal, tokens"
        " are in proportion to it. At the same loss a smaller chance makes the model larger, and its tokens fewer by"
        " less than half.",
    ),
)
