"""Known numbers beside what the chapter's question asks for."""

from __future__ import annotations

from ridgeline.boards.grounds import Follows, Grounds
from ridgeline.boards.walk import Seen, height, upright

__all__ = ["after_layers"]

ROUNDED = 2
"""Significant digits of shares."""


def after_layers(seen: Seen, layers: int) -> Grounds:
    """Shares that one change has changed after the first round and after the last."""

    def changed(line: str, after: int) -> str:
        return upright(seen, height(seen, line, after), ROUNDED)

    return Grounds(
        columns=("changed", "after 1", f"after {layers}"),
        rows=tuple((line, changed(line, 1), changed(line, layers)) for line in ("AES", "network of signs")),
        asked=("residual network", changed("residual network", 1), Follows(dimension="fraction")),
    )
