"""Known numbers beside what the chapter's questions ask for."""

from __future__ import annotations

from ridgeline.boards.exercise import shown
from ridgeline.boards.grounds import Follows, Grounds
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Seen, along, height, upright

__all__ = ["longer_prompt", "one_token"]

DRAWN_TOKENS = (1e3, 1e4)
"""Prompts of which the cost with attention is drawn before the answer."""


def one_token(seen: Seen) -> Grounds:
    """Reads of an output token beside its arithmetic."""
    values = seen.values[seen.mode]
    known = {
        "reads its share of the weights": 1 / values["balance_batches"],
        "reads its own context": values["context_tokens"] / values["crossover_tokens"],
    }
    return Grounds(
        columns=("an output token", "over its arithmetic"),
        rows=tuple((name, f"{shown(part, 'count', DIGITS)}×") for name, part in known.items()),
        asked=("costs", Follows(dimension="count", form="{}×")),
    )


def longer_prompt(seen: Seen, tokens: float) -> Grounds:
    """Costs of shorter prompts, and how much attention adds to each."""

    def row(length: float) -> tuple[str, ...]:
        parameters, full = (height(seen, line, length) for line in ("parameters", "full"))
        return along(seen, length), upright(seen, parameters), upright(seen, full), f"{full / parameters:.3g}×"

    parameters = height(seen, "parameters", tokens)
    return Grounds(
        columns=("prompt", "parameters", "with attention", "ratio"),
        rows=tuple(row(one) for one in DRAWN_TOKENS),
        asked=(
            along(seen, tokens),
            upright(seen, parameters),
            Follows(dimension="usd"),
            Follows(dimension="count", times=1 / parameters, form="{}×"),
        ),
    )
