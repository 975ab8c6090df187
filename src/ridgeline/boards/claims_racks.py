"""Claims of the lecture's second half hour: experts over racks, and pipelines (B).

Lecture mode takes the lecture's own constants, careful mode the catalog's machines and DeepSeek-V3.
What a board starts from in careful mode is what the claims that it shows take.
"""

from __future__ import annotations

from ridgeline.boards.claim import Claim, Verdict, old_claim
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture import fleet as deepseek
from ridgeline.boards.old_numbers import (
    BALANCE_BATCH,
    HIDDEN,
    HOP_S,
    KV_BYTES_PER_TOKEN,
    LINK_RATIO,
    PORT_BYTES_PER_S,
    STAGES,
    TRAIN_S,
)
from ridgeline.catalog import load_machine, load_model, machine_entry
from ridgeline.equations import collectives, experts, memory, pipelines, racks
from ridgeline.estimator.kernels import RESIDUAL
from ridgeline.estimator.parameters import weight_bytes
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.machine import Machine

__all__ = ["CLAIMS", "HOP_S"]

EXAMPLE = {"weight_bytes": 1e12, "kv_bytes_per_sequence": 1e5 * KV_BYTES_PER_TOKEN, "chips_per_stage": 64}
"""A trillion parameters of a byte over 64 chips, and contexts of 100,000 tokens of 2 kB each."""


def _experts() -> RoutedExperts:
    """DeepSeek-V3's."""
    block = controls.routed_block(load_model(deepseek.MODEL))
    if block is None:
        raise TypeError(f"{deepseek.MODEL} has no routed experts; take a model that has")
    return block


def _slots(redundant_experts: int, chips: int) -> float:
    return float(experts.slots_per_chip(experts=_experts().experts, redundant_experts=redundant_experts, chips=chips))


def _dies(machine_id: str) -> float:
    facts, machine = machine_entry(machine_id).facts, load_machine(machine_id)
    found = racks.dies(chips=machine.scale_up_chips, dies_per_chip=facts.chip.dies.value if facts.chip.dies else 1)
    return float(found)


def _domain_bytes(machine: Machine, stages: int = 1) -> float:
    chips = stages * machine.scale_up_chips
    return float(racks.domain_bytes(chips=chips, hbm_bytes=machine.chip.hbm_bytes))


def _stage_over_hand_over() -> float:
    """The lecture's: 8 experts, one layer, values alike in all messages."""
    found = racks.scale_up_over_scale_out(
        copies_per_token=8, layers_per_stage=1, dispatch_bytes=1, combine_bytes=1, send_bytes=1, link_ratio=LINK_RATIO
    )
    return float(found)


def _careful_stage_over_hand_over() -> float:
    """One layer of DeepSeek-V3 on a rack of GB200: dispatch in 8 bits and scales, a copy for each chip visited."""
    facts, block = deepseek.facts("gb200-nvl72"), _experts()
    copies = experts.groups_visited(
        experts=block.experts,
        active_experts=block.active_experts,
        groups=facts.machine.scale_up_chips,
        routing_groups=block.routing_groups,
        routed_groups=block.routed_groups,
    )
    found = racks.scale_up_over_scale_out(
        copies_per_token=copies,
        layers_per_stage=1,
        dispatch_bytes=facts.model.precision.experts.operand.bytes_per_value,
        combine_bytes=RESIDUAL.bytes_per_value,
        send_bytes=RESIDUAL.bytes_per_value,
        link_ratio=controls.link_ratio(facts.machine),
    )
    return float(found)


def _parts(stages: int) -> tuple[float, float]:
    """Weights and KV of a chip in the example, with a micro-batch for each stage."""
    weights, kv = memory.bytes_per_chip(batch=BALANCE_BATCH * stages, stages=stages, **EXAMPLE)
    return float(weights), float(kv)


def _loop_ratio(hop_s: float) -> float:
    """Step of four equal stages with four micro-batches, over that without a pipeline."""
    whole_s = TRAIN_S
    step_s = pipelines.loop_time_s(path_s=whole_s + STAGES * hop_s, slowest_s=whole_s / STAGES, micro_batches=STAGES)
    return float(step_s / whole_s)


def _hop_s(ports: int) -> float:
    """Activations of a batch from rack to rack, in 16 bits, through one port or one for each of 64 chips."""
    found = collectives.send_time_s(
        message_bytes=BALANCE_BATCH * HIDDEN * RESIDUAL.bytes_per_value / ports,
        ranks=2,
        bytes_per_s=PORT_BYTES_PER_S,
        latency_s=load_machine("gb200-nvl72").efficiency.message_latency_s["scale_out"],
    )
    return float(found)


def _bytes_of(params: float, bytes_per_param: float) -> float:
    weights, _ = memory.bytes_per_chip(
        weight_bytes=params * bytes_per_param, kv_bytes_per_sequence=0, batch=0, chips_per_stage=1, stages=1
    )
    return float(weights)


def _domain_ratio(new: Machine, old: Machine) -> float:
    """Bandwidth of the weights, domain over domain, at the older chips' bandwidth: what its size alone brings."""
    rates = (
        racks.domain_bytes_per_s(chips=machine.scale_up_chips, hbm_bytes_per_s=old.chip.hbm_bytes_per_s)
        for machine in (new, old)
    )
    larger, smaller = rates
    return float(larger / smaller)


def _stages(weights: float, *, chips: int, hbm_bytes: float) -> float:
    return float(racks.stages_to_fit(weight_bytes=weights, kv_bytes=0, chips_per_stage=chips, hbm_bytes=hbm_bytes))


def _careful_stages() -> float:
    """On the nodes that DeepSeek serves with, in what the runtime leaves of their memory."""
    model, machine = load_model(deepseek.MODEL), load_machine("h800-sxm")
    usable = machine.chip.hbm_bytes * machine.efficiency.usable_hbm_fraction
    return _stages(weight_bytes(model, model.precision), chips=machine.scale_up_chips, hbm_bytes=usable)


CLAIMS: tuple[Claim, ...] = (
    old_claim(
        id="B1",
        time_stamp="34:00",
        chapter="racks",
        claim="256 experts lie four to a chip on 64 of a rack's 72 chips.",
        lecture=4.0,
        inputs={"experts": 256.0, "chips": 64.0, "redundant_experts": "none; careful: 32, over all 72 chips"},
        equation="experts.slots_per_chip",
        lecture_mode=lambda: _slots(0, 64),
        careful=lambda: _slots(32, load_machine("gb200-nvl72").scale_up_chips),
        verdict=Verdict.REPRODUCES,
        why="72 does not divide 256; with DeepSeek's 32 copies of sought-after experts no chip is left over.",
    ),
    old_claim(
        id="B2",
        time_stamp="36:00",
        chapter="racks",
        claim="Inside a rack any chip reaches any other over two links.",
        lecture=2.0,
        inputs={"tiers of switches": 1.0},
        equation="racks.links_crossed",
        lecture_mode=lambda: float(racks.links_crossed(tiers=1)),
        careful=None,
        verdict=Verdict.REPRODUCES,
        why="One tier of switches, up and down; a second tier would make it four.",
    ),
    old_claim(
        id="B3",
        time_stamp="39:00",
        chapter="racks",
        claim="Links beyond the rack are about eight times slower than those in it.",
        lecture=LINK_RATIO,
        inputs={"machine": "h100-sxm; careful: gb200-nvl72", "bytes_per_s": "in each direction"},
        equation="racks.link_ratio",
        lecture_mode=lambda: controls.link_ratio(load_machine("h100-sxm")),
        careful=lambda: controls.link_ratio(load_machine("gb200-nvl72")),
        verdict=Verdict.ROUNDED,
        why="Nine for most generations, eighteen where a rack of GB200 has one 400 Gbit/s port a chip.",
        tolerance=0.15,
    ),
    old_claim(
        id="B4",
        time_stamp="39:30",
        chapter="racks",
        claim="With experts over two racks, half of the traffic leaves its rack.",
        lecture=0.5,
        inputs={"racks": 2.0},
        equation="collectives.others_fraction",
        lecture_mode=lambda: float(collectives.others_fraction(ranks=2)),
        careful=None,
        verdict=Verdict.REPRODUCES,
        why="Over links eight times slower it takes four times as long as in one rack, and never eight times.",
    ),
    old_claim(
        id="B5",
        time_stamp="41:00",
        chapter="racks",
        claim="The next scale-up domain joins more than 500 chips.",
        lecture=500.0,
        inputs={"machine": "rubin-ultra-nvl576"},
        equation="racks.dies",
        lecture_mode=lambda: _dies("rubin-ultra-nvl576"),
        careful=lambda: float(load_machine("rubin-ultra-nvl576").scale_up_chips),
        verdict=Verdict.DEPENDS,
        why="576 are dies; they come four to a package, so that a rack has 144 of what 72 were counted in before.",
    ),
    old_claim(
        id="B6",
        time_stamp="45:00",
        chapter="racks",
        claim="Eight Hoppers have 640 GB, a rack of Blackwells 10 to 20 TB, in bytes.",
        lecture=640e9,
        unit="bytes",
        inputs={"chips": 8.0, "hbm_bytes": 80e9},
        equation="racks.domain_bytes",
        lecture_mode=lambda: float(racks.domain_bytes(chips=8, hbm_bytes=80e9)),
        careful=lambda: _domain_bytes(load_machine("h100-sxm")),
        verdict=Verdict.REPRODUCES,
        why="And 13.4 to 20.7 TB for the rack: enough for five trillion parameters of a byte.",
    ),
    old_claim(
        id="B7",
        time_stamp="46:54",
        chapter="racks",
        claim="The scale-up domain bounds a model's total parameters: how many of a byte fit one rack.",
        lecture=None,
        unit="params",
        inputs={"chips": 72.0, "hbm_bytes": 186e9, "bytes per parameter": 1.0, "careful": "gb200-nvl72, pp 4"},
        equation="racks.domain_bytes",
        lecture_mode=lambda: float(racks.domain_bytes(chips=72, hbm_bytes=186e9)),
        careful=lambda: _domain_bytes(load_machine("gb200-nvl72"), STAGES),
        verdict=Verdict.DEPENDS,
        why="Only without pipelining, as is said later: stages add capacity, and a domain's size adds bandwidth.",
    ),
    old_claim(
        id="B8",
        time_stamp="51:00",
        chapter="pipelines",
        claim="A stage's traffic in the rack takes at least as long as its hand-over: ratio for one layer.",
        lecture=None,
        inputs={
            "active_experts": 8.0,
            "layers of a stage": 1.0,
            "scale-up over scale-out": LINK_RATIO,
            "careful": f"{deepseek.MODEL} over all of gb200-nvl72, bytes as sent",
        },
        equation="racks.scale_up_over_scale_out",
        lecture_mode=_stage_over_hand_over,
        careful=_careful_stage_over_hand_over,
        verdict=Verdict.REPRODUCES,
        why="At least one is enough. In real bytes over links 18 times slower one layer is too few and two are enough.",
    ),
    old_claim(
        id="B9",
        time_stamp="58:00",
        chapter="pipelines",
        claim="Four stages without micro-batches idle three quarters of the time.",
        lecture=0.75,
        inputs={"pp": 4.0, "micro-batches": 1.0},
        equation="pipelines.idle_fraction",
        lecture_mode=lambda: float(pipelines.idle_fraction(stages=4, micro_batches=1)),
        careful=None,
        verdict=Verdict.REPRODUCES,
        why="One stage in four works at a time.",
    ),
    old_claim(
        id="B10",
        time_stamp="59:00",
        chapter="pipelines",
        claim="Training through four stages with four micro-batches leaves a bubble: part of the step.",
        lecture=None,
        inputs={"pp": 4.0, "micro-batches": 4.0},
        equation="pipelines.training_bubble_fraction",
        lecture_mode=lambda: float(pipelines.training_bubble_fraction(stages=4, micro_batches=4)),
        careful=None,
        verdict=Verdict.REPRODUCES,
        why="Three sevenths of the step, whether backward takes as long as forward or, as it does, twice as long.",
    ),
    old_claim(
        id="B11",
        time_stamp="1:01:36",
        chapter="pipelines",
        claim="A pipeline neither lengthens nor shortens a decode step: step over that without.",
        lecture=1.0,
        inputs={"pp": float(STAGES), "micro-batches": float(STAGES), "hop in seconds": "none; careful: 64 ports"},
        equation="pipelines.loop_time_s",
        lecture_mode=lambda: _loop_ratio(0.0),
        careful=lambda: _loop_ratio(_hop_s(64)),
        verdict=Verdict.REPRODUCES,
        why="Every stage's time adds up to the whole; only the hops come on top.",
    ),
    old_claim(
        id="B12",
        time_stamp="1:02:00",
        chapter="memory",
        claim="A trillion parameters need a terabyte, in bytes.",
        lecture=1e12,
        unit="bytes",
        inputs={"total_params": 1e12, "bytes per parameter": "1; careful: 2"},
        equation="memory.bytes_per_chip",
        lecture_mode=lambda: _bytes_of(1e12, 1.0),
        careful=lambda: _bytes_of(1e12, 2.0),
        verdict=Verdict.DEPENDS,
        why="In 8 bits; half of it in 4, twice in 16.",
    ),
    old_claim(
        id="B13",
        time_stamp="1:03:59",
        chapter="memory",
        claim="Half of what the largest operators invest goes into memory.",
        lecture=0.5,
        inputs={},
        equation="",
        lecture_mode=None,
        careful=None,
        verdict=Verdict.NOT_DERIVABLE,
        why="An analyst's figure, quoted at second hand.",
    ),
    old_claim(
        id="B14",
        time_stamp="1:07:00",
        chapter="memory",
        claim="Weights and contexts divide over the chips of a stage and over stages: bytes of a chip, 64 by 4.",
        lecture=None,
        unit="bytes",
        inputs={"batch": BALANCE_BATCH * STAGES, "pp": float(STAGES), "chips of a stage": 64.0, "weights": 1e12},
        equation="memory.bytes_per_chip",
        lecture_mode=lambda: sum(_parts(STAGES)),
        careful=None,
        verdict=Verdict.REPRODUCES,
        why="Counting, for a batch that counts all sequences in flight.",
    ),
    old_claim(
        id="B15",
        time_stamp="1:10:00",
        chapter="memory",
        claim="Stages leave a chip's contexts as large as they were: bytes with four stages, over those with one.",
        lecture=1.0,
        inputs={"batch": f"{BALANCE_BATCH:.0f} for each stage", "pp": float(STAGES), "chips of a stage": 64.0},
        equation="memory.bytes_per_chip",
        lecture_mode=lambda: _parts(STAGES)[1] / _parts(1)[1],
        careful=None,
        verdict=Verdict.REPRODUCES,
        why="As many micro-batches as stages keep all busy, and cancel them; more than that even adds.",
    ),
    old_claim(
        id="B16",
        time_stamp="1:15:00",
        chapter="pipelines",
        claim="Handing a batch on to the next rack takes a few milliseconds, in seconds.",
        lecture=HOP_S,
        unit="s",
        inputs={
            "batch": BALANCE_BATCH,
            "hidden": float(HIDDEN),
            "bytes_per_s": PORT_BYTES_PER_S,
            "ports": "1; careful: 64",
        },
        equation="collectives.send_time_s",
        lecture_mode=lambda: _hop_s(1),
        careful=lambda: _hop_s(64),
        verdict=Verdict.DOES_NOT_REPRODUCE,
        why="Even through a single port it takes less, and a hundredth when all chips of the rack send their part.",
        tolerance=0.5,
    ),
    old_claim(
        id="B17",
        time_stamp="1:17:00",
        chapter="racks",
        claim="From Hopper to Blackwell the scale-up domain alone brings eight times the bandwidth for weights.",
        lecture=8.0,
        inputs={"machine": "gb200-nvl72 over h100-sxm"},
        equation="racks.domain_bytes_per_s",
        lecture_mode=lambda: _domain_ratio(load_machine("gb200-nvl72"), load_machine("h100-sxm")),
        careful=None,
        verdict=Verdict.ROUNDED,
        why="Eight is for the 64 chips used of 72; with the chip's own 2.4 times, weights are read 21 times faster.",
        tolerance=0.15,
    ),
    old_claim(
        id="B18",
        time_stamp="1:12:00",
        chapter="racks",
        claim="Inference spreads experts over a whole scale-up domain and needs one stage or two.",
        lecture=1.0,
        inputs={"total_params": 671e9, "chips": 72.0, "hbm_bytes": 186e9, "machine": "careful: h800-sxm"},
        equation="racks.stages_to_fit",
        lecture_mode=lambda: _stages(671e9, chips=72, hbm_bytes=186e9),
        careful=_careful_stages,
        verdict=Verdict.DEPENDS,
        why="One on a rack; but DeepSeek spreads experts over 18 nodes, far beyond a domain, rather than stack stages.",
    ),
)
"""Every claim of the section, in the ledger's order."""
