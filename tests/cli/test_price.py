"""``ridgeline price`` and ``ridgeline infer``: what they print, as text and as a document."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.catalog.quotes import as_of
from ridgeline.cli import commands

PRICED = "price llama-3.1-8b --on h100-sxm --chips 1 --prompt 2000 --output 500"


def run(line: str) -> str:
    result = CliRunner().invoke(commands, line.split())
    assert result.exit_code == 0, result.output
    return result.stdout


def document(line: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(f"{line} --json"))
    return found


def test_a_price_has_its_stack_its_lines_and_its_inputs() -> None:
    found = document(f"{PRICED} --price $2/h --utilisation 50%")
    assert {"input", "cached_input", "output"} <= set(found["usd_per_token"])
    assert next(part["name"] for part in found["stack"]) == "chips at work"
    assert found["inputs"]["utilisation_fraction"] == 0.5
    assert found["inputs"]["usd_per_chip_s"] == pytest.approx(2 / 3600)
    assert found["against"] == []


@pytest.mark.slow
def test_a_price_says_what_to_do_and_draws(tmp_path: Path) -> None:
    path = tmp_path / "price.svg"
    shown = run(f"{PRICED} --against groq/llama-3.1-8b-instant --figure {path}")
    for text in (
        "out a million tokens; a request costs $",
        "groq's $",
        "a token within 50 ms, unless --tpot says another",
        "operating point: tp1 on 1 chip",
        "bound by HBM",
        "Own chips or by the token?",
        "costs 1.",
        "what is found is billed in full here",
        "output of long prompts",
        "as memory allows",
    ):
        assert text in " ".join(shown.split())
    assert "< $" not in shown
    assert re.search(r"-\d+ %", shown) is None  # a margin below zero is said as a multiple
    assert path.stat().st_size > 10_000


def test_own_chips_that_never_pay_serve_all_that_they_can_at_their_utilisation() -> None:
    line = f"{PRICED} --price $20/h --utilisation 60% --against groq/llama-3.1-8b-instant"
    even = document(line)["against"][0]["break_even"]
    assert even["tokens_per_day"] is None
    assert "serve all that they can at 60 % utilisation, " in " ".join(run(line).split())
    half = document(line.replace("60%", "30%"))["against"][0]["break_even"]
    assert half["most_tokens_per_day"] == pytest.approx(even["most_tokens_per_day"] / 2)


def test_pipelines_are_noted_only_where_the_layouts_have_stages() -> None:
    """The search for two pools has others with stages beside the layouts that are priced."""
    line = "price llama-3.1-70b --on h100-sxm --chips 8 --prompt 2000 --output 500 --pools 2"
    noted = "of no engine was a run with pipeline stages measured"
    for layout, is_staged in (("tp4/tp4", False), ("pp2/tp4", True)):
        assert any(noted in note for note in document(f"{line} --layout {layout}")["notes"]) is is_staged


def test_what_is_sold_in_batches_alone_is_said_first() -> None:
    """A large model on slow chips without a limit: few tokens a second for anybody."""
    shown = " ".join(run("price llama-3.1-405b --on h200-sxm --tpot none --hit-rate 40%").split())
    first, _, _ = shown.partition("operating point")
    assert "no limit on TPOT" in first
    assert "40.0 % of the input found" in first
    assert "compare with batch prices" in first
    assert "all: leaves out storing the prefix cache; that has its own lines" in shown


def test_a_load_opens_with_how_full_its_chips_are() -> None:
    shown = " ".join(run(f"{PRICED} --rate 0.01/s").split())
    assert "this load, 0.01 requests/s on the mean and 0.0123 at its most, fills" in shown
    assert "most of what a token costs is idle chips" in shown
    found = document(f"{PRICED} --rate 0.01/s")
    assert found["load"]["operating"]["chips"] == 1
    assert found["load"]["filled_fraction"] < 0.05


def test_several_lists_have_tables_of_their_own_where_room_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = ["groq/llama-3.1-8b-instant", "deepseek/deepseek-v4-flash", "openai/gpt-5"]
    line = PRICED + "".join(f" --against {one}" for one in lists)
    shown = {}
    for columns in ("80", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        shown[columns] = run(line)
        assert "left out at" not in shown[columns]
    assert max(map(len, shown["80"].splitlines())) <= 80
    for number, one in enumerate(lists, start=1):
        assert f"[{number}] {one}" in shown["80"]
        assert f"list [{number}]" in shown["200"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{PRICED} --tpot 1ms", "the fastest token takes"),
        (f"{PRICED} --pools 2", "two pools need 2 chips or more"),
    ],
)
def test_what_nothing_serves_is_said_as_a_plan_says_it(line: str, said: str) -> None:
    result = CliRunner().invoke(commands, line.split())
    assert result.exit_code == 1
    assert result.output.startswith("Error: no layout serves this; ")
    assert said in result.output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("price llama-3.1-70b --on h200-sxm --tpot 10ms --pools 2", "give --chips 10, or relax --tpot, or --pools 1"),
        ("price llama-3.1-70b --on h200-sxm --pools 2 --chips 2 --rate 20/s", "or a smaller load, or --pools 1"),
    ],
)
def test_two_pools_with_too_few_chips_say_how_many_they_take(line: str, said: str) -> None:
    result = CliRunner().invoke(commands, line.split())
    assert result.exit_code == 1
    assert said in " ".join(result.output.split())


@pytest.mark.slow
def test_two_pools_have_as_many_chips_as_a_load_takes() -> None:
    found = document("price deepseek-v4-pro --on b200-sxm --rate 20/s --ttft 2s")
    assert found["inputs"]["chips"] is None
    assert found["load"]["operating"]["chips"] > 8


@pytest.mark.slow
def test_an_inference_has_both_beside_each_other_and_repeats(tmp_path: Path) -> None:
    line = "infer openai/gpt-6.1-sol --preview --seed 7"
    path = tmp_path / "posterior.svg"
    found = document(f"{line} --figure {path}")
    active = next(one for one in found["unknowns"] if one["name"] == "active_params")
    assert active["prior"]["p05"] < active["posterior"]["p05"] < active["posterior"]["p50"]
    assert {one["line"] for one in found["predictive"]} == {"input", "output", "cached_input", "hold"}
    step = next(one for one in found["evidence"] if one["name"] == "step")
    assert step["options"][0]["name"] == "policy"
    assert path.stat().st_size > 10_000
    # Found anew, and the same: by its seed. Its words without details are read below, of another day.
    shown = " ".join(run(f"{line} --details").split())
    assert found["answer"] in shown
    assert f"{found['preview_effective_draws']:,.0f} effective draws" in shown
    for text in (
        "About",
        "active parameters, nine chances in ten of",
        "The step of the list is a policy",
        "The list says next to nothing of",
        "On 27 open models such an answer was off by",
        "a pricing policy, which counts as a single observation",
        "the same step stands at 9 others of the vendor's input prices",
        "policy: more than",
        "whose meaning is not verified with the vendor",
        "sequences that are decoded together on one copy of the weights",
    ):
        assert text in shown
    assert "e+" not in shown


@pytest.mark.slow
def test_a_line_of_models_is_inferred_day_by_day(tmp_path: Path) -> None:
    """Opus fell to a third with 4.5; what its prices tell falls with them, and each day has its own."""
    path = tmp_path / "trend.svg"
    found = document(f"infer anthropic/claude-opus-5-5 --trend --date 2026-03-01 --figure {path}")["trend"]
    assert [one["date"] for one in found] == ["2025-05-22", "2025-08-05", "2025-11-24", "2026-02-05"]
    middles = [next(u for u in one["unknowns"] if u["name"] == "active_params")["posterior"]["p50"] for one in found]
    assert middles[1] > 1.3 * middles[2]
    shown = " ".join(run("infer anthropic/claude-opus-5-5 --trend --date 2026-03-01").split())
    assert shown.startswith("Output became 3 times cheaper; that the model changed in size does not follow")
    assert "models without a first day are left out: claude-opus-4-8" in shown
    assert path.stat().st_size > 10_000


@pytest.mark.slow
def test_the_lectures_readings_contradict_each_other() -> None:
    """1,667 bytes from the step, and a batch of 0.17 balance batches for both (D3, D7)."""
    found = document("infer google/gemini-3.1-pro-preview --preview --lecture")["lecture"]
    assert found["step"]["by_formula"] == pytest.approx(1667, rel=1e-3)
    assert found["step"]["pinned"]["p05"] < 1667 < found["step"]["pinned"]["p95"]
    assert found["batch_for_both"] == pytest.approx(0.169, rel=0.01)
    assert found["decode"]["pinned"]["p05"] < 1 / 6 < found["decode"]["pinned"]["p95"] < 0.25
    assert found["decode_with_caches"]["pinned"]["p95"] > 3
    # No batch has both: a crossover takes more than one balance batch.
    assert found["together_factor"] < 1e-6


@pytest.mark.slow
def test_names_of_the_table_are_assumed_and_said_in_words() -> None:
    line = "infer groq/llama-3.1-8b-instant --preview --assume utilisation=60% --assume kv_bytes=70kB"
    shown = " ".join(run(f"{line} --assume kind=dense").split())
    assert "assumed: utilisation over the day 60 %, KV bytes stored a token 70 kB, model dense" in shown
    assert "Published: 8B, dense; counted from its configuration: 130 kB of KV a token; llama-3.1-8b" in shown
    assert document(line)["inputs"]["assumed"] == {"utilisation_fraction": 0.6, "kv_bytes_per_token": 70e3}


@pytest.mark.slow
def test_a_day_beyond_what_is_known_is_not_said_to_have_prices() -> None:
    shown = " ".join(run("infer openai/gpt-6.1-sol --preview --date 2030-01-01").split())
    assert f"prices of {as_of()}, the last that are known (not of 2030-01-01). About" in shown


@pytest.mark.slow
def test_a_list_that_nothing_explains_has_no_answer() -> None:
    """Opus' prices for 100 million parameters, a margin of one and a full day: exit code 1, and no table."""
    assumed = "--assume active_params=100M --assume price_over_cost=0.01 --assume utilisation=100%"
    result = CliRunner().invoke(commands, f"infer anthropic/claude-opus-5-5 --preview {assumed}".split())
    assert result.exit_code == 1
    assert "guesses explain the prices of Claude Opus 5.5: too few to say anything" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("infer anthropic/claude-opus-5.5", "near are anthropic/claude-opus-5-5"),
        ("infer anthropic/claude-opus-5-5 --assume active_params", "write NAME=VALUE"),
        (
            "infer anthropic/claude-opus-5-5 --assume size=3",
            "no unknown 'size' to assume; there are active_params=100B",
        ),
        ("infer anthropic/claude-opus-5-5 --assume active_params=100", "cannot be 100; it lies from 100M to 100T"),
        ("infer anthropic/claude-opus-5-5 --assume utilisation=300%", "it lies from 1 % to 100 %"),
        ("infer anthropic/claude-opus-5-5 --assume utilisation=300%", "utilisation cannot be 300 %"),
        (f"{PRICED} --owned", "pay for electricity; add --electricity 0.08/kWh"),
        ("infer anthropic/claude-opus-5-5 --assume tier=7", "it is one of HBM, DDR, flash, disk"),
        ("infer anthropic/claude-opus-5-5 --trend --lecture", "--trend takes no --lecture"),
        ("infer anthropic/claude-opus-5-5 --trend --hour 0", "--trend takes no --hour"),
        ("infer anthropic/claude-opus-5-5 --lecture --assume kv=70kB", "--lecture takes no --assume"),
        ("infer openai/gpt-6.1-sol --trend --figure trend.svg", "no trend to draw"),
        ("infer anthropic/claude-opus-5-5 --date 2026-13-01", "is no day; write one like 2026-03-01"),
        ("infer anthropic/claude-opus-5-5 --date 2024-01-01", "write --date 2026-11-20 or later"),
        ("infer anthropic", "write PROVIDER/MODEL, such as anthropic/claude-opus-5-5"),
        (f"{PRICED} --market spot --price $2/h", "is a price, and --market names one"),
        (f"{PRICED} --weights auto", "'auto' is for plan"),
        (f"{PRICED} --market bulk", "Invalid value for '--market'"),
        (f"{PRICED} --on h200-sxm", "is given 2 times, and this command takes one"),
        (f"{PRICED} --hit-rate 40", "0<=x<1; write 40%"),
        (f"{PRICED} --price $-2/h", "is below zero"),
        (f"{PRICED} --date 2026-03-01", "add --against PROVIDER/MODEL"),
        (f"{PRICED} --hour 2", "add --against PROVIDER/MODEL"),
        (f"{PRICED} --prompt 500k", "write --prompt 130,572 or less"),
        (
            f"{PRICED} --against anthropic/claude-opus-5-5 --date 2020-01-01",
            "was not sold on 2020-01-01, as far as is known",
        ),
    ],
)
def test_what_is_wrong_is_refused(line: str, said: str) -> None:
    result = CliRunner().invoke(commands, line.split())
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.parametrize(
    ("listing", "sold", "said"),
    [
        ("groq/llama-3.1-8b-instant", "llama-3.1-8b", ""),
        (
            "openai/gpt-5",
            None,
            "Another model? openai/gpt-5 is not known to be Llama 3.1 8B: unless it is, prices and costs",
        ),
        (
            "together/meta-llama/Llama-3.3-70B-Instruct-Turbo",
            "llama-3.1-70b",
            "Another model: together/meta-llama/Llama-3.3-70B-Instruct-Turbo sells llama-3.1-70b, and not Llama 3.1 8B",
        ),
    ],
)
def test_a_list_of_another_model_is_said_beside_the_answer(listing: str, sold: str | None, said: str) -> None:
    line = f"{PRICED} --against {listing}"
    text, found = re.sub(r"\s+", " ", run(line)), document(line)
    assert said in text
    assert ("Another model" in text) is bool(said)
    assert text.count("of two models") == bool(said)
    assert found["against"][0]["sold_model"] == sold
    assert any("of two models" in note for note in found["notes"]) is bool(said)


def test_a_layout_of_two_pools_says_which_is_for_what_and_equal_lines_are_one() -> None:
    line = "price llama-3.1-70b --on h100-sxm --chips 8 --prompt 2000 --output 500 --pools 2 --layout tp4/tp4"
    shown = run(line)
    assert "operating point: prompts tp4, tokens tp4 on 8 chips" in " ".join(shown.split())
    assert re.search(r"^batch or flex output +\$", shown, re.MULTILINE)
    assert re.search(r"^flex output", shown, re.MULTILINE) is None
    (found,) = re.findall(r"^input, found after 5 min +\S+ +(\S+) +(\S+)$", shown, re.MULTILINE)
    assert found == ("-", "-")
