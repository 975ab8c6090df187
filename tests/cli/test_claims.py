from __future__ import annotations

import json

from click.testing import CliRunner

from ridgeline.cli import commands

RELIED_ON = {
    *("id", "time_stamp", "board", "claim", "lecture", "ours_lecture_mode", "ours_careful", "verdict", "why"),
    *("inputs", "equation", "unit", "chapter"),
}


def test_claims_as_json() -> None:
    result = CliRunner().invoke(commands, ["claims", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["inputs"]["board"] is None
    assert all(set(claim) >= RELIED_ON for claim in found["claims"])
    rows = {claim["id"]: claim for claim in found["claims"]}
    assert {"C10", "D7", "E5"} <= set(rows)
    assert rows["D7"]["verdict"] == "does not reproduce"
    assert (rows["D7"]["lecture"], rows["D7"]["ours_lecture_mode"]) == (None, 1.0)
    assert (rows["E7"]["ours_lecture_mode"], rows["E7"]["ours_careful"]) == (None, None)


def test_claims_of_a_board_as_a_table() -> None:
    result = CliRunner().invoke(commands, ["claims", "--board", "tiers"])
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    table, reasons, count = result.stdout.strip().split("\n\n")
    lines = [line for line in table.split("──\n")[1].splitlines() if not line.startswith(" ")]
    shown = [*(f"D{number}" for number in (12, 13, 14, 15, 16, 17, 21, 24, 25, 26)), "E9"]
    assert [line.split()[0] for line in lines if "left out" not in line] == shown
    assert [line.split()[0] for line in reasons.splitlines() if not line.startswith(" ")] == shown
    assert " ".join(count.split()).startswith(
        "11 claims: 6 reproduces, 3 does not reproduce, 1 depends on an unstated assumption, 1 not derivable."
    )


def test_a_board_that_is_not_there_is_refused_with_those_that_are() -> None:
    result = CliRunner().invoke(commands, ["claims", "--board", "price"])
    assert result.exit_code == 2
    assert "boards are modes, latency" in " ".join(result.stderr.replace("│", " ").split())
