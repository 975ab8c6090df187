"""Questions on experts, racks and cables that a number answers.

Five percent leaves room for mental arithmetic in several steps, one percent for a single one; what is counted, or comes
out round, is asked exactly.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.place import Place, Way
from ridgeline.equations import collectives, cuts, experts, racks
from ridgeline.estimator import expert_placement

__all__ = ["EXERCISES"]

SOUGHT = {"first": 9.0, "second": 5.0, "third": 4.0, "fourth": 2.0, "redundant_experts": 2.0}
LOADS = {"first": 14.0, "second": 9.0, "third": 8.0, "fourth": 9.0}
HOP = {"batch": 1500.0, "hidden": 8000.0, "value_bytes": 2.0, "ports": 16.0, "bytes_per_s": 50e9}
SPREAD = {"racks": 3.0, "link_ratio": 12.0}
GROWN = {"chips": 96.0, "dies_per_chip": 4.0, "chips_before": 64.0, "dies_before": 2.0}
WIRED = {"chips": 48.0, "links": 12.0, "cables_per_link": 4.0}
HELD = {"chips": 32.0, "hbm_bytes": 250e9, "bytes_per_param": 0.5, "kv_fraction": 0.25}
EXPERT_WIDTH = 2048.0
"""Width of the board's experts; what other cuts send does not depend on it."""
COPIES = 4.0
"""Experts of a token; with the ratio of the links they make what a layer takes."""
KEPT_TOKENS = 100e3
KEPT_BYTES = 2e9
"""Size of a sequence's cache, of which many fill the memory, bytes."""


def _busiest_copy() -> float:
    visits = tuple(SOUGHT[name] for name in ("first", "second", "third", "fourth"))
    copies = expert_placement.copies_of_experts(visits=visits, redundant_experts=int(SOUGHT["redundant_experts"]))
    return max(load / held for load, held in zip(visits, copies, strict=True))


def _spread() -> float:
    leaving = float(collectives.others_fraction(ranks=SPREAD["racks"]))
    return max(1 - leaving, SPREAD["link_ratio"] * leaving)


def _grown() -> float:
    before = racks.dies(chips=GROWN["chips_before"], dies_per_chip=GROWN["dies_before"])
    return float(racks.dies(chips=GROWN["chips"], dies_per_chip=GROWN["dies_per_chip"]) / before)


def _held() -> float:
    memory = racks.domain_bytes(chips=HELD["chips"], hbm_bytes=HELD["hbm_bytes"])
    return float(memory) * (1 - HELD["kv_fraction"]) / HELD["bytes_per_param"]


EXERCISES: tuple[Exercise, ...] = (
    compose(
        "racks-slots",
        time_stamp="0:34:20",
        question="A layer's {experts} experts and {redundant_experts} extra copies lie evenly on {chips} chips. How"
        " many does each chip hold?",
        inputs={"experts": 384.0, "redundant_experts": 48.0, "chips": 72.0},
        equation=experts.slots_per_chip,
        dimension="count",
        tolerance=0.0,
        working="All of them over the chips: ({experts} + {redundant_experts}) / {chips}",
    ),
    compose(
        "racks-visited",
        time_stamp="0:34:20",
        question="{experts} experts lie evenly on {groups} chips. A token visits {active_experts} of them, drawn at"
        " random. How many different chips is that on average?",
        inputs={"experts": 64.0, "active_experts": 2.0, "groups": 8.0},
        equation=experts.groups_visited,
        answer=lambda: experts.groups_visited(experts=64, active_experts=2, groups=8),
        dimension="count",
        tolerance=0.02,
        working="One chip for the first expert, and one more unless the second is on the same chip: 1 + (1 -"
        " ({experts} / {groups} - 1) / ({experts} - 1))",
    ),
    compose(
        "racks-busiest",
        time_stamp="0:34:20",
        question="Four chips serve {first}, {second}, {third} and {fourth} visits to a layer's experts. How many times"
        " as long does the layer take as with evenly shared work?",
        inputs=LOADS,
        equation=expert_placement.load_over_mean,
        answer=lambda: expert_placement.load_over_mean(loads=tuple(LOADS.values())),
        dimension="count",
        tolerance=0.01,
        working="All wait for the busiest chip: {first} / (({first} + {second} + {third} + {fourth}) / 4)",
    ),
    compose(
        "racks-copies",
        time_stamp="0:34:20",
        question="A batch visits a layer's four experts {first}, {second}, {third} and {fourth} times. There is room"
        " for {redundant_experts} further copies, and copies of an expert share its visits evenly. With the copies"
        " placed best, how many visits does the busiest copy serve?",
        inputs=SOUGHT,
        equation=expert_placement.copies_of_experts,
        answer=_busiest_copy,
        dimension="count",
        tolerance=0.0,
        working="The first copy halves {first}, the second halves {second}, and the busiest is then {first} / 2",
    ),
    compose(
        "racks-local",
        time_stamp="0:40:00",
        question="Experts lie evenly over {ranks} racks, each expert once. What share of all visits leaves its rack?",
        inputs={"ranks": 5.0},
        equation=collectives.others_fraction,
        dimension="fraction",
        tolerance=0.01,
        working="All except those to the token's own rack: ({ranks} - 1) / {ranks}",
        place=Place(
            board="experts",
            view=2,
            way=Way.UPRIGHT,
            line="one copy",
            at=lambda given: given["ranks"],
            turned=lambda given: {"racks": given["ranks"]},
        ),
    ),
    compose(
        "racks-links",
        time_stamp="0:39:20",
        question="A chip sends {scale_up_bytes_per_s} inside its rack and {scale_out_bytes_per_s} out of it. How many"
        " times as long does a message take that leaves the rack, without latency?",
        inputs={"scale_up_bytes_per_s": 800e9, "scale_out_bytes_per_s": 50e9},
        equation=racks.link_ratio,
        dimension="count",
        tolerance=0.0,
        working="One bandwidth over the other: {scale_up_bytes_per_s} / {scale_out_bytes_per_s}",
    ),
    compose(
        "racks-two-racks",
        time_stamp="0:40:00",
        question="A layer's experts move from one rack to {racks} racks. Links out of a rack are {link_ratio} times"
        " slower than inside, and both networks work at the same time. How many times as long does the all-to-all"
        " take?",
        inputs=SPREAD,
        equation=collectives.others_fraction,
        answer=_spread,
        dimension="count",
        tolerance=0.01,
        working="The share that leaves a rack, over slower links: {link_ratio} * ({racks} - 1) / {racks}",
        place=Place(
            board="scale-out",
            way=Way.UPRIGHT,
            line="all-to-all",
            at=lambda given: given["racks"],
            turned=dict,
            lines=("inside a rack",),
        ),
    ),
    compose(
        "racks-bandwidth",
        time_stamp="1:18:14",
        question="The weights are spread over {chips} chips that read {hbm_bytes_per_s} each. At what bandwidth are"
        " they read?",
        inputs={"chips": 64.0, "hbm_bytes_per_s": 7.5e12},
        equation=racks.domain_bytes_per_s,
        dimension="bytes_per_s",
        tolerance=0.01,
        working="All chips read at once: {chips} * {hbm_bytes_per_s}",
    ),
    compose(
        "racks-dies",
        time_stamp="0:41:30",
        question="A rack has {chips} packages of {dies_per_chip} dies; the one before it had {chips_before} packages"
        " of {dies_before} dies. By what factor did the number of dies grow?",
        inputs=GROWN,
        equation=racks.dies,
        answer=_grown,
        dimension="count",
        tolerance=0.0,
        working="Dies over dies: {chips} * {dies_per_chip} / ({chips_before} * {dies_before})",
    ),
    compose(
        "racks-held",
        time_stamp="0:46:54",
        question="A rack of {chips} chips with {hbm_bytes} each keeps {kv_fraction} of its memory for KV caches. How"
        " many parameters of {bytes_per_param} fit into the rest?",
        inputs=HELD,
        equation=racks.domain_bytes,
        answer=_held,
        dimension="count",
        tolerance=0.01,
        working="Memory without the share of the caches: {chips} * {hbm_bytes} * (1 - {kv_fraction}) /"
        " {bytes_per_param}",
    ),
    compose(
        "racks-wired",
        time_stamp="0:42:50",
        question="Each of a rack's {chips} chips has {links} links to switches, and a link is {cables_per_link}"
        " cables. How many cables run in the rack?",
        inputs=WIRED,
        equation=racks.switch_cables,
        answer=lambda: racks.switch_cables(
            chips=WIRED["chips"], cables_per_chip=WIRED["links"] * WIRED["cables_per_link"]
        ),
        dimension="count",
        tolerance=0.0,
        working="Chips, times links, times cables per link: {chips} * {links} * {cables_per_link}",
    ),
    compose(
        "racks-tensor",
        time_stamp="0:48:00",
        question="Every matrix of a layer is split over {ranks} chips, which all-reduce their results twice per layer,"
        " as a ring. How much does a chip send per layer for {tokens} tokens of {hidden} values, {value_bytes} each?",
        inputs={"tokens": 256.0, "hidden": 4000.0, "value_bytes": 2.0, "ranks": 8.0},
        equation=cuts.tensor_bytes,
        dimension="bytes",
        tolerance=0.05,
        working="Two all-reduces, each sending the result nearly twice: 4 * ({ranks} - 1) / {ranks} * {tokens} *"
        " {hidden} * {value_bytes}",
        place=Place(
            board="cuts",
            way=Way.UPRIGHT,
            line="tensor",
            at=lambda _: EXPERT_WIDTH,
            turned=lambda given: {"batch": given["tokens"], "hidden": given["hidden"], "chips": given["ranks"]},
            lines=("pipeline",),
        ),
    ),
    compose(
        "racks-expert",
        time_stamp="0:36:00",
        question="{tokens} tokens of {hidden} values lie evenly on {ranks} chips. Each goes to {copies_per_token} of"
        " these chips, chosen evenly, at {dispatch_bytes} per value, and comes back at {combine_bytes}; nothing is"
        " sent to its own chip. How much does a chip send per layer?",
        inputs={
            "tokens": 3200.0,
            "copies_per_token": 5.0,
            "hidden": 4000.0,
            "dispatch_bytes": 1.0,
            "combine_bytes": 2.0,
            "ranks": 32.0,
        },
        equation=cuts.expert_bytes,
        dimension="bytes",
        tolerance=0.05,
        working="Its own tokens there and others' results back, except one visit in {ranks}: ({ranks} - 1) / {ranks} *"
        " {tokens} / {ranks} * {copies_per_token} * {hidden} * ({dispatch_bytes} + {combine_bytes})",
    ),
    compose(
        "racks-hand-over",
        time_stamp="0:48:30",
        question="A stage of {ranks} chips runs {layers_per_stage} layers for {tokens} tokens of {hidden} values,"
        " {value_bytes} each, and hands them on. How much does a chip send, counted per layer?",
        inputs={"tokens": 3200.0, "hidden": 4000.0, "value_bytes": 2.0, "ranks": 32.0, "layers_per_stage": 20.0},
        equation=cuts.pipeline_bytes,
        dimension="bytes",
        tolerance=0.01,
        working="Its own tokens, once for all layers: {tokens} / {ranks} * {hidden} * {value_bytes} /"
        " {layers_per_stage}",
        place=Place(
            board="cuts",
            way=Way.UPRIGHT,
            line="pipeline",
            at=lambda _: EXPERT_WIDTH,
            turned=lambda given: {
                "batch": given["tokens"],
                "hidden": given["hidden"],
                "chips": given["ranks"],
                "layers_per_stage": given["layers_per_stage"],
            },
            lines=("tensor",),
        ),
    ),
    compose(
        "racks-slack",
        time_stamp="0:51:00",
        question="In each of a stage's {layers_per_stage} layers, a token goes to {copies_per_token} experts at"
        " {dispatch_bytes} per value and back at {combine_bytes}. Then it moves to the next rack at {send_bytes} per"
        " value, over links {link_ratio} times slower. How many times as long as the move does the expert traffic"
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
        working="Bytes inside over slower bytes outside: {copies_per_token} * {layers_per_stage} * ({dispatch_bytes} +"
        " {combine_bytes}) / ({link_ratio} * {send_bytes})",
        place=Place(
            board="stages",
            view=1,
            way=Way.UPRIGHT,
            line="bytes as sent",
            at=lambda given: given["layers_per_stage"],
            turned=lambda given: {
                "copies_per_token": given["copies_per_token"],
                "link_ratio": given["link_ratio"],
                "dispatch_bytes": given["dispatch_bytes"],
            },
            lines=("time of the hand-over",),
        ),
    ),
    compose(
        "racks-enough",
        time_stamp="0:51:00",
        question="One layer's expert traffic takes {ratio_of_one_layer} times as long as handing the batch to the next"
        " rack. How many layers must a rack have at least, so that the hand-over costs no extra time?",
        inputs={"ratio_of_one_layer": 0.4},
        equation=racks.layers_to_hide,
        dimension="count",
        tolerance=0.0,
        working="Each layer adds the same, rounded up: ⌈1 / {ratio_of_one_layer}⌉",
        place=Place(
            board="stages",
            view=1,
            way=Way.ALONG,
            line="2 B each way",
            mark="enough layers, 2 B each way",
            turned=lambda given: {
                "copies_per_token": COPIES,
                "link_ratio": 2 * COPIES / given["ratio_of_one_layer"],
            },
            lines=("time of the hand-over",),
            on="time of the hand-over",
        ),
    ),
    compose(
        "racks-hop",
        time_stamp="1:15:00",
        question="A rack hands {batch} tokens of {hidden} values, {value_bytes} each, to the next rack through {ports}"
        " ports of {bytes_per_s}. How long does that take, without latency?",
        inputs=HOP,
        equation=collectives.send_time_s,
        answer=lambda: collectives.send_time_s(
            message_bytes=HOP["batch"] * HOP["hidden"] * HOP["value_bytes"] / HOP["ports"],
            ranks=2,
            bytes_per_s=HOP["bytes_per_s"],
            latency_s=0,
        ),
        dimension="s",
        tolerance=0.05,
        working="Each port carries its part: {batch} * {hidden} * {value_bytes} / {ports} / {bytes_per_s}",
    ),
    compose(
        "racks-torus",
        time_stamp="0:46:06",
        question="{chips} chips form a torus with {axes} axes of equal length. How many links join its two halves?",
        inputs={"chips": 512.0, "axes": 3.0},
        equation=racks.torus_bisection_links,
        dimension="count",
        tolerance=0.01,
        working="The cut crosses every ring twice, a plane of links each time: 2 * {chips}^(1 - 1 / {axes})",
    ),
    compose(
        "racks-cables",
        time_stamp="0:42:50",
        question="How many cables join {chips} chips, each to every other, without a switch?",
        inputs={"chips": 24.0},
        equation=racks.mesh_cables,
        dimension="count",
        tolerance=0.0,
        working="One cable for each pair: {chips} * ({chips} - 1) / 2",
        place=Place(
            board="wires",
            way=Way.UPRIGHT,
            line="one per pair",
            at=lambda given: given["chips"],
            turned=dict,
            lines=("to neighbours",),
        ),
    ),
    compose(
        "racks-stages",
        time_stamp="1:13:00",
        question="A rack has {chips_per_stage} chips with {hbm_bytes} each and keeps {kv_bytes} for KV caches. How"
        " many such racks in a row does a model with {weight_bytes} of weights need at least?",
        inputs={"weight_bytes": 3e12, "kv_bytes": 4e12, "chips_per_stage": 32.0, "hbm_bytes": 180e9},
        equation=racks.stages_to_fit,
        dimension="count",
        tolerance=0.0,
        working="The weights over what the caches leave of a rack, rounded up: ⌈{weight_bytes} / ({chips_per_stage} *"
        " {hbm_bytes} - {kv_bytes})⌉",
        place=Place(
            board="memory",
            way=Way.ALONG,
            line="weights + KV cache",
            turned=lambda given: {
                "weight_bytes": given["weight_bytes"],
                "chips_per_stage": given["chips_per_stage"],
                "batch_per_stage": given["kv_bytes"] / KEPT_BYTES,
                "context_tokens": KEPT_TOKENS,
                "kv_bytes_per_token": KEPT_BYTES / KEPT_TOKENS,
                "hbm_bytes": given["hbm_bytes"],
            },
            lines=("memory of a chip", "KV cache"),
            on="memory of a chip",
        ),
    ),
)
