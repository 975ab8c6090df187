"""The base of every error that says what to write instead."""

from __future__ import annotations

__all__ = ["RidgelineError", "UnservedError"]


class RidgelineError(ValueError):
    """Invalid input; the message names it, says what is allowed and what to write instead."""


class UnservedError(RidgelineError):
    """Nothing serves, trains or holds what is asked; the message says what comes nearest, or what to give."""
