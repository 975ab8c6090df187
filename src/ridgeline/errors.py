"""The base of every error that says what to write instead."""

from __future__ import annotations

__all__ = ["RidgelineError"]


class RidgelineError(ValueError):
    """Invalid input; the message names it, says what is allowed and what to write instead."""
