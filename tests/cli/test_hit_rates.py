"""What ``trace --hit-rates`` and ``simulate --cache`` print is what was found, and contradictions are refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands

LOG = "docs/example_trace.jsonl"
MIXES = "--hit-rates --model llama-3.1-8b --on h100-sxm --tiers ddr,tlc"
PLAYED = f"simulate llama-3.1-8b --on h100-sxm --layout tp1 --trace {LOG} --no-bands"


def run(line: str) -> Result:
    return CliRunner().invoke(commands, line.split())


def document(line: str) -> dict[str, Any]:
    result = run(f"{line} --json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_sizes_and_times_rise_to_what_an_unlimited_cache_has() -> None:
    found = document(f"trace {LOG} --hit-rates --model llama-3.1-8b")
    hits = found["hit_rates"]
    assert hits["unlimited_fraction"] == found["trace"]["prefix_hit_fraction"]
    for rows in (hits["sizes"], hits["holds"]):
        parts = [one["hit_fraction"] for one in rows]
        assert parts == sorted(parts)
        assert parts[-1] <= hits["unlimited_fraction"]
    assert hits["sizes"][-1]["hit_fraction"] == hits["unlimited_fraction"]
    assert hits["sizes"][-1]["capacity_bytes"] >= hits["enough_bytes"]
    # Two bytes for a key and a value of 8 heads of 128 in each of 32 layers.
    assert hits["token_bytes"] == 2 * 2 * 8 * 128 * 32
    assert hits["enough_bytes"] == hits["enough_tokens"] * hits["token_bytes"]
    half = document(f"trace {LOG} --hit-rates --model llama-3.1-8b --kv fp8")["hit_rates"]
    assert half["enough_bytes"] == hits["enough_bytes"] / 2
    assert document(f"trace {LOG}")["hit_rates"] is None


def test_without_a_model_sizes_are_tokens() -> None:
    hits = document(f"trace {LOG} --hit-rates")["hit_rates"]
    assert hits["token_bytes"] is None
    assert hits["enough_tokens"] == 512 * round(hits["enough_tokens"] / 512)
    shown = run(f"trace {LOG} --hit-rates").stdout
    assert "size, tokens" in shown
    assert f"{100 * hits['unlimited_fraction']:.1f} % of {hits['blocks']} blocks" in " ".join(shown.split())


def test_a_cache_of_ones_own_is_told_what_it_should_hit() -> None:
    own = document(f"trace {LOG} --hit-rates --model llama-3.1-8b --size 3.5GB,1kB --ttl 35s")
    hits, plain = own["hit_rates"], document(f"trace {LOG} --hit-rates --model llama-3.1-8b")["hit_rates"]
    (size,) = (one for one in hits["sizes"] if one["capacity_bytes"] == 3.5e9)
    below, above = (
        [one["hit_fraction"] for one in plain["sizes"] if (one["capacity_bytes"] < 3.5e9) is is_below]
        for is_below in (True, False)
    )
    assert below[-1] <= size["hit_fraction"] <= above[0]
    assert hits["sizes"][0] == {"capacity_tokens": 0, "capacity_bytes": 1000.0, "hit_fraction": 0.0}  # not a block
    assert 35.0 in [one["hold_s"] for one in hits["holds"]]
    assert (own["inputs"]["sizes"], own["inputs"]["ttls_s"]) == (["3.5GB", "1kB"], [35.0])
    shown = " ".join(run(f"trace {LOG} --hit-rates --model llama-3.1-8b --size 3.5GB").stdout.split())
    assert f"An LRU cache of 3.5 GB should hit {100 * size['hit_fraction']:.1f} %" in shown


def test_the_mix_that_is_asked_for_is_the_cheapest_in_time_or_the_quickest_for_the_money() -> None:
    found = document(f"trace {LOG} {MIXES}")
    mixes = found["mixes"]["mixes"]
    assert found["chosen_mix"] is None
    assert found["mixes"]["tiers"] == ["ddr", "tlc"]
    assert [one["usd_per_s"] for one in mixes] == sorted(one["usd_per_s"] for one in mixes)
    assert [one["ttft_s"] for one in mixes] == sorted((one["ttft_s"] for one in mixes), reverse=True)
    slowest, quickest = mixes[0], mixes[-1]
    assert document(f"trace {LOG} {MIXES} --ttft {slowest['ttft_s'] + 1e-9:.12f}s")["chosen_mix"] == slowest
    assert (
        document(f"trace {LOG} {MIXES} --budget ${3600 * quickest['usd_per_s'] + 1e-6:.9f}/h")["chosen_mix"] == quickest
    )
    shown = " ".join(run(f"trace {LOG} {MIXES} --ttft 100s").stdout.split())
    assert "Buy no tier: memory alone is the cheapest mix with a first token within 100 s" in shown
    assert " chosen tiers: cost of their devices; with prefill: " in shown


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ("--ttft 1us", "No mix with a first token within 1 µs: the cheapest costs"),
        ("--budget $1e-6/h", "No mix for at most"),
        ("--ttft 100s --budget $1e-6/h", "No mix with a first token within 100 s for at most"),
    ],
)
def test_where_no_mix_keeps_the_limits_the_exit_code_is_1_and_the_mixes_are_shown(limits: str, said: str) -> None:
    result = run(f"trace {LOG} {MIXES} {limits}")
    assert result.exit_code == 1
    assert said in " ".join(result.stdout.split())
    found = run(f"trace {LOG} {MIXES} {limits} --json")
    assert found.exit_code == 1
    assert json.loads(found.stdout)["chosen_mix"] is None
    assert json.loads(found.stdout)["mixes"]["mixes"]


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_figure_is_drawn(tmp_path: Path, theme: str) -> None:
    path = tmp_path / "hits.svg"
    result = run(f"trace {LOG} --hit-rates --model llama-3.1-8b --figure {path} --theme {theme}")
    assert result.exit_code == 0, result.output
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<?xml")
    assert result.stderr.strip() == f"figure: {path}"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"trace {LOG} --model llama-3.1-8b", "add --hit-rates"),
        (f"trace {LOG} --size 3GB", "add --hit-rates"),
        (f"trace {LOG} --hit-rates --size 3GB", "write tokens, such as 500k"),
        (f"trace {LOG} --hit-rates --size 0", "must be larger than 0"),
        (f"trace {LOG} --hit-rates --ttl 5min,0s", "a hold time must be above 0"),
        (f"trace {LOG} --hit-rates --ttl -1s", "a hold time must be above 0"),
        (f"trace {LOG} --hit-rates --kv fp8", "add --model"),
        (f"trace {LOG} --hit-rates --part 0.5", "--part: of mixes of tiers on a machine; add --on"),
        (f"trace {LOG} --hit-rates --on h100-sxm", "add --hit-rates --model"),
        (f"trace {LOG} {MIXES[:-4]},cloud", "no storage device 'cloud'"),
        (f"trace {LOG} {MIXES},s3-express", "rented by the byte"),
        (f"trace {LOG} --hit-rates --to mooncake x.jsonl", "leave one of them out"),
        ("trace docs/example_cases.csv --hit-rates", "example_cases.csv"),
        (f"{PLAYED} --cache cloud", "'cloud' is no device of the catalog (ddr, tlc"),
        (f"{PLAYED} --cache ddr=2XB", "ddr=2XB"),
        (f"{PLAYED} --cache ddr=", "'ddr=' is no tier; write ddr=2TB"),
        (f"{PLAYED} --cache ddr=1TB,tlc=1TB", "holds no more than"),
        (f"{PLAYED} --cache s3-express", "rented by the byte"),
        (f"{PLAYED} --cache ddr --no-prefix-cache", "leave the prefix cache on"),
        (f"trace {LOG} --hit-rates --picture mixes", "--picture: of a figure"),
        (f"trace {LOG} --hit-rates --picture mixes --figure x.png", "on a machine; add --on"),
        ("catalog storage ddr5-over-pcie --figure x.png", "of all devices; leave out ID"),
    ],
)
def test_what_does_not_go_together_is_refused(line: str, said: str) -> None:
    result = run(line)
    assert result.exit_code != 0
    assert said in " ".join(result.output.split())


def test_a_simulation_fetches_what_memory_has_dropped() -> None:
    # Memory for the longest prompt and little more.
    found = document(f"{PLAYED} --kv-blocks 900 --cache ddr,pool=9TB@1GB/s+5ms")
    plain = document(f"{PLAYED} --kv-blocks 900")
    assert [one["name"] for one in found["tiers"]] == ["ddr", "pool"]
    first, second = found["tiers"]
    assert first["hit_tokens"] > 0
    assert 0 < first["fetched_tokens"] <= first["hit_tokens"]
    assert first["written_tokens"] == second["written_tokens"]
    # The second holds what the first does, and is asked for what that lacks.
    assert second["hit_tokens"] + second["missed_tokens"] == first["missed_tokens"]
    assert found["cached_fraction"] > plain["cached_fraction"]
    assert found["ttft_s"]["mean"] < plain["ttft_s"]["mean"]
    assert plain["tiers"] == plain["inputs"]["cache"] == []
    again = found["inputs"]["cache"]
    assert (again[1]["capacity_bytes"], again[1]["read_bytes_per_s"], again[1]["latency_s"]) == (9e12, 1e9, 0.005)
    shown = " ".join(run(f"{PLAYED} --kv-blocks 900 --cache ddr,pool=9TB@1GB/s+5ms").stdout.split())
    assert "fetched" in shown
    assert "of them fetched" in shown


def test_a_tier_no_larger_than_memory_is_said_to_find_little() -> None:
    shown = " ".join(run(f"{PLAYED} --cache ddr=1GB").stdout.split())
    assert "cache tier ddr has 1 GB, and the replica's own memory has room for" in shown


@pytest.mark.slow
@pytest.mark.parametrize("line", [f"trace {LOG} {MIXES} --picture mixes", "catalog storage", "catalog memory"])
def test_mixes_prices_and_memorys_part_are_drawn(line: str, tmp_path: Path) -> None:
    for theme in ("light", "dark"):
        path = tmp_path / f"{theme}.svg"
        result = run(f"{line} --figure {path} --theme {theme}")
        assert result.exit_code == 0
        assert path.stat().st_size > 10_000
    assert (tmp_path / "light.svg").read_bytes() != (tmp_path / "dark.svg").read_bytes()


def test_a_model_that_one_chip_does_not_hold_is_refused_with_a_layout_that_does() -> None:
    line = f"trace {LOG} --hit-rates --model llama-3.1-70b --on h100-sxm"
    refused = run(line)
    assert refused.exit_code == 2
    (layout,) = re.findall(r"give --layout (tp\d)", " ".join(refused.stderr.split()))
    assert run(f"{line} --layout {layout}").exit_code == 0
    assert f"{line.replace(LOG, 'FILE')} --layout tp8" in Path("README.md").read_text().replace("[", "").replace(
        "]", ""
    )
