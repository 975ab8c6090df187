"""Where things stand: what is wrong on the first screen, notes under their tracks, formulas whole."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("query", ["board=latency&foo=x&bar=y", "board=departures&load_fraction=300%25"])
def test_what_is_wrong_leaves_the_board_on_the_first_screen(visitor: Any, query: str) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/?{query}")
    page.wait_for_selector("#problem")
    page.wait_for_selector("#controls .control")
    assert page.locator(".stage").bounding_box()["y"] < 200
    assert page.locator("#problem").bounding_box()["y"] < 200
    field = page.locator("#controls .control > input").first
    field.fill("banana")
    field.press("Enter")
    page.wait_for_selector("#problem[role=alert]")
    assert page.locator(".stage").bounding_box()["y"] < 200
    visitor.complaints.clear()  # the browser's own word on the refused request


def test_below_the_picture_nothing_is_drawn_out(visitor: Any) -> None:
    """Beside a margin that is longer than all else."""
    page = visitor.open("?board=latency")
    parts = [box.bounding_box() for box in page.locator(".rest > *").all()]
    ends = [part["y"] + part["height"] for part in parts]
    assert all(after["y"] - end < 60 for end, after in zip(ends, parts[1:], strict=False))


def test_a_turned_control_is_told_beside_its_value_and_its_note_is_whole(visitor: Any) -> None:
    page = visitor.open("?board=latency&kv_bytes_per_token=5kB&hbm_bytes_per_s=3TB/s")
    for control in page.locator("#controls .control").all():
        control.hover()
        label, field, note = (control.locator(one).bounding_box() for one in ("label", "> input", ".starts"))
        track = control.locator(".track").bounding_box()
        assert label["x"] + label["width"] <= field["x"] + field["width"]
        back = control.locator(".back")
        if back.count():
            box = back.bounding_box()
            assert box["x"] >= field["x"] + field["width"] - 1
            assert box["x"] + box["width"] <= track["x"] + track["width"] + 1
        assert note["y"] >= track["y"] + track["height"] / 2
        assert control.locator(".starts").evaluate("note => note.scrollWidth <= note.clientWidth")
        assert label["y"] + label["height"] <= note["y"]
    assert page.locator("#controls .back").count() == 2


@pytest.mark.parametrize("query", ["board=bubbles", "board=cuts", "board=quality", "step=14", "step=25", "step=4"])
def test_no_formula_is_cut_on_a_wide_screen(resident: Any, query: str) -> None:
    page = resident.turn_to(f"?{query}")
    page.evaluate("document.fonts.ready")
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
    assert page.eval_on_selector_all("#formula .together", cut) == []


def test_a_formula_is_larger_where_there_is_room(resident: Any) -> None:
    page = resident.turn_to("?board=latency")
    size = "parseFloat(getComputedStyle(document.querySelector('#formula')).fontSize)"
    assert page.evaluate(size) > 1.3 * 16  # what it has without
    resident.turn_to("?step=3")
    assert page.evaluate(size) > 1.15 * 16
