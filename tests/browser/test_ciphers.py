"""Steps 42 and 43: bits of a cipher's state as cells, which are full where one change of the input has changed them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.companions import DRAWN, curves, fits_everywhere, slide

# Of each grid its colour and the boxes of its full cells.
FULL = """() => [...document.querySelectorAll('.companion svg > g > g')].map(grid => {
    const path = grid.querySelector('path[data-colour]');
    return [path.dataset.colour, (path.getAttribute('d').match(/M[\\d.]+ [\\d.]+/g) ?? []).map(one =>
        one.slice(1).split(' ').map(Number))];
})"""


def test_as_many_cells_are_full_as_the_words_and_the_document_say(resident: Any) -> None:
    page = resident.turn_to("?step=42")
    page.wait_for_selector(DRAWN)
    picture = curves("ciphers")["pictures"]["lecture"]
    aes, signs, _ = picture["companion"]["grids"]
    places = {}
    for round_ in (0, 1, 2, 10):
        slide(resident, 100 * round_)
        (one, cells), (other, places_of_signs) = page.evaluate(FULL)
        places[round_] = cells
        assert (one, other) == ("ink", "muted")
        assert len(cells) == int(aes["changed"][round_], 16).bit_count()
        assert len(places_of_signs) == int(signs["changed"][round_], 16).bit_count()
        said = page.get_attribute(".companion .opened", "aria-label")
        line = next(one["y"] for one in picture["lines"] if one["name"] == "AES")
        assert f"AES {len(cells)} of 128 differ, mean {line[round_] * 100:.2g} %" in said
    # A bit, its column of four bytes, and after that all columns.
    columns = sorted({x for cells in places.values() for x, _ in cells})
    assert len(columns) == 16
    assert places[0] == [[min(columns), min(y for _, y in places[10])]]
    assert {x for x, _ in places[1]} == set(columns[:4])
    assert {x for x, _ in places[2]} == set(columns)
    fits_everywhere(resident)


def test_more_flipped_bits_are_seen_where_they_are(resident: Any) -> None:
    page = resident.come("?step=42")
    page.wait_for_selector(DRAWN)
    slide(resident, 0)
    page.locator("#control-flipped_bits-slider").press("End")
    resident.settle()
    page.wait_for_function("() => document.querySelector('.companion').textContent.includes('first 16 bits flipped')")
    assert [len(cells) for _, cells in page.evaluate(FULL)] == [16, 16]


def test_of_what_is_asked_a_grid_shows_nothing_but_what_is_flipped(resident: Any) -> None:
    page = resident.come("?step=43")
    page.wait_for_selector(DRAWN)
    asked = page.evaluate(FULL)
    assert [colour for colour, _ in asked] == ["ink", "muted", "also"]
    assert [len(cells) > 20 for _, cells in asked] == [True, True, False]
    assert asked[2][1] == []
    assert "residual network is asked" in page.get_attribute(".companion .opened", "aria-label")
    assert page.locator(".companion .pace").count() == 0
    fits_everywhere(resident)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Show it").click()
    page.wait_for_selector(".companion .pace")
    *_, residual = curves("ciphers")["pictures"]["lecture"]["companion"]["grids"]
    assert len(page.evaluate(FULL)[2][1]) == int(residual["changed"][10], 16).bit_count()
    fits_everywhere(resident)


# The first frame in which S-boxes of the first round are told, and where the hand along stands: looked for in
# each frame, since a busy machine has played on before it answers.
FIRST_ROUND = f"""() => {{
    window.firstRound = null;
    const look = () => {{
        const isTold = document.querySelector('.companion')?.textContent.includes('S-boxes of round 1');
        if (isTold) window.firstRound = [({FULL})(), document.querySelector('.along input').value];
        else requestAnimationFrame(look);
    }};
    look();
}}"""


# What was seen of the board before is drawn until the same is answered anew, which does not end the play.
@pytest.mark.parametrize("before", ["?step=41", "?board=ciphers"])
def test_rounds_are_played_once_with_the_hand_on_the_chart(mover: Any, before: str) -> None:
    mover.turn_to(before)
    mover.page.evaluate(FIRST_ROUND)
    page = mover.come("?step=42")
    # An S-box has changed the bit's own byte before columns are mixed.
    ((_, byte), _), along = page.wait_for_function("() => window.firstRound").json_value()
    assert 1 < len(byte) <= 8
    assert along == "0"
    page.locator(".companion .pace").click(position={"x": 5, "y": 5})
    assert page.locator(".companion .pace").get_attribute("aria-label") == "Play"
    page.locator(".companion .pace").click(position={"x": 5, "y": 5})
    page.wait_for_selector(".companion .pace[aria-label=Play]")
    assert page.input_value(".along input") == "1000"
    assert "after 10 rounds" in page.text_content(".companion")
