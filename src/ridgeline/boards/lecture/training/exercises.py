"""Exercises on training: its arithmetic, how long a model is trained, and how a budget is split.

Tolerances as among the exercises on serving: five percent for several steps, one for one, none for what is counted.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.place import Place, Way
from ridgeline.equations import scaling, training

__all__ = ["EXERCISES"]

TRAINED = {"active_params": 50e9, "tokens": 4e12}
OVER = {"active_params": 8e9, "tokens": 15e12}
WEIGHTED = {"tokens": 15e12, "served_tokens": 30e12, "relative_efficiency_fraction": 0.25}

EXERCISES: tuple[Exercise, ...] = (
    compose(
        "training-flop",
        time_stamp="1:22:15",
        question="A model with {active_params} active parameters trains on {tokens} tokens. How many FLOP does that"
        " take, without attention?",
        inputs=TRAINED,
        equation=training.token_flop,
        answer=lambda: training.token_flop(flop_per_param=training.TRAINING_FLOP_PER_PARAM, **TRAINED),
        dimension="flop",
        tolerance=0.01,
        working="Two FLOP forward and four backward, per parameter and token: 6 * {active_params} * {tokens}",
    ),
    compose(
        "training-rl",
        time_stamp="1:23:00",
        question="Reinforcement learning trains on {trained_fraction} of the tokens that it generates. How many FLOP"
        " does it take per parameter and generated token, if the forward pass counts once?",
        inputs={"trained_fraction": 0.25},
        equation=training.rl_flop_per_param,
        dimension="count",
        tolerance=0.01,
        working="Two to generate, four for the gradients of the trained share: 2 + 4 * {trained_fraction}",
    ),
    compose(
        "training-match",
        time_stamp="1:27:15",
        question="Reinforcement learning generates {tokens} tokens at {flop_per_param} FLOP per parameter, with"
        " {relative_efficiency_fraction} of the efficiency of pre-training. How many tokens of pre-training cost as"
        " much?",
        inputs={"tokens": 30e12, "flop_per_param": 4.0, "relative_efficiency_fraction": 0.4},
        equation=training.matching_pretraining_tokens,
        dimension="count",
        tolerance=0.05,
        working="FLOP over efficiency, over the six FLOP of a pre-training token: {tokens} * {flop_per_param} / (6 *"
        " {relative_efficiency_fraction})",
    ),
    compose(
        "training-served",
        time_stamp="1:31:00",
        question="A company serves {tokens_per_s}, and one model gets {traffic_fraction} of that for {lifetime_s}. How"
        " many tokens does the model handle?",
        inputs={"tokens_per_s": 2e8, "lifetime_s": 90 * 86400.0, "traffic_fraction": 0.05},
        equation=training.served_tokens,
        dimension="count",
        tolerance=0.05,
        working="The rate, the model's share and its life: {tokens_per_s} * {traffic_fraction} * {lifetime_s}",
    ),
    compose(
        "training-rule-of-thumb",
        time_stamp="1:31:40",
        question="By the Chinchilla rule of thumb, on how many tokens is a model with {active_params} parameters"
        " trained?",
        inputs={"active_params": 30e9},
        equation=scaling.chinchilla_tokens,
        dimension="count",
        tolerance=0.01,
        working="Twenty tokens per parameter: 20 * {active_params}",
    ),
    compose(
        "training-over",
        time_stamp="1:31:56",
        question="A model with {active_params} parameters trained on {tokens} tokens. How many times the Chinchilla"
        " rule of thumb is that?",
        inputs=OVER,
        equation=scaling.over_training,
        answer=lambda: scaling.over_training(
            tokens=OVER["tokens"],
            compute_optimal_tokens=scaling.chinchilla_tokens(active_params=OVER["active_params"]),
        ),
        dimension="count",
        tolerance=0.05,
        working="Its tokens over twenty per parameter: {tokens} / (20 * {active_params})",
        place=Place(
            board="over-training",
            way=Way.UPRIGHT,
            line="20 per parameter",
            at=lambda given: given["active_params"],
            turned=dict,
            lines=("best for training",),
        ),
    ),
    compose(
        "training-share",
        time_stamp="1:24:40",
        question="A model trains on {tokens} tokens and serves {served_tokens}, with {relative_efficiency_fraction} of"
        " the efficiency of training. What share of the total cost is training?",
        inputs=WEIGHTED,
        equation=training.training_share,
        answer=lambda: training.training_share(
            tokens=WEIGHTED["tokens"],
            weighted_served_tokens=WEIGHTED["served_tokens"] / WEIGHTED["relative_efficiency_fraction"],
        ),
        dimension="fraction",
        tolerance=0.05,
        working="Six FLOP per trained token, two per served token: 6 * {tokens} / (6 * {tokens} + 2 * {served_tokens}"
        " / {relative_efficiency_fraction})",
    ),
    compose(
        "training-least-sum",
        time_stamp="1:21:00",
        question="One cost grows as the size to the power {rising_power}, another falls as the size to the power"
        " {falling_power}. Where their sum is smallest, what is the ratio of the rising cost to the falling one?",
        inputs={"rising_power": 2.0, "falling_power": 0.5},
        equation=training.balanced_cost_ratio,
        dimension="count",
        tolerance=0.01,
        working="The falling power over the rising one, whatever the costs: {falling_power} / {rising_power}",
    ),
)
