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
"""Of the board's experts; what other cuts send does not depend on it."""
COPIES = 4.0
"""Experts of a token; with the ratio of the links they make what a layer takes."""
KEPT_TOKENS = 100e3
KEPT_BYTES = 2e9
"""Of a sequence's cache, of which so many fill what is kept."""


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
        question="{experts} experts of a layer and {redundant_experts} copies of the busiest lie evenly on {chips}"
        " chips. How many does each hold?",
        inputs={"experts": 384.0, "redundant_experts": 48.0, "chips": 72.0},
        equation=experts.slots_per_chip,
        dimension="count",
        tolerance=0.0,
        working="all over the chips: ({experts} + {redundant_experts}) / {chips}",
    ),
    compose(
        "racks-visited",
        time_stamp="0:34:20",
        question="{experts} experts lie on {groups} chips, as many on each. A token visits {active_experts} of them,"
        " drawn at random. On how many different chips do they lie, on average?",
        inputs={"experts": 64.0, "active_experts": 2.0, "groups": 8.0},
        equation=experts.groups_visited,
        answer=lambda: experts.groups_visited(experts=64, active_experts=2, groups=8),
        dimension="count",
        tolerance=0.02,
        working="one for the first, and one more unless the second is among the others of that chip:"
        " 1 + (1 - ({experts} / {groups} - 1) / ({experts} - 1))",
    ),
    compose(
        "racks-busiest",
        time_stamp="0:34:20",
        question="Four chips of a layer's experts serve {first}, {second}, {third} and {fourth} visits. How many times"
        " as long as with even work does the layer's arithmetic take?",
        inputs=LOADS,
        equation=expert_placement.load_over_mean,
        answer=lambda: expert_placement.load_over_mean(loads=tuple(LOADS.values())),
        dimension="count",
        tolerance=0.01,
        working="all wait for the busiest: {first} / (({first} + {second} + {third} + {fourth}) / 4)",
    ),
    compose(
        "racks-copies",
        time_stamp="0:34:20",
        question="A layer has four experts. A batch visits the first {first} times, the others {second}, {third} and"
        " {fourth} times. There is room for {redundant_experts} further copies, and an expert's visits are split evenly"
        " over its copies. If the copies go where they help most, how many visits does the busiest copy serve?",
        inputs=SOUGHT,
        equation=expert_placement.copies_of_experts,
        answer=_busiest_copy,
        dimension="count",
        tolerance=0.0,
        working="the first copy halves {first}, the next halves {second}; now the busiest of {first} / 2, {second} / 2,"
        " {third} and {fourth}",
    ),
    compose(
        "racks-local",
        time_stamp="0:40:00",
        question="Experts lie evenly over {ranks} racks, each once. Which part of all visits leaves its rack?",
        inputs={"ranks": 5.0},
        equation=collectives.others_fraction,
        dimension="fraction",
        tolerance=0.01,
        working="all but those to the own rack: ({ranks} - 1) / {ranks}",
        place=Place(
            board="experts",
            view=2,
            way=Way.UPRIGHT,
            line="each once",
            at=lambda given: given["ranks"],
            turned=lambda given: {"racks": given["ranks"]},
        ),
    ),
    compose(
        "racks-links",
        time_stamp="0:39:20",
        question="A chip sends {scale_up_bytes_per_s} within its rack and {scale_out_bytes_per_s} beyond it. How many"
        " times as long does a message take that leaves the rack, latencies left out?",
        inputs={"scale_up_bytes_per_s": 800e9, "scale_out_bytes_per_s": 50e9},
        equation=racks.link_ratio,
        dimension="count",
        tolerance=0.0,
        working="one bandwidth over the other: {scale_up_bytes_per_s} / {scale_out_bytes_per_s}",
    ),
    compose(
        "racks-two-racks",
        time_stamp="0:40:00",
        question="A layer's experts move from one rack to {racks} racks, whose chips send {link_ratio} times slower"
        " beyond their rack than inside. Both networks work at the same time. How many times as long does the"
        " all-to-all take?",
        inputs=SPREAD,
        equation=collectives.others_fraction,
        answer=_spread,
        dimension="count",
        tolerance=0.01,
        working="what leaves a rack, over slower links: {link_ratio} * ({racks} - 1) / {racks}",
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
        question="Weights lie spread over {chips} chips that each read {hbm_bytes_per_s}. At which bandwidth are they"
        " read?",
        inputs={"chips": 64.0, "hbm_bytes_per_s": 7.5e12},
        equation=racks.domain_bytes_per_s,
        dimension="bytes_per_s",
        tolerance=0.01,
        working="all chips read at once: {chips} * {hbm_bytes_per_s}",
    ),
    compose(
        "racks-dies",
        time_stamp="0:41:30",
        question="A rack has {chips} packages of {dies_per_chip} dies each; the one before had {chips_before} packages"
        " of {dies_before} dies. By which factor did the number of dies grow?",
        inputs=GROWN,
        equation=racks.dies,
        answer=_grown,
        dimension="count",
        tolerance=0.0,
        working="dies over dies: {chips} * {dies_per_chip} / ({chips_before} * {dies_before})",
    ),
    compose(
        "racks-held",
        time_stamp="0:46:54",
        question="A domain of {chips} chips with {hbm_bytes} each keeps {kv_fraction} of its memory for caches."
        " How many parameters of {bytes_per_param} each fit the rest?",
        inputs=HELD,
        equation=racks.domain_bytes,
        answer=_held,
        dimension="count",
        tolerance=0.01,
        working="memory without the caches' part: {chips} * {hbm_bytes} * (1 - {kv_fraction}) / {bytes_per_param}",
    ),
    compose(
        "racks-wired",
        time_stamp="0:42:50",
        question="Each of a rack's {chips} chips has {links} links to switches, and a link is {cables_per_link} cables."
        " How many cables run in the rack?",
        inputs=WIRED,
        equation=racks.switch_cables,
        answer=lambda: racks.switch_cables(
            chips=WIRED["chips"], cables_per_chip=WIRED["links"] * WIRED["cables_per_link"]
        ),
        dimension="count",
        tolerance=0.0,
        working="chips, links and cables of each: {chips} * {links} * {cables_per_link}",
    ),
    compose(
        "racks-tensor",
        time_stamp="0:48:00",
        question="Every matrix of a layer is cut over {ranks} chips, which sum their results twice a layer. How much"
        " does a chip send for {tokens} tokens that are {hidden} values wide, {value_bytes} each?",
        inputs={"tokens": 256.0, "hidden": 4000.0, "value_bytes": 2.0, "ranks": 8.0},
        equation=cuts.tensor_bytes,
        dimension="bytes",
        tolerance=0.05,
        working="two sums, each sent nearly twice: 4 * ({ranks} - 1) / {ranks} * {tokens} * {hidden} * {value_bytes}",
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
        " these chips, chosen evenly, in {dispatch_bytes} a value, and results return in {combine_bytes} a value; what"
        " a token's own chip serves is not sent. How much does a chip send a layer?",
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
        working="its own tokens, there and back, but for one visit in {ranks}: ({ranks} - 1) / {ranks} * {tokens} /"
        " {ranks} * {copies_per_token} * {hidden} * ({dispatch_bytes} + {combine_bytes})",
    ),
    compose(
        "racks-hand-over",
        time_stamp="0:48:30",
        question="A stage of {ranks} chips runs {layers_per_stage} layers for {tokens} tokens of {hidden} values,"
        " {value_bytes} each, and hands them on. How much does each chip send for a layer?",
        inputs={"tokens": 3200.0, "hidden": 4000.0, "value_bytes": 2.0, "ranks": 32.0, "layers_per_stage": 20.0},
        equation=cuts.pipeline_bytes,
        dimension="bytes",
        tolerance=0.01,
        working="its own tokens, once for all layers: {tokens} / {ranks} * {hidden} * {value_bytes} /"
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
            lines=("as long as the hand-over",),
        ),
    ),
    compose(
        "racks-enough",
        time_stamp="0:51:00",
        question="One layer's traffic inside a rack takes {ratio_of_one_layer} times as long as handing the batch on"
        " to the next rack. How many layers must a stage have at least for the hand-over to cost no time?",
        inputs={"ratio_of_one_layer": 0.4},
        equation=racks.layers_to_hide,
        dimension="count",
        tolerance=0.0,
        working="each layer adds as much, rounded up: ⌈1 / {ratio_of_one_layer}⌉",
        place=Place(
            board="stages",
            view=1,
            way=Way.ALONG,
            line="bytes alike",
            mark="enough layers, bytes alike",
            turned=lambda given: {
                "copies_per_token": COPIES,
                "link_ratio": 2 * COPIES / given["ratio_of_one_layer"],
            },
            lines=("as long as the hand-over",),
            on="as long as the hand-over",
        ),
    ),
    compose(
        "racks-hop",
        time_stamp="1:15:00",
        question="A rack hands {batch} tokens of {hidden} values, {value_bytes} each, to the next through {ports} ports"
        " of {bytes_per_s}. How long does that take, latencies left out?",
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
        working="each port its part: {batch} * {hidden} * {value_bytes} / {ports} / {bytes_per_s}",
    ),
    compose(
        "racks-torus",
        time_stamp="0:46:06",
        question="{chips} chips form a torus of {axes} axes of equal sides. How many links join its two halves?",
        inputs={"chips": 512.0, "axes": 3.0},
        equation=racks.torus_bisection_links,
        dimension="count",
        tolerance=0.01,
        working="rings are cut in two places, a plane of links each: 2 * {chips}^(1 - 1 / {axes})",
    ),
    compose(
        "racks-cables",
        time_stamp="0:42:50",
        question="How many cables join {chips} chips, each to every other, without a switch?",
        inputs={"chips": 24.0},
        equation=racks.mesh_cables,
        dimension="count",
        tolerance=0.0,
        working="pairs: {chips} * ({chips} - 1) / 2",
        place=Place(
            board="wires",
            way=Way.UPRIGHT,
            line="one a pair",
            at=lambda given: given["chips"],
            turned=dict,
            lines=("to neighbours",),
        ),
    ),
    compose(
        "racks-stages",
        time_stamp="1:13:00",
        question="Racks have {chips_per_stage} chips with {hbm_bytes} each, and each rack keeps {kv_bytes} for caches."
        " How many racks in a row does a model with {weight_bytes} of weights need at least?",
        inputs={"weight_bytes": 3e12, "kv_bytes": 4e12, "chips_per_stage": 32.0, "hbm_bytes": 180e9},
        equation=racks.stages_to_fit,
        dimension="count",
        tolerance=0.0,
        working="weights over what caches leave of a rack, rounded up: ⌈{weight_bytes} / ({chips_per_stage} *"
        " {hbm_bytes} - {kv_bytes})⌉",
        place=Place(
            board="memory",
            way=Way.ALONG,
            line="both",
            turned=lambda given: {
                "weight_bytes": given["weight_bytes"],
                "chips_per_stage": given["chips_per_stage"],
                "batch_per_stage": given["kv_bytes"] / KEPT_BYTES,
                "context_tokens": KEPT_TOKENS,
                "kv_bytes_per_token": KEPT_BYTES / KEPT_TOKENS,
                "hbm_bytes": given["hbm_bytes"],
            },
            lines=("a chip has", "keys and values"),
            on="a chip has",
        ),
    ),
)
