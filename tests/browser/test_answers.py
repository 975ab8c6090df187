"""What a chart says of an answer: the question's own number, whosever numbers are shown, whatever was turned."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from tests.browser.charts import TICKS
from tests.browser.steps import ASKED, PLOT, pictures, truth
from tests.browser.test_frames import DIGIT_PX, dragged

from ridgeline.boards.lecture.walk import StepDocument

NAMES: dict[Literal["lecture", "careful"], str] = {"lecture": "his", "careful": "sourced"}

# Words of an answer, and of where its line runs by other numbers; and where the answer's ring is.
TOLD = """() => {
    const seen = query => [...document.querySelectorAll(`#canvas svg ${query}`)]
        .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    const middle = one => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const words = seen("text[font-weight='600']").map(one => one.textContent);
    return {
        answer: words.filter(one => one.startsWith('answer: ')),
        moved: words.filter(one => /^(his|sourced|now): /.test(one)),
        rings: seen("circle[r='5'][stroke-width='2']").filter(one => !one.closest('[data-key]')).map(middle),
        dots: seen('circle.moved').map(middle),
    };
}"""


def heights(step: StepDocument) -> dict[Literal["lecture", "careful"], float]:
    """Of each mode, how high the asked line runs where it is asked."""
    question = step["question"]
    assert question
    found: dict[Literal["lecture", "careful"], float] = {}
    for mode in NAMES:
        # What the step has set is of the mode it opens in, and stands beside no other numbers.
        _, (picture,) = pictures({**step, "mode": mode, "turned": step["turned"] if mode == step["mode"] else {}})
        line = next(one for one in picture["lines"] if one["name"] == question["line"])
        found[mode] = float(np.interp(question["x"], picture["x"], line["y"]))
    return found


@pytest.mark.parametrize(("place", "step"), ASKED, ids=[f"{place}-{step['board']}" for place, step in ASKED])
def test_an_answer_stays_the_questions_own_in_every_mode(resident: Any, place: int, step: StepDocument) -> None:
    question = step["question"]
    assert question
    page = resident.turn_to(f"?step={place}")
    page.get_by_role("button", name="Show it").click()
    resident.rest()
    there, lies = truth(step), heights(step)
    own = page.evaluate(TOLD)
    assert len(own["answer"]) == 1
    assert own["moved"] == own["dots"] == []
    for shown in ("lecture", "careful", "both"):
        resident.turn_to(f"?step={place}&mode={shown}")
        resident.rest()
        told = page.evaluate(TOLD)
        assert told["answer"] == own["answer"], shown
        # One frame for all modes: the ring is as high as the question's number.
        _, top, _, height = page.evaluate(PLOT)
        ((x, y),) = told["rings"]
        assert y == pytest.approx(top + height * (1 - there.part(question["y"])), abs=1), shown
        assert x == pytest.approx(own["rings"][0][0], abs=1), shown
        elsewhere = [
            mode
            for mode in NAMES
            if shown in (mode, "both") and lies[mode] != pytest.approx(question["y"], rel=0.005)  # three digits
        ]
        assert sorted(word.split(":")[0] for word in told["moved"]) == sorted(NAMES[one] for one in elsewhere), shown
        assert len(told["dots"]) == len(elsewhere), shown
        for dot_x, dot_y in told["dots"]:
            assert dot_x == pytest.approx(x, abs=1)
            highs = [top + height * (1 - there.part(lies[mode])) for mode in elsewhere]
            assert min(abs(dot_y - high) for high in highs) < 1  # a pixel


# To the end at which the asked line still runs where it is asked: of many times the price it ends before.
@pytest.mark.parametrize(
    ("step", "control", "to_its_end", "is_kept"),
    [
        (5, "price_ratio", False, True),
        (8, "active_params", True, False),  # to a price above the frame, which follows it
        (30, "weight_bytes", True, True),
    ],
)
def test_an_answer_stays_the_questions_own_under_a_hand(
    resident: Any, step: int, control: str, *, to_its_end: bool, is_kept: bool
) -> None:
    page = resident.turn_to(f"?step={step}")
    page.get_by_role("button", name="Show it").click()
    resident.rest()
    before, ticks = page.evaluate(TOLD), page.evaluate(TICKS)
    dragged(page, control, to_its_end=to_its_end)
    held = page.evaluate(TOLD)
    assert held["answer"] == before["answer"]
    # As long as the frame holds under a hand, so does what it says of the question; else it is where its number is.
    assert (page.evaluate(TICKS) == ticks) == is_kept
    ((x, y),) = before["rings"]
    ((held_x, held_y),) = held["rings"]
    assert held_x == pytest.approx(x, abs=DIGIT_PX)
    assert not is_kept or [held_x, held_y] == pytest.approx([x, y], abs=0.5)
    assert is_kept or held_y > y + 1  # of a longer axis it is a lower part
    page.mouse.up()
    resident.rest()
    after = page.evaluate(TOLD)
    assert [word.rstrip(" ↑↓←→") for word in after["answer"]] == before["answer"]
    # Where the line now runs is said, under the hand and after it.
    for told in (held, after):
        assert [word.split(":")[0] for word in told["moved"]] == ["now"]
    assert (page.locator(".ask").inner_text()).startswith("By the question's numbers: ")
