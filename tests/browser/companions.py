"""What tests of drawings beside a step's chart share."""

from __future__ import annotations

from typing import Any

from tests.browser.steps import STEPS

from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

DRAWN = ".companion .opened svg"

# What of its words lies outside the drawing, or over other words. A line's box is four pixels higher than its letters.
ASTRAY = """() => {
    const svg = document.querySelector('.companion svg').getBoundingClientRect();
    const texts = [...document.querySelectorAll('.companion svg text')].filter(one => one.textContent);
    const boxes = texts.map(one => [one.textContent, one.getBoundingClientRect()]);
    const out = ([, one]) => one.left < svg.left - 1 || one.right > svg.right + 1 || one.bottom > svg.bottom + 3;
    const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 &&
        one.top < other.bottom - 4 && other.top < one.bottom - 4;
    return [...boxes.filter(out).map(([text]) => text), ...boxes.flatMap(([text, one], place) =>
        boxes.slice(place + 1).filter(([, other]) => meet(one, other)).map(([other]) => `${text} / ${other}`))];
}"""


def curves(board: str) -> Any:
    """A board's first picture by his numbers, in the frame of all modes, as the page is sent it."""
    found: Any = answers(f"boards/{board}/views", {"mode": "lecture", "frame": "both"}, Dropped())
    return found["views"][0]


def drawn_of(place: int, mode: str = "lecture") -> tuple[Any, dict[str, Any]]:
    """The view of a step, and its picture."""
    step = next(one for at, one in STEPS if at == place)
    found: Any = answers(f"boards/{step['board']}/views", {**step["turned"], "mode": mode, "frame": "both"}, Dropped())
    view = found["views"][step["view"]]
    return view, view["pictures"][mode]


def slide(visitor: Any, thousandths: int) -> None:
    visitor.page.locator(".along input").evaluate(
        "(one, value) => { one.value = value; one.dispatchEvent(new Event('input', { bubbles: true })); }", thousandths
    )
    visitor.rest()


def place(view: Any, thousandths: int) -> float:
    low, high = view["axes"]["x"]["ends"]
    return float(low * (high / low) ** (thousandths / 1000))


def fits_everywhere(visitor: Any) -> None:
    for size in ((320, 640), (390, 844), (1024, 768)):
        visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
        visitor.settle()
        assert visitor.page.evaluate(ASTRAY) == [], size
