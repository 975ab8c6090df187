"""Import of JAX, and what to write where it is not installed."""

from __future__ import annotations

from importlib.util import find_spec

from ridgeline.errors import RidgelineError
from ridgeline.extras import installing

__all__ = ["require_jax"]


def require_jax() -> None:
    """Refuse to go on without JAX, and say how to install it.

    Raises:
        RidgelineError: it is not installed.
    """
    if find_spec("jax") is None:
        raise RidgelineError(f"reversible networks are run by JAX, which is not installed: {installing('grad')}")
