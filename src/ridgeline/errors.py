"""The base of every error that says what to write instead."""

from __future__ import annotations

__all__ = ["RidgelineError", "UnservedError"]


class RidgelineError(ValueError):
    """What was given is not what can be worked with; the message names it, says what is allowed and what to write."""


class UnservedError(RidgelineError):
    """Nothing serves, trains or holds what is asked; the message says what comes nearest, or what to give."""
