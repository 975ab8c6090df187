"""Experts that a token reads, by his words and by what is published, each with the balance batch that follows."""

from __future__ import annotations

from functools import cache
from math import isclose

from ridgeline.boards.board import MACHINE, MODEL, Facts, Values
from ridgeline.boards.companions import Account, Experts
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.batch.claims_balance import PUBLISHED_PARAMS
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS
from ridgeline.boards.lecture.numbers import BALANCE_RATIO, EXPANSION, EXPERTS
from ridgeline.boards.note import DIGITS
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import experts
from ridgeline.quantity_text import format_quantity

__all__ = ["read_experts"]

ROUNDED = 0.02
"""Relative difference of two ratios of the published parameters: with vectors of tokens, or without those."""


def read_experts(values: Values, balance_batches: dict[float, float]) -> Experts:
    """Experts that a token reads at each ratio of total to active parameters, with the batch at which it balances."""
    accounts = tuple(_account(values, ratio, batch) for ratio, batch in balance_batches.items())
    return Experts(
        experts=int(EXPERTS.value),
        accounts=accounts,
        text=f"Of {float(EXPERTS):g} experts a token reads "
        + ", ".join(f"{one.read} ({one.name})" for one in accounts),
    )


def _account(values: Values, expansion: float, batch: float) -> Account:
    is_his = expansion == float(EXPANSION)
    # He counts experts alone; a model of which no share is known is the one that he speaks of.
    share = 1.0 if is_his else values["expert_share"] or _published_share()
    read = experts.experts_of_a_token(experts=float(EXPERTS), expert_share=share, expansion=expansion)
    ratio = format_quantity(expansion, "count")
    is_published = isclose(expansion, float(PUBLISHED_PARAMS) / float(ACTIVE_PARAMS), rel_tol=ROUNDED)
    other = "DeepSeek-V3, published" if is_published else f"at sparsity {ratio}"
    # His sparsity on another chip is not what he says.
    his = "he says" if isclose(batch / expansion, float(BALANCE_RATIO)) else f"by his sparsity of {ratio}"
    return Account(
        name=his if is_his else other,
        read=round(float(read)),
        # A digit more than the batch has, so that the product is what a reader finds.
        batch_text=f"{batch / expansion:.{DIGITS + 1}g} × {expansion:.{DIGITS + 1}g} = {count_text(batch, DIGITS)}",
    )


@cache
def _published_share() -> float:
    """Share of the model's parameters that lies in experts."""
    return controls.terms(Facts(model=load_model(MODEL), machine=load_machine(MACHINE))).expert_share
