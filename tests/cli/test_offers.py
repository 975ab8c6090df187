"""``ridgeline catalog storage``: facts with sources, numbers in base units."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.catalog.storage import storage_devices
from ridgeline.cli import commands


def run(line: str) -> str:
    result = CliRunner().invoke(commands, ["catalog", *line.split()])
    assert result.exit_code == 0, result.output
    return result.stdout


def entries(line: str, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(f"{line} --json"))[kind]
    return found


def test_all_are_listed_by_id() -> None:
    assert [one["id"] for one in entries("storage", "storage")] == list(storage_devices())
    lines = run("storage").split("──\n")[1].splitlines()
    assert [row.split()[0] for row in lines if "left out" not in row and "rented" not in row] == list(storage_devices())


def test_a_device_has_base_units_sources_and_its_drain_time() -> None:
    (disk,) = entries("storage disk-30tb", "storage")
    assert disk["drain_time_s"] == pytest.approx(30e12 / 0.28e9)
    assert (disk["capacity_bytes"], disk["usd"]) == (30e12, 660)
    assert disk["facts"]["bytes_per_s"] | {"unverified": True, "value": 0.28e9} == disk["facts"]["bytes_per_s"]
    assert all(fact["source"] and fact["date"] for fact in disk["facts"].values())
    (small,) = entries("storage flash-tlc-8tb", "storage")
    assert small["usd"] is None
    assert "usd" not in small["facts"]
    shown = run("storage disk-30tb")
    assert "unverified" in shown
    assert "$0.022 a GB" in shown


def test_a_device_is_shown_by_its_short_name_too() -> None:
    assert entries("storage qlc", "storage") == entries("storage flash-qlc-123tb", "storage")


def test_two_prices_of_the_same_memory_are_named_beside_each_other() -> None:
    said = " ".join(CliRunner().invoke(commands, ["catalog", "memory"]).stdout.split())
    found = re.findall(r"of (\S+) \$([\d,]+) as a part of its cost to make, \$([\d,]+) by the stack", said)
    assert found
    for name, made, bought in found:
        pair = [float(one.replace(",", "")) for one in (made, bought)]
        assert abs(pair[0] / pair[1] - 1) > 0.1
        assert re.search(rf"{name} a chip to make", said)
