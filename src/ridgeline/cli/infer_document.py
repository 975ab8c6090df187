"""JSON document of ``ridgeline infer``."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ridgeline.inversion.infer import Inference
    from ridgeline.inversion.published import Published
    from ridgeline.inversion.readings import Readings
    from ridgeline.inversion.trend import Dated

__all__ = ["dated_document", "infer_document", "readings_document"]


def infer_document(found: Inference, known: Published | None, asked: dict[str, Any]) -> dict[str, Any]:
    """JSON document of an inference: the answer in words, unknowns, then all else.

    Args:
        found: result of the inference.
        known: published facts of the model; None without any.
        asked: options of the command.
    """
    from ridgeline.inversion.findings import answer, how_right  # noqa: PLC0415  loads NumPy
    from ridgeline.inversion.said import said_of  # noqa: PLC0415  loads NumPy

    evidence = found.evidence
    return {
        "inputs": {**asked, "assumed": found.assumed.given(), "seed": found.seed, "usd": evidence.usd},
        "answer": answer(found),
        "how_right": how_right(),
        "published": None if known is None else {"model": known.model, **known.values},
        "unknowns": [{**dataclasses.asdict(one), "says": said_of(one)} for one in found.unknowns],
        "predictive": [dataclasses.asdict(one) for one in found.predictive],
        "evidence": [dataclasses.asdict(one) for one in found.questions],
        "multipliers": [dataclasses.asdict(one) for one in found.multipliers],
        "step": None if evidence.step is None else dataclasses.asdict(evidence.step),
        "hold_formula": evidence.hold_formula,
        "source": evidence.source,
        "sampler": found.sampler,
        "draws": found.draws,
        "effective_draws": found.effective_draws,
        "preview_effective_draws": found.preview_effective_draws,
        "log_evidence": found.log_evidence,
        "notes": found.notes,
    }


def readings_document(read: Readings) -> dict[str, Any]:
    """JSON document of the lecture's readings."""
    tiers = [{"held_s": held_s, "tier": tier} for held_s, tier in read.tiers]
    return dataclasses.asdict(read) | {"tiers": tiers}


def dated_document(one: Dated) -> dict[str, Any]:
    """JSON document of a day of a trend."""
    return {
        "listing": one.listing,
        "date": one.date.isoformat(),
        "usd": one.evidence.usd,
        "unknowns": [dataclasses.asdict(unknown) for unknown in one.unknowns],
        "effective_draws": one.effective_draws,
    }
