"""All exercises, in the order of the lecture; here those on training, prices, tiers and ciphers.

Tolerances as among the exercises on serving: five percent for several steps, one for one, none for what is counted.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.exercises_ciphers import EXERCISES as CIPHERS_AND_SCHEDULES
from ridgeline.boards.exercises_layouts import EXERCISES as LAYOUTS
from ridgeline.boards.exercises_serving import EXERCISES as SERVING
from ridgeline.boards.index import first_board, of_board
from ridgeline.equations import caching, ciphers, pricing, training
from ridgeline.numeric import Numeric

__all__ = ["EXERCISES", "board_of", "exercises"]

TRAINED = {"active_params": 50e9, "tokens": 4e12}
OVER = {"active_params": 8e9, "tokens": 15e12}
WEIGHTED = {"tokens": 15e12, "served_tokens": 30e12, "relative_efficiency_fraction": 0.25}
HELD = {
    "kv_bytes_per_token": 100e3,
    "capacity_bytes": 192e9,
    "usd_per_chip_s": 3 / 3600,
    "context_tokens": 50e3,
    "held_s": 600.0,
}
DEEP = {"layers": 48.0}
ROTATED = {"bits": 8.0, "places": 3.0}
FEISTEL = {"left": 3.0, "right": 5.0, "modulus": 100.0, "rounds": 2.0}
BACK = {"left": 41.0, "right": 6.0, "modulus": 64.0}
LINEAR = {"values": 16.0, "constant": 9.0}


def _square(value: Numeric) -> Numeric:
    return value * value


TRAINING = (
    compose(
        "training-flop",
        question="A model with {active_params} active parameters is trained on {tokens} tokens. How much arithmetic is"
        " that, forward and backward, attention left out?",
        inputs=TRAINED,
        equation=training.token_flop,
        answer=lambda: training.token_flop(flop_per_param=training.TRAINING_FLOP_PER_PARAM, **TRAINED),
        dimension="flop",
        tolerance=0.01,
        working="two FLOP forward and four backward: 6 * {active_params} * {tokens}",
    ),
    compose(
        "training-rl",
        question="Reinforcement learning trains on {trained_fraction} of the tokens that it writes. How many FLOP does"
        " it take for each parameter and written token, if the forward pass is counted once?",
        inputs={"trained_fraction": 0.25},
        equation=training.rl_flop_per_param,
        dimension="count",
        tolerance=0.01,
        working="two to write, four for the gradients of a part: 2 + 4 * {trained_fraction}",
    ),
    compose(
        "training-match",
        question="Reinforcement learning writes {tokens} tokens at {flop_per_param} FLOP a parameter, with"
        " {relative_efficiency_fraction} of pre-training's efficiency. How many tokens of pre-training cost as much?",
        inputs={"tokens": 30e12, "flop_per_param": 4.0, "relative_efficiency_fraction": 0.4},
        equation=training.matching_pretraining_tokens,
        dimension="count",
        tolerance=0.05,
        working="FLOP over efficiency, over those of a trained token: {tokens} * {flop_per_param} / (6 *"
        " {relative_efficiency_fraction})",
    ),
    compose(
        "training-served",
        question="A company serves {tokens_per_s}, and a model gets {traffic_fraction} of that for {lifetime_s}. How"
        " many tokens does it handle in all?",
        inputs={"tokens_per_s": 2e8, "lifetime_s": 90 * 86400.0, "traffic_fraction": 0.05},
        equation=training.served_tokens,
        dimension="count",
        tolerance=0.05,
        working="rate, part and life of 86,400 s a day: {tokens_per_s} * {traffic_fraction} * {lifetime_s}",
    ),
    compose(
        "training-rule-of-thumb",
        question="By the rule of thumb from Chinchilla, on how many tokens is a model with {active_params} parameters"
        " trained?",
        inputs={"active_params": 30e9},
        equation=training.chinchilla_tokens,
        dimension="count",
        tolerance=0.01,
        working="twenty a parameter: 20 * {active_params}",
    ),
    compose(
        "training-over",
        question="A model with {active_params} parameters saw {tokens} tokens. How many times as many as the rule of"
        " thumb from Chinchilla asks for is that?",
        inputs=OVER,
        equation=training.over_training,
        answer=lambda: training.over_training(
            tokens=OVER["tokens"],
            compute_optimal_tokens=training.chinchilla_tokens(active_params=OVER["active_params"]),
        ),
        dimension="count",
        tolerance=0.05,
        working="tokens over twenty a parameter: {tokens} / (20 * {active_params})",
    ),
    compose(
        "training-share",
        question="A model is trained on {tokens} tokens and serves {served_tokens}, with {relative_efficiency_fraction}"
        " of training's efficiency. Which part of the whole cost is training?",
        inputs=WEIGHTED,
        equation=training.training_share,
        answer=lambda: training.training_share(
            tokens=WEIGHTED["tokens"],
            weighted_served_tokens=WEIGHTED["served_tokens"] / WEIGHTED["relative_efficiency_fraction"],
        ),
        dimension="fraction",
        tolerance=0.05,
        working="six FLOP a trained token, two a served one: 6 * {tokens} / (6 * {tokens} + 2 * {served_tokens} /"
        " {relative_efficiency_fraction})",
    ),
    compose(
        "training-least-sum",
        question="One cost grows with the size as its power {rising_power}, another falls as its power {falling_power}."
        " Where their sum is least, what is the rising cost over the falling one?",
        inputs={"rising_power": 2.0, "falling_power": 0.5},
        equation=training.balanced_cost_ratio,
        dimension="count",
        tolerance=0.01,
        working="falling power over rising, whatever the factors: {falling_power} / {rising_power}",
    ),
)

PRICES = (
    compose(
        "prices-token",
        question="{chips} chips at {usd_per_chip_s} each decode {tokens} sequences in steps of {time_s}. What does a"
        " token cost?",
        inputs={"time_s": 0.025, "chips": 64.0, "tokens": 4000.0, "usd_per_chip_s": 3 / 3600},
        equation=pricing.usd_per_token,
        dimension="usd_per_token",
        tolerance=0.05,
        working="chip-seconds of a step over its tokens, at 3,600 s an hour: {chips} * {time_s} * {usd_per_chip_s} /"
        " {tokens}",
    ),
    compose(
        "prices-request",
        question="A request reads {input_tokens} tokens at {usd_per_input_token} and writes {output_tokens} at"
        " {usd_per_output_token}. What is it billed?",
        inputs={
            "input_tokens": 50e3,
            "output_tokens": 2e3,
            "usd_per_input_token": 3e-6,
            "usd_per_output_token": 15e-6,
        },
        equation=pricing.usd_per_request,
        dimension="usd",
        tolerance=0.01,
        working="each kind at its price: {input_tokens} * {usd_per_input_token} + {output_tokens} *"
        " {usd_per_output_token}",
    ),
    compose(
        "prices-cache-bytes",
        question="A price that steps at {context_tokens} tokens is read as the crossover of a model with"
        " {active_params} active parameters of {bytes_per_param}, on a chip that multiplies {balance_ratio} while it"
        " reads one. How many bytes does a token's cache have then, at a large batch?",
        inputs={
            "active_params": 60e9,
            "bytes_per_param": 1.0,
            "balance_ratio": 300.0,
            "context_tokens": 100e3,
        },
        equation=pricing.kv_bytes_at_crossover,
        dimension="bytes",
        tolerance=0.05,
        working="the crossover solved for the cache: {active_params} * {bytes_per_param} / ({balance_ratio} *"
        " {context_tokens})",
    ),
    compose(
        "prices-reach",
        question="A price rises to {price_ratio} times at the crossover, {crossover_tokens} tokens, and the cost grows"
        " in proportion from there. Up to which context does the higher price cover it?",
        inputs={"crossover_tokens": 150e3, "price_ratio": 1.6},
        equation=pricing.price_step_reach_tokens,
        dimension="count",
        tolerance=0.01,
        working="as far as the price is higher: {crossover_tokens} * {price_ratio}",
    ),
    compose(
        "prices-decode-over-prefill",
        question="A batch is {balance_batches} of the balance batch, at {context_tokens} tokens where the crossover"
        " lies at {crossover_tokens}. How many times as much does a written token cost as a read one, if reading a"
        " prompt is bound by compute?",
        inputs={"context_tokens": 60e3, "crossover_tokens": 40e3, "balance_batches": 0.5},
        equation=pricing.decode_over_prefill,
        dimension="count",
        tolerance=0.05,
        working="memory over compute, where it is above one: 1 / {balance_batches} + {context_tokens} /"
        " {crossover_tokens}",
    ),
    compose(
        "prices-hits",
        question="Writing a prompt into a cache costs {write_ratio} times the input price, reading it back {read_ratio}"
        " times. How many hits pay for the write?",
        inputs={"write_ratio": 1.5, "read_ratio": 0.25},
        equation=pricing.hits_to_pay_back,
        dimension="count",
        tolerance=0.05,
        working="premium over a hit's saving: ({write_ratio} - 1) / (1 - {read_ratio})",
    ),
)

TIERS = (
    compose(
        "tiers-drain",
        question="A drive holds {capacity_bytes} and reads {bytes_per_s}. How long does it take to read all of it?",
        inputs={"capacity_bytes": 15e12, "bytes_per_s": 12.5e9},
        equation=caching.drain_time_s,
        dimension="s",
        tolerance=0.01,
        working="capacity over bandwidth: {capacity_bytes} / {bytes_per_s}",
    ),
    compose(
        "tiers-hold",
        question="A chip with {capacity_bytes} of memory rents for {usd_per_chip_s}. What does it cost to hold a"
        " context of {context_tokens} tokens, {kv_bytes_per_token} each, for {held_s}?",
        inputs=HELD,
        equation=caching.hold_usd_per_token_s,
        answer=lambda: (
            HELD["context_tokens"]
            * HELD["held_s"]
            * caching.hold_usd_per_token_s(
                kv_bytes_per_token=HELD["kv_bytes_per_token"],
                capacity_bytes=HELD["capacity_bytes"],
                usd_per_s=HELD["usd_per_chip_s"],
            )
        ),
        dimension="usd",
        tolerance=0.05,
        working="part of the memory, for a time, at the chip's price: {context_tokens} * {kv_bytes_per_token} /"
        " {capacity_bytes} * {held_s} * {usd_per_chip_s}",
    ),
    compose(
        "tiers-recompute",
        question="A chip that rents for {usd_per_chip_s} reaches {flop_per_s}. What does it cost to compute the cache"
        " of a model with {active_params} active parameters again, attention left out?",
        inputs={"active_params": 80e9, "flop_per_s": 1e15, "usd_per_chip_s": 2.7 / 3600},
        equation=caching.recompute_usd_per_token,
        dimension="usd_per_token",
        tolerance=0.05,
        working="two FLOP a parameter, at the chip's price: 2 * {active_params} / {flop_per_s} * {usd_per_chip_s}",
    ),
    compose(
        "tiers-break-even",
        question="A cache in one tier costs {retrieve_usd} to bring back and {hold_usd_per_s} to hold, in a slower one"
        " {slower_retrieve_usd} and {slower_hold_usd_per_s}. From which time between uses on is the slower one"
        " cheaper?",
        inputs={
            "retrieve_usd": 0.001,
            "hold_usd_per_s": 0.09 / 3600,
            "slower_retrieve_usd": 0.005,
            "slower_hold_usd_per_s": 0.01 / 3600,
        },
        equation=caching.break_even_s,
        dimension="s",
        tolerance=0.05,
        working="dearer to bring back, over cheaper to hold: ({slower_retrieve_usd} - {retrieve_usd}) /"
        " ({hold_usd_per_s} - {slower_hold_usd_per_s})",
    ),
)

CIPHERS = (
    compose(
        "ciphers-forward",
        question="A Feistel round makes (x, y) into (y + x², x), modulo {modulus}. It starts from ({left}, {right})."
        " What is the left half after {rounds} rounds?",
        inputs=FEISTEL,
        equation=ciphers.feistel,
        answer=lambda: ciphers.feistel(
            left=FEISTEL["left"],
            right=FEISTEL["right"],
            round_functions=[_square] * int(FEISTEL["rounds"]),
            modulus=FEISTEL["modulus"],
        )[0],
        dimension="count",
        tolerance=0.0,
        working="the first round's left half is {right} + {left}², which the second squares and adds to {left}: ({left}"
        " + ({right} + {left}²)²) mod {modulus}",
    ),
    compose(
        "ciphers-back",
        question="A Feistel round made (x, y) into (y + x², x) = ({left}, {right}), modulo {modulus}. What was y?",
        inputs=BACK,
        equation=ciphers.feistel_inverse,
        answer=lambda: ciphers.feistel_inverse(round_functions=[_square], **BACK)[1],
        dimension="count",
        tolerance=0.0,
        working="x came through as it was, so its square is taken off again: ({left} - {right}²) mod {modulus}",
    ),
    compose(
        "ciphers-linear",
        question="A substitution on {values} values only flips the bits of {constant}. For one change of the input"
        " other than none, how many inputs share the likeliest change of the output?",
        inputs=LINEAR,
        equation=ciphers.difference_table_maximum,
        answer=lambda: ciphers.difference_table_maximum(
            s_box=[value ^ int(LINEAR["constant"]) for value in range(int(LINEAR["values"]))]
        ),
        dimension="count",
        tolerance=0.0,
        working="flipping the same bits twice changes no difference, so every input shares it: all {values} values",
    ),
    compose(
        "ciphers-rotation",
        question="A round on {bits} bits only rotates them by {places}. Which part of the output's bits does one"
        " changed bit of the input change?",
        inputs=ROTATED,
        equation=ciphers.avalanche_fractions,
        answer=lambda: ciphers.avalanche_fractions(
            rounds=[lambda value: ciphers.rotated_left(byte=value, places=int(ROTATED["places"]))],
            inputs=[0, 77],
            bits=int(ROTATED["bits"]),
        )[0],
        dimension="fraction",
        tolerance=0.01,
        working="a moved bit is still one bit: 1 / {bits}",
    ),
    compose(
        "ciphers-reversible",
        question="A network of {layers} layers keeps the input of every layer for its backward pass. How many times as"
        " many activations as a reversible one does it hold at most?",
        inputs=DEEP,
        equation=ciphers.activations_alive_plain,
        answer=lambda: (
            max(ciphers.activations_alive_plain(layers=int(DEEP["layers"])))
            / max(ciphers.activations_alive_reversible(layers=int(DEEP["layers"])))
        ),
        dimension="count",
        tolerance=0.0,
        working="all layers' against one, since a reversible layer computes its input from its output: {layers} / 1",
    ),
)

EXERCISES: tuple[Exercise, ...] = (*SERVING, *LAYOUTS, *TRAINING, *PRICES, *TIERS, *CIPHERS, *CIPHERS_AND_SCHEDULES)


def exercises(board: str | None = None) -> tuple[Exercise, ...]:
    """Every exercise, or those of one board or chapter.

    Raises:
        ValueError: there is no such board; lists those that there are.
    """
    return EXERCISES if board is None else of_board(EXERCISES, board, lambda one: one.exercises)


def board_of(exercise: Exercise) -> str:
    """Name of the first board that has it; its chapter's, where none does yet."""
    return first_board(exercise, lambda one: one.exercises)
