"""Verdicts on claims, and the words with which their lines begin."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["BEGINS", "Contradicted", "Verdict"]


class Verdict(StrEnum):
    """Result of comparing a claim with its computation."""

    REPRODUCES = "reproduces"
    ROUNDED = "rounded"
    DOES_NOT_REPRODUCE = "does not reproduce"
    DEPENDS = "depends on an unstated assumption"
    NOT_DERIVABLE = "not derivable"


class Contradicted(StrEnum):
    """Facts that a claim which does not reproduce contradicts."""

    OWN = "his own inputs"
    PUBLISHED = "published facts"


BEGINS = {
    Verdict.REPRODUCES: ("Yes", ": "),
    Verdict.ROUNDED: ("Roughly", ": "),
    Verdict.DOES_NOT_REPRODUCE: ("No", ": "),
    Verdict.DEPENDS: ("Only if", " "),
    Verdict.NOT_DERIVABLE: ("Not computed", ": "),
}
"""First word of a verdict line, and the mark between it and the rest: after "Only if" follows the assumption."""
