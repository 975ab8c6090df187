"""``ridgeline cache`` and ``catalog memory``: what is printed, the document's contract, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands

ASKED = ("cache", "llama-3.1-70b", "--on", "h100-sxm", "--hold", "5min", "--reuse", "0.3", "--context", "20k")


def run(*more: str) -> Result:
    return CliRunner().invoke(commands, [*ASKED, *more])


def document(*more: str) -> dict[str, Any]:
    result = run(*more, "--json")
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def test_it_says_what_to_do_and_why() -> None:
    result = run("--details", "--prices", "--pools", "2")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80
    text = re.sub(r"\s+", " ", result.output)
    assert re.match(r"Keep it in DDR on 2 devices a chip \(--devices 2: 1 keeps 99 % of [^:]*: a hit costs \$", text)
    for said in (
        "times as much; first token on idle chips after",
        "requests under way on a replica, the batch at which one costs least",
        "Cheapest by hold time: HBM to",
        "all times but read back are at it. Recomputing takes",
        "Slower than recomputing: disk reads",
        "Fewer requests than recomputing: disk",
        "HBM for waiting prefixes: none",
        "The lecture's rule (the tier that is drained in the hold time) takes flash for 5 min",
        "flash is cheaper than DDR from",
        "Two pools:",
        "dearer to hold in",
        "Prices by cost at a margin of 60 %",
        "GPT-6.1 Sol: 30 min or longer, or over 12 h",
        "By that rule 5 min is flash and 1 h flash, by cost DDR and flash",
        "4 of 5 lists with both ask 1.25 and 2 times",
    ):
        assert said in text, said


def test_the_document_keeps_its_contract_and_can_be_had_again() -> None:
    found = document("--market", "contract@2025-10", "--date", "2025-10")
    assert found["choice"] in {one["tier"] for one in found["tiers"]}
    for one in found["tiers"]:
        assert {"tier", "usd_per_hit", "usd_per_token_s_held", "retrieve_s", "break_even_s"} <= one.keys()
    assert found["tiers"][-1]["tier"] == "recompute"
    assert found["tiers"][-1]["break_even_s"] is None
    inputs = found["inputs"]
    assert (inputs["hold_s"], inputs["reuse"], inputs["context_tokens"]) == (300.0, 0.3, 20_000)
    assert inputs["until"] == "2025-10-31"
    again = document("--price", f"${inputs['usd_per_chip_s'] * 3600}/h", "--date", inputs["until"])
    assert [one["usd_per_hit"] for one in again["tiers"]] == pytest.approx(
        [one["usd_per_hit"] for one in found["tiers"]]
    )


def test_memory_was_cheaper_a_year_ago() -> None:
    old, new = (document("--date", date, "--price", "$2/h") for date in ("2025-10", "2026-06"))
    held = [next(one["usd_per_token_s_held"] for one in found["tiers"] if one["tier"] == "DDR") for found in (old, new)]
    assert held[1] / held[0] == pytest.approx(3.47, rel=0.01)


def test_devices_of_ones_own_stand_beside_the_catalogs(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "caching.md"
    (example,) = re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL)
    path = tmp_path / "mine.toml"
    path.write_text(example)
    tiers = {one["tier"] for one in document("--storage", str(path))["tiers"]}
    assert {"TLC flash", "QLC flash"} <= tiers
    assert run("--storage", str(tmp_path / "none.toml")).exit_code == 2


def test_a_device_takes_a_price_of_ones_own_by_its_short_name() -> None:
    plain, priced = document(), document("--device-price", "qlc=$30000", "--device-price", "ddr=$5310")
    tiers = [{one["tier"]: one for one in found["tiers"]} for found in (plain, priced)]
    assert {"flash"} == tiers[0].keys() - tiers[1].keys()
    assert {"TLC flash", "QLC flash"} == tiers[1].keys() - tiers[0].keys()
    held = [one["DDR"]["usd_per_token_s_held"] for one in tiers]
    assert held[1] == pytest.approx(2 * held[0])
    assert priced["inputs"]["device_usd"] == {"qlc": 30_000.0, "ddr": 5310.0}
    (named,) = (one for one in document("--tiers", "ddr,disk")["tiers"] if one["tier"] == "DDR")
    assert named["device"] == "ddr5-over-pcie"


def test_the_answer_stands_first_and_warns_of_a_cheap_tier_that_is_slow() -> None:
    result = run("--hold", "24h", "--reuse", "2")
    assert result.exit_code == 0, result.output
    first = re.sub(r"\s+", " ", " ".join(result.output.splitlines()[:10]))
    assert first.startswith("Keep it in disk: a hit costs")
    more = re.sub(r"\s+", " ", run("--hold", "20min", "--reuse", "2").output)
    assert re.match(r"Keep it in DDR on (\d+) devices a chip \(--devices \1: 1 keeps ", more)
    assert "Without more devices: keep it in flash, $" in more
    assert "over 100 %, so that the devices keep a part of them alone" in more
    assert "But disk gives a later first token than recomputing; the cheapest that does not: flash" in first


@pytest.mark.slow
def test_a_figure_is_drawn_in_both_themes(tmp_path: Path) -> None:
    for theme in ("light", "dark"):
        path = tmp_path / f"{theme}.svg"
        assert run("--figure", str(path), "--theme", theme, "--life", "1095d").exit_code == 0
        assert "Where to keep 20,000 tokens" in path.read_text()
        assert "paid off over 1,095 days" in path.read_text()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--reuse", "0"), "must be above 0"),
        (("--date", "soon"), "is no month; write 2025-09"),
        (("--weights", "auto"), "name one format here"),
        (("--price", "$2/h", "--market", "spot"), "--market names one"),
        (("--tiers", "tape"), "no storage device 'tape'"),
        (("--device-price", "qlc"), "write qlc='$30000'"),
        (("--device-price", "qlc=0000"), "with quotes since a shell reads $"),
        (("--device-price", "tape=$30"), "no storage device 'tape' to give a price"),
        (("--device-price", "s3=$30"), "rented by the byte"),
        (("--life", "0s"), "--life 0 s must be above 0"),
        (("--theme", "dark"), "add --figure FILE"),
    ],
)
def test_what_is_refused_says_what_to_write(more: tuple[str, ...], said: str) -> None:
    result = run(*more)
    assert result.exit_code == 2
    assert said in re.sub(r"\s+", " ", result.output)


def test_memorys_part_of_machines_is_shown_with_its_sources() -> None:
    result = CliRunner().invoke(commands, ["catalog", "memory"])
    assert result.exit_code == 0, result.output
    text = re.sub(r"\s+", " ", result.output)
    assert "HBM is 35 % to 54 % of what a chip costs to make" in text
    assert "siliconanalysts.com" in text
    found = json.loads(CliRunner().invoke(commands, ["catalog", "memory", "--json"]).stdout)
    assert {"inputs", "costs", "bought", "machines"} == found.keys()
    assert "Of the lecture's chips of 288 GB a rack (gb300-nvl72) has 21.5 TB" in text
    released = [one["released"] for one in found["machines"]]
    assert released == sorted(released)
