"""Drawings of what is read and computed beside a step's chart: their areas and counts are the chart's."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from tests.browser.companions import DRAWN, curves, drawn_of, fits_everywhere, place, slide

from ridgeline.quantity_text import format_quantity

BOX = re.compile(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)")
PAGES = """() => [...document.querySelectorAll('.companion svg > g > g')].map(page =>
    [...page.querySelectorAll('path')].slice(0, 2).map(path => path.getAttribute('d')))"""
BLOCKS = """() => [...document.querySelectorAll('.companion svg > g > g')].map(block =>
    [0, 2].map(which => block.children[which].getAttribute('d')))"""
SEAMS = "() => document.querySelector('.companion svg > path:not([fill]):not([class])').getAttribute('d')"


def boxes(page: Any, selector: str) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of each rectangle of a path."""
    return _boxes(page.get_attribute(f".companion svg > {selector}", "d"))


def _boxes(d: str) -> list[tuple[float, float, float, float]]:
    return [tuple(map(float, one)) for one in BOX.findall(d)]  # type: ignore[misc]


def area(found: list[tuple[float, float, float, float]]) -> float:
    return sum(width * height for _, _, width, height in found)


def said(page: Any) -> str:
    return str(page.get_attribute(".companion .opened", "aria-label"))


def show(page: Any) -> None:
    page.get_by_role("button", name="Show it").click()
    page.wait_for_selector(".along input")


def test_what_a_vessel_does_not_hold_stands_in_as_many_further_ones(resident: Any) -> None:
    page = resident.turn_to("?step=32")
    page.wait_for_selector(DRAWN)
    view, picture = curves("budget"), curves("budget")["pictures"]["lecture"]
    (sums,) = [np.sum([part["y"] for part in side], axis=0) for side in picture["bill"]]
    counted = []
    for thousandths in (20, 250, 1000):
        slide(resident, thousandths)
        x = place(view, thousandths)
        total = np.interp(x, picture["x"], sums)
        seams = re.findall(r"M([\d.]+) ([\d.]+)h", page.evaluate(SEAMS))
        last = max((float(x) for x, _ in seams), default=0.0)
        of_all = [y for x, y in seams if float(x) == last]
        counted.append(len(of_all))
        if total > 2 * sums.min():
            assert len(of_all) + 1 == np.ceil(total / sums.min())
    assert counted[0] > counted[2] > counted[1]
    # Where they are too low to be counted, as at the start of the curve in the lowest window, one runs over.
    slide(resident, 0)
    assert f"a model of {format_quantity(picture['x'][0], 'count')} active" in said(page)
    assert len(page.evaluate(SEAMS)) > 0
    resident.screen(1280, 470)
    resident.rest()
    assert page.evaluate(SEAMS) == ""
    fits_everywhere(resident)


def test_of_each_page_as_much_is_lit_as_is_read(resident: Any) -> None:
    page = resident.turn_to("?step=7")
    page.wait_for_selector(DRAWN)
    assert said(page).endswith("indexer (DSA) is asked")
    assert [lit != "" for _, lit in page.evaluate(PAGES)] == [True, True, False]
    fits_everywhere(resident)
    page.set_viewport_size({"width": 1440, "height": 900})
    show(page)
    view, picture = curves("sparse"), curves("sparse")["pictures"]["lecture"]
    lines = {line["name"]: line["y"] for line in picture["lines"]}
    names = [one["line"] for one in picture["companion"]["attended"]]
    for thousandths in (100, 300):  # up to where a pixel is no more than a row of the page
        slide(resident, thousandths)
        x = place(view, thousandths)
        for name, (whole, lit) in zip(names, page.evaluate(PAGES), strict=True):
            read = np.interp(x, picture["x"], lines[name]) / x
            # A page is two pixels less wide than what its index is a part of; of a root the crossing is lit twice.
            assert area(_boxes(lit)) / area(_boxes(whole)) == pytest.approx(read, rel=0.03), name
    fits_everywhere(resident)


@pytest.mark.parametrize(("step", "board"), [(6, "utilisation"), (35, "context")])
def test_rows_reach_beyond_computing_by_as_much_as_reading_takes_longer(resident: Any, step: int, board: str) -> None:
    page = resident.turn_to(f"?step={step}")
    page.wait_for_selector(DRAWN)
    view, picture = drawn_of(step)
    rows = picture["companion"]
    for thousandths in (200, 700, 1000):
        slide(resident, thousandths)
        x = place(view, thousandths)
        ((left, _, computing, _),) = boxes(page, "path[data-colour=compute]")
        ((start, _, weights, high),) = boxes(page, "path[data-colour=weights]")
        ((_, _, contexts, tall),) = boxes(page, "path[data-colour=kv]")
        assert (start, high) == (left, tall), board
        assert weights / computing == pytest.approx(1 / rows["balance_batches"], abs=0.01)
        assert contexts / computing == pytest.approx(x / rows["crossover_tokens"], rel=0.02)  # hundredths of pixels
    fits_everywhere(resident)


def test_a_mode_pays_its_own_context_and_its_share_of_the_weights(resident: Any) -> None:
    page = resident.turn_to("?step=5")
    page.wait_for_selector(DRAWN)
    assert len(boxes(page, "path[data-colour=weights]")) == 1
    assert "each pays ?" in said(page)
    fits_everywhere(resident)
    page.set_viewport_size({"width": 1440, "height": 900})
    show(page)
    slide(resident, 600)
    (regular, other), (own, as_much) = (boxes(page, f"path[data-colour={one}]") for one in ("weights", "kv"))
    assert area([own]) == pytest.approx(area([as_much]), rel=0.01)  # hundredths of pixels
    assert area([other]) > area([regular])
    fits_everywhere(resident)


def test_attention_rises_from_the_first_token_to_the_last(resident: Any) -> None:
    page = resident.turn_to("?step=39")
    page.wait_for_selector(DRAWN)
    assert boxes(page, "path[data-colour=ink]") == []
    assert "attention ?" in said(page)
    fits_everywhere(resident)
    page.set_viewport_size({"width": 1440, "height": 900})
    show(page)
    view, picture = drawn_of(39, "careful")
    lines = {line["name"]: line["y"] for line in picture["lines"]}
    slide(resident, 300)
    x = place(view, 300)
    over = np.interp(x, picture["x"], lines["full"]) / np.interp(x, picture["x"], lines["parameters"]) - 1
    columns = boxes(page, "path[data-colour=ink]")
    assert area(columns) / area(boxes(page, "path[data-colour=compute]")) == pytest.approx(over, rel=0.01)
    heights = [high for *_, high in columns]
    assert heights == sorted(heights)
    fits_everywhere(resident)


def test_trains_that_leave_at_once_are_as_many_more_as_their_rate_is_higher(resident: Any) -> None:
    page = resident.turn_to("?step=14")
    page.wait_for_selector(DRAWN)
    tops = [top for _, top, *_ in boxes(page, "path[data-colour=also]")]
    assert [tops.count(top) for top in sorted(set(tops))] == [2, 20]
    assert "a train every 15.6 ms, 128k tokens a second. at once: a train every 1.57 ms, 1.28M" in said(page)
    # In a period that is shorter than a step they are one, and drawn as one.
    slide(resident, 1000)
    tops = [top for _, top, *_ in boxes(page, "path[data-colour=also]")]
    assert [tops.count(top) for top in sorted(set(tops))] == [2]
    fits_everywhere(resident)


def choose(visitor: Any, mode: str) -> None:
    named = [visitor.page.get_by_role(role, name=mode) for role in ("radio", "button")]
    named[0].or_(named[1]).first.click()
    visitor.settle()


@pytest.mark.parametrize(("place", "mark"), [(6, "twice the crossover"), (14, "seats")])
def test_of_other_numbers_a_step_is_read_at_their_own_mark(resident: Any, place: int, mark: str) -> None:
    """Not at an end of their axis, nor in between beyond their curves: a drawing would be of no length there."""
    page = resident.turn_to(f"?step={place}")
    page.wait_for_selector(DRAWN)
    rail = page.locator(".along input")
    own = {}
    for mode in ("lecture", "careful"):
        (found,) = (one["x"] for one in drawn_of(place, mode)[1]["marks"] if one["name"] == mark)
        own[mode] = format_quantity(found, "count")
    assert rail.get_attribute("aria-valuetext").endswith(f" {own['lecture']}")
    for name, mode in (("sourced", "careful"), ("both", "careful"), ("Pope", "lecture")):
        choose(resident, name)
        assert rail.get_attribute("aria-valuetext").endswith(f" {own[mode]}")
        assert re.search(rf"\b{re.escape(own[mode])}\b", said(page))
    # What a hand has chosen stays: all three have one axis.
    rail.focus()
    page.keyboard.press("Home" if place == 14 else "End")
    resident.rest()
    chosen = rail.get_attribute("aria-valuetext")
    assert not chosen.endswith((f" {own['lecture']}", f" {own['careful']}"))
    for name in ("both", "sourced", "Pope"):
        choose(resident, name)
        assert rail.get_attribute("aria-valuetext") == chosen, name
        assert "&at=" in page.url


def test_seats_under_a_hand_are_those_of_the_trains_beside(resident: Any) -> None:
    page = resident.turn_to("?step=14")
    page.wait_for_selector(DRAWN)
    before = said(page)
    mark = page.locator("#canvas svg g.chart-mark[data-key$=seats]:not([font-size])").first
    resident.drag(mark.locator("circle").last, (60, 0))
    resident.settle()
    sentence = page.inner_text("p.sentence")
    (seats,) = re.findall(r"([\d,]+) seats", sentence)
    assert seats != "2,000"
    rail = page.get_attribute(".along input", "aria-valuetext")
    assert said(page) != before
    assert rail == f"batch {format_quantity(float(seats.replace(',', '')), 'count')}"
    assert f"{rail.removeprefix('batch ')} sequences take a step" in said(page)


def test_one_part_of_all_tokens_is_lit_of_as_many_as_the_line_says(resident: Any) -> None:
    page = resident.turn_to("?step=34")
    page.wait_for_selector(DRAWN)
    assert "fit of Hoffmann: ?" in said(page)
    fits_everywhere(resident)
    page.set_viewport_size({"width": 1440, "height": 900})
    show(page)
    view, picture = drawn_of(34)
    lines = {line["name"]: line["y"] for line in picture["lines"]}
    slide(resident, 800)
    blocks = page.evaluate(BLOCKS)
    for law, (whole, lit) in zip(picture["companion"]["laws"], blocks, strict=True):
        times = np.interp(place(view, 800), picture["x"], lines[law])
        assert area(_boxes(whole)) / area(_boxes(lit)) == pytest.approx(max(times, 1), rel=0.02), law  # hundredths
    fits_everywhere(resident)
