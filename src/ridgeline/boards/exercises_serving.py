"""Exercises on serving: roofline, departures, modes, contexts, sparsity, racks, pipelines and memory.

Five percent leaves room for mental arithmetic in several steps, one percent for a single one; what is counted, or comes
out round, is asked exactly.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.exercises_contexts import EXERCISES as CONTEXTS
from ridgeline.equations import (
    departures,
    experts,
    memory,
    modes,
    pipelines,
    racks,
    roofline,
    sparsity,
)

__all__ = ["EXERCISES"]

FLOOR = {"params": 120e9, "bytes_per_param": 1.0, "chips": 16.0, "hbm_bytes_per_s": 4e12}
SPARSE = {"balance_ratio": 300.0, "total_params": 480e9, "active_params": 32e9}
ROUTED = {"routed_fraction": 0.5, "experts": 33.0, "balance_ratio": 250.0}
MONTH = {"tokens": 500e12, "lifetime_s": 30 * 86400.0, "tokens_per_s_per_rack": 250e3}
FULL = {"hbm_bytes": 640e9, "weight_bytes": 240e9, "context_tokens": 8000.0, "kv_bytes_per_token": 100e3}
STAGED = {"weight_bytes": 2e12, "chips_per_stage": 32.0, "stages": 5.0}
CACHED = {"batch": 600.0, "stages": 4.0, "chips_per_stage": 32.0, "kv_bytes_per_sequence": 1.6e9}

ROOFLINE = (
    compose(
        "roofline-floor",
        question="A model of {params} parameters, {bytes_per_param} each, lies spread over {chips} chips that each read"
        " {hbm_bytes_per_s}. What is the shortest time of a decode step at an empty context, however small the batch?",
        inputs=FLOOR,
        equation=roofline.memory_time_s,
        answer=lambda: roofline.memory_time_s(
            batch=1,
            weight_bytes=FLOOR["params"] * FLOOR["bytes_per_param"],
            kv_bytes_per_sequence=0,
            hbm_bytes_per_s=FLOOR["chips"] * FLOOR["hbm_bytes_per_s"],
        ),
        dimension="s",
        tolerance=0.05,
        working="every weight is read once: {params} * {bytes_per_param} / ({chips} * {hbm_bytes_per_s})",
    ),
    compose(
        "roofline-compute",
        question="A chip that reaches {flop_per_s} takes {tokens} tokens through {active_params} active parameters. How"
        " long does its arithmetic take, attention left out?",
        inputs={"tokens": 512.0, "active_params": 20e9, "flop_per_s": 2e15},
        equation=roofline.compute_time_s,
        dimension="s",
        tolerance=0.05,
        working="a multiply and an add for each parameter and token: 2 * {tokens} * {active_params} / {flop_per_s}",
    ),
    compose(
        "roofline-ratio",
        question="A chip computes {flop_per_s} and reads {hbm_bytes_per_s}; a parameter has {bytes_per_param}. How many"
        " parameters can it multiply in the time in which it reads one?",
        inputs={"flop_per_s": 1.8e15, "hbm_bytes_per_s": 4.5e12, "bytes_per_param": 2.0},
        equation=roofline.balance_ratio,
        dimension="count",
        tolerance=0.01,
        working="two FLOP a multiplication: {flop_per_s} / 2 * {bytes_per_param} / {hbm_bytes_per_s}",
    ),
    compose(
        "roofline-balance",
        question="On a chip that multiplies {balance_ratio} parameters while it reads one, a model has {total_params}"
        " parameters, of which a token uses {active_params}. From how many sequences a batch on does computing take"
        " longer than reading the weights, caches left out?",
        inputs=SPARSE,
        equation=roofline.balance_batch,
        answer=lambda: roofline.balance_batch(
            balance_ratio=SPARSE["balance_ratio"], expansion=SPARSE["total_params"] / SPARSE["active_params"]
        ),
        dimension="count",
        tolerance=0.01,
        working="ratio times total over active: {balance_ratio} * {total_params} / {active_params}",
    ),
    compose(
        "roofline-step",
        question="A domain computes {flop_per_s} and reads {hbm_bytes_per_s}. It holds {weight_bytes} of weights, of"
        " which a token uses {active_params} parameters, and decodes {batch} sequences with {kv_bytes_per_sequence} of"
        " cache each. How long is a step at least?",
        inputs={
            "batch": 256.0,
            "active_params": 30e9,
            "weight_bytes": 240e9,
            "kv_bytes_per_sequence": 2e9,
            "flop_per_s": 16e15,
            "hbm_bytes_per_s": 64e12,
        },
        equation=roofline.step_time_s,
        dimension="s",
        tolerance=0.05,
        working="the larger of computing, 2 * {batch} * {active_params} / {flop_per_s}, and reading, ({weight_bytes} +"
        " {batch} * {kv_bytes_per_sequence}) / {hbm_bytes_per_s}",
    ),
    compose(
        "roofline-balance-with-caches",
        question="Reading all weights takes {weight_time_s}; a sequence adds {compute_time_per_sequence_s} of"
        " arithmetic and {kv_time_per_sequence_s} of reading its cache. At which batch do computing and reading take"
        " equally long?",
        inputs={
            "weight_time_s": 2e-3,
            "compute_time_per_sequence_s": 4e-6,
            "kv_time_per_sequence_s": 1.5e-6,
        },
        equation=roofline.balance_batch_with_kv,
        dimension="count",
        tolerance=0.01,
        working="each sequence wins back what its cache leaves of its arithmetic: {weight_time_s} /"
        " ({compute_time_per_sequence_s} - {kv_time_per_sequence_s})",
    ),
)

DEPARTURES = (
    compose(
        "departures-sweep",
        question="A chip has {hbm_bytes} of memory and reads {hbm_bytes_per_s}. How long does it take to read all of"
        " its memory once?",
        inputs={"hbm_bytes": 192e9, "hbm_bytes_per_s": 8e12},
        equation=roofline.memory_sweep_time_s,
        dimension="s",
        tolerance=0.01,
        working="capacity over bandwidth: {hbm_bytes} / {hbm_bytes_per_s}",
    ),
    compose(
        "departures-worst",
        question="A batch departs every {period_s} and takes as long. How long does a request wait for its token that"
        " has just missed a departure, if nobody is left behind?",
        inputs={"period_s": 0.035},
        equation=departures.worst_latency_s,
        dimension="s",
        tolerance=0.01,
        working="one period of waiting and one of riding: 2 * {period_s}",
    ),
    compose(
        "departures-mean",
        question="A batch departs every {period_s} and takes as long; requests come at any moment alike, and those left"
        " behind add {extra_wait_s} on the mean. How long does a request wait for its token on the mean?",
        inputs={"period_s": 0.026, "extra_wait_s": 0.001},
        equation=departures.mean_latency_s,
        dimension="s",
        tolerance=0.01,
        working="half a period of waiting, one of riding, and the rest: 1.5 * {period_s} + {extra_wait_s}",
    ),
    compose(
        "departures-rate",
        question="Each departure carries {batch} sequences and the next one leaves {period_s} later. How many tokens a"
        " second is that?",
        inputs={"batch": 1800.0, "period_s": 0.015},
        equation=departures.tokens_per_s,
        dimension="tokens_per_s",
        tolerance=0.01,
        working="a token for each sequence and period: {batch} / {period_s}",
    ),
    compose(
        "departures-in-flight",
        question="A service writes {tokens_per_s} in all, and each of its users sees {tokens_per_s_per_sequence}. How"
        " many sequences does it decode at a time?",
        inputs={"tokens_per_s": 90e3, "tokens_per_s_per_sequence": 30.0},
        equation=departures.sequences_in_flight,
        dimension="count",
        tolerance=0.01,
        working="Little's law, what all get over what each gets: {tokens_per_s} / {tokens_per_s_per_sequence}",
    ),
    compose(
        "departures-overfull",
        question="Batches of {seats} seats depart, and {arrivals} requests come in a period on the mean, as Poisson's"
        " law has it. In which part of the periods do more come than there are seats?",
        inputs={"arrivals": 9800.0, "seats": 10_000.0},
        equation=departures.overfull_fraction,
        dimension="fraction",
        tolerance=0.1,
        working="the spare seats are ({seats} - {arrivals}) / √{arrivals} = 2.02 standard deviations; the normal law's"
        " tail beyond them",
    ),
    compose(
        "departures-racks",
        question="A provider handles {tokens} tokens in a month of {lifetime_s}, and a rack writes"
        " {tokens_per_s_per_rack}. How many racks would write all of them?",
        inputs=MONTH,
        equation=departures.racks_needed,
        answer=lambda: departures.racks_needed(
            tokens_per_s=MONTH["tokens"] / MONTH["lifetime_s"], tokens_per_s_per_rack=MONTH["tokens_per_s_per_rack"]
        ),
        dimension="count",
        tolerance=0.05,
        working="tokens a second, over those of a rack: {tokens} / {lifetime_s} / {tokens_per_s_per_rack}",
    ),
)

MODES = (
    compose(
        "modes-batch",
        question="A fast mode costs {price_ratio} times as much and is {speed_ratio} times as fast, and the chips earn"
        " as much as before. How many times smaller is its batch?",
        inputs={"price_ratio": 4.0, "speed_ratio": 2.0},
        equation=modes.batch_ratio,
        dimension="count",
        tolerance=0.0,
        working="fewer pay more, and more often: {price_ratio} * {speed_ratio}",
    ),
    compose(
        "modes-limit",
        question="At {price_ratio} times the price a smaller batch makes a model {speed_ratio} times as fast, and"
        " nothing else differs. How many times as fast could it be at any price at all?",
        inputs={"price_ratio": 4.0, "speed_ratio": 2.0},
        equation=modes.largest_speed_up,
        dimension="count",
        tolerance=0.05,
        working="until only the weights are left to read: 1 + ({speed_ratio} - 1) / (1 - 1 / {price_ratio})",
    ),
    compose(
        "modes-saving",
        question="At {price_ratio} times the price a smaller batch makes a model {speed_ratio} times as fast. Which"
        " part of the regular price could a slow mode with a batch without end save at most?",
        inputs={"price_ratio": 3.0, "speed_ratio": 2.0},
        equation=modes.largest_saving_fraction,
        dimension="fraction",
        tolerance=0.05,
        working="the weights' part of a regular step: 1 / (1 + ({speed_ratio} - 1) / (1 - 1 / {price_ratio}))",
    ),
    compose(
        "modes-small-batch",
        question="Reading the weights takes {weight_time_s}; a sequence adds {compute_time_per_sequence_s} of"
        " arithmetic and {kv_time_per_sequence_s} of reading. How many times as much as at the best batch does a token"
        " cost at a batch of {batch}?",
        inputs={
            "batch": 100.0,
            "weight_time_s": 3e-3,
            "compute_time_per_sequence_s": 5e-6,
            "kv_time_per_sequence_s": 2e-6,
        },
        equation=modes.cost_over_floor,
        dimension="count",
        tolerance=0.05,
        working="a step's time a sequence, over the least that it can be: ({weight_time_s} + {batch} *"
        " {kv_time_per_sequence_s}) / {batch} / {compute_time_per_sequence_s}",
    ),
)

SPARSITY = (
    compose(
        "sparsity-touched",
        question="Each token visits {active_experts} of {experts} experts, by independent and even choices. How many"
        " different experts do {tokens} tokens visit on the mean?",
        inputs={"experts": 64.0, "active_experts": 2.0, "tokens": 64.0},
        equation=experts.experts_touched,
        dimension="count",
        tolerance=0.05,
        working="all but those that every token misses: {experts} * (1 - (1 - {active_experts} / {experts})^{tokens})",
    ),
    compose(
        "sparsity-total",
        question="Of a dense model of {params} parameters a part of {routed_fraction} is held once for each of"
        " {experts} experts. How many parameters lie in memory?",
        inputs={"params": 2e9, "routed_fraction": 0.4, "experts": 32.0},
        equation=sparsity.routed_total_params,
        dimension="count",
        tolerance=0.05,
        working="the model and its further experts: {params} * (1 + {routed_fraction} * ({experts} - 1))",
    ),
    compose(
        "sparsity-saturation",
        question="A scaling law counts experts as 1 / (1 / (E - 1 + o) + 1 / {experts_most}), with o = 1 / (1 /"
        " {experts_start} - 1 / {experts_most}). As how many does it count {experts}?",
        inputs={"experts": 64.0, "experts_start": 2.0, "experts_most": 300.0},
        equation=sparsity.saturated_experts,
        dimension="count",
        tolerance=0.05,
        working="1 / (1 / ({experts} - 1 + 1 / (1 / {experts_start} - 1 / {experts_most})) + 1 / {experts_most})",
    ),
    compose(
        "sparsity-balance",
        question="Of a dense model's parameters a part of {routed_fraction} is held once for each of {experts} experts,"
        " of which a token visits one, and a chip multiplies {balance_ratio} parameters while it reads one. At which"
        " batch does arithmetic take as long as reading the weights?",
        inputs=ROUTED,
        equation=roofline.balance_batch,
        answer=lambda: roofline.balance_batch(
            balance_ratio=ROUTED["balance_ratio"],
            expansion=sparsity.routed_total_params(
                params=1, routed_fraction=ROUTED["routed_fraction"], experts=ROUTED["experts"]
            ),
        ),
        dimension="count",
        tolerance=0.05,
        working="the ratio, for all parameters over those active: {balance_ratio} * (1 + {routed_fraction} * ({experts}"
        " - 1))",
    ),
    compose(
        "sparsity-hot",
        question="One expert draws {load_over_mean} times the mean and is held {copies} times; each chip that holds it"
        " has {slots_per_chip} experts, the others with the mean. How many times the mean is such a chip's load?",
        inputs={"load_over_mean": 8.0, "copies": 2.0, "slots_per_chip": 4.0},
        equation=experts.copied_chip_load,
        dimension="count",
        tolerance=0.01,
        working="its part and its neighbours', over the slots: ({load_over_mean} / {copies} + {slots_per_chip} - 1) /"
        " {slots_per_chip}",
    ),
)

RACKS = (
    compose(
        "racks-slots",
        question="{experts} experts of a layer and {redundant_experts} copies of the busiest lie evenly on {chips}"
        " chips. How many does each hold?",
        inputs={"experts": 384.0, "redundant_experts": 48.0, "chips": 72.0},
        equation=experts.slots_per_chip,
        dimension="count",
        tolerance=0.0,
        working="all over the chips: ({experts} + {redundant_experts}) / {chips}",
    ),
    compose(
        "racks-links",
        question="A chip sends {scale_up_bytes_per_s} within its rack and {scale_out_bytes_per_s} beyond it. How many"
        " times as long does a message take that leaves the rack, latencies left out?",
        inputs={"scale_up_bytes_per_s": 800e9, "scale_out_bytes_per_s": 50e9},
        equation=racks.link_ratio,
        dimension="count",
        tolerance=0.0,
        working="one bandwidth over the other: {scale_up_bytes_per_s} / {scale_out_bytes_per_s}",
    ),
    compose(
        "racks-bandwidth",
        question="Weights lie spread over {chips} chips that each read {hbm_bytes_per_s}. At which bandwidth are they"
        " read?",
        inputs={"chips": 64.0, "hbm_bytes_per_s": 7.5e12},
        equation=racks.domain_bytes_per_s,
        dimension="bytes_per_s",
        tolerance=0.01,
        working="all chips read at once: {chips} * {hbm_bytes_per_s}",
    ),
    compose(
        "racks-slack",
        question="Each token goes to {copies_per_token} experts in each of a stage's {layers_per_stage} layers,"
        " {dispatch_bytes} a value there and {combine_bytes} back, then to the next rack at {send_bytes} a value over"
        " links {link_ratio} times slower. How many times as long as the hand-over does the traffic inside the rack"
        " take?",
        inputs={
            "copies_per_token": 6.0,
            "layers_per_stage": 4.0,
            "dispatch_bytes": 1.0,
            "combine_bytes": 2.0,
            "send_bytes": 2.0,
            "link_ratio": 12.0,
        },
        equation=racks.scale_up_over_scale_out,
        dimension="count",
        tolerance=0.01,
        working="bytes inside over slower bytes outside: {copies_per_token} * {layers_per_stage} * ({dispatch_bytes} +"
        " {combine_bytes}) / ({link_ratio} * {send_bytes})",
    ),
    compose(
        "racks-stages",
        question="A rack of {chips_per_stage} chips with {hbm_bytes} each keeps {kv_bytes} for caches. How many racks"
        " in a row does a model with {weight_bytes} of weights need at least?",
        inputs={"weight_bytes": 3e12, "kv_bytes": 4e12, "chips_per_stage": 32.0, "hbm_bytes": 180e9},
        equation=racks.stages_to_fit,
        dimension="count",
        tolerance=0.0,
        working="weights over what caches leave of a rack, rounded up: ⌈{weight_bytes} / ({chips_per_stage} *"
        " {hbm_bytes} - {kv_bytes})⌉",
    ),
)

PIPELINES = (
    compose(
        "pipelines-idle",
        question="{micro_batches} micro-batches circle through {stages} equal stages that decode. Which part of its"
        " time does a stage idle?",
        inputs={"stages": 8.0, "micro_batches": 3.0},
        equation=pipelines.idle_fraction,
        dimension="fraction",
        tolerance=0.01,
        working="stages without work: 1 - {micro_batches} / {stages}",
    ),
    compose(
        "pipelines-bubble",
        question="A training step takes {micro_batches} micro-batches through {stages} equal stages, all forward and"
        " then all backward. Which part of the step do stages spend filling and draining?",
        inputs={"stages": 8.0, "micro_batches": 24.0},
        equation=pipelines.training_bubble_fraction,
        dimension="fraction",
        tolerance=0.05,
        working="idle slots over all: ({stages} - 1) / ({micro_batches} + {stages} - 1)",
    ),
    compose(
        "pipelines-loop",
        question="A micro-batch takes {path_s} once round a pipeline, {slowest_s} of it in the slowest stage. In which"
        " time do {micro_batches} micro-batches in flight each gain a token?",
        inputs={"path_s": 0.025, "slowest_s": 0.006, "micro_batches": 6.0},
        equation=pipelines.loop_time_s,
        dimension="s",
        tolerance=0.01,
        working="the longer of the way round, {path_s}, and the slowest stage's work, {micro_batches} * {slowest_s}",
    ),
    compose(
        "pipelines-fill",
        question="A micro-batch takes {path_s} through an empty pipeline, {slowest_s} of it in the slowest stage. When"
        " is the last of {micro_batches} through?",
        inputs={"path_s": 0.024, "slowest_s": 0.004, "micro_batches": 10.0},
        equation=pipelines.filled_time_s,
        dimension="s",
        tolerance=0.01,
        working="the first one's way, then one for each turn of the slowest: {path_s} + ({micro_batches} - 1) *"
        " {slowest_s}",
    ),
)

MEMORY = (
    compose(
        "memory-full",
        question="Chips with {hbm_bytes} together hold {weight_bytes} of weights; a token caches {kv_bytes_per_token}."
        " How many sequences of {context_tokens} tokens fit?",
        inputs=FULL,
        equation=memory.memory_full_batch,
        answer=lambda: memory.memory_full_batch(
            hbm_bytes=FULL["hbm_bytes"],
            weight_bytes=FULL["weight_bytes"],
            kv_bytes_per_sequence=FULL["context_tokens"] * FULL["kv_bytes_per_token"],
        ),
        dimension="count",
        tolerance=0.01,
        working="what weights leave over a sequence's cache: ({hbm_bytes} - {weight_bytes}) / ({context_tokens} *"
        " {kv_bytes_per_token})",
    ),
    compose(
        "memory-weights",
        question="{weight_bytes} of weights are split over {stages} stages of {chips_per_stage} chips. How much of them"
        " does a chip hold?",
        inputs=STAGED,
        equation=memory.bytes_per_chip,
        answer=lambda: memory.bytes_per_chip(batch=0, kv_bytes_per_sequence=0, **STAGED)[0],
        dimension="bytes",
        tolerance=0.01,
        working="weights over all chips: {weight_bytes} / ({chips_per_stage} * {stages})",
    ),
    compose(
        "memory-caches",
        question="Each of {stages} stages of {chips_per_stage} chips works on a micro-batch of {batch} sequences, whose"
        " whole caches have {kv_bytes_per_sequence} each. How much of all caches does a chip hold?",
        inputs=CACHED,
        equation=memory.bytes_per_chip,
        answer=lambda: memory.bytes_per_chip(weight_bytes=0, **CACHED | {"batch": CACHED["batch"] * CACHED["stages"]})[
            1
        ],
        dimension="bytes",
        tolerance=0.01,
        working="stages divide a cache and multiply the sequences: {stages} * {batch} * {kv_bytes_per_sequence} /"
        " ({chips_per_stage} * {stages})",
    ),
    compose(
        "memory-balance-time",
        question="Weights fill {weights_fraction} of a memory that takes {memory_sweep_time_s} to read. How long is a"
        " step at the batch that balances computing with reading the weights?",
        inputs={"weights_fraction": 0.3, "memory_sweep_time_s": 0.024},
        equation=memory.balance_step_time_s,
        dimension="s",
        tolerance=0.01,
        working="the weights' part of a sweep: {weights_fraction} * {memory_sweep_time_s}",
    ),
)

EXERCISES: tuple[Exercise, ...] = (
    *ROOFLINE,
    *DEPARTURES,
    *MODES,
    *CONTEXTS,
    *SPARSITY,
    *RACKS,
    *PIPELINES,
    *MEMORY,
)
