"""The end of the walk: what came of the guesses, and a picture to send."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest
from tests.browser.steps import ASKED, LEDGER, STEPS, give, truth


def test_the_walk_ends_with_what_came_of_it_and_boards_lead_back_into_it(visitor: Any) -> None:
    (asked, step), (missed, other) = ASKED[0], ASKED[1]
    there, elsewhere = truth(step), truth(other)
    page = visitor.open(f"?step={asked}")
    give(page, there, there.value)
    page.wait_for_selector(".ask.right")
    visitor.open(f"?step={missed}")
    give(page, elsewhere, elsewhere.missed())
    page.wait_for_selector(".ask.wrong")
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending .disproved li")
    failing = [claim for claim in LEDGER["claims"] if claim["verdict"] == "does not reproduce"]
    assert page.locator("#ending .disproved li").count() == len(failing)
    told = page.inner_text("#ending")
    assert "1 of 2 near enough." in " ".join(told.split())
    assert page.locator(".card [fill='var(--right)']").count() == 0
    assert all(claim["claim"] in told and claim["correction"] in told for claim in failing)
    # Each guess by how far it was off: what is exact in the middle.
    middle, off = (
        page.locator(f".strip-of-guesses li:has(a[href='?step={place}'])").evaluate(
            "one => Number(getComputedStyle(one).getPropertyValue('--at'))"
        )
        for place in (asked, missed)
    )
    assert middle == pytest.approx(0.5, abs=0.02)  # two pixels of the plot
    assert (off > 0.5) == (elsewhere.missed() > elsewhere.value)
    assert json.loads(page.evaluate("localStorage.getItem('ridgeline')"))["step"] == missed
    page.get_by_role("link", name=f"{len(failing)} do not reproduce").click()
    page.wait_for_url("**/?claims=fails")
    visitor.open("?board=sparse")
    place = next(place for place, step in STEPS if step["board"] == "sparse")
    page.get_by_role("link", name=f"step {place} of the lecture").click()
    page.wait_for_url(f"**/?step={place}")


RGB = "one => getComputedStyle(one).fill.match(/\\d+/g).slice(0, 3).map(Number)"

CARD = (1200, 630)
"""Pixels of the picture that one sends: what others show of a link."""


def test_the_walk_ends_with_a_picture_to_send(visitor: Any, tmp_path: Path) -> None:
    page = visitor.open(f"?step={ASKED[0][0]}")
    guesses = {step["id"]: truth(step).value for _, step in ASKED[:3]}
    page.evaluate("guesses => localStorage.setItem('ridgeline', JSON.stringify({ guesses }))", guesses)
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending .disproved li")
    failing = [claim for claim in LEDGER["claims"] if claim["verdict"] == "does not reproduce"]
    said = page.get_attribute(".card", "aria-label")
    assert said.startswith(f"{len(failing)} of {len(LEDGER['claims'])} claims ")
    assert said.endswith("do not reproduce. I guessed 3 of 3.")
    # Each claim is a dot, and those that do not reproduce say their names, none over another nor beyond the picture.
    dots = page.locator(".card circle").count()
    assert dots == len(LEDGER["claims"]) + page.locator(".card .legend circle").count()
    assert all(one.is_visible() for one in page.locator(".card text").all())
    names = page.locator(".card .names text")
    assert sorted(names.all_text_contents()) == sorted(claim["short_name"] for claim in failing)
    whole = page.locator(".card").bounding_box()
    boxes = [one.bounding_box() for one in names.all()]
    for box in boxes:
        assert whole["x"] < box["x"] < box["x"] + box["width"] < whole["x"] + whole["width"]
    for one, other in combinations(boxes, 2):
        is_beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        middles = [box["y"] + box["height"] / 2 for box in (one, other)]
        # Boxes of two lines overlap by the room above and below letters.
        assert is_beside or abs(middles[0] - middles[1]) > 0.6 * one["height"]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture").click()
    saved.value.save_as(tmp_path / "card.png")
    pixels = matplotlib.image.imread(tmp_path / "card.png")
    assert pixels.shape[1::-1] == CARD
    # The red of the names that fail is in it, on as much ground as words cover at least.
    red = np.asarray(page.eval_on_selector(".card .names text", RGB)) / 255
    assert np.all(abs(pixels[..., :3] - red) < 1 / 255, axis=-1).mean() > 0.001
    page.get_by_role("button", name="Copy the link").click()
    page.wait_for_function("() => document.getElementById('said').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == f"{visitor.address}/"


def test_who_guessed_nothing_has_no_score_and_is_led_on(visitor: Any) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/?step={len(STEPS) + 1}")
    page.wait_for_selector("#ending .disproved li")
    assert "guessed" not in page.text_content(".card")
    page.get_by_role("link", name="Price a token of another model").click()
    page.wait_for_selector("#home .price")
    assert page.url == f"{visitor.address}/"


def test_where_a_browser_can_share_the_picture_goes_along(visitor: Any) -> None:
    page = visitor.open(f"?step={len(STEPS)}")
    page.evaluate(
        """() => {
            navigator.canShare = ({ files }) => files.length === 1;
            navigator.share = async ({ files, text, url }) => {
                const { width, height } = await createImageBitmap(files[0]);
                window.shared = { name: files[0].name, size: [width, height], text, url };
            };
        }"""
    )
    page.get_by_role("button", name="The end").click()
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("() => window.shared")
    shared = page.evaluate("window.shared")
    assert shared["name"].endswith(".png")
    assert tuple(shared["size"]) == CARD
    assert shared["text"] == page.get_attribute(".card", "aria-label")
    assert shared["url"] == f"{visitor.address}/"
    page.evaluate("() => { delete navigator.share; delete navigator.canShare; }")
