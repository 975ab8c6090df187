"""What is picked and linked: models and machines, addresses that are wrong, and ways back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from tests.browser.boards import PICTURE, chosen, ridgeline


def test_models_and_machines_are_picked_and_a_configuration_can_be_dropped(
    visitor: Any,
    tmp_path: Path,
) -> None:
    page = visitor.open("?board=latency&mode=both")
    page.select_option("#machine", "h100-sxm")
    page.wait_for_function("() => location.search.includes('machine=h100-sxm')")
    page.wait_for_function("() => document.querySelector('#command').textContent.includes('--on h100-sxm')")
    careful = page.text_content("#command").splitlines()[1]
    assert ridgeline(careful)["inputs"]["machine"] == "h100-sxm"
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "architectures": ["LlamaForCausalLM"],
                "model_type": "llama",
                "hidden_size": 4096,
                "intermediate_size": 14336,
                "num_attention_heads": 32,
                "num_hidden_layers": 32,
                "num_key_value_heads": 8,
                "vocab_size": 128256,
                "torch_dtype": "bfloat16",
            }
        ),
        encoding="utf-8",
    )
    page.set_input_files("#config", config)
    page.wait_for_function("() => location.search.includes('model=config-')")
    visitor.settle()
    lecture, careful = page.text_content("#command").splitlines()
    assert "--model config.json --on h100-sxm" in careful
    found = ridgeline(careful.replace("--model config.json", f"--model {config}"))["inputs"]["controls"]
    assert found["kv_bytes_per_token"] == 131_072
    assert found["flop_per_s"] == pytest.approx(989.4e12, rel=0.001)  # of the machine that is picked
    assert ridgeline(lecture)["inputs"]["controls"]["kv_bytes_per_token"] == 2000  # the lecture's stay his
    # A link needs no file; a reload and another board keep it; a model that is picked takes its place.
    page.click(".fold > summary")
    page.click("#export button:text-is('Copy link')")
    page.wait_for_function("() => document.querySelector('#said').textContent === 'Copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    assert parse_qs(urlparse(link).query)["kv_bytes_per_token"] == ["131.072 kB"]
    assert "model" not in parse_qs(urlparse(link).query)
    page.reload()
    page.wait_for_selector(PICTURE)
    assert page.inner_text("#model option:checked") == "config.json"
    chosen(page, "context")
    page.wait_for_function("() => document.querySelector('h1').textContent === 'Cost against context'")
    visitor.settle()
    # It opens in his numbers, beside which stands the way to those of the file.
    page.click("#sources button:text-is('Sourced numbers of config.json on H100 SXM')")
    visitor.settle()
    assert page.inner_text("#model option:checked") == "config.json"
    page.select_option("#model", "llama-3.1-70b")
    page.wait_for_function("() => location.search.includes('model=llama-3.1-70b')")
    visitor.settle()


def test_steps_back_lead_to_what_was_seen_before(visitor: Any) -> None:
    page = visitor.open("?board=latency&mode=both")
    chosen(page, "tiers")
    page.wait_for_function("() => document.querySelector('h1').textContent === 'Where a KV cache waits'")
    # All boards are a page of their own, which lies between.
    page.go_back()
    page.wait_for_selector("#shelf")
    assert page.url.endswith("?boards=all")
    page.go_back()
    page.wait_for_function("() => document.querySelector('h1').textContent === 'Latency against batch'")
    page.wait_for_selector(PICTURE)
    visitor.settle()
    assert "board latency" in page.text_content("#command")


def test_of_two_boards_on_their_way_the_later_is_shown(visitor: Any) -> None:
    page = visitor.open("?board=latency&mode=both")
    late: list[Any] = []
    page.route("**/api/boards/cost", lambda route: late.append(route))  # noqa: PLW0108  it is asked for its names
    chosen(page, "cost")
    chosen(page, "tiers")
    page.wait_for_function("() => document.querySelector('h1').textContent === 'Where a KV cache waits'")
    late[0].continue_()
    page.wait_for_load_state("networkidle")
    visitor.settle()
    assert page.inner_text("h1") == "Where a KV cache waits"
    assert "board tiers" in page.text_content("#command")


def test_a_machine_without_a_price_leaves_the_lectures_picture(visitor: Any) -> None:
    page = visitor.open("?board=cost&machine=gb300-nvl72&mode=both")
    assert page.locator(PICTURE).count() == 1
    assert page.text_content("#command").count("ridgeline") == 1
    assert "usd_per_chip_s" in page.inner_text(".refused")
    field = page.locator("#control-usd_per_chip_s")
    field.fill("$4/h")
    field.press("Enter")
    page.wait_for_selector(".refused", state="detached")
    visitor.settle()
    assert page.text_content("#command").count("ridgeline") == 2


@pytest.mark.parametrize(
    ("query", "way_out"),
    [
        ("?board=latency&chips=none&mode=both", "#control-chips"),
        ("?board=latency&chips=none&expansion=few&mode=both", "#control-expansion"),
        ("?board=latency&mode=bold", "#problem button"),
        ("?board=latincy&mode=both", "#problem button"),
        ("?step=1000", "#problem button"),
        ("?step=-3", "#problem button"),
        ("?step=abc", "#problem button"),
        ("?board=latincy&mode=both", ".shelf a[data-name=latency]"),
    ],
)
def test_a_wrong_link_says_so_and_shows_a_way_out(visitor: Any, query: str, way_out: str) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/{query}")
    page.wait_for_selector(".control.wrong, #problem")
    out = page.locator(way_out)
    if way_out.startswith("#control"):
        assert out.input_value() in {"none", "few"}
        assert page.input_value("#control-context_tokens-slider") != "50"  # where nothing has set it
        visitor.unfold()
        for name, right in (("chips", "72"), ("expansion", "8")):
            page.fill(f"#control-{name}", right)
            page.press(f"#control-{name}", "Enter")
    else:
        out.click()
    page.wait_for_selector(PICTURE)
    visitor.settle()
    assert not page.is_visible("#problem")
    assert all("400" in said for said in visitor.complaints)
    visitor.complaints.clear()


@pytest.mark.parametrize("query", ["?step=999", "?step=-3", "?step=abc"])
def test_a_step_that_there_is_not_is_named(visitor: Any, query: str) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/{query}")
    page.wait_for_selector("#problem")
    asked = query.removeprefix("?step=")
    assert page.inner_text("#problem").startswith(f"There is no step {asked}; the lecture has ")


def test_a_link_beyond_the_range_is_drawn_at_its_end_and_says_so_once(visitor: Any) -> None:
    page = visitor.open("?board=latency&context_tokens=1e12&chips=0&mode=both")
    said = "Context set to 1M, the most this board takes; chips set to 1, the least this board takes."
    assert page.inner_text("#problem") == said
    assert page.locator("#problem button, .control.wrong").count() == 0
    # The link, the sliders and the command have what is drawn.
    asked = {"board": ["latency"], "context_tokens": ["1M"], "chips": ["1"], "mode": ["both"]}
    assert parse_qs(urlparse(page.url).query) == asked
    assert page.input_value("#control-chips") == "1"
    found = ridgeline(page.text_content("#command").splitlines()[1])["inputs"]["controls"]
    assert (found["context_tokens"], found["chips"]) == (1e6, 1)
    page.fill("#control-chips", "72")
    page.press("#control-chips", "Enter")
    page.wait_for_selector("#problem", state="detached")
    visitor.settle()
    page.fill("#control-chips", "1e9")
    page.press("#control-chips", "Enter")
    page.wait_for_selector("#problem:has-text('Chips set to 16.384k, the most')")
    assert page.input_value("#control-chips") == "16.384k"


def test_a_model_that_there_is_not_leaves_the_board(visitor: Any) -> None:
    page = visitor.open("?board=latency&model=config-0123456789ab&mode=both")
    assert "drop it again" in page.inner_text("#problem")
    visitor.complaints.clear()


def test_a_pick_keeps_the_hand_where_it_is(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    page.locator(".claim summary").first.click()
    page.focus("#machine")
    page.select_option("#machine", "h100-sxm")
    page.wait_for_function("() => document.querySelector('#command').textContent.includes('h100-sxm')")
    assert page.evaluate("document.activeElement.id") == "machine"
    assert page.locator(".claim[open]").count() == 1


def test_a_link_that_gathered_other_fields_shows_its_picture(visitor: Any) -> None:
    page = visitor.open("?board=latency&utm_source=letter&foo=1&chips=8&mode=both")
    assert page.input_value("#control-chips") == "8"
    said = page.locator("#problem[role=status]").inner_text()
    assert "foo" in said
    # What a letter hangs on to its links is nobody's mistake.
    assert "utm_source" not in said
    assert "ridgeline board latency" in page.text_content("#command")
    page.click(".fold > summary")
    with page.expect_download() as download:
        page.click("#export button:text-is('SVG')")
    assert len(Path(download.value.path()).read_bytes()) > 5000


def test_of_a_model_and_a_machine_that_there_are_not_both_are_named(visitor: Any) -> None:
    page = visitor.open("?board=latency&model=gpt-99&machine=abacus&mode=both")
    said = page.inner_text("#problem")
    assert "gpt-99" in said
    assert "abacus" in said
    assert all("400" in one for one in visitor.complaints)
    visitor.complaints.clear()


def test_a_file_may_be_dropped_anywhere(visitor: Any) -> None:
    page = visitor.open("?board=latency&mode=both")
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "torch_dtype": "bfloat16",
    }
    prevented = page.evaluate(
        """config => ['dragover', 'drop'].map(name => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([config], 'mine.json', { type: 'application/json' }));
            return !document.querySelector('footer, #caption').dispatchEvent(
                new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
        })""",
        json.dumps(config),
    )
    assert prevented == [True, True]  # or the browser leaves the page for the file
    page.wait_for_function("() => document.querySelector('#model option:checked').textContent === 'mine.json'")
    visitor.settle()
