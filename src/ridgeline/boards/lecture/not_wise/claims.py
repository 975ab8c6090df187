"""Claims on what pipelines cost and bring: 1:03 to 1:19, and Ilya Sutskever's statement quoted before."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.not_wise.hop import token_time_s
from ridgeline.boards.lecture.not_wise.not_wise import handed_on
from ridgeline.boards.lecture.numbers import (
    BALANCE_BATCH,
    HIDDEN,
    HOP_S,
    KV_BYTES_PER_TOKEN,
    PORT_BYTES_PER_S,
    TRAIN_S,
)
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hop_time import LATENCY_S, MACHINE, careful_hop_s, hop_s, to_deepseek
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import collectives, memory, pipelines, racks, roofline
from ridgeline.estimator import parameters
from ridgeline.numeric import ROUNDING
from ridgeline.quantity_text import format_quantity

__all__ = ["CLAIMS"]

OLD_MACHINE, OLDER_MACHINE, NODE = "h100-sxm", "a100-80-sxm", "h800-sxm"

EXAMPLE = {
    "weight_bytes": numbers.TRILLION_BYTES,
    "context_tokens": filled_in(1e5),
    "kv_bytes_per_token": KV_BYTES_PER_TOKEN,
    "batch_per_stage": BALANCE_BATCH,
    "chips_per_stage": numbers.CHIPS_PER_STAGE,
}
"""A trillion parameters of a byte over 64 chips, and contexts of 100,000 tokens of 2 kB each."""


def _parts(
    *,
    weight_bytes: float,
    context_tokens: float,
    kv_bytes_per_token: float,
    batch_per_stage: float,
    chips_per_stage: float,
    stages: float,
    micro_batches_per_stage: float = 1.0,
) -> tuple[float, float]:
    """Weights and KV of a chip."""
    weights, kv = memory.bytes_per_chip(
        weight_bytes=weight_bytes,
        kv_bytes_per_sequence=context_tokens * kv_bytes_per_token,
        batch=batch_per_stage * micro_batches_per_stage * stages,
        chips_per_stage=chips_per_stage,
        stages=stages,
    )
    return float(weights), float(kv)


def _needed_bytes(**inputs: float) -> float:
    return sum(_parts(**inputs))


def _kv_over_unstaged(*, stages: float, micro_batches_per_stage: float, **inputs: float) -> float:
    """KV of a chip with stages, over that without."""
    _, kv = _parts(stages=stages, micro_batches_per_stage=micro_batches_per_stage, **inputs)
    _, alone = _parts(stages=1.0, **inputs)
    return kv / alone


def _stages_to_even(**inputs: float) -> float:
    """Stages from which on KV takes more of a chip than weights."""
    weights, kv = _parts(stages=1.0, **inputs)
    return weights / kv


def _to_deepseek_memory() -> Iterable[Step]:
    facts = fleet.facts(MACHINE)
    yield step(
        "DeepSeek-V3's weights, as published",
        weight_bytes=parameters.weight_bytes(facts.model, facts.model.precision),
    )
    yield step("all 72 chips of a rack of GB200", chips_per_stage=float(facts.machine.scale_up_chips))
    yield step("the balance batch of the model on that rack", batch_per_stage=controls.whole_balance_batch(facts))
    yield step("the keys and values that its latent attention keeps", kv_bytes_per_token=controls.kv_bytes(facts))
    yield step("the mean context of DeepSeek's report", context_tokens=fleet.MEAN_CONTEXT_TOKENS)


def _two_micro_batches() -> Iterable[Step]:
    yield step("two micro-batches for each stage", micro_batches_per_stage=2.0)


def _one_hop() -> Iterable[Step]:
    yield step("hops as DeepSeek-V3's batch takes them between racks of GB200", hop_s=careful_hop_s())


def _nodes_of_deepseek() -> Iterable[Step]:
    model, machine = load_model(fleet.MODEL), load_machine(NODE)
    yield step("DeepSeek-V3's weights", weight_bytes=parameters.weight_bytes(model, model.precision))
    yield step(
        "nodes of eight H800, in what a runtime leaves of their memory",
        chips_per_stage=float(machine.scale_up_chips),
        hbm_bytes=machine.chip.hbm_bytes * machine.efficiency.usable_hbm_fraction,
    )


def _traffic_over_plain(*, layers: float, stages: float, attended_layers: float) -> float:
    """Vectors that stages hand on, over those of a plain residual stream."""
    plain = handed_on(layers=layers, stages=stages, attended_layers=1)
    return handed_on(layers=layers, stages=stages, attended_layers=attended_layers) / plain


def _blocks() -> Iterable[Step]:
    # A block is one layer of the equation: it hands on one vector, its sum.
    yield step("sums of eight blocks of layers instead of each layer's output", layers=8.0, attended_layers=8.0)


def _bandwidth_ratio(*, chips: float, old_chips: float, hbm_bytes_per_s: float, old_hbm_bytes_per_s: float) -> float:
    """Bandwidth at which a domain reads weights, over that of an older one."""
    new = racks.domain_bytes_per_s(chips=chips, hbm_bytes_per_s=hbm_bytes_per_s)
    return float(new / racks.domain_bytes_per_s(chips=old_chips, hbm_bytes_per_s=old_hbm_bytes_per_s))


def _own_bandwidth() -> Iterable[Step]:
    yield step("GB200's bandwidth of a chip", hbm_bytes_per_s=load_machine(MACHINE).chip.hbm_bytes_per_s)


def _one_generation_before() -> Iterable[Step]:
    old, older = (load_machine(one).chip.hbm_bytes_per_s for one in (OLD_MACHINE, OLDER_MACHINE))
    yield step("from A100 to H100 instead", hbm_bytes_per_s=old, old_hbm_bytes_per_s=older)


def _fewest_micro_batches(*, period_s: float, stages: float, hop_s: float) -> float:
    """Fewest micro-batches that leave no stage idle: one turn of all of them takes as long as the way round."""
    slowest_s, path_s = period_s / stages, period_s + stages * hop_s

    def idle(micro_batches: int) -> float:
        loop_s = pipelines.loop_time_s(path_s=path_s, slowest_s=slowest_s, micro_batches=micro_batches)
        return 1 - micro_batches * slowest_s / float(loop_s)

    return float(next(found for found in count(1) if idle(found) < ROUNDING))


def _his_hop() -> Iterable[Step]:
    yield step("his few milliseconds a hop", hop_s=float(HOP_S))


def _read_in_stages_s(*, weight_bytes: float, stages: float, chips_per_stage: float, hbm_bytes_per_s: float) -> float:
    """Time to read all weights, one stage after the other, s."""
    part_s = roofline.memory_time_s(
        batch=1,
        weight_bytes=weight_bytes / stages,
        kv_bytes_per_sequence=0,
        hbm_bytes_per_s=float(racks.domain_bytes_per_s(chips=chips_per_stage, hbm_bytes_per_s=hbm_bytes_per_s)),
    )
    return stages * float(part_s)


def _on_one_rack() -> Iterable[Step]:
    machine = load_machine(MACHINE)
    yield step(f"a domain of {machine.scale_up_chips} chips", chips_per_stage=float(machine.scale_up_chips))
    yield step("GB200's bandwidth of a chip", hbm_bytes_per_s=machine.chip.hbm_bytes_per_s)
    yield step("one stage, which holds all", stages=1.0)


def _more_stages() -> Iterable[Step]:
    yield step("eight such racks in a row", stages=8.0)


def _example_contexts() -> Iterable[Step]:
    yield step("contexts of 100,000 tokens in a balance batch a stage", context_tokens=float(EXAMPLE["context_tokens"]))


QUOTED_FRACTION = said(0.5, "1:03:59", hedge="the interviewer's, quoting an analyst; believable, Pope says")
"""Share of memory in the yearly investment of the largest operators."""

CLAIMS: tuple[Claim, ...] = (
    statement(
        "B13",
        "1:03:59",
        "The largest operators spend half of this year's investment on memory.",
        lecture=QUOTED_FRACTION,
        what="of the investment",
        answer="an analyst's number, quoted",
        why="Nothing in the lecture derives it.",
    ),
    claim(
        "B14",
        "1:07:00",
        "Weights and contexts divide over the chips of a stage and over the stages.",
        computed="memory that each chip needs, with 4 stages of 64 chips",
        unit="bytes",
        equation=memory.bytes_per_chip,
        compute=_needed_bytes,
        inputs=EXAMPLE | {"stages": numbers.STAGES_ASSUMED},
        careful=_to_deepseek_memory,
        careful_of=f"{fleet.MODEL} on {MACHINE}, contexts as in {fleet.REPORT}",
        verdict=Verdict.REPRODUCES,
        what="on each of 256 chips",
        answer="they come to {ours:3} {noun}, if contexts spread as evenly as experts",
        why="Exact if contexts are spread over the chips of a rack as evenly as experts. He leaves open how.",
    ),
    claim(
        "B15",
        "1:11:00",
        "More stages do not shrink the keys and values that a chip holds.",
        computed="their bytes with four stages, over those with one",
        lecture=said(1.0, "1:11:00"),
        equation=memory.bytes_per_chip,
        compute=_kv_over_unstaged,
        inputs=EXAMPLE | {"stages": numbers.STAGES_ASSUMED, "micro_batches_per_stage": said(1.0, "1:09:30")},
        careful=_two_micro_batches,
        contrast="two micro-batches for each stage",
        verdict=Verdict.REPRODUCES,
        what="times the bytes with one stage",
        exactly={1.0: "as many bytes as with one stage", 2.0: "twice as many bytes as with one stage"},
        answer="with {stages} stages a chip still holds {ours}, since {stages} times as many sequences are under way",
        why="A stage has a quarter of the layers and four times the sequences, since all stages are to be busy. More"
        " micro-batches than stages even add to them.",
    ),
    claim(
        "B16",
        "1:15:00",
        "Handing a batch to the next rack takes a few milliseconds.",
        lecture=HOP_S,
        unit="s",
        equation=collectives.send_time_s,
        compute=hop_s,
        inputs={
            "batch": BALANCE_BATCH,
            "hidden": HIDDEN,
            "ports": 1.0,
            "port_bytes_per_s": PORT_BYTES_PER_S,
            "latency_s": LATENCY_S,
        },
        careful=to_deepseek,
        careful_of=f"{fleet.MODEL}'s balance batch between two racks of {MACHINE}",
        verdict=Verdict.DEPENDS,
        answer="the whole rack sends through one port: then it takes {ours:3}, within his factor of ten. With a port"
        " for each of 72 chips it takes {at[1]:3}, far below it",
        why="Through a single port it lies within the order of magnitude that he allows. With a port for each chip it"
        " takes a hundredth of what he says.",
    ),
    claim(
        "B17",
        "1:18:14",
        "From Hopper to Blackwell, the size of the scale-up domain alone brings eight times the bandwidth for weights.",
        lecture=said(8.0, "1:18:14"),
        equation=racks.domain_bytes_per_s,
        compute=_bandwidth_ratio,
        inputs={
            "chips": implied(72.0, "0:34:00"),
            "old_chips": said(8.0, "0:45:00"),
            "hbm_bytes_per_s": load_machine(OLD_MACHINE).chip.hbm_bytes_per_s,
            "old_hbm_bytes_per_s": load_machine(OLD_MACHINE).chip.hbm_bytes_per_s,
        },
        careful=_own_bandwidth,
        contrast="the chips' own bandwidth counted too",
        verdict=Verdict.ROUNDED,
        what="times the bandwidth",
        answer="it is {ours} times with all {chips} chips, and {his} times with those that hold experts",
        why="Nine with all 72 chips, eight with the 64 that hold experts. With the chips' own faster memory, weights"
        " are read 21 times as fast.",
        tolerance=0.15,
    ),
    claim(
        "B18",
        "1:13:00",
        "Inference spreads experts over a whole scale-up domain and pipelines little: maybe not at all, maybe over"
        " two.",
        computed="stages that hold a trillion parameters",
        lecture=said(1.0, "1:13:00", hedge="maybe none at all, maybe two", between=(1.0, 2.0)),
        equation=racks.stages_to_fit,
        inputs={
            "weight_bytes": numbers.TRILLION_BYTES,
            "kv_bytes": 0.0,
            "chips_per_stage": implied(72.0, "0:34:00"),
            "hbm_bytes": load_machine(MACHINE).chip.hbm_bytes,
        },
        careful=_nodes_of_deepseek,
        careful_of=f"{fleet.MODEL} on nodes of {NODE}",
        verdict=Verdict.REPRODUCES,
        what="stages",
        answer="{ours} stage for a trillion parameters on a rack, {careful} for DeepSeek-V3 on nodes of eight chips",
        why="One stage on a rack, two on nodes of eight chips. But DeepSeek, whose report he takes it from, spreads"
        f" the experts of decoding over {fleet.DECODE_NODES} nodes, far beyond a scale-up domain.",
    ),
    statement(
        "B35",
        "0:54:27",
        "Ilya Sutskever said in a talk that today we know not to do pipeline parallelism.",
        answer="a quotation",
        why="Quoted by Dwarkesh Patel, who adds a lecture's reasons: bubbles, and limits on the architecture. 'A"
        " massive hassle' with some benefits, Pope answers.",
    ),
    claim(
        "B36",
        "0:54:40",
        "Residuals that attend to earlier layers, as Kimi's do, are hard to pipeline.",
        computed="what four stages hand on, over a plain residual stream",
        equation=pipelines.handed_on_outputs,
        compute=_traffic_over_plain,
        inputs={
            "layers": numbers.LAYERS,
            "stages": numbers.STAGES_DRAWN,
            "attended_layers": filled_in(numbers.LAYERS.value),
        },
        careful=_blocks,
        careful_of="blocks of layers as in Attention Residuals (arXiv 2603.15031)",
        verdict=Verdict.DEPENDS,
        what="times what a plain residual stream hands on",
        given=f"over {float(numbers.STAGES_DRAWN):g} racks",
        answer="every layer looks back at all layers before it: then stages hand on {ours} times as much. Sums of"
        " eight blocks, as Kimi proposes, make it {careful} times",
        why="Four layers back, as 'a few', would be four times as much. All layers of a hundred are fifty times. Kimi's"
        " own answer is to attend to sums of a few blocks of layers.",
    ),
    claim(
        "B37",
        "1:11:59",
        "With two stages, keys and values often take more of a chip's memory than weights.",
        computed="stages at which both take as much",
        lecture=said(2.0, "1:11:59", hedge="even two is often enough"),
        equation=memory.bytes_per_chip,
        compute=_stages_to_even,
        inputs=dict(EXAMPLE),
        careful=_to_deepseek_memory,
        careful_of=f"{fleet.MODEL} on {MACHINE}, contexts as in {fleet.REPORT}",
        verdict=Verdict.DEPENDS,
        what="stages until both take as much",
        answer="a trillion parameters serve contexts of {context_tokens:3} tokens: then both take as much at"
        " {ours} stages. In DeepSeek-V3's fleet, caches take more even without stages",
        why="Two for a trillion parameters and contexts of 100,000 tokens. Below one for DeepSeek-V3 in production:"
        " there they take more even without stages.",
        tolerance=0.05,
    ),
    statement(
        "B38",
        "1:10:00",
        "Pipelines are surely used in training at massive scale, and not a lot in inference.",
        answer="a practice",
        why="A practice. His reasons for inference are computed elsewhere: weights already fit (B34), and caches do not"
        " shrink (B15).",
    ),
    claim(
        "B39",
        "1:15:50",
        "Hops between four stages add up, since decoding is sequential: a token takes 30 ms instead of 20 ms.",
        lecture=said(0.030, "1:15:50", hedge="from 20 to 30, or something like that"),
        unit="s",
        equation=pipelines.loop_time_s,
        compute=token_time_s,
        inputs={"period_s": TRAIN_S, "stages": numbers.STAGES_ASSUMED, "hop_s": HOP_S},
        careful=_one_hop,
        careful_of=f"hops of {fleet.MODEL}'s balance batch between racks of {MACHINE}",
        verdict=Verdict.DEPENDS,
        what="a token",
        answer="a hop takes {hop_s:2s}: then it takes {ours}. With every chip's port in use it takes {careful:3}",
        why="True with his few milliseconds a hop. With every chip's port in use, hops add a fraction of a per cent.",
    ),
    claim(
        "B40",
        "1:18:14",
        "The bandwidth of a single chip grows 1.5 to 2 times a generation, as from Hopper to Blackwell.",
        computed="bandwidth of GB200 over that of H100",
        lecture=said(2.0, "1:18:14", hedge="maybe 1.5 or 2 times", between=(1.5, 2.0)),
        equation=racks.domain_bytes_per_s,
        compute=_bandwidth_ratio,
        inputs={
            "chips": 1.0,
            "old_chips": 1.0,
            "hbm_bytes_per_s": load_machine(MACHINE).chip.hbm_bytes_per_s,
            "old_hbm_bytes_per_s": load_machine(OLD_MACHINE).chip.hbm_bytes_per_s,
        },
        careful=_one_generation_before,
        contrast="from A100 to H100",
        verdict=Verdict.DEPENDS,
        what="times the bandwidth",
        answer="one takes the step from A100 to H100: then it was {careful} times. From H100 to GB200 it was"
        " {ours} times",
        why="It was 1.6 times from A100 to H100, and 2.4 times from H100 to GB200.",
    ),
    claim(
        "B41",
        "1:09:30",
        "As many micro-batches as stages keep all stages busy; fewer do not.",
        computed="fewest that leave four stages without idle time",
        lecture=numbers.MICRO_BATCHES,
        equation=pipelines.loop_time_s,
        compute=_fewest_micro_batches,
        inputs={"period_s": TRAIN_S, "stages": numbers.STAGES_DRAWN, "hop_s": 0.0},
        careful=_one_hop,
        further=_his_hop,
        careful_of=f"hops of {fleet.MODEL}'s balance batch between racks of {MACHINE}",
        verdict=Verdict.REPRODUCES,
        what="micro-batches",
        answer="{ours} micro-batches for {stages} stages, if hops take no time",
        why="Four by four in his drawing. A batch under way between racks is in no stage, so any hop asks for one more,"
        " and hops as long as his for two.",
    ),
    claim(
        "B42",
        "1:18:31",
        "In the end it was bandwidth that held models back, not capacity, which pipelines give.",
        computed="time in which nodes of eight Hoppers in a row read a trillion parameters",
        unit="s",
        equation=roofline.memory_time_s,
        compute=_read_in_stages_s,
        inputs={
            "weight_bytes": numbers.TRILLION_BYTES,
            "stages": numbers.STAGES_DRAWN,
            "chips_per_stage": said(8.0, "0:45:00"),
            "hbm_bytes_per_s": load_machine(OLD_MACHINE).chip.hbm_bytes_per_s,
        },
        careful=_on_one_rack,
        further=_more_stages,
        contrast="one rack of GB200",
        verdict=Verdict.REPRODUCES,
        what="to read a trillion parameters on nodes in a row",
        answer="nodes of eight Hoppers in a row take {ours} to read a trillion parameters, however many there are."
        " One rack of GB200 takes {careful}",
        why="Nodes in a row read one after another: more of them hold a larger model and read it no sooner. This is his"
        " last word on why sizes stalled (B26). On such nodes latency would be really high, and longer contexts gain"
        " by bandwidth too.",
    ),
    claim(
        "B43",
        "1:03:00",
        "Since stages divide the weights, hardware could have been built with less HBM.",
        computed="bytes of a trillion parameters that a chip holds when they lie over eight racks",
        unit="bytes",
        equation=memory.bytes_per_chip,
        compute=_needed_bytes,
        inputs=EXAMPLE | {"context_tokens": filled_in(0.0), "stages": said(8.0, "1:03:00", hedge="theoretically")},
        careful=_example_contexts,
        careful_of="the same with contexts of 100,000 tokens",
        verdict=Verdict.DEPENDS,
        what="of weights on each chip",
        answer="contexts are short: then {stages} racks need only {ours} of weights on each chip. Contexts of"
        " 100,000 tokens make it {careful}",
        why="It depends on contexts."
        f" Of a chip's {format_quantity(load_machine(MACHINE).chip.hbm_bytes, 'bytes')} weights take a hundredth."
        " Caches, which stages do not divide (B15), take four times that here, and more of them are what the rest is"
        " there for.",
    ),
)
