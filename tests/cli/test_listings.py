"""``ridgeline catalog prices``: prices by day and hour, with genai-prices and without."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.catalog import quotes
from ridgeline.catalog.list_prices import list_prices
from ridgeline.cli import commands


def run(line: str) -> str:
    result = CliRunner().invoke(commands, ["catalog", "prices", *line.split()])
    assert result.exit_code == 0, result.output
    return result.stdout


def entries(line: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(f"{line} --json"))["prices"]
    return found


@pytest.mark.parametrize("has_library", [True, False])
def test_those_of_the_boards_are_listed_by_id(has_library: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001  a case
    monkeypatch.setattr(quotes, "has_library", lambda: has_library)
    monkeypatch.setattr("ridgeline.cli.listings.has_library", lambda: has_library)
    assert [one["id"] for one in entries("")] == list(list_prices())
    assert ("pip install" in run("")) is not has_library


def test_a_model_has_its_steps_modes_and_source() -> None:
    (price,) = entries("gemini-3-1-pro")
    assert price["usd_per_token"]["input"] == pytest.approx(2e-6)
    assert price["usd_per_token"]["cache_write_1h"] is None
    assert price["cliffs"][0]["usd_per_token"]["input"] == pytest.approx(4e-6)
    assert price["threshold_tokens"] == 200e3
    assert (price["date"], "genai-prices" in price["source"]) == ("2026-11-20", True)
    shown = run("gemini-3-1-pro")
    for text in ("above 200k", "$12", "reprice the whole request", "genai-prices, version 0.2.3"):
        assert text in shown


def test_a_provider_is_listed_at_an_hour() -> None:
    peak = {one["id"]: one["usd_per_token"]["output"] for one in entries("deepseek --hour 2")}
    usual = {one["id"]: one["usd_per_token"]["output"] for one in entries("deepseek")}
    assert peak["deepseek/deepseek-v4-pro"] == 2 * usual["deepseek/deepseek-v4-pro"]


def test_what_is_not_there_is_refused_with_what_is_near() -> None:
    result = CliRunner().invoke(commands, ["catalog", "prices", "anthropic/claude-opus-5.5"])
    assert result.exit_code == 2
    assert "anthropic/claude-opus-5-5" in result.output
    assert CliRunner().invoke(commands, ["catalog", "prices", "anthropik"]).exit_code == 2


def test_a_part_of_a_name_finds_it_with_all_who_sell_it() -> None:
    found = [one["id"] for one in entries("llama-3.3-70b")]
    assert len({one.partition("/")[0] for one in found}) > 5
    assert all("3" in one and "70b" in one.lower() for one in found)


def test_models_that_were_not_sold_yet_are_left_out_and_named() -> None:
    shown = " ".join(run("anthropic --date 2026-03-01").split())
    listed, _, said = shown.partition("left out, since they were not sold yet")
    assert "claude-opus-5-5" not in listed
    assert "claude-opus-5-5" in said
    assert "the oldest that is known is shown" in said
    result = CliRunner().invoke(commands, ["catalog", "prices", "anthropic/claude-opus-5-5", "--date", "2024-01-01"])
    assert result.exit_code == 2
    assert "its first day is 2026-11-20" in result.output


def test_two_days_are_compared() -> None:
    """V4-Pro's output went from $0.87 to $1.98 on 2026-08-17."""
    line = "deepseek/deepseek-v4-pro --since 2026-05-01"
    assert "$0.87, $1.98" in run(line)
    found = json.loads(run(f"{line} --json"))
    assert found["before"][0]["usd_per_token"]["output"] == pytest.approx(0.87e-6)
    assert found["prices"][0]["usd_per_token"]["output"] == pytest.approx(1.98e-6)
    assert "1 model with the same prices" in run("deepseek/deepseek-v4-pro --since 2026-09-01")


def test_what_was_not_sold_on_the_earlier_day_is_said_as_such() -> None:
    assert "not sold, $20" in run("anthropic/claude-opus-5-5 --since 2026-01-01")
    undated = " ".join(run("openai/gpt-4o --since 2024-01-01").split())
    assert "1 model without a dated earlier price" in undated
    assert "with the same" not in undated
    assert "note:" not in undated


def test_a_spreadsheet_has_a_line_for_each_step() -> None:
    below, above = csv.DictReader(io.StringIO(run("google/gemini-3.1-pro-preview --csv")))
    assert (below["above_tokens"], above["above_tokens"]) == ("0", "200000")
    assert float(below["input_usd_per_token"]) == pytest.approx(2e-6)
    assert float(above["input_usd_per_token"]) == pytest.approx(4e-6)


def test_what_is_sold_no_longer_is_marked() -> None:
    assert "retired on 2026-07-24" in run("deepseek/deepseek-chat")
    (lines,) = (line for line in run("deepseek").splitlines() if line.startswith("deepseek/deepseek-chat"))
    assert lines.endswith("retired")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("anthropic --since 2027-01-01", "is not before 2026-11-20"),
        ("anthropic --csv --json", "is another form than --json"),
        ("voyageai", "no model of voyageai has a price of tokens both ways"),
    ],
)
def test_what_cannot_be_listed_is_refused(line: str, said: str) -> None:
    result = CliRunner().invoke(commands, ["catalog", "prices", *line.split()])
    assert result.exit_code == 2
    assert said in result.output


def test_a_provider_that_is_nearly_named_is_said() -> None:
    for text, meant in (("anthropicc", "anthropic"), ("deepsek", "deepseek")):
        result = CliRunner().invoke(commands, ["catalog", "prices", text])
        assert result.exit_code == 2
        assert f"nearest: {meant}" in result.output


def test_prices_that_are_known_from_a_later_day_are_named() -> None:
    shown = CliRunner().invoke(commands, ["catalog", "prices", "openai/gpt-6.1-sol", "--date", "2026-11-01"]).output
    assert "write for 12 h is known from 2026-11-20 on, and left out on 2026-11-01" in " ".join(shown.split())


def test_a_narrow_list_keeps_its_prices() -> None:
    """Long ids wrap at their slashes before a price goes."""
    shown = CliRunner(env={"COLUMNS": "80"}).invoke(commands, ["catalog", "prices", "llama"]).stdout
    head, _, rows = shown.partition("──\n")
    heads = " ".join(head.split())
    assert all(name in heads for name in ("input", "cached", "output"))
    assert max(map(len, shown.splitlines())) <= 80
    assert "llama-3.3-70b" in rows
