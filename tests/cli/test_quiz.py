from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture import EXERCISES, board_of, exercises
from ridgeline.cli import commands, quiz

RELIED_ON = {"id", "board", "question", "answer", "answer_text", "dimension", "tolerance", "working", "inputs"}


def run(*arguments: str, answers: str | bytes = "") -> Result:
    return CliRunner().invoke(commands, ["quiz", *arguments], input=answers)


def right_answers(*arguments: str) -> list[str]:
    found = json.loads(run(*arguments, "--json").stdout)
    return [question["answer_text"] for question in found["questions"]]


def test_right_answers_line_by_line_are_all_right() -> None:
    answers = right_answers("--seed", "7", "--count", "12")
    result = run("--seed", "7", "--count", "12", answers="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("12 of 12 right.\nThe same again: ridgeline quiz --seed 7 --count 12\n")
    assert "\x1b" not in result.stdout


def test_right_wrong_unreadable_and_passed_over_are_told_apart() -> None:
    every = ("--seed", "1", "--count", str(len(EXERCISES)))
    right = right_answers(*every)
    (rate,) = (exercise for exercise in EXERCISES if exercise.id == "departures-rate")
    place = right.index(shown(rate.answer(), rate.dimension))
    for answer, said in (
        ("120,000 tok/s", "right: 120 ktok/s"),
        ("120 tok/s", "wrong: 120 tok/s"),
        ("120 ms", "not read: '120 ms': 'ms' is a unit of s, not of this quantity"),
        ("120", "not read: '120' has no unit"),
        ("", "passed over"),
    ):
        result = run(*every, answers="\n" * place + f"{answer}\n")
        asked = result.stdout.split("\n\n")[place]
        assert f"\n  {said}" in asked
        assert "1,800 / 15 ms = 120 ktok/s\n    departures.tokens_per_s" in asked


def test_answers_that_end_early_end_it_politely() -> None:
    result = run("--seed", "1", "--count", "3", answers="x")
    assert result.exit_code == 0
    assert result.stdout.endswith("0 of 1 right, 2 not answered.\nThe same again: ridgeline quiz --seed 1 --count 3\n")


@pytest.mark.parametrize("end", [KeyboardInterrupt, click.Abort, EOFError])
def test_an_interruption_ends_with_the_score_so_far(end: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    (answer, *_) = right_answers("--seed", "4", "--count", "3")
    answers = iter([answer])

    def asked(_: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise end from None

    monkeypatch.setattr("builtins.input", asked)
    result = run("--seed", "4", "--count", "3")
    assert result.exit_code == 0, result.output
    assert "1 of 1 right, 2 not answered.\nThe same again: ridgeline quiz --seed 4 --count 3\n" in result.stdout
    assert not result.stderr


def test_ten_are_asked_and_the_line_at_the_end_asks_them_again() -> None:
    first = run(answers="\n" * 10)
    assert first.stdout.count("passed over") == 10
    (again,) = re.findall(r"The same again: ridgeline quiz (.*)", first.stdout)
    assert run(*again.split(), answers="\n" * 10).stdout == first.stdout


def test_all_there_are_is_asked_of_a_small_board() -> None:
    result = run("--board", "tiers", "--seed", "3", answers="\n" * 10)
    assert result.stdout.count("passed over") == len(exercises("tiers"))
    assert result.stdout.endswith("The same again: ridgeline quiz --board tiers --seed 3 --count 5\n")


def test_a_person_is_asked_again_where_an_answer_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiz, "_is_terminal", lambda: True)
    (answer,) = right_answers("--seed", "5", "--count", "1")
    result = run("--seed", "5", "--count", "1", answers=f"soon\n{answer}\n")
    assert "not read: 'soon' is not a number" in result.stdout
    assert "1 of 1 right." in result.stdout


def test_end_of_input_at_the_prompt_ends_it_politely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiz, "_is_terminal", lambda: True)
    result = run("--seed", "5")
    assert result.exit_code == 0
    assert result.stdout.endswith(
        "0 of 0 right, 10 not answered.\nThe same again: ridgeline quiz --seed 5 --count 10\n"
    )


@pytest.mark.parametrize("answers", [b"\xff\xfe\x00\n", b"9" * 5000 + b"\n", "²½ [bold] ٣ s\n".encode(), b"\x1b[31m\n"])
def test_no_answer_breaks_it(answers: bytes) -> None:
    result = run("--seed", "5", "--count", "1", answers=answers)
    assert result.exit_code == 0
    assert "0 of 1 right." in result.stdout


def test_a_closed_input_ends_it_politely() -> None:
    start = "import os; os.close(0)"
    program = "from ridgeline.cli import main; main()"
    found = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-c", f"{start}; import sys; sys.stdin = None; sys.argv[1:] = ['quiz']; {program}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert "0 of 0 right, 10 not answered" in found.stdout


def test_questions_as_json() -> None:
    found = json.loads(run("--json").stdout)
    assert found["inputs"]["board"] is None
    assert found["inputs"]["seed"] is None
    assert found["inputs"]["count"] == len(EXERCISES)
    assert [question["id"] for question in found["questions"]] == [exercise.id for exercise in EXERCISES]
    assert all(set(question) >= RELIED_ON for question in found["questions"])


def test_cards_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "cards.txt"
    result = run("--export", "anki", str(path))
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:4] == ["#separator:tab", "#html:false", "#columns:question\tanswer\ttags", "#tags column:3"]
    cards = list(csv.reader(lines[4:], delimiter="\t"))
    assert len(cards) == len(EXERCISES)
    for (question, answer, tags), exercise in zip(cards, EXERCISES, strict=True):
        assert question == exercise.question
        assert answer.startswith(f"{shown(exercise.answer(), exercise.dimension)}. ")
        assert tags == f"ridgeline::{board_of(exercise)} ridgeline::{exercise.level.value}"
    assert [held.name for held in tmp_path.iterdir()] == ["cards.txt"]


def test_a_file_of_json_is_what_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    result = run("--board", "modes", "--seed", "2", "--count", "3", "--export", "json", str(path), "--json")
    assert path.read_text(encoding="utf-8") == result.stdout
    assert len(json.loads(result.stdout)["questions"]) == 3


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cards.txt"
    path.write_text("mine")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    result = run("--export", "anki", str(path))
    assert result.exit_code == 1
    assert "is not written: No space left on device; name another file" in result.stderr
    assert path.read_text() == "mine"
    assert [held.name for held in tmp_path.iterdir()] == ["cards.txt"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--board", "price"], "'price' is neither a board nor a chapter; boards are modes, latency"),
        (["--board", "tiers", "--count", "99"], "there are 5 questions on tiers"),
        (["--count", "0"], "0 is not in the range"),
        (["--seed", "x"], "'x' is not a valid integer"),
        (["--export", "html", "FILE"], "'html' is not one of 'anki', 'json'"),
        (["--export", "anki"], "requires 2 arguments"),
        (["--export", "anki", ""], "the file has no name"),
    ],
)
def test_refusals(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
