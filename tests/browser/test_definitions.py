"""Words of the field in the texts: each has its card, for a pointer, for keys and for a finger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.boards.defined import defined_in

from ridgeline.boards.definitions import DEFINITIONS
from ridgeline.boards.lecture.walk import walk_document

PLACE, STEP = next(
    (place, step) for place, step in enumerate(walk_document()["steps"], start=1) if "ZB-H1" in step["sentence"]
)
"""Step whose sentence has words of the field among those that it names in colour, and others."""
WORDS = ".sentence [data-word]"
CARD = ".card-of-word:popover-open"


def test_a_word_has_a_card_for_a_pointer_and_for_keys(resident: Any) -> None:
    page = resident.come(f"?step={PLACE}")
    words, card = page.locator(WORDS), page.locator(CARD)
    told = [page.locator(f"#{word.get_attribute('aria-describedby')}").text_content() for word in words.all()]
    assert told == [f"{one.name} {one.meaning}" for one in defined_in(STEP["sentence"])]
    last = words.nth(words.count() - 1)
    last.hover()
    assert card.text_content() == told[-1]
    # It lies above the word's line: the lines below are still to be read.
    lies = card.bounding_box()
    assert lies["y"] + lies["height"] <= last.bounding_box()["y"]
    # Its pointer may go to the card and stay there, and Escape closes it without leaving the step.
    card.hover()
    page.wait_for_timeout(400)
    assert card.count() == 1
    page.keyboard.press("Escape")
    assert card.count() == 0
    assert page.url.endswith(f"?step={PLACE}")
    last.focus()
    assert card.text_content() == told[-1]
    page.keyboard.press("Shift+Tab")
    assert card.text_content() == told[-2]
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert card.count() == 0
    # Nor does it stay where the focus goes to nothing else.
    page.mouse.move(2, 2)
    last.focus()
    assert card.count() == 1
    page.evaluate("document.activeElement.blur()")
    assert card.count() == 0


def test_a_finger_calls_a_card_up_and_puts_it_away(visitors: Callable[..., Any]) -> None:
    phone = visitors(width=390, height=844, touch=True)
    page = phone.open(f"?step={PLACE}")
    word, card = (
        page.locator(f".word[data-word='{[one.name for one in DEFINITIONS].index('ZB-H1')}']"),
        page.locator(CARD),
    )
    word.tap()
    box, of = card.bounding_box(), word.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
    assert box["y"] >= of["y"] + of["height"] or box["y"] + box["height"] <= of["y"]
    word.tap()
    assert card.count() == 0
    word.tap()
    page.locator("#canvas").tap()
    assert card.count() == 0
