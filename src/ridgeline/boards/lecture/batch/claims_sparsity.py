"""Claims on how far sparsity can be taken: 0:28 to 0:32."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture.batch.quality import CLARK_ROUTED_FRACTION, DENSE_PARAMS, EXPERTS
from ridgeline.boards.lecture.numbers import BALANCE_RATIO, EXPANSION
from ridgeline.catalog.scaling_laws import routed_law
from ridgeline.equations import roofline, sparsity

__all__ = ["CLAIMS", "LATER_CLAIMS"]


def _worth(*, params: float, experts: float, law: sparsity.RoutingLaw) -> float:
    return float(sparsity.equivalent_params(params=params, experts=experts, law=law)) / params


def _other_routers() -> Iterable[Step]:
    yield step("a router trained by reinforcement (RL-R)", law=routed_law("clark-2022-rl-r").coefficients)


def _hash() -> Iterable[Step]:
    yield step("experts chosen by a hash of the token", law=routed_law("clark-2022-hash").coefficients)


def _balance_growth(*, balance_ratio: float, expansion: float, times: float) -> float:
    before, after = (
        float(roofline.balance_batch(balance_ratio=balance_ratio, expansion=found))
        for found in (expansion, times * expansion)
    )
    return after / before


def _total(*, experts: float, routed_fraction: float) -> float:
    return float(sparsity.routed_total_params(params=1.0, routed_fraction=routed_fraction, experts=experts))


def _as_trained() -> Iterable[Step]:
    yield step("experts in the blocks of every other layer alone", routed_fraction=CLARK_ROUTED_FRACTION)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "A23",
        "0:30:13",
        "64 experts make a model as good as a dense one with 4 times its active parameters.",
        computed="parameters of the equally good dense model over active parameters",
        lecture=said(4.0, "0:30:13", hedge="one of the older techniques; very sensitive to the actual choice"),
        equation=sparsity.equivalent_params,
        compute=_worth,
        inputs={"params": DENSE_PARAMS, "experts": EXPERTS, "law": filled_in(routed_law("clark-2022").coefficients)},
        careful=_other_routers,
        further=_hash,
        contrast="the same by a router trained by reinforcement (RL-R)",
        verdict=Verdict.ROUNDED,
        what="times the active parameters",
        answer="by the law fitted to the best router they are worth {ours} times. By another router's it is"
        " {careful} times",
        why="3.7 by the law that Clark et al. fitted to their best router, 2.7 by another router's. Read off the"
        " figure, 1.3 billion over 370 million are 3.5.",
        tolerance=0.1,  # to one digit
    ),
    claim(
        "A24",
        "0:30:51",
        "By this analysis more sparsity is a pure win, as long as there are users to share the weights.",
        computed="how many times as many users twice the sparsity takes",
        equation=roofline.balance_batch,
        compute=_balance_growth,
        inputs={"balance_ratio": BALANCE_RATIO, "expansion": EXPANSION, "times": implied(2.0, "0:30:51")},
        verdict=Verdict.DEPENDS,
        what="times the users",
        exactly={2.0: "twice the users for twice the sparsity"},
        answer="memory holds the experts, one scale-up domain reaches them all and quality still gains: then it"
        " takes {ours}",
        why="Twice the users, and then a token costs no more. That assumes that memory holds the experts, that one"
        " scale-up domain reaches them all, and that quality still gains.",
    ),
)

LATER_CLAIMS: tuple[Claim, ...] = (
    claim(
        "A32",
        "0:30:13",
        "64 experts take 64 times the parameters, for the quality of 4 times.",
        computed="total parameters over active ones",
        lecture=said(64.0, "0:30:13"),
        equation=sparsity.routed_total_params,
        compute=_total,
        inputs={"experts": EXPERTS, "routed_fraction": implied(1.0, "0:30:13")},
        careful=_as_trained,
        careful_of="the models of Clark et al.",
        verdict=Verdict.DEPENDS,
        what="times the active parameters",
        answer="all parameters belong to experts: then they take {ours} times. In the paper's models every other layer"
        " has experts, which makes {careful} times",
        why="It depends on how much of the model is experts. If all of it is, it takes 64 times. In the paper's models"
        " every other layer's blocks are, which makes 22 times.",
    ),
)
