"""Cards on training: why models are trained beyond Chinchilla, and what the budget's formulas rest on."""

from __future__ import annotations

from ridgeline.boards.card import Card, Kind, Level
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS
from ridgeline.boards.lecture.training.laws import BESIROGLU, HOFFMANN
from ridgeline.boards.lecture.training.numbers import (
    LIFETIME_S,
    MODEL_TRAFFIC_FRACTION,
    RELATIVE_EFFICIENCY,
    RL_FLOP_PER_PARAM,
    TRAFFIC_TOKENS_PER_S,
    TRAINED_TOKENS,
)
from ridgeline.equations import scaling, training
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.quantity_text import format_quantity

__all__ = ["CARDS"]

SERVED = float(
    training.served_tokens(
        tokens_per_s=TRAFFIC_TOKENS_PER_S.value,
        lifetime_s=LIFETIME_S.value,
        traffic_fraction=MODEL_TRAFFIC_FRACTION.value,
    )
)
CHINCHILLA = float(scaling.chinchilla_tokens(active_params=ACTIVE_PARAMS.value))
OVER = TRAINED_TOKENS.value / CHINCHILLA
BY_FIT = {
    fit.short: float(
        scaling.over_training(
            tokens=TRAINED_TOKENS.value,
            compute_optimal_tokens=scaling.optimal_tokens(params=ACTIVE_PARAMS.value, law=fit.law),
        )
    )
    for fit in (HOFFMANN, BESIROGLU)
}
LEARNED, SERVED_FACTOR = (
    float(
        training.matching_pretraining_tokens(
            tokens=1, flop_per_param=flop, relative_efficiency_fraction=RELATIVE_EFFICIENCY.value
        )
    )
    for flop in (RL_FLOP_PER_PARAM.value, FLOP_PER_PARAM)
)
LEAST, MOST = (float(training.rl_flop_per_param(trained_fraction=fraction)) for fraction in (0, 1))

CARDS: tuple[Card, ...] = (
    Card(
        id="training-why-beyond",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="1:19:30",
        question="Chinchilla's rule gives the best model for a training budget. Why does a lab train a smaller model on"
        " many more tokens than the rule asks for?",
        answer="The rule counts training alone. A smaller model costs less for every token that it writes, to users and"
        " in reinforcement learning, and that saving pays for the extra training.",
        board="over-training",
    ),
    Card(
        id="training-why-six",
        kind=Kind.DERIVATION,
        level=Level.RECALL,
        time_stamp="1:22:15",
        question="Where does the 6 of 6ND come from, and why is it 2 in serving?",
        answer=f"A parameter meets a token in one multiply and one add: {FLOP_PER_PARAM} FLOP forward. Backward needs"
        f" two products of that size, for the gradient of the input and of the weights:"
        f" {training.BACKWARD_FLOP_PER_PARAM} more, {training.TRAINING_FLOP_PER_PARAM} in all. Serving runs forward"
        " alone.",
        board="budget",
    ),
    Card(
        id="training-why-two-to-six",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="1:23:00",
        question="Why is reinforcement learning put at two to six FLOP a parameter and token, and what comes on top?",
        answer=f"Every token is written, which takes {LEAST:.0f}; if all are also trained on, it is {MOST:.0f}. On top"
        " comes that decoding reaches less of the chip's peak than training, which divides by the relative efficiency.",
        board="budget",
    ),
    Card(
        id="training-falling-and-rising",
        kind=Kind.SKETCH,
        level=Level.APPLY,
        time_stamp="1:21:00",
        question="Sketch one cost that falls with x and one that rises, and their sum. Where is the sum least, and when"
        " are the two equal there?",
        answer="The sum is a bowl. Its least point is where the two slopes cancel. For powers x^a and x^-b the rising"
        " cost is then b/a times the falling one: they are equal only if a = b.",
        board="budget",
    ),
    Card(
        id="training-solve-for-tokens",
        kind=Kind.DERIVATION,
        level=Level.APPLY,
        time_stamp="1:25:00",
        question="Set the costs of pre-training, reinforcement learning (3 FLOP) and serving equal, decoding at a third"
        " of training's efficiency. How do the three numbers of tokens compare, and what cancels?",
        answer=f"6 D = 3 D_RL / (1/3) = 2 D_s / (1/3), so D = {LEARNED:.3g} D_RL = {SERVED_FACTOR:.3g} D_s. The active"
        " parameters stand in every term and cancel.",
        board="budget",
    ),
    Card(
        id="training-two-hundred-trillion",
        kind=Kind.NUMBER,
        level=Level.APPLY,
        time_stamp="1:31:00",
        question="A provider handles 500 million tokens a second, and one model a tenth of that for two months. How"
        " many tokens is that, and how far past Chinchilla's rule is a model of 100 billion active parameters"
        " trained, if it is trained on 200 trillion?",
        answer=f"About {format_quantity(SERVED, 'count')} tokens, which the lecture rounds to 200T. The rule asks for"
        f" {format_quantity(CHINCHILLA, 'count')}, so it is {OVER:.0f} times over-trained.",
        board="over-training",
    ),
    Card(
        id="training-which-chinchilla",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="1:31:56",
        question="Why can two people who both cite Chinchilla's scaling law disagree on whether that model is"
        " over-trained"
        f" {BY_FIT['Hoffmann']:.0f} or {BY_FIT['Besiroglu']:.0f} times?",
        answer="Twenty tokens a parameter held near the budget of the paper. Its printed loss formula gives far more"
        " tokens for large models; the same runs fitted again (Besiroglu et al. 2024) come out near twenty. And all of"
        " it extrapolates from models of 16 billion parameters at most.",
        board="over-training",
    ),
)
