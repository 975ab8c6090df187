"""The walk from 2:04:10: stirring, a round that can be undone, and arithmetic that buys memory back."""

from __future__ import annotations

from ridgeline.boards.constant import filled_in
from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture.cryptography import choices, ciphers, grounds, others, reversible
from ridgeline.boards.picture import Colour
from ridgeline.boards.tied_to import control, mark_y, on_mark
from ridgeline.boards.walk import ROUGH, Question, Seen, Step, height, mark_named, once_turned, upright
from ridgeline.quantity_text import counted

__all__ = ["STEPS"]

ALL_ROUNDS = 10
"""Number of rounds in the drawing."""
DEEP = 8
"""Largest number of layers in the drawing."""
DEEP_STACK = {"layers": filled_in(DEEP, why="more than he draws, so that what is stored grows")}


def _avalanche_prompt(seen: Seen) -> str:
    mixed = mark_named(seen, "AES mixed")
    return (
        f"In AES, one flipped bit changes {upright(seen, mixed.y, 1)} of the block within {mixed.x:g}"
        f" rounds. What share of the outputs does one flipped sign change after {ALL_ROUNDS} layers of a random"
        " residual network?"
    )


def _avalanche_reveal(seen: Seen) -> str:
    kept, stirred = (height(seen, name, ALL_ROUNDS) for name in ("residual network", "network of signs"))
    return (
        f"{upright(seen, kept, 2)}. A network that adds to its input keeps it visible, so it can be trained."
        f" Without that, a network of signs changes {upright(seen, stirred, 2)}, as ciphers do."
    )


def _kept(seen: Seen) -> str:
    plain, kept = (upright(seen, height(seen, name, DEEP)) for name in ("store all", "reversible"))
    return (
        "Built this way, a whole network can run backwards: the inputs come back layer by layer, from the outputs. So"
        " training need not store what every layer computed, often its largest use of memory."
        f" Of {DEEP} layers it then stores {kept} instead of {plain}."
    )


def _mixed_by(seen: Seen) -> str:
    """Words that follow once more bits are flipped: AES after its first round, as the chart has it."""
    values, first = seen.values[seen.mode], upright(seen, height(seen, "AES", 1), 2)
    bits = _changing(values["flipped_bits"], "flipped bit")
    return f". Here {bits} {first} of AES's block after one round, averaged over all places of the block"


def _kept_by(seen: Seen) -> str:
    kept = upright(seen, height(seen, "residual network", ALL_ROUNDS), 2)
    signs = _changing(seen.values[seen.mode]["flipped_bits"], "flipped sign")
    return f". Here {signs} {kept} of the residual network's outputs"


def _changing(count: float, what: str) -> str:
    return f"{counted(count, what)} {'changes' if count == 1 else 'change'}"


POWERS = {1: "copying", 2: "squaring", 3: "cubing"}


def _rounds_of(seen: Seen) -> str:
    values = seen.values[seen.mode]
    power = int(values["exponent"])
    function = POWERS.get(power, f"raising to the power {power}")
    return f". Here {values['rounds']:.0f} rounds of {function} run there and back"


def _bought(seen: Seen) -> str:
    """Words that follow once the stack is turned: its peaks without reversible layers, and with all of them."""
    plain, undone = (upright(seen, mark_named(seen, name).y) for name in ("none reversible", "all reversible"))
    return f" (here {undone} in place of {plain})"


def _circle(_: Seen) -> str:
    more = shown(reversible.MORE_WORK, "fraction", 2)
    return (
        f"What does that memory cost? On the way back each reversible layer runs once more: {more} more"
        " compute buys memory back. The KV cache goes the other way: it spends memory so that no token is computed"
        " twice."
    )


STEPS = (
    Step(
        board="ciphers",
        time_stamp="2:04:10",
        formula=ciphers.AVALANCHE_EQUATION,
        lines=("one half", "AES", "network of signs"),
        controls=("flipped_bits", "samples"),
        read_at=ALL_ROUNDS,
        sentence="Last, ciphers and neural networks look alike. Both mix every part of their input with every other: a"
        " cipher to hide structure, a network to find it. The chart has AES, a common cipher, and a"
        " network whose values are signs, plus or minus one.",
        named={"ciphers": Colour.BOUND, "neural networks": Colour.ASIDE},
        claims=("E6",),
        clauses=(once_turned("a network to find it", _mixed_by, "flipped_bits", "samples"),),
    ),
    Step(
        board="ciphers",
        time_stamp="2:05:57",
        formula=ciphers.RESIDUAL_EQUATION,
        lines=("one half", "AES", "network of signs", "residual network"),
        controls=("flipped_bits", "added_weight", "samples"),
        sentence="What sets them apart is the derivative: how much the output changes with a small change of the input."
        " Networks keep it small, with residual connections, which add a layer's input to its output. In a"
        " cipher, one flipped bit should change half of all bits.",
        named={"residual connections": Colour.ALSO, "a cipher": Colour.BOUND},
        claims=("E8", "E10"),
        clauses=(
            once_turned(
                "one flipped bit should change half of all bits", _kept_by, "flipped_bits", "added_weight", "samples"
            ),
        ),
        question=Question(
            prompt=_avalanche_prompt,
            line="residual network",
            x=ALL_ROUNDS,
            tolerance_ratio=ROUGH,
            reveal=_avalanche_reveal,
            grounds=lambda seen: grounds.after_layers(seen, ALL_ROUNDS),
        ),
    ),
    Step(
        board="feistel",
        time_stamp="2:09:10",
        sentence="One trick has crossed from ciphers to networks. Split the input in two, leave the first half as it"
        " is, and add any function of it to the second. Given the first half, the same value can be computed again"
        " and subtracted: so the step can be undone, even if the function cannot.",
        named={"any function": Colour.BOUND, "the first half": Colour.ALSO, "can be undone": Colour.BOUND},
        claims=("E1", "E2"),
        clauses=(once_turned("even if the function cannot", _rounds_of, "rounds", "exponent"),),
    ),
    Step(
        board="reversible",
        view=1,
        time_stamp="2:12:20",
        turned=DEEP_STACK,
        formula=reversible.PEAK_EQUATION,
        read_mark="all layers kept",
        sentence=_kept,
        named={"store what every layer computed": Colour.ASIDE, "the inputs come back layer by layer": Colour.BOUND},
        ties=(
            control("layers"),
            mark_y("one layer kept"),
            mark_y("all layers kept"),
        ),
        claims=("E3", "E4"),
        choice=choices.KEPT_AT_A_TIME,
        other=others.deeper,
    ),
    Step(
        board="reversible",
        view=2,
        time_stamp="2:13:33",
        formula=reversible.PRICE_EQUATION,
        turned=DEEP_STACK,
        read_mark="all reversible",
        sentence=_circle,
        named={"memory back": Colour.BOUND},
        ties=(on_mark("all reversible", reversible.MORE_WORK),),
        claims=("E9", "E12"),
        other=others.saved,
        clauses=(
            once_turned("buys memory back", _bought, "layers", "hidden", "micro_batch_tokens", turned=DEEP_STACK),
        ),
        answer="Layers that mix, so that each output depends on all of the input. And a round that can be undone, made"
        " for ciphers, lets a network compute its activations again instead of storing them.",
    ),
)
