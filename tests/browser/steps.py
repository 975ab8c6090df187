"""Steps of the lecture: what their documents say is seen, and where what they ask for lies."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ridgeline.boards.lecture.walk import StepDocument, walk_document
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

LEDGER: Any = answers("ledger", {}, Dropped())

STEPS = list(enumerate(walk_document()["steps"], start=1))


def named(place: int) -> str:
    """Name of a step in addresses; of what comes after the last "end"."""
    return next((step["id"] for at, step in STEPS if at == place), "end")


CHOOSING = [(place, step) for place, step in STEPS if step["choice"]]
ASKED = [(place, step) for place, step in STEPS if step["question"]]

# The names of lines that are seen, and the colours of the lines themselves.
SEEN = """() => {
    const seen = one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const groups = [...document.querySelectorAll('#canvas svg g[data-colour]')];
    const parts = group => [...group.children].map(one => one.tagName).join();
    const beside = groups.filter(one => parts(one) === 'path,path,g,g').map(one => one.children[2]);
    const above = groups.filter(one => one.dataset.key?.includes('\\nname of ')).map(one => one.querySelector('g'));
    return {
        names: [...beside, ...above].filter(one => one && seen(one))
            .map(one => [...one.children].map(text => text.textContent).join(' ')),
        colours: groups.filter(one => one.closest('[clip-path]') && one.querySelector('path[fill=none][d^=M]'))
            .map(one => one.dataset.colour),
    };
}"""

# In pixels of the window, where lines are drawn; the clip is a pixel wider on each side.
PLOT = """() => {
    const box = document.querySelector('#canvas svg').getBoundingClientRect();
    const [x, y, width, height] = ['x', 'y', 'width', 'height']
        .map(name => Number(document.querySelector('#canvas svg clipPath rect').getAttribute(name)));
    return [box.left + x + 1, box.top + y + 1, width - 2, height - 2];
}"""


def pictures(step: StepDocument, turned: dict[str, str] | None = None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The view that a step shows, and its pictures: the lecture's first."""
    mode = step["mode"]
    pinned = {f"{mode}.{name}" if mode != "both" else name: text for name, text in step["turned"].items()}
    fields = {**pinned, **(turned or {}), "mode": mode, "frame": "both"}
    found: Any = answers(f"boards/{step['board']}/views", fields, Dropped())
    view = found["views"][step["view"]]
    return view, [view["pictures"][mode] for mode in found["modes"]]


def expected(step: StepDocument, *, is_answered: bool) -> tuple[list[str], list[str]]:
    """Names and colours of the lines that are seen."""
    _, shown = pictures(step)
    question = step["question"]
    # Where one asks for a place on a line, the line is seen.
    asked = None if is_answered or question is None or question["axis"] == "x" else question["line"]
    kept = [
        [
            line
            for line in one["lines"]
            if line["name"] != asked and (not step["lines"] or line["name"] in step["lines"])
        ]
        for one in shown
    ]
    groups = [group["name"] for one in shown for group in one["dots"] if group["is_named"]]
    names = list(dict.fromkeys([*(line["name"] for line in kept[-1]), *groups]))
    # Of some that are asked for a part is drawn all the same, without a name.
    is_known = asked and question and (question["known_from"], question["known_to"]) != (None, None)
    part = [line["colour"] for one in shown for line in one["lines"] if is_known and line["name"] == asked]
    return sorted(names), sorted([*(line["colour"] for one in kept for line in one), *part])


def seen(page: Any) -> tuple[list[str], list[str]]:
    found = page.evaluate(SEEN)
    return sorted(found["names"]), sorted(found["colours"])


class Truth(NamedTuple):
    """What is asked, on its axis."""

    value: float
    ends: tuple[float, float]
    is_logarithmic: bool
    way: str

    def part(self, value: float) -> float:
        """Of the axis, up to a value."""
        low, high, at = (math.log(each) if self.is_logarithmic else each for each in (*self.ends, value))
        return min(1, max(0, (at - low) / (high - low)))

    def missed(self) -> float:
        """A wrong answer inside the plot."""
        low = self.ends[0] if self.is_logarithmic else self.ends[1] / 100
        return max(low, self.ends[1], key=lambda end: abs(math.log(end / self.value)))


def truth(step: StepDocument) -> Truth:
    question = step["question"]
    assert question
    view, shown = pictures(step)
    axis = view["axes"][question["axis"]]
    line = next(line for line in shown[-1]["lines"] if line["name"] == question["line"])
    height = float(np.interp(question["x"], shown[-1]["x"], line["y"]))
    value = question["x"] if question["axis"] == "x" else height
    return Truth(value, tuple(axis["ends"]), axis["is_logarithmic"], question["axis"])


def pixel(page: Any, there: Truth, value: float) -> tuple[float, float]:
    """In the window: at a value, in the middle of the other axis."""
    left, top, width, height = page.evaluate(PLOT)
    part = there.part(value)
    return (
        (left + width * part, top + height / 2) if there.way == "x" else (left + width / 2, top + height * (1 - part))
    )


def give(page: Any, there: Truth, value: float) -> None:
    """Put the dot at a value, and give it."""
    page.mouse.click(*pixel(page, there, value))
    page.click(".chart-check")


def told(visitor: Any) -> None:
    """The answer of the step's question, if one is open."""
    if visitor.page.locator("#asked").count():
        visitor.page.get_by_role("button", name="Show it").click()
        visitor.page.wait_for_selector("#asked", state="detached")
        visitor.settle()
        visitor.rest()


def described(page: Any) -> list[str]:
    """The lines of the picture as a screen reader is told them."""
    found: list[str] = page.locator("#canvas svg").get_attribute("aria-label").partition("lines: ")[2].split(". ")
    return found[0].removesuffix(".").split(", ")
