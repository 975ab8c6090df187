"""How an extra of Ridgeline is installed, in the same words everywhere."""

from __future__ import annotations

__all__ = ["installing"]


def installing(extra: str) -> str:
    """Clause on how to have an extra, in a clone and without one's tools.

    >>> installing("plot")
    'in a clone write uv run --extra plot ridgeline ..., elsewhere pip install "path/to/clone[plot]" first'
    """
    return (
        f'in a clone write uv run --extra {extra} ridgeline ..., elsewhere pip install "path/to/clone[{extra}]" first'
    )
