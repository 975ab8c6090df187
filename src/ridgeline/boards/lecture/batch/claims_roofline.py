"""Claims on the roofline of a decode step: 0:01 to 0:21."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, step
from ridgeline.boards.constant import said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import BALANCE_RATIO
from ridgeline.equations import roofline

__all__ = ["CLAIMS"]


def _balance_batch(
    *, balance_ratio: float, experts: float, active_experts: float, dense_fraction: float, kv_over_compute: float
) -> float:
    """Of a model whose weights are experts, but for a part of the active ones that every token uses."""
    expansion = dense_fraction + (1 - dense_fraction) * experts / active_experts
    return float(roofline.balance_batch(balance_ratio=balance_ratio, expansion=expansion)) / (1 - kv_over_compute)


def _to_deepseek() -> Iterable[Step]:
    facts = fleet.facts("gb200-nvl72")
    terms, block = controls.terms(facts), fleet.experts()
    yield step(f"{block.active_experts} of {block.experts} experts a token", active_experts=block.active_experts)
    dense = (terms.expansion - block.experts / block.active_experts) / (1 - block.experts / block.active_experts)
    yield step("attention and shared experts, which every token uses", dense_fraction=dense)
    yield step("the formats of the checkpoint on GB200", balance_ratio=controls.balance_ratio(facts))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "A11",
        "0:19:22",
        "Weights and arithmetic balance at a batch of 300 times total over active parameters.",
        lecture=said(2400.0, "0:19:22"),
        equation=roofline.balance_batch,
        compute=_balance_batch,
        inputs={
            "balance_ratio": BALANCE_RATIO,
            "experts": said(256.0, "0:19:22"),
            "active_experts": said(32.0, "0:19:22", claim="A12"),
            "dense_fraction": 0.0,
            "kv_over_compute": 0.0,
        },
        careful=_to_deepseek,
        careful_of="deepseek-v3 on gb200-nvl72, empty contexts",
        verdict=Verdict.REPRODUCES,
        why="Exact without context, and independent of the model's size and the number of chips.",
    ),
)
