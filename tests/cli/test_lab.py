from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.cli import commands
from ridgeline.cli.lab import EXPERIMENTS, STUDY
from ridgeline.extras import installing

FEISTEL = "lab feistel --half-bits 6 --queries 24 --rounds 4 --trials 40"
DDT = "lab ddt --rounds 2 --keys 4 --most-pairs 64"
SHORT = "--layers 2 --steps 40"


def run(line: str, *extra: object) -> Any:  # noqa: ANN401  click's result
    result = CliRunner().invoke(commands, [*line.split(), *map(str, extra)])
    assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit), result.exc_info
    return result


def document(line: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(f"{line} --json").stdout)
    return found


def test_the_group_lists_all_experiments_and_that_they_are_for_study() -> None:
    printed = run("lab --help").stdout
    assert all(name in printed for name in EXPERIMENTS)
    assert STUDY in printed


@pytest.mark.slow
def test_ddt_shows_both_ciphers_unless_told_otherwise() -> None:
    found = document(DDT)
    assert [(one["name"], one["uniformity"]) for one in found["ciphers"]] == [("AES", 4), ("PRESENT", 4)]
    assert found["notes"] == [STUDY]
    assert found["aes_active_s_boxes"][:4] == [1, 5, 9, 25]
    assert [one["name"] for one in document(f"{DDT} --cipher present")["ciphers"]] == ["PRESENT"]
    own = document(f"{DDT} --s-box 0,1,2,0x3")
    assert [(one["name"], one["uniformity"]) for one in own["ciphers"]] == [("own", 4)]
    assert own["inputs"]["s_box"] == [0, 1, 2, 3]
    assert found["inputs"]["pairs"] == [16, 32, 64]


@pytest.mark.slow
def test_ddt_begins_with_what_it_takes_to_recover_the_key() -> None:
    """Of two rounds a likely difference gives the key away at once; of six it takes more than all that are tried."""
    printed, longer = (" ".join(run(line).stdout.split()) for line in (DDT, f"{DDT} --rounds 6"))
    assert printed.startswith("An S-box turns a change of its input")
    needed = next(one for one in document(DDT)["recoveries"] if one["success_fraction"] >= 0.5)
    assert f"recovered from {needed['chosen_plaintexts']:,} of them" in printed
    assert "in less than half of trials" in longer


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("lab ddt --s-box 0,1,1,3", "never gives 2"),
        ("lab ddt --s-box 0,1,zwei", "is not a list of numbers"),
        ("lab ddt --s-box 0,1 --cipher AES", "not both"),
        ("lab ddt --rounds 1", "give 2 or more"),
        ("lab ddt --most-pairs 100k", "give 16 to 65,536"),
        ("lab feistel --half-bits 4 --queries 17", "ask from 2 to 16"),
        ("lab feistel --trials 0", "not a whole number from 1"),
        ("lab feistel --theme dark", "add --figure"),
        ("lab avalanche --after 2", "add --matrix NAME"),
        ("lab feistel --half-bits 64", "give 1 to 62"),
        ("lab adversarial --epsilon 0", "--epsilon"),
        ("lab adversarial --epsilon nan", "not a number in the range"),
        ("lab duality --reached nan", "not a number in the range"),
        ("lab reversible --layers 4,4", "give different numbers of layers"),
        ("lab reversible --layers four", "write numbers of layers as 4,16"),
        ("lab duality --model gpt-9", "gpt-9"),
    ],
)
def test_what_cannot_be_is_refused(line: str, said: str) -> None:
    result = run(line)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not result.stdout


def test_feistel_says_up_to_which_round_it_was_told() -> None:
    printed = run(FEISTEL).stdout
    assert "These tests tell up to 3 rounds from a random permutation and no more" in " ".join(printed.split())
    assert STUDY in " ".join(printed.split())
    found = document(FEISTEL)
    assert found["inputs"]["half_bits"] == 6
    assert run(f"{FEISTEL} --json").stdout == run(f"{FEISTEL} --json").stdout
    assert {one["recovered_fraction"] for one in found["inverted"]} == {1.0}


def test_feistel_says_what_theory_promises_of_other_tests() -> None:
    """The bound is q²/2^h: 24²/2^6 is above 1, 4²/2^16 is 0.00024."""
    wide = "lab feistel --half-bits 16 --queries 4 --rounds 1 --trials 5"
    narrow, wider = (" ".join(run(line).stdout.split()) for line in (FEISTEL, wide))
    assert "Of 24 queries theory promises nothing" in narrow
    assert "no test of 4 queries does better than 0.00024" in wider


def test_duality_prices_what_it_is_asked_for() -> None:
    found = document("lab duality h100-sxm mi300x --hold 1h")
    assert {one["machine"] for one in found["machines"]} == {"h100-sxm", "mi300x"}
    assert found["inputs"]["held_s"] == 3600
    printed = " ".join(run("lab duality h100-sxm mi300x --hold 5min").stdout.split())
    assert "for 5 min costs less than computing it again on 1 of 2 machines" in printed  # 3.9 and 7.0 min
    assert "would take 67 % of all memory" in printed


def test_without_jax_reversible_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ridgeline.laboratory.reversible.library.find_spec", lambda _: None)
    result = run("lab reversible")
    assert result.exit_code == 2
    assert installing("grad") in result.stderr


@pytest.mark.slow
def test_avalanche_and_adversarial_print_their_tables(tmp_path: Path) -> None:
    printed = run(f"lab avalanche {SHORT} --samples 4 --rounds 1").stdout
    assert "Judged as ciphers of 16 bits" in printed
    matrix = tmp_path / "matrix.svg"
    line = f"lab avalanche {SHORT} --samples 4 --rounds 1 --matrix PRESENT --after 1"
    result = run(line, "--figure", matrix, "--json")
    found = json.loads(result.stdout)
    assert [len(row) for row in found["matrix"]] == [64] * 64
    assert "<svg" in matrix.read_text()
    assert run(f"lab avalanche {SHORT} --samples 1 --rounds 1 --matrix DES").exit_code == 2
    printed = run(f"lab adversarial {SHORT} --rounds 2").stdout
    assert "gradient's signs" in printed
    assert STUDY in " ".join(printed.split())
