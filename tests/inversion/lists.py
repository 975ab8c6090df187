"""Price lists that are made up, and inferences from them that take a tenth of a second."""

from __future__ import annotations

import datetime as dt

from ridgeline.inversion import infer as inference
from ridgeline.inversion.assumed import NOTHING, Assumed
from ridgeline.inversion.evidence import Evidence, Step, rounding_log_sd
from ridgeline.inversion.infer import Inference
from ridgeline.inversion.likelihood import Likelihood, likelihood_of
from ridgeline.inversion.machines import candidates
from ridgeline.inversion.priors import priors

__all__ = ["DAY", "PLAIN", "infer", "likelihood", "listed"]

DAY = dt.date(2026, 11, 20)


def listed(*, step: Step | None = None, **usd_per_mtok: float) -> Evidence:
    usd = {name: value / 1e6 for name, value in usd_per_mtok.items()}
    return Evidence(
        name="a model",
        provider="",
        date=DAY,
        usd=usd,
        rounding_log_sd={name: rounding_log_sd(value) for name, value in usd.items()},
        step=step,
    )


PLAIN = listed(input=1.0, output=4.0, cached_input=0.1)


def likelihood(evidence: Evidence, assumed: Assumed = NOTHING) -> Likelihood:
    known = priors()
    of = candidates(known.machines_of(evidence.provider), evidence.date, known.chances.eight_bits)
    return likelihood_of(evidence, known, of, assumed)


def infer(evidence: Evidence, assumed: Assumed = NOTHING) -> Inference:
    return inference.infer(evidence, assumed=assumed, is_preview=True, draws=2**12)
