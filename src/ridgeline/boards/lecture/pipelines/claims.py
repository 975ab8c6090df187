"""Claims on pipelines across racks: 0:47 to 1:03."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import LINK_RATIO, TRAIN_S
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import copies_per_token
from ridgeline.boards.lecture.pipelines.hop_time import MACHINE, careful_hop_s
from ridgeline.boards.lecture.pipelines.training_batch import LOSS, MICRO_BATCH_TOKENS
from ridgeline.boards.lecture.residual_stream import VALUE_BYTES
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import batches, memory, pipelines, racks
from ridgeline.estimator import parameters
from ridgeline.quantity_text import format_quantity
from ridgeline.training.schedules import SCHEDULES, Times, bubble_fraction

__all__ = ["CLAIMS"]

TRILLION_MODEL = "kimi-k2"


def _to_deepseek() -> Iterable[Step]:
    facts = fleet.facts(MACHINE)
    yield step(
        "8 of 256 experts over 72 chips: one copy to each chip that is visited",
        copies_per_token=copies_per_token(facts),
    )
    yield step(
        "values go to experts in 8 bits, and come back and on to the next stage in 16",
        dispatch_bytes=facts.model.precision.experts.operand.bytes_per_value,
        combine_bytes=VALUE_BYTES,
        send_bytes=VALUE_BYTES,
    )
    yield step("GB200's links, 18 times as fast inside the rack", link_ratio=controls.link_ratio(facts.machine))


def _two_layers() -> Iterable[Step]:
    yield step("two layers a stage", layers_per_stage=2.0)


def _token_time_ratio(*, period_s: float, stages: float, micro_batches: float, hop_s: float) -> float:
    """A decode step in equal stages, over that on one."""
    found = pipelines.loop_time_s(
        path_s=period_s + stages * hop_s, slowest_s=period_s / stages, micro_batches=micro_batches
    )
    return float(found) / period_s


def _with_hops() -> Iterable[Step]:
    yield step("hops as DeepSeek-V3's batch takes them between racks of GB200", hop_s=careful_hop_s())


def _weights_bytes(*, total_params: float, bytes_per_param: float) -> float:
    weights, _ = memory.bytes_per_chip(
        weight_bytes=total_params * bytes_per_param, kv_bytes_per_sequence=0, batch=0, chips_per_stage=1, stages=1
    )
    return float(weights)


def _to_a_trillion() -> Iterable[Step]:
    model = load_model(TRILLION_MODEL)
    params = float(parameters.total_params(model))
    yield step("the parameters of Kimi K2", total_params=params)
    held = parameters.weight_bytes(model, model.precision)
    yield step("its published checkpoint: 8 bits, but for a few matrices", bytes_per_param=held / params)


def _other_formats() -> Iterable[Step]:
    yield step("all in 4 bits", bytes_per_param=0.5)
    yield step("all in 16 bits", bytes_per_param=2.0)


def _racks_over_weights(*, chips: float, hbm_bytes: float, weight_bytes: float) -> float:
    return float(racks.domain_bytes(chips=chips, hbm_bytes=hbm_bytes)) / weight_bytes


def _rack_text(machine_id: str) -> str:
    machine = load_machine(machine_id)
    found = racks.domain_bytes(chips=machine.scale_up_chips, hbm_bytes=machine.chip.hbm_bytes)
    return format_quantity(float(found), "bytes")


def _weights_of_deepseek() -> Iterable[Step]:
    model = load_model(fleet.MODEL)
    yield step("DeepSeek-V3's weights", weight_bytes=parameters.weight_bytes(model, model.precision))


def _in_turn_over_all_forward(*, stages: float, micro_batches: float, backward_ratio: float) -> float:
    """Idle time of 1F1B over that of GPipe, each as it is played."""
    times = Times(forward_s=1.0, input_gradient_s=backward_ratio, weight_gradient_s=0.0)
    idle = [
        bubble_fraction(SCHEDULES[name], times, stages=int(stages), micro_batches=int(micro_batches))
        for name in ("1f1b", "gpipe")
    ]
    return idle[0] / idle[1]


CLAIMS: tuple[Claim, ...] = (
    claim(
        "B8",
        "0:51:00",
        "With enough active experts and layers, the traffic inside a stage's rack takes at least as long as handing"
        " the batch on to the next rack.",
        computed="the first time over the second, with one layer a rack",
        equation=racks.scale_up_over_scale_out,
        inputs={
            "copies_per_token": numbers.ACTIVE_EXPERTS,
            "layers_per_stage": said(1.0, "0:52:40"),
            "dispatch_bytes": filled_in(VALUE_BYTES),
            "combine_bytes": filled_in(VALUE_BYTES),
            "send_bytes": filled_in(VALUE_BYTES),
            "link_ratio": LINK_RATIO,
        },
        careful=_to_deepseek,
        further=_two_layers,
        careful_of=f"one layer of deepseek-v3 on {MACHINE}",
        verdict=Verdict.REPRODUCES,
        what="times as long as the hand-over",
        exactly={2.0: "twice as long as the hand-over"},
        answer="even with one layer to a rack and {copies_per_token} active experts it takes {ours}",
        why="Twice as long with 8 experts and all bytes alike. On GB200, whose links inside the rack are 18 times as"
        " fast, one layer of DeepSeek-V3 is too few and two are enough.",
    ),
    claim(
        "B9",
        "0:58:00",
        "If one batch at a time goes through four racks, each rack idles three quarters of the time.",
        lecture=said(0.75, "0:58:00", hedge="like"),
        equation=pipelines.idle_fraction,
        inputs={"stages": numbers.STAGES_DRAWN, "micro_batches": said(1.0, "0:57:40")},
        verdict=Verdict.REPRODUCES,
        what="of the time idle",
        answer="each idles {ours} of the time, since only one of {stages} works at once",
        why="Only one of the four racks works at a time.",
    ),
    claim(
        "B10",
        "0:59:00",
        "A training step stops between all forward and all backward passes, which leaves a bubble.",
        computed="part of the time that a stage idles, with four stages and four micro-batches",
        equation=pipelines.training_bubble_fraction,
        inputs={"stages": numbers.STAGES_DRAWN, "micro_batches": implied(4, "0:59:00")},
        verdict=Verdict.REPRODUCES,
        what="of the time idle",
        answer="{ours} of the time is idle with {stages} stages and {micro_batches} micro-batches",
        why="Three sevenths of the step, whether backward takes as long as forward, as he draws it, or twice as long,"
        " as it does.",
    ),
    claim(
        "B11",
        "1:01:36",
        "In inference a pipeline neither lengthens nor shortens the time of a token.",
        computed="time of a token over four stages, over that on one rack",
        lecture=said(1.0, "1:01:36"),
        equation=pipelines.loop_time_s,
        compute=_token_time_ratio,
        inputs={
            "period_s": TRAIN_S,
            "stages": numbers.STAGES_DRAWN,
            "micro_batches": numbers.MICRO_BATCHES,
            "hop_s": 0.0,
        },
        careful=_with_hops,
        careful_of=f"hops of deepseek-v3's balance batch between racks of {MACHINE}",
        verdict=Verdict.ROUNDED,
        what="times as long as without stages",
        exactly={1.0: "just as long as without stages"},
        answer="but for its hops, a token takes {ours}; with them, {careful:number} times as long",
        why="The stages' times add up to the whole. Only the hops come on top.",
    ),
    claim(
        "B12",
        "1:02:00",
        "A model of a trillion parameters needs one terabyte.",
        lecture=said(1e12, "1:02:00"),
        unit="bytes",
        equation=memory.bytes_per_chip,
        compute=_weights_bytes,
        inputs={"total_params": numbers.TRILLION_PARAMS, "bytes_per_param": implied(1.0, "1:02:00")},
        careful=_to_a_trillion,
        further=_other_formats,
        careful_of=f"{TRILLION_MODEL}, as published",
        verdict=Verdict.DEPENDS,
        answer="a parameter takes one byte: then it needs {ours}. In 4 bits it needs half of that, in 16 bits twice",
        why="True in 8 bits. A byte holds two parameters of 4 bits, and half of one of 16 bits.",
    ),
    statement(
        "B31",
        "0:58:35",
        "In inference a micro-batch is a batch: the two words mean different things in training alone.",
        answer="a matter of terms",
        why="Sequences do not wait for each other, so a batch may be cut as one likes. What shares a reading of the"
        " weights is the part that passes a stage together. Said by Dwarkesh Patel. Pope agrees.",
    ),
    claim(
        "B32",
        "0:59:50",
        "Smaller batches always converge better and larger ones run faster, so the best lies between.",
        computed="micro-batches per step with which four stages reach a given loss soonest",
        equation=batches.fastest_micro_batches,
        inputs={
            "stages": numbers.STAGES_DRAWN,
            "critical_micro_batches": float(batches.critical_batch_tokens(loss=LOSS)) / MICRO_BATCH_TOKENS,
        },
        verdict=Verdict.DEPENDS,
        what="micro-batches in the best step",
        answer="convergence follows the law of the critical batch: then a step of {ours} micro-batches is best,"
        " where the critical batch is {critical_micro_batches} of them",
        why="There is such an optimum by the law of the critical batch, which he does not name: about 12 where the"
        " critical batch is 50 micro-batches. Far below the critical batch, smaller ones gain next to nothing.",
    ),
    claim(
        "B33",
        "1:00:30",
        "One forward and one backward pass in turn (1F1B) avoids the bubble.",
        computed="its idle time, compared with all forward passes, then all backward",
        equation=bubble_fraction,
        compute=_in_turn_over_all_forward,
        inputs={
            "stages": numbers.STAGES_DRAWN,
            "micro_batches": numbers.MORE_MICRO_BATCHES,
            "backward_ratio": numbers.BACKWARD_RATIO,
        },
        lecture=implied(0.0, "1:00:30", hedge="so many techniques; more complicated schemes"),
        verdict=Verdict.DOES_NOT_REPRODUCE,
        what="of the bubble",
        exactly={0.0: "no bubble", 1.0: "the whole bubble"},
        headline="Plain 1F1B keeps {ours}: it saves memory, not time.",
        answer="it keeps {ours}, because it only saves memory",
        why="Plain 1F1B idles exactly as long, and saves only memory. Zero-bubble schedules, which he names too,"
        " fill part of the gap with gradients of weights, as he says. They close it only where stages update their"
        " weights without waiting for each other.",
    ),
    claim(
        "B34",
        "1:02:10",
        "A rack of Blackwells has a huge surplus of memory.",
        computed="its memory over the weights of a trillion parameters",
        equation=racks.domain_bytes,
        compute=_racks_over_weights,
        inputs={
            "chips": implied(float(load_machine(MACHINE).scale_up_chips), "0:34:00"),
            "hbm_bytes": load_machine(MACHINE).chip.hbm_bytes,
            "weight_bytes": numbers.TRILLION_BYTES,
        },
        careful=_weights_of_deepseek,
        careful_of=f"deepseek-v3 on {MACHINE}",
        verdict=Verdict.REPRODUCES,
        what="times the weights of a trillion parameters",
        answer="{ours} times the weights of a trillion parameters of one byte",
        why=f"A rack of GB200 has {_rack_text(MACHINE)}, one of GB300 {_rack_text('gb300-nvl72')}: less than the 'many"
        " tens of terabytes' that he says, and many times the weights. What is left over holds contexts.",
    ),
)
