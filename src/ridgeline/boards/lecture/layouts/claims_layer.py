"""Claims on one layer of experts and the rack that it ends at: 0:33 to 0:36, and 0:46."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.layouts import numbers
from ridgeline.boards.lecture.numbers import LINK_RATIO
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import collectives

__all__ = ["CLAIMS", "slower_all_to_all"]

RACK, NODE = "gb200-nvl72", "h800-sxm"
COARSE_MODEL = "mixtral-8x7b"
"""Model with large experts, as they were before DeepSeek's."""


def slower_all_to_all(*, racks: float, link_ratio: float) -> float:
    """Time of an all-to-all over racks, over its time inside one, with both networks working at the same time."""
    leaving = float(collectives.others_fraction(ranks=racks))
    return max(1 - leaving, link_ratio * leaving)


def _experts_for_each() -> float:
    """Experts of a layer of DeepSeek-V3, for each that a token is routed to."""
    block = fleet.experts()
    return block.experts / block.active_experts


def _grain(model: str) -> str:
    """Active and total experts of a model, and their width."""
    found = load_model(model)
    block = controls.routed_block(found)
    if block is None:
        raise TypeError(f"{model} has no routed experts; take a model that has")
    return f"{block.active_experts} of {block.experts} experts {block.expert_hidden / found.hidden:.2g} times as wide"


def _to_gb200() -> Iterable[Step]:
    yield step("the links of GB200", link_ratio=controls.link_ratio(load_machine(RACK)))


CLAIMS: tuple[Claim, ...] = (
    statement(
        "B45",
        "0:33:00",
        "A router sends each token to a small part of the experts, maybe 1 in 32.",
        lecture=said(32.0, "0:33:00", hedge="a small fraction, maybe"),
        published=_experts_for_each,
        careful_of=fleet.MODEL,
        what="experts for each active one",
        answer="a choice of the model's builders. DeepSeek-V3 has {published} experts for each active one",
        why="The choice of a model's builders. 8 of 256, as in DeepSeek-V3, are 1 in 32. The 32 of 256 that he says at"
        " 0:19:22 (A12) are 1 in 8.",
    ),
    claim(
        "B46",
        "0:36:27",
        "A layer of experts should stay in one rack, since the links out of it are a bottleneck.",
        computed="time of the all-to-all over two racks, over that in one",
        equation=collectives.others_fraction,
        compute=slower_all_to_all,
        inputs={"racks": numbers.RACKS, "link_ratio": LINK_RATIO},
        careful=_to_gb200,
        careful_of=RACK,
        verdict=Verdict.DEPENDS,
        what="times as long for the all-to-all over two racks",
        answer="the all-to-all is what takes the time: then two racks take {ours} times as long as one. On GB200"
        " they take {careful} times",
        why="It depends on what else takes time: half of the visits leave, over links an eighth as fast. DeepSeek's"
        f" experts lie over {fleet.DECODE_NODES} nodes all the same (B18), whose links inside are"
        f" {controls.link_ratio(load_machine(NODE)):.2g} times as fast as those between.",
    ),
    statement(
        "B47",
        "0:46:24",
        "DeepSeek's mixture of experts activates more experts that are finer-grained, which was a big innovation.",
        answer="a judgement on quality",
        why=f"His judgement. {COARSE_MODEL} takes {_grain(COARSE_MODEL)} as a token, {fleet.MODEL}"
        f" {_grain(fleet.MODEL)}. What that does for quality no equation here says.",
    ),
)
