"""Claims on experts over racks: 0:32 to 0:47."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.board import Mode
from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import implied, said
from ridgeline.boards.lecture import fleet
from ridgeline.boards.lecture.layouts import cuts as cuts_board
from ridgeline.boards.lecture.layouts import numbers
from ridgeline.boards.lecture.layouts.layer_messages import width_that_hides
from ridgeline.boards.lecture.numbers import LINK_RATIO, STAGES
from ridgeline.catalog import load_machine, machine_entry
from ridgeline.equations import collectives, cuts, experts, racks, roofline
from ridgeline.quantity_text import format_quantity

__all__ = ["CLAIMS"]

RACK, NODE, NEXT, POD = "gb200-nvl72", "h100-sxm", "rubin-ultra-nvl576", "tpu-v4"
POD_RIVAL = "a100-80-sxm"
"""Chip that NVIDIA sold when that pod came."""


def _dies_per_chip(machine: str) -> float:
    dies = machine_entry(machine).facts.chip.dies
    return dies.value if dies else 1.0


def _growth(*, chips: float, dies_per_chip: float, chips_before: float, dies_per_chip_before: float) -> float:
    before = racks.dies(chips=chips_before, dies_per_chip=dies_per_chip_before)
    return float(racks.dies(chips=chips, dies_per_chip=dies_per_chip) / before)


def _params(*, chips: float, hbm_bytes: float, bytes_per_param: float, stages: float) -> float:
    return float(racks.domain_bytes(chips=stages * chips, hbm_bytes=hbm_bytes)) / bytes_per_param


def _more_memory(*, chips: float, hbm_bytes: float, other_chips: float, other_hbm_bytes: float) -> float:
    other = racks.domain_bytes(chips=other_chips, hbm_bytes=other_hbm_bytes)
    return float(racks.domain_bytes(chips=chips, hbm_bytes=hbm_bytes) / other)


def _cable_growth(*, chips: float, cables_per_chip: float, times_the_chips: float) -> float:
    more = racks.switch_cables(chips=times_the_chips * chips, cables_per_chip=cables_per_chip)
    return float(more / racks.switch_cables(chips=chips, cables_per_chip=cables_per_chip))


def _leaving_cables(*, chips: float, links_per_chip: float, ports_per_chip: float) -> float:
    """Links that would leave for a switch between racks, over the ports that do."""
    one_switch = racks.switch_cables(chips=chips, cables_per_chip=links_per_chip)
    return float(one_switch / racks.switch_cables(chips=chips, cables_per_chip=ports_per_chip))


def _width_ratio(**values: float) -> float:
    """Width from which tensor parallelism hides, over that of an expert."""
    return width_that_hides(values, "tensor") / values["expert_hidden"]


WIDTH_INPUTS = (
    "batch",
    "chips",
    "hidden",
    "experts",
    "active_experts",
    "expert_hidden",
    "bytes_per_param",
    "flop_per_s",
    "hbm_bytes_per_s",
    "link_bytes_per_s",
)
"""Inputs that decide whether tensor parallelism hides behind a layer of experts."""


def _to_all_chips() -> Iterable[Step]:
    yield step("all chips of the rack", chips=load_machine(RACK).scale_up_chips)
    yield step("with further copies of the experts in demand", redundant_experts=numbers.PRODUCTION_COPIES)


def _to_gb200_links() -> Iterable[Step]:
    inside, beyond = load_machine(RACK).fabric[0], load_machine(RACK).fabric[-1]
    yield step("the links inside a rack of GB200", scale_up_bytes_per_s=inside.bytes_per_s)
    yield step("its one port of 400 Gbit/s a chip to what lies beyond", scale_out_bytes_per_s=beyond.bytes_per_s)


def _to_packages() -> Iterable[Step]:
    yield step("packages instead of dies, as they were counted before", dies_per_chip=1)


def _to_packages_of_both() -> Iterable[Step]:
    yield step("packages instead of dies", dies_per_chip=1, dies_per_chip_before=1)


IN_BYTES = "memory in bytes, as the driver reports it: a label's GB are GiB"
"""Assumption that separates a chip's label from its driver's report."""


def _to_reported_memory() -> Iterable[Step]:
    yield step(IN_BYTES, hbm_bytes=load_machine(NODE).chip.hbm_bytes)


def _to_a_pipeline() -> Iterable[Step]:
    yield step(f"layers over {STAGES.value} such racks", stages=STAGES.value)


def _dearer_token(*, times_the_params: float, context_over_crossover: float) -> float:
    """Cost of a token in a batch without end, over that of a model with fewer active parameters."""
    few, many = (
        float(
            roofline.step_time_s(
                batch=1.0,
                active_params=params,
                weight_bytes=0.0,
                kv_bytes_per_sequence=context_over_crossover,
                flop_per_s=roofline.FLOP_PER_PARAM,
                hbm_bytes_per_s=1.0,
            )
        )
        for params in (1.0, times_the_params)
    )
    return many / few


def _at_the_fleets_context() -> Iterable[Step]:
    over = fleet.MEAN_CONTEXT_TOKENS / fleet.crossover_tokens(RACK)
    yield step(f"{over:.2g} times the crossover: the fleet's mean context", context_over_crossover=over)


def _to_a_second_tier() -> Iterable[Step]:
    yield step("racks under a second tier of switches", tiers=2)


def _to_a_rack() -> Iterable[Step]:
    machine = load_machine(RACK)
    yield step("the chips of a rack of GB200", chips_per_stage=machine.scale_up_chips)
    yield step("their memory", hbm_bytes=machine.chip.hbm_bytes)


def _to_deepseek_on_gb200() -> Iterable[Step]:
    found = cuts_board.BOARD.values(Mode.CAREFUL, facts=fleet.facts(RACK))

    def changed(*names: str) -> dict[str, float]:
        return {name: found[name] for name in names}

    yield step("a whole rack of GB200 instead of 64 chips", **changed("chips"))
    yield step("its arithmetic and memory", **changed("flop_per_s", "hbm_bytes_per_s"))
    yield step("its links", **changed("link_bytes_per_s"))
    yield step("the checkpoint's formats", **changed("bytes_per_param"))
    yield step("DeepSeek-V3's balance batch there", **changed("batch"))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "B1",
        "0:34:20",
        "256 experts lie four to a chip on 64 of a rack's 72 chips.",
        computed="experts of the fullest chip",
        lecture=said(4.0, "0:34:20", hedge="simplified: only 64 of 72 chips"),
        equation=experts.slots_per_chip,
        inputs={"experts": numbers.EXPERTS, "redundant_experts": numbers.NO_COPIES, "chips": numbers.CHIPS},
        careful=_to_all_chips,
        careful_of=f"deepseek-v3 on {RACK}, with the copies of its production",
        verdict=Verdict.REPRODUCES,
        what="experts on the fullest chip",
        answer="{chips} chips hold {ours} each, since {experts:3} experts do not divide evenly over 72",
        why="72 does not divide 256. With 32 extra copies, as DeepSeek serves it, no chip is left over.",
    ),
    claim(
        "B2",
        "0:38:40",
        "Inside a rack any chip reaches any other in two hops: to a switch, and on to the other chip.",
        computed="hops between two chips",
        lecture=said(2.0, "0:38:40"),
        equation=racks.links_crossed,
        inputs={"tiers": implied(1.0, "0:38:40")},
        careful=_to_a_second_tier,
        contrast="two racks joined by a second tier of switches",
        verdict=Verdict.REPRODUCES,
        what="hops",
        answer="every chip is wired to every switch, so that {ours} hops are enough",
        why="One tier of switches is crossed once upwards and once downwards. Every further tier adds two links.",
    ),
    claim(
        "B3",
        "0:39:20",
        "A chip's bandwidth inside its rack is about eight times that beyond it.",
        computed="the first over the second",
        lecture=LINK_RATIO,
        equation=racks.link_ratio,
        inputs={
            "scale_up_bytes_per_s": load_machine(NODE).fabric[0].bytes_per_s,
            "scale_out_bytes_per_s": load_machine(NODE).fabric[-1].bytes_per_s,
        },
        careful=_to_gb200_links,
        careful_of=RACK,
        verdict=Verdict.DEPENDS,
        what="times the bandwidth beyond the rack",
        answer="the chip is an H100 or a GB300: then it is {ours} times. A GB200 has {careful} times, with one port of"
        " 400 Gbit/s to a chip",
        why="Nine on H100 and GB300. Eighteen on GB200, where a chip has one port of 400 Gbit/s to other racks.",
        tolerance=0.15,
    ),
    claim(
        "B4",
        "0:40:00",
        "With experts over two racks, half of the tokens' visits leave their rack.",
        lecture=said(0.5, "0:40:00", hedge="on average"),
        equation=collectives.others_fraction,
        inputs={"ranks": numbers.RACKS},
        verdict=Verdict.REPRODUCES,
        what="of the visits",
        answer="{ours} of the visits do, if tokens choose experts evenly",
        why="True if tokens choose evenly and each expert lies in one of the racks. What that does to the all-to-all is"
        " B46.",
    ),
    claim(
        "B5",
        "0:41:05",
        "The next rack, or scale-up domain, joins more than 500 chips.",
        computed="dies of a Rubin Ultra rack",
        lecture=said(500.0, "0:41:05", hedge="asked, and confirmed: 500 and something", between=(500, 599)),
        equation=racks.dies,
        inputs={"chips": float(load_machine(NEXT).scale_up_chips), "dies_per_chip": _dies_per_chip(NEXT)},
        careful=_to_packages,
        careful_of=f"{NEXT}, counted as chips were until then",
        verdict=Verdict.DEPENDS,
        what="chips",
        exactly={500.0: "500 and something chips"},
        answer="dies are counted as chips: then it joins {ours:3}. Counted in packages, as before, it has {careful:3}",
        why="The 576 are dies, four to a package. Counted in packages, as the 8 and the 72 were before, a rack has"
        " 144.",
    ),
    claim(
        "B6",
        "0:45:10",
        "Eight Hoppers have 640 GB of memory.",
        lecture=numbers.HOPPERS_BYTES,
        unit="bytes",
        equation=racks.domain_bytes,
        inputs={"chips": 8.0, "hbm_bytes": 80e9},
        careful=_to_reported_memory,
        careful_of=f"{NODE}, in GB of 10⁹ bytes",
        verdict=Verdict.REPRODUCES,
        answer="by the label they have {ours:3}, which are {careful:3} if a GB is 10⁹ bytes",
        why="By the label, whose 80 GB a chip are 80 GiB, of 2³⁰ bytes. In GB of 10⁹ bytes, as the board's table"
        f" counts, the driver reports {format_quantity(load_machine(NODE).chip.hbm_bytes, 'bytes')} a chip. A runtime"
        " keeps some of it for itself.",
    ),
    claim(
        "B7",
        "0:46:54",
        "The scale-up domain bounds a model's total parameters.",
        computed="parameters of one byte that fit one rack",
        unit="params",
        equation=racks.domain_bytes,
        compute=_params,
        inputs={
            "chips": said(72.0, "0:34:00"),
            "hbm_bytes": load_machine(RACK).chip.hbm_bytes,
            "bytes_per_param": 1.0,
            "stages": 1.0,
        },
        careful=_to_a_pipeline,
        contrast=f"{STAGES.value} racks that share the layers, as B17 has it",
        verdict=Verdict.DEPENDS,
        what="of one byte in a rack",
        answer="no pipeline spreads the layers over racks: then a rack holds {ours} parameters of one byte. Four"
        " racks in a row hold {careful}",
        why="True only without a pipeline. Half an hour later (B17) it is pipeline stages that add capacity, and the"
        " size of a rack that adds bandwidth.",
    ),
    claim(
        "B19",
        "0:41:30",
        "From Blackwell's rack to Rubin Ultra's, at least a fourfold increase is genuine.",
        computed="dies of the one over dies of the other",
        lecture=said(4.0, "0:41:30", hedge="at least", between=(4.0, 500 / 64)),
        equation=racks.dies,
        compute=_growth,
        inputs={
            "chips": float(load_machine(NEXT).scale_up_chips),
            "dies_per_chip": _dies_per_chip(NEXT),
            "chips_before": float(load_machine(RACK).scale_up_chips),
            "dies_per_chip_before": _dies_per_chip(RACK),
        },
        careful=_to_packages_of_both,
        contrast="packages, of which only twice as many share a rack",
        verdict=Verdict.REPRODUCES,
        what="times the dies",
        exactly={4.0: "four times the dies", 2.0: "twice the packages"},
        answer="the newer rack has {ours}, in {careful}",
        why="Exactly four times the dies, 576 over 144. The rest of the way from 72 to 576 is a different way of"
        " counting.",
    ),
    claim(
        "B20",
        "0:45:30",
        "A rack of Blackwells has 10 to 20 TB of memory.",
        lecture=said(10e12, "0:45:30", hedge="the interviewer's: on the order of 10 to 20 TB", between=(10e12, 20e12)),
        unit="bytes",
        equation=racks.domain_bytes,
        inputs={"chips": said(72.0, "0:34:00"), "hbm_bytes": load_machine(RACK).chip.hbm_bytes},
        given="the runtime's part included",
        verdict=Verdict.REPRODUCES,
        answer="an NVL72 of GB200 has {ours:3}",
        why="Room for five trillion parameters of one byte, and for more than as much of caches. The 186 GB of a"
        f" GB200's label are GiB: in GB of 10⁹ bytes, {format_quantity(load_machine(RACK).chip.hbm_bytes, 'bytes')}.",
    ),
    claim(
        "B21",
        "0:42:50",
        "Twice the chips in a rack need twice the cables in the same space.",
        lecture=said(2.0, "0:42:50"),
        equation=racks.switch_cables,
        compute=_cable_growth,
        inputs={
            "chips": numbers.TRAYS,
            "cables_per_chip": numbers.CABLES_PER_TRAY,
            "times_the_chips": said(2.0, "0:42:50"),
        },
        verdict=Verdict.REPRODUCES,
        what="times the cables",
        exactly={2.0: "twice the cables"},
        answer="{ours}, since every chip keeps its own cables to the switches",
        why="Cables to switches grow in proportion to the chips. Between each pair of chips they would grow with the"
        " square.",
    ),
    claim(
        "B22",
        "0:40:40",
        "A hierarchy of switches, instead of one big switch, keeps the cabling in bounds.",
        computed="cables that would leave a rack with one big switch, over those that do",
        equation=racks.switch_cables,
        compute=_leaving_cables,
        inputs={
            "chips": said(72.0, "0:34:00"),
            "links_per_chip": float(load_machine(RACK).fabric[0].links or 1),
            "ports_per_chip": 1.0,
        },
        verdict=Verdict.REPRODUCES,
        what="times the cables out of the rack with one big switch",
        answer="with one big switch {ours} times as many cables would leave the rack",
        why=f"He gives no number. On GB200 one switch for two racks would take all {load_machine(RACK).fabric[0].links}"
        " links of a chip out of its rack, where one port leaves it now.",
    ),
    claim(
        "B23",
        "0:46:06",
        "Google has had very large scale-up domains for a long time.",
        computed="memory of a pod of TPU v4 over that of NVIDIA's machine at the time",
        equation=racks.domain_bytes,
        compute=_more_memory,
        inputs={
            "chips": float(load_machine(POD).scale_up_chips),
            "hbm_bytes": load_machine(POD).chip.hbm_bytes,
            "other_chips": float(load_machine(POD_RIVAL).scale_up_chips),
            "other_hbm_bytes": load_machine(POD_RIVAL).chip.hbm_bytes,
        },
        verdict=Verdict.REPRODUCES,
        what="times the memory of NVIDIA's machine at the time",
        answer="a pod of TPU v4 had {ours:3} times the memory of NVIDIA's machine at the time",
        why=f"He gives no number. A pod of TPU v4 has had {load_machine(POD).scale_up_chips:,} chips since"
        f" {machine_entry(POD).facts.released}. They form a torus, over which an all-to-all takes longer than through"
        " switches.",
    ),
    statement(
        "B24",
        "0:46:14",
        "Gemini seemed ahead because of these large domains.",
        answer="a guess of the interviewer's, which Pope leaves open",
        why="The interviewer's guess, which Pope leaves open: it could be sparser models, how their experts are built,"
        " or the data.",
    ),
    claim(
        "B25",
        "0:48:00",
        "Tensor parallelism has become much less relevant as experts shrank.",
        computed="how many times as wide an expert would have to be for tensor parallelism to cost no time",
        equation=cuts.hidden_behind_width,
        compute=_width_ratio,
        inputs={name: cuts_board.BOARD.control(name).lecture for name in WIDTH_INPUTS},
        careful=_to_deepseek_on_gb200,
        careful_of=f"deepseek-v3 on {RACK}",
        verdict=Verdict.REPRODUCES,
        what="times an expert's width before its work hides the traffic",
        answer="an expert would have to be {ours} times as wide before its work hides the traffic",
        why="He gives no number. Two all-reduces a layer send the same bytes however narrow its experts are, while the"
        " work that could hide them shrinks with the width.",
    ),
    claim(
        "B26",
        "0:44:50",
        "Models stopped growing until racks could hold them.",
        computed="nodes of eight Hoppers that a trillion parameters of one byte take",
        equation=racks.stages_to_fit,
        inputs={
            "weight_bytes": numbers.RUMOURED_PARAMS,
            "kv_bytes": 0.0,
            "chips_per_stage": said(8.0, "0:45:10"),
            "hbm_bytes": 80e9,
        },
        careful=_to_a_rack,
        contrast="racks of GB200 for the same",
        verdict=Verdict.DEPENDS,
        what="nodes for a trillion parameters",
        answer="layers are not pipelined over nodes: then a trillion parameters, which fill {ours} nodes of eight"
        " Hoppers, had to wait for a rack",
        why="The interviewer asks it, and Pope answers that larger racks unlock much. Half an hour later he takes"
        " capacity back, since a pipeline over two nodes would have held such a model, and names bandwidth instead"
        " (B42).",
    ),
    statement(
        "B27",
        "0:43:50",
        "A rack is limited by power, weight and cooling, and by the room for cables, which must not be bent too far.",
        answer="no equation here knows a rack's weight or a cable's bend",
        why="He has it from others, and adds that rack design is not his field. No equation here knows a rack's weight"
        " or a cable's bend.",
    ),
    statement(
        "B28",
        "0:44:20",
        "GPT-4 had more than a trillion parameters.",
        lecture=numbers.RUMOURED_PARAMS,
        unit="params",
        exactly={1000000000000.0: "over a trillion parameters"},
        answer="a rumour, whose number was never published",
        why="A rumour, and the interviewer calls it one. Its maker never published the number.",
    ),
    claim(
        "B29",
        "0:46:54",
        "The cost of compute bounds a model's active parameters, as the rack bounds its total ones.",
        computed="cost of the cheapest token with twice the active parameters, over that before",
        equation=roofline.step_time_s,
        compute=_dearer_token,
        inputs={"times_the_params": 2.0, "context_over_crossover": 0.0},
        careful=_at_the_fleets_context,
        careful_of=f"deepseek-v3 on {RACK} at its fleet's mean context",
        verdict=Verdict.DEPENDS,
        what="times the cost of a token",
        exactly={
            2.0: "twice the cost for twice the active parameters",
            1.0: "the same cost for twice the active parameters",
        },
        answer="contexts stay short of the crossover: then {ours}. Far beyond it, twice as many need not cost more",
        why="It depends on the context. Short of the crossover a token's cost grows in proportion to active parameters."
        " Where reading its cache takes longest, twice as many need not cost more.",
    ),
    statement(
        "B30",
        "0:37:40",
        "A rack holds about 64 chips.",
        lecture=said(64.0, "0:37:40", hedge="typically about"),
        published=lambda: float(load_machine(RACK).scale_up_chips),
        careful_of=RACK,
        what="chips",
        answer="a choice of the builder, within power, weight and cooling. A rack of GB200 has {published} chips",
        why="Power, weight and cooling make it so (B27), not an equation: a builder chooses within them.",
    ),
    statement(
        "B44",
        "0:41:12",
        "From Hopper to Blackwell the domain grew mostly by a product decision, racks instead of trays. No substantial"
        " technical barrier stood between.",
        answer="a judgement on how products came about",
        why="He contrasts it with the step that follows, a much more complicated rack with more cables (B19, B21).",
    ),
)
