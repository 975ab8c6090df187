"""JSON document of ``ridgeline budget``."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ridgeline.lifecycle.answer import Answer, Budget

__all__ = ["budget_document"]


def budget_document(found: Budget, asked: Mapping[str, Any]) -> dict[str, Any]:
    """JSON document of a budget: laws at the top, then all else."""
    budgeted = found.asked
    inputs = {
        **asked,
        "like": found.phases.model if found.phases is not None else asked["like"] and asked["like"].id,
        "fidelity": asked["fidelity"].name,
        "engine": None if asked["engine"] is None else asked["engine"].title,
        "laws": [one.solved.law.id for one in found.answers],
        "goal": {"kind": type(budgeted.goal).__name__, **dataclasses.asdict(budgeted.goal)},
        "costs": dataclasses.asdict(budgeted.costs),
        "served": dataclasses.asdict(budgeted.served),
        "learning": dataclasses.asdict(budgeted.learning),
        "bounds": [dataclasses.asdict(one) for one in budgeted.bounds],
        "usd_per_chip_s": None if found.phases is None else found.phases.usd_per_chip_s,
    }
    return {
        "inputs": inputs,
        "unit": budgeted.costs.unit,
        "laws": [_law_document(one) for one in found.answers],
        "spread": found.spread,
        "phases": _phases_document(found),
        "distilled": None if found.distilled is None else dataclasses.asdict(found.distilled),
        "revenue": None if found.revenue is None else dataclasses.asdict(found.revenue),
        "notes": list(found.notes),
    }


def _law_document(answer: Answer) -> dict[str, Any]:
    """Document of one law's answer; its numbers are null where it has no best."""
    solved = answer.solved
    best = solved.best
    own = (
        dict.fromkeys(("active_params", "tokens", "rl_tokens", "total_cost", "shares", "loss", "over_training"), None)
        if best is None
        else dataclasses.asdict(best)
    )
    return {
        "law": solved.law.id,
        **own,
        "extrapolates": solved.extrapolates,
        "beyond": solved.beyond,
        "experts": solved.experts,
        "expansion": solved.expansion,
        "as_asked": None if solved.as_asked is None else dataclasses.asdict(solved.as_asked),
        "as_asked_over_training": solved.as_asked_over_training,
        "equal": None if solved.equal is None else dataclasses.asdict(solved.equal),
        "equal_lost_fraction": solved.equal_lost_fraction,
        "bound_by": solved.bound_by,
        "worth_tokens": solved.worth_tokens,
        "bands": None if answer.bands is None else dataclasses.asdict(answer.bands),
        "implied": None if answer.implied is None else dataclasses.asdict(answer.implied),
        "why": solved.why,
        "source": solved.law.address,
    }


def _phases_document(found: Budget) -> dict[str, Any] | None:
    phases = found.phases
    if phases is None:
        return None
    return {
        **dataclasses.asdict(phases),
        "rl_flop_over_efficiency": phases.rl_flop_over_efficiency,
        "decode_relative_efficiency": phases.decode_relative_efficiency,
    }
