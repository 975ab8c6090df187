"""Charts as tests read them: ticks, marks, and what their board answers."""

from __future__ import annotations

from typing import Any

from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

# Numbers at the ticks that are seen, with where they are.
TICKS = """() => [...document.querySelectorAll('#canvas svg g[opacity]:not([data-colour]) > text:only-child')]
    .filter(one => Number(one.parentElement.getAttribute('opacity')) > 0)
    .map(one => [one.textContent, one.parentElement.getAttribute('transform')])"""

# Where in the window a mark's dot is, by its key.
MARK = """key => {
    const dot = [...document.querySelectorAll('#canvas svg g.chart-mark:not([font-size])')]
        .find(one => one.dataset.key === key)?.querySelector('circle:last-child').getBoundingClientRect();
    return dot ? [dot.x + dot.width / 2, dot.y + dot.height / 2] : null;
}"""

# Whether a mark's dot stands at a place along.
STANDS = "([key, x]) => { const now = (" + MARK + ")(key); return now && Math.abs(now[0] - x) <= 3; }"


def views(board: str, **fields: str) -> Any:
    return answers(f"boards/{board}/views", {"mode": "both", **fields}, Dropped())
