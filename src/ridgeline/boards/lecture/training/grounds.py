"""Known numbers beside what the chapter's question asks for."""

from __future__ import annotations

from ridgeline.boards.grounds import Follows, Grounds
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Seen, along, height

__all__ = ["other_laws"]

SMALL_PARAMS = 1e9
"""Model of which the ratio by all laws is known."""


def other_laws(seen: Seen) -> Grounds:
    """Ratios to the optimum by each law: all of a small model, and the others' of his."""
    params = seen.values[seen.mode]["active_params"]
    laws = {
        "20 per parameter": "20 per parameter",
        "fit of Besiroglu": "Besiroglu's later fit",
        "fit of Hoffmann": "the paper's fit (Hoffmann)",
    }

    def times(line: str, of: float) -> str:
        return f"{count_text(height(seen, line, of), DIGITS)}×"

    *known, asked = laws
    return Grounds(
        columns=("by", f"a model of {along(seen, SMALL_PARAMS)}", f"of {along(seen, params)}"),
        rows=tuple((laws[one], times(one, SMALL_PARAMS), times(one, params)) for one in known),
        asked=(laws[asked], times(asked, SMALL_PARAMS), Follows(dimension="count", form="{}×")),
    )
