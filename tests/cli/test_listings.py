"""``ridgeline catalog prices``: prices by day and hour, with genai-prices and without."""

from __future__ import annotations

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
