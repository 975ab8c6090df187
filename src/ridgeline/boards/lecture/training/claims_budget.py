"""Claims on what training, reinforcement learning and serving cost, and on how a budget is split: 1:21 to 1:28."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import implied, said
from ridgeline.boards.lecture import fleet
from ridgeline.boards.lecture.training.laws import BESIROGLU
from ridgeline.boards.lecture.training.numbers import RELATIVE_EFFICIENCY, RL_FLOP_PER_PARAM
from ridgeline.catalog import load_model
from ridgeline.equations import pricing, roofline, training
from ridgeline.estimator.parameters import active_params, flop_per_pair

__all__ = ["CLAIMS"]

DENSE_MODEL = "llama-3.1-405b"
TRAINED_CONTEXT_TOKENS, LONG_CONTEXT_TOKENS = 8192, 100e3
CHIP_S_PER_TRILLION_TOKENS = 180e3 * 3600
"""Time of an H800 for DeepSeek-V3's pre-training, s per trillion tokens (arXiv 2412.19437, section 1)."""


def _flop(*, flop_per_param: float, attention_fraction: float) -> float:
    """FLOP of one parameter and token; attention as a part of what the parameters compute."""
    found = training.token_flop(flop_per_param=flop_per_param, active_params=1, tokens=1)
    return float(found) * (1 + attention_fraction)


def _attention_fraction(mean_context_tokens: float) -> float:
    """FLOP of attention for a token of a large dense model, over those of its parameters."""
    model = load_model(DENSE_MODEL)
    parity = pricing.attention_parity_tokens(active_params=active_params(model), flop_per_pair=flop_per_pair(model))
    return float(mean_context_tokens / parity)


def _with_attention_in_training() -> Iterable[Step]:
    fraction = _attention_fraction(TRAINED_CONTEXT_TOKENS / 2)
    yield step(
        f"attention of {DENSE_MODEL} over sequences of 8,192 tokens, half of them seen on average",
        attention_fraction=fraction,
    )


def _with_attention_in_serving() -> Iterable[Step]:
    yield step(
        f"attention of {DENSE_MODEL} over a context of 100,000 tokens",
        attention_fraction=_attention_fraction(LONG_CONTEXT_TOKENS),
    )


def _with_powers_of_loss() -> Iterable[Step]:
    yield step(
        f"powers of tokens and parameters in the loss, {BESIROGLU.paper}",
        rising_power=BESIROGLU.law.tokens_power,
        falling_power=BESIROGLU.law.params_power,
    )


def _to_the_dear_end() -> Iterable[Step]:
    yield step("30 % of training's efficiency, as he says first", relative_efficiency_fraction=0.3)
    yield step(
        "every sample is trained on: 6 FLOP", flop_per_param=float(training.rl_flop_per_param(trained_fraction=1))
    )


def _with_a_second_forward_pass() -> Iterable[Step]:
    yield step("the trainer computes the forward pass again", repeated_forward_fraction=1.0)


def _decodes_over_trains() -> float:
    """FLOP a second of a chip that decodes DeepSeek-V3, over those of one that trained it: parameters alone."""
    decoded = fleet.OUTPUT_TOKENS_PER_NODE_S / fleet.CHIPS_PER_NODE * roofline.FLOP_PER_PARAM
    return decoded / (1e12 / CHIP_S_PER_TRILLION_TOKENS * training.TRAINING_FLOP_PER_PARAM)


def _equal_thirds() -> Iterable[Step]:
    yield step("pre-training, reinforcement learning and serving alike", groups=3.0, members=1.0)


CLAIMS: tuple[Claim, ...] = (
    statement(
        "C0",
        "0:44:50",
        "Sizes and sums are said in passing: models of five trillion parameters, a hundred more layers, high"
        " hundreds of billions of dollars, maybe a trillion, spent by the largest operators, smartphones down by 30"
        " %, a hundred million tokens of context for a month of work.",
        answer="rumours and round numbers. Where a board starts from one of them, its input says so",
        why="Rumours and round numbers, most of them the interviewer's. Nothing derives them. Where a board or a claim"
        " starts from one of them, its input says so.",
    ),
    claim(
        "C1",
        "1:21:00",
        "The sum of a falling and a rising cost tends to be least where the two are equal.",
        computed="rising cost over falling cost where the sum is least",
        lecture=said(1.0, "1:21:00", hedge="a heuristic, true of many curves"),
        equation=training.balanced_cost_ratio,
        inputs={"rising_power": implied(1.0, "1:21:15"), "falling_power": implied(1.0, "1:21:15")},
        careful=_with_powers_of_loss,
        careful_of="loss against parameters and tokens at a fixed 6ND",
        verdict=Verdict.DEPENDS,
        what="times the falling cost",
        exactly={1.0: "equal costs"},
        answer="one cost falls as fast as the other rises, as powers of the size: then the least is at {ours}. By"
        " published fits of the loss the rising cost there is {careful:number} times the falling one",
        why="Exact where both costs are the same power of one size, as his 1/x and x are. Otherwise their ratio is that"
        " of the powers, which in fits of the loss are nearly alike.",
    ),
    claim(
        "C2",
        "1:22:15",
        "Pre-training takes 6 FLOP for each active parameter and token.",
        lecture=said(6.0, "1:22:15", hedge="the famous 6ND"),
        unit="FLOP",
        equation=training.token_flop,
        compute=_flop,
        inputs={"flop_per_param": training.TRAINING_FLOP_PER_PARAM, "attention_fraction": 0.0},
        careful=_with_attention_in_training,
        careful_of=f"{DENSE_MODEL}, sequences of 8,192 tokens",
        verdict=Verdict.REPRODUCES,
        what="per active parameter and token",
        answer="it takes {ours} FLOP, two forward and four backward",
        why="Two FLOP forward and four backward. Attention over 8,192 tokens adds a twentieth to a large dense model.",
    ),
    claim(
        "C3",
        "1:23:00",
        "Reinforcement learning takes 2 FLOP for each parameter and token written, and 6 if all of them are trained"
        " on.",
        computed="FLOP if all of them are trained on",
        lecture=said(6.0, "1:23:00", hedge="somewhere in the range of two to six", between=(2.0, 6.0)),
        unit="FLOP",
        equation=training.rl_flop_per_param,
        inputs={"trained_fraction": implied(1.0, "1:23:00"), "repeated_forward_fraction": 0.0},
        careful=_with_a_second_forward_pass,
        careful_of="a trainer that cannot use the sampler's activations, all samples trained on",
        verdict=Verdict.REPRODUCES,
        what="per parameter and token",
        exactly={6.0: "6 FLOP if all are trained on"},
        answer="{ours}. A trainer that repeats the forward pass takes {careful:number}",
        why="Two to write, four more for the gradients. Most trainers repeat the forward pass and pay 8. Decoding also"
        " reaches less of a chip's peak, which comes on top.",
    ),
    claim(
        "C4",
        "1:23:30",
        "Serving takes 2 FLOP for each active parameter and token.",
        lecture=said(2.0, "1:23:30"),
        unit="FLOP",
        equation=training.token_flop,
        compute=_flop,
        inputs={"flop_per_param": 2.0, "attention_fraction": 0.0},
        careful=_with_attention_in_serving,
        careful_of=f"{DENSE_MODEL} after 100,000 tokens of context",
        verdict=Verdict.REPRODUCES,
        what="per active parameter and token",
        answer="{ours} FLOP, a multiplication and an addition",
        why="A multiplication and an addition. After 100,000 tokens attention doubles it for a large dense model.",
    ),
    claim(
        "C5",
        "1:27:15",
        "With equal budgets, pre-training reads about 1.5 tokens for each token that reinforcement learning writes.",
        lecture=said(1.5, "1:27:15", hedge="something like"),
        equation=training.matching_pretraining_tokens,
        inputs={
            "tokens": 1.0,
            "flop_per_param": RL_FLOP_PER_PARAM,
            "relative_efficiency_fraction": RELATIVE_EFFICIENCY,
        },
        careful=_to_the_dear_end,
        careful_of="all samples trained on, at 30 % of training's efficiency",
        verdict=Verdict.REPRODUCES,
        what="tokens read for each one written",
        answer="it is {ours} tokens, if decoding has a third of training's efficiency",
        why="Active parameters cancel. He first multiplies by the efficiency where he should divide, and corrects"
        " himself. Over the range that he gives, at 30 %, the ratio is 1.1 to 3.3.",
    ),
    claim(
        "C6",
        "1:24:40",
        "If training as a whole had the same budget as serving, pre-training's share would be a quarter instead of a"
        " third: only a small factor off.",
        lecture=said(0.25, "1:24:40", hedge="a heuristic; he cannot argue for one over the other"),
        equation=training.equal_share,
        inputs={"groups": said(2.0, "1:24:40"), "members": said(2.0, "1:24:40")},
        careful=_equal_thirds,
        contrast="three equal parts, which he chooses",
        verdict=Verdict.REPRODUCES,
        what="of the budget for pre-training",
        answer="it would be {ours}, where three equal parts give it {careful}",
        why="One of two halves, halved again. No share moves by more than half of itself.",
    ),
    statement(
        "C14",
        "1:26:00",
        "Decoding reaches about 30 % of training's efficiency (MFU).",
        lecture=said(0.3, "1:26:00", hedge="in the range of; maybe a little too generous"),
        published=_decodes_over_trains,
        careful_of=f"DeepSeek-V3's training and serving on H800, attention left out; arXiv 2412.19437, {fleet.REPORT}",
        what="of training's MFU",
        answer="it depends on batches and kernels. DeepSeek's published fleet reaches {published}",
        why="It depends on batches, contexts and kernels. List prices make it a fifth of prefill's, if decode waits for"
        " memory five times as long as it computes (D6).",
    ),
)
