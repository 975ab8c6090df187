"""How an extra of Ridgeline is installed, in the same words everywhere."""

from __future__ import annotations

__all__ = ["installing"]


def installing(extra: str) -> str:
    """Clause on how to have an extra, in a clone and without one's tools.

    >>> installing("plot")
    'in a clone uv run --extra plot ridgeline ..., without its tools pip install "path/to/clone[plot]"'
    """
    return f'in a clone uv run --extra {extra} ridgeline ..., without its tools pip install "path/to/clone[{extra}]"'
