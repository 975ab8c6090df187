from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from ridgeline.boards import lecture
from ridgeline.boards.claim import Verdict
from ridgeline.boards.constant import Origin
from ridgeline.cli import commands

RELIED_ON = {
    *("id", "time_stamp", "board", "claim", "lecture", "ours_lecture_mode", "ours_careful", "verdict", "why"),
    *("inputs", "equation", "unit", "chapter"),
}


def by_number(name: str) -> tuple[str, int, str]:
    """A2 before A10, and A8 before A8q."""
    letters, digits, rest = re.split(r"(\d+)", name, maxsplit=1)
    return letters, int(digits), rest


def test_claims_as_json() -> None:
    result = CliRunner().invoke(commands, ["claims", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["inputs"]["board"] is None
    assert all(set(claim) >= RELIED_ON for claim in found["claims"])
    rows = {claim["id"]: claim for claim in found["claims"]}
    assert {"C10", "D7", "E5"} <= set(rows)
    assert rows["D7"]["verdict"] == "does not reproduce"
    assert (rows["D7"]["contradicts"], rows["A12"]["contradicts"]) == ("his own inputs", "published facts")
    assert rows["A11"]["contradicts"] is None
    assert (rows["D7"]["lecture"], rows["D7"]["ours_lecture_mode"]) == (5.0, 1.0)
    assert (rows["A9"]["ours_lecture_mode"], rows["A9"]["verdict"]) == (None, "not derivable")


def test_all_claims_are_a_table_that_a_narrow_terminal_reads() -> None:
    """First how many have which verdict, then the two numbers and the verdict of each, whatever the width."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(commands, ["claims"])
    assert result.exit_code == 0, result.output
    count, table, hint = result.stdout.strip().split("\n\n")
    assert count.startswith(f"{len(lecture.CLAIMS)} claims\n")
    for verdict in Verdict:
        ids = sorted((claim.id for claim in lecture.CLAIMS if claim.verdict is verdict), key=by_number)
        assert re.search(rf"^ *{len(ids)}  {verdict.value}", count, re.MULTILINE)
        assert verdict is Verdict.REPRODUCES or ", ".join(ids) in " ".join(count.split())
    assert re.search(r"^id +lecture +ours +verdict$", table, re.MULTILINE)
    first = [line.split(" ")[0] for line in table.split("──\n")[1].splitlines() if not line.startswith((" ", "left"))]
    assert first == sorted((claim.id for claim in lecture.CLAIMS), key=by_number)
    assert re.search(r"^A11 +2,400 sequences +2,400 +reproduces$", table, re.MULTILINE)
    assert "--details" in hint
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert len(result.stdout.splitlines()) < 3 * len(lecture.CLAIMS)


def test_claims_in_full_are_followed_by_their_verdicts_after_a_count() -> None:
    result = CliRunner().invoke(commands, ["claims", "--board", "tiers", "--details"])
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    count, *found = result.stdout.strip().split("\n\n")
    shown = [*(f"D{number}" for number in (12, 13, 14, 15, 16, 17, 21, 24, 25, 26)), "E9"]
    assert [one.split()[0] for one in found] == shown
    assert {len(line) - len(line.lstrip()) for one in found for line in one.splitlines()[1:]} == {4}
    flash = " ".join(found[shown.index("D15")].split())
    assert flash.startswith("D15 At 2:02:20: Five minutes and an hour")
    assert "read once in about a minute. No: a small flash drive takes 9.1 minutes, because " in flash
    assert "A usual one takes 37 minutes (for one of 7.7 TB)." in flash
    assert "careful: 36.6 minutes, 30.72 TB TLC drive" in flash
    assert " ".join(count.split()) == (
        "11 claims 5 reproduces 3 does not reproduce D14, D15, D26 2 depends on an unstated assumption D16, E9"
        " 1 not derivable D24 D14, D15, D26 contradict published facts"
    )
    refused = CliRunner().invoke(commands, ["claims", "--graph", "--details"])
    assert "leave out --bridge and --graph" in " ".join(refused.stderr.split())


def test_a_board_that_is_not_there_is_refused_with_those_that_are() -> None:
    result = CliRunner().invoke(commands, ["claims", "--board", "price"])
    assert result.exit_code == 2
    assert "boards are modes, latency" in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.parametrize("text", ["A10=250", "a10=250"])
def test_a_changed_number_by_its_id_in_any_case(text: str) -> None:
    result = CliRunner().invoke(commands, ["claims", "--graph", "--set", text, "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["inputs"]["set"] == {"A10": 250.0}
    assert {one["id"]: one["after"] for one in found["outcomes"]}["A11"] == 2000.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A10=0", "A10=0 is outside 3 to 30k"),
        ("A10=-5", "A10=-5 is outside"),
        ("A10=1e300", "is outside 3 to 30k"),
        ("A10=1e999", "is not finite"),
        ("D12=1", "there is no number for D17"),
        ("A15=1h", "is outside 200 µs to 2 s, around the 20 ms that is stated"),
        ("A10", "'A10' has no value; write A10=250"),
    ],
)
def test_a_number_for_which_nothing_follows_is_refused(text: str, expected: str) -> None:
    result = CliRunner().invoke(commands, ["claims", "--graph", "--set", text])
    assert (result.exit_code, result.stdout) == (2, "")
    assert expected in " ".join(result.stderr.replace("│", " ").split())


def test_what_moves_is_shown_on_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers before and after are the answer; claims that stay as they are have their id alone."""
    monkeypatch.setenv("COLUMNS", "80")
    asked = ["claims", "--graph", "--set", "A10=250"]
    shown, found = CliRunner().invoke(commands, asked).stdout, CliRunner().invoke(commands, [*asked, "--json"]).stdout
    outcomes = json.loads(found)["outcomes"]
    moved = [one["id"] for one in outcomes if one["before"] != one["after"]]
    assert shown.split("\n")[0].split() == ["id", "lecture", "before", "after", "verdict"]
    assert [line.split()[0] for line in shown.splitlines() if re.match(r"[A-E]\d", line)] == moved
    assert len(moved) < len(outcomes)
    assert f"{', '.join(one['id'] for one in outcomes if one['id'] not in moved)} do not." in " ".join(shown.split())
    assert len(shown.splitlines()) < 60


def test_every_claim_is_found_in_small_and_capital_letters() -> None:
    for claim in lecture.CLAIMS:
        for text in (claim.id, claim.id.lower(), claim.id.upper()):
            assert lecture.claim(text) is claim
    result = CliRunner().invoke(commands, ["claims", "--bridge", "a11"])
    assert result.exit_code == 0, result.output
    refused = CliRunner().invoke(commands, ["claims", "--bridge", "A8q"])
    assert "nothing is computed of A8q" in " ".join(refused.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (Origin.SAID, "The lecture says"),
        (Origin.IMPLIED, "The lecture implies"),
    ],
)
def test_who_gives_a_number_is_told_as_it_was(origin: Origin, expected: str) -> None:
    """With its hedge, and when; some numbers are the interviewer's, and none of those is told as the lecturer's."""
    shown = next(
        one
        for one in lecture.CLAIMS
        if one.compute and one.lecture and one.lecture.origin is origin and one.lecture.hedge
    )
    assert shown.lecture is not None
    result = CliRunner().invoke(commands, ["claims", "--bridge", shown.id])
    number = shown.stated()
    expected = f"{expected} {number} ({shown.lecture.hedge}), at {shown.lecture.time_stamp}."
    assert expected in " ".join(result.stdout.split())


@pytest.mark.parametrize("arguments", [["--bridge", "B20"], ["--board", "racks", "--details"]])
def test_a_number_of_the_interviewers_is_not_told_as_his(arguments: list[str]) -> None:
    """B20: "10 to 20 TB" is said by the one who asks."""
    shown = " ".join(CliRunner().invoke(commands, ["claims", *arguments]).stdout.split())
    before, _, _ = shown.partition("the interviewer's: on the order of 10 to 20 TB")
    assert before != shown
    assert not re.search(r"\bhe\b", before.rpartition("B20")[2].casefold())
