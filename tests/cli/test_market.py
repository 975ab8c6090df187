"""``--market``: whose price a chip is taken at, and what is refused."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from ridgeline.catalog.machines import machine_entry, machine_ids
from ridgeline.catalog.rentals import MARKETS
from ridgeline.cli import commands
from ridgeline.errors import RidgelineError
from ridgeline.verbs import load_machine

PLANNED = "plan llama-3.1-8b --on h100-sxm --prompt 1000 --output 100 --chips 1"


@pytest.mark.parametrize("name", machine_ids())
def test_each_market_gives_the_newest_of_its_prices(name: str) -> None:
    rentals = machine_entry(name).facts.rental
    for market in MARKETS:
        prices = {one.usd_per_chip_s.date: one.usd_per_chip_s.value for one in rentals if one.kind == market}
        if prices:
            tariff = load_machine(name, market=market).tariff
            assert tariff is not None
            assert tariff.usd_per_chip_s == prices[max(prices)]
            assert tariff.label.startswith(f"{market}, {max(prices)}")
            month = f"{min(prices):%Y-%m}"
            oldest = load_machine(name, market=f"{market}@{month}").tariff
            assert oldest is not None
            assert oldest.usd_per_chip_s == prices[max(day for day in prices if f"{day:%Y-%m}" <= month)]
        else:
            with pytest.raises(RidgelineError, match=f"no {market} price of {name}"):
                load_machine(name, market=market)


def test_without_a_market_the_plainest_is_taken() -> None:
    plain, named = load_machine("h100-sxm").tariff, load_machine("h100-sxm", market="on-demand").tariff
    assert plain is not None
    assert named is not None
    assert plain.usd_per_chip_s == named.usd_per_chip_s
    # Where one market is asked for, the range is said to be of all.
    assert named.label == plain.label.replace("prices of 2026", "prices of 2026 of all markets")


def test_a_price_knows_how_far_others_lie_of_the_kind_that_was_asked_for() -> None:
    """Of all kinds where none was: contracts are cheaper than chips on demand, and lists dearer."""
    plain, named = load_machine("h100-sxm").tariff, load_machine("h100-sxm", market="on-demand").tariff
    assert plain is not None
    assert named is not None
    low, high = plain.usd_per_chip_s_low, plain.usd_per_chip_s_high
    assert low is not None
    assert high is not None
    assert low < plain.usd_per_chip_s < high
    assert named.usd_per_chip_s_low == named.usd_per_chip_s == named.usd_per_chip_s_high


@pytest.mark.parametrize(
    "line",
    [
        PLANNED,
        "simulate llama-3.1-8b --on h100-sxm --layout tp1 --prompt 1000 --output 100 --users 2 --requests 9 --no-bands",
        "train llama-3.1-8b --on h100-sxm --layout tp2,dp4 --tokens 1T --batch-tokens 1Mi",
    ],
)
def test_costs_are_in_proportion_to_the_markets_price(line: str) -> None:
    costs, prices = [], []
    for market in ("spot", "list"):
        result = CliRunner().invoke(commands, [*line.split(), "--market", market, "--json"])
        assert result.exit_code == 0, result.output
        found = json.loads(result.stdout)
        cost = found.get("usd_per_output_token") or found.get("run", {}).get("usd")
        costs.append(cost or found["plans"][0]["usd_per_output_token"])
        tariff = load_machine("h100-sxm", market=market).tariff
        prices.append(0.0 if tariff is None else tariff.usd_per_chip_s)
    assert costs[0] / costs[1] == pytest.approx(prices[0] / prices[1])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--market", "gold"], "is not one of on-demand, list, spot, contract"),
        (["--market", "spot@soon"], "contract@2025-10"),
        (["--market", "contract@2020"], "known are contract@2025-10"),
        (["--market", "spot", "--price", "$2/h"], "give one of them"),
    ],
)
def test_what_is_no_market_is_refused(more: list[str], said: str) -> None:
    result = CliRunner().invoke(commands, [*PLANNED.split(), *more])
    assert result.exit_code == 2
    assert said in re.sub(r"[│\s]+", " ", result.output)
