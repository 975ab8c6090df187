"""Where numbers are from: a card at each number, for a pointer and for keys, a list, and a line on the first view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

AXE = Path(__file__).parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"
OPEN = ".card-of-word:popover-open"
NUMBER = "#symbols [data-word='careful-active_params']"


def test_a_number_says_where_it_is_from_to_a_pointer(resident: Any) -> None:
    page = resident.come("?step=12")
    page.wait_for_selector(NUMBER)
    page.hover(NUMBER)
    page.wait_for_selector(OPEN)
    said = page.inner_text(OPEN)
    assert "Counted from its config.json" in said
    assert "active 37B" in said
    links = page.eval_on_selector_all(f"{OPEN} a", "all => all.map(one => [one.href, one.rel, one.target])")
    assert [href for href, *_ in links] == [
        "https://huggingface.co/deepseek-ai/DeepSeek-V3/blob/main/config.json",
        "https://arxiv.org/abs/2412.19437",
    ]
    assert all(rest == ["noopener noreferrer", "_blank"] for _, *rest in links)


def test_keys_go_into_a_card_and_back(resident: Any) -> None:
    page = resident.come("?step=12")
    page.wait_for_selector(NUMBER)
    page.keyboard.press("Tab")  # who uses keys sees where they are
    page.focus(NUMBER)
    page.wait_for_selector(OPEN)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('.card-of-word') !== null")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.word") == "careful-active_params"
    assert page.locator(OPEN).count() == 0


def test_his_number_leads_to_its_second_of_the_recording(resident: Any) -> None:
    page = resident.come("?step=11")
    number = "#symbols [data-word='lecture-active_params']"
    page.wait_for_selector(number)
    page.hover(number)
    page.wait_for_selector(OPEN)
    assert page.get_attribute(f"{OPEN} a", "href") == "https://www.youtube.com/watch?v=xmkSf5IS-zw&t=292s"


@pytest.mark.parametrize("query", ["?step=12", "?board=cost&mode=both"])
def test_a_list_has_all_sources_of_a_board_and_no_card_breaks_a_rule(visitor: Any, query: str) -> None:
    page = visitor.open(query)
    page.wait_for_selector("[data-word^='careful-']")
    cited = page.eval_on_selector_all("details.letters .cite a", "all => all.map(one => one.href)")
    assert len(cited) == len(set(cited)) > 4
    assert all(one.startswith("https://") for one in cited)
    page.locator("[data-word^='careful-']").first.hover()
    page.wait_for_selector(OPEN)
    if not AXE.is_file():
        pytest.skip("axe-core is not there; cd page && npm ci")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))")
    assert not found


def test_the_first_view_says_what_its_price_is_from_and_what_others_ask(visitor: Any) -> None:
    page = visitor.home()
    page.wait_for_function("document.querySelector('.source-line').textContent.includes('Price')")
    page.click(".source-line summary")
    line = page.inner_text(".source-line p")
    assert line.startswith(
        "Price: $4.54/h on-demand (2026-03), Spheron Network; $10.50/h list (2026-02), Kael Research"
    )
    assert "Model: config.json of deepseek-ai/DeepSeek-V3" in line
    assert line.endswith("Lecture: recording.")
