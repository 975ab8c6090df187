"""The page of all boards: a small picture each, by chapter, and large ones to begin with."""

from __future__ import annotations

from typing import Any

import pytest

from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

SHELF: Any = answers("shelf", {}, Dropped())
THUMBNAILS: Any = answers("thumbnails", {}, Dropped())

# Of each board its name, and the paths of its picture.
DRAWN = """all => all.map(one => [...one.querySelectorAll('li a')].map(
    a => [a.dataset.name, a.querySelectorAll('path').length]))"""


def test_all_boards_have_their_picture_under_their_chapter(visitor: Any) -> None:
    page = visitor.home()
    page.get_by_role("button", name="Go to the boards").click()
    page.wait_for_selector("#shelf path")
    assert page.url.endswith("?boards=all")
    assert page.title().startswith("All boards")
    assert page.get_attribute("#boards", "aria-current") == "page"
    found = page.eval_on_selector_all("#shelf .chapter", DRAWN)
    expected = [
        [[name, len(THUMBNAILS["boards"][name])] for name in chapter["boards"]] for chapter in SHELF["chapters"]
    ]
    assert found == expected
    links = page.eval_on_selector_all("#shelf .featured a", "all => all.map(one => one.getAttribute('href'))")
    assert links == [f"?board={name}" for name in SHELF["featured"]]
    # A link is called by its words: the picture has none.
    title = next(one["title"] for one in SHELF["boards"] if one["name"] == "tiers")
    page.get_by_role("link", name=title).first.click()
    visitor.settle()
    assert "board=tiers" in page.url
    page.go_back()
    page.wait_for_selector("#shelf")


def test_pictures_are_there_with_the_boards_and_axes_before_them(visitor: Any) -> None:
    page = visitor.home()
    # They were asked for after the first view.
    page.wait_for_function("performance.getEntriesByType('resource').some(one => one.name.endsWith('/api/thumbnails'))")
    page.wait_for_load_state("networkidle")
    drawn = page.evaluate(
        """() => new Promise(resolve => {
            new MutationObserver((_, observer) => {
                if (!document.querySelector('#shelf .chapter li')) return;
                observer.disconnect();
                resolve(document.querySelectorAll('#shelf .chapter li:not(:has(path))').length);
            }).observe(document.body, { childList: true, subtree: true });
            [...document.querySelectorAll('button')].find(one => one.textContent === 'Go to the boards').click();
        })"""
    )
    assert drawn == 0
    # Who comes by a link sees axes until the pictures are there.
    held: list[Any] = []
    page.route("**/api/thumbnails", lambda route: held.append(route))  # noqa: PLW0108  a builtin has no signature to read
    page.goto(f"{visitor.address}/?boards=all")
    page.wait_for_selector("#shelf li polyline")
    assert page.locator("#shelf .chapter li:not(:has(polyline))").count() == 0
    held[0].continue_()
    page.wait_for_selector("#shelf path")
    assert page.locator("#shelf polyline").count() == 0
    page.unroute("**/api/thumbnails")


@pytest.mark.parametrize("width", [1440, 390, 320])
def test_a_board_is_found_by_its_words_or_its_chapter_on_the_first_screen(visitors: Any, width: int) -> None:
    """And no card is there twice."""
    visitor = visitors(width=width, height=844)
    page = visitor.home()
    visitor.page.goto(f"{visitor.address}/?boards=all")
    page.wait_for_selector("#shelf path")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("#shelf li svg").count() == len(SHELF["boards"])
    chapters = page.locator("#shelf .find button")
    assert chapters.count() == len(SHELF["chapters"])
    for one in [page.locator("#shelf .find input"), *chapters.all()]:
        box = one.bounding_box()
        assert box["y"] + box["height"] <= 844
    last = SHELF["chapters"][-1]
    chapters.last.click()
    page.wait_for_function("scrollY > 0")
    head = page.locator(f"#chapter-{last['name']}").bounding_box()
    assert 0 <= head["y"] < 844
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.name") == last["boards"][0]
    wanted = next(one for one in SHELF["boards"] if one["name"] == "tiers")
    page.locator("#shelf .find input").fill(wanted["title"].upper())
    page.wait_for_function(f"document.querySelectorAll('#shelf li svg').length < {len(SHELF['boards'])}")
    assert "tiers" in page.eval_on_selector_all("#shelf li a", "all => all.map(one => one.dataset.name)")
    page.locator("#shelf .find input").fill("no board has these words")
    page.wait_for_selector("#shelf .none")
    assert page.locator("#shelf li svg").count() == 0


@pytest.mark.parametrize("width", [1440, 390, 320])
def test_boards_are_a_list_on_a_phone(visitors: Any, width: int) -> None:
    visitor = visitors(width=width, height=844)
    page = visitor.home()
    visitor.page.goto(f"{visitor.address}/?boards=all")
    page.wait_for_selector("#shelf path")
    picture, title = (page.locator(f"#shelf .chapter {one}").first.bounding_box() for one in ("svg", "li b"))
    assert (title["x"] > picture["x"] + picture["width"]) == (width < 640)


def test_a_chapters_name_has_a_row_above_its_boards(resident: Any) -> None:
    page = resident.turn_to("?step=2")
    for width in (1440, 1280, 1024, 700):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(page.url.split("?")[0] + "?boards=all")
        page.wait_for_selector(".by-chapter li")
        for chapter in page.locator(".by-chapter .chapter").all():
            name = chapter.locator("h2").bounding_box()
            boards = [one.bounding_box() for one in chapter.locator("li").all()]
            assert min(one["y"] for one in boards) >= name["y"] + name["height"], width
