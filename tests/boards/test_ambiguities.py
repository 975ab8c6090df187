"""What the lecture leaves open is told where it bites: by claims, and by the boards that show them."""

from __future__ import annotations

import json

from click.testing import CliRunner
from tests.each import of_each

from ridgeline.boards.lecture import BOARDS, CLAIMS
from ridgeline.boards.lecture.left_open import AMBIGUITIES, Ambiguity, ambiguities
from ridgeline.cli import commands

IDS = {claim.id for claim in CLAIMS}


def run(*arguments: str) -> str:
    result = CliRunner(env={"COLUMNS": "10000"}).invoke(commands, arguments)  # so wide that nothing wraps
    assert result.exit_code == 0, result.output
    return result.stdout


def test_there_are_fifteen() -> None:
    assert [one.number for one in AMBIGUITIES] == list(range(1, 16))


@of_each("one", AMBIGUITIES, ids=lambda one: str(one.number))
def test_each_is_on_a_board_by_claims_that_there_are(one: Ambiguity) -> None:
    assert one.claims
    assert set(one.claims) <= IDS
    assert any(set(one.claims) & set(board.claims) for board in BOARDS)
    assert one.text.endswith(".")
    assert "\n" not in one.text


def test_claims_tell_theirs_in_both_forms() -> None:
    rows = {claim["id"]: claim["ambiguities"] for claim in json.loads(run("claims", "--json"))["claims"]}
    assert {number for found in rows.values() for number in (one["number"] for one in found)} == set(range(1, 16))
    assert [one["number"] for one in rows["A12"]] == [4]
    assert rows["A1"] == []
    lines = run("claims", "--details").splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith("A12  At "))
    (four,) = ambiguities(["A12"])
    said = " ".join(line.strip() for line in lines[place : place + 9])
    assert f"left open: {four.text}" in said


def test_a_claim_that_reproduces_tells_its_own_too() -> None:
    lines = run("claims", "--board", "latency", "--details").splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith("A11  At "))
    assert "left open: " in " ".join(lines[place : place + 9])
    assert "total over active parameters" in " ".join(lines[place : place + 9])


def test_a_board_tells_those_of_its_claims() -> None:
    found = json.loads(run("board", "sparse", "--json"))["ambiguities"]
    assert [(one["number"], one["claims"]) for one in found] == [(6, ["D2"]), (11, ["A8"])]
    shown = run("board", "sparse")
    for one in found:
        assert f"left open at {one['claims'][0]}: {one['text']}" in shown
