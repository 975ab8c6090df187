"""``ridgeline quiz``: sums on the lecture's boards, which are checked, and cards that readers judge themselves on."""

from __future__ import annotations

import csv
import io
import os
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from ridgeline.boards.card import Card, Level
from ridgeline.boards.exercise import KINDS, Exercise, judge, shown, worked
from ridgeline.boards.lecture import board_of, cards, exercises, names
from ridgeline.boards.lecture.recording import link
from ridgeline.cli.completion import completes
from ridgeline.cli.output import console, counted, json_option, json_text, print_json, print_text
from ridgeline.quantity_text import QuantityError

__all__ = ["command"]

ASKED = 10
"""Number of questions of a round, unless asked for otherwise."""

SEEDS = 10_000
Question = Exercise | Card
COLUMNS = ("question", "answer", "tags")


@click.command("quiz")
@click.option(
    "--board",
    metavar="BOARD",
    shell_complete=completes(names),
    help="Only questions on one board, as `ridgeline boards` lists them, or of a chapter: latency, tiers, ...",
)
@click.option("--cards", "has_cards", is_flag=True, help="Cards in place of sums: concepts, derivations, sketches.")
@click.option("--level", type=click.Choice([level.value for level in Level]), help="Only questions of this level.")
@click.option("--seed", type=click.IntRange(min=0), help="The same questions in the same order again.")
@click.option("--count", type=click.IntRange(min=1), help="How many.  [default: 10 to answer, all to print or export]")
@json_option
@click.option(
    "--export",
    type=(click.Choice(["anki", "json"]), click.Path(dir_okay=False, path_type=Path)),
    metavar="anki|json FILE",
    help="Write questions and answers into a file, as Anki imports them or as JSON, in place of asking.",
)
def command(
    *,
    board: str | None,
    has_cards: bool,
    level: str | None,
    seed: int | None,
    count: int | None,
    as_json: bool,
    export: tuple[str, Path] | None,
) -> None:
    """Ask questions on the lecture, and check answers with their units: 20 ms, 2,400, 12 GB.

    An empty line passes over a question; Ctrl-D or Ctrl-C ends. Answers may also come from a pipe, one a line.
    """
    try:
        every: Sequence[Question] = cards(board) if has_cards else exercises(board)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--board") from None
    there = [one for one in every if level is None or one.level.value == level]
    noun = "card" if has_cards else "question"
    of = (f" on {board}" if board else "") + (f" of level {level}" if level else "")
    if not there:
        raise click.UsageError(f"there is no {noun}{of}; ask for another board, or leave out --level")
    if count is not None and count > len(there):
        raise click.BadParameter(f"there are {counted(len(there), noun)}{of}", param_hint="--count")
    if not as_json and export is None:
        seed = random.SystemRandom().randrange(SEEDS) if seed is None else seed
        chosen = _chosen(there, seed, count or min(ASKED, len(there)))
        flags = (
            f"--board {board} " if board else "",
            "--cards " if has_cards else "",
            f"--level {level} " if level else "",
        )
        _ask(console(), chosen, again=f"ridgeline quiz {''.join(flags)}--seed {seed} --count {len(chosen)}")
        return
    chosen = _chosen(there, seed, count or len(there))
    inputs = {"board": board, "cards": has_cards, "level": level, "seed": seed, "count": len(chosen)}
    document = {"inputs": inputs, "cards" if has_cards else "questions": [_document(one) for one in chosen]}
    if export is not None:
        kind, path = export
        _write(path, _cards(chosen) if kind == "anki" else f"{json_text(document)}\n")
        click.echo(f"{counted(len(chosen), noun)}: {path}", err=True)
    if as_json:
        print_json(document)


def _chosen(there: Sequence[Question], seed: int | None, count: int) -> list[Question]:
    """First ``count`` questions in the order of the lecture, or as many drawn by a seed."""
    if seed is None:
        return list(there[:count])
    return random.Random(seed).sample(list(there), count)  # noqa: S311  a quiz keeps no secrets


def _ask(out: Console, chosen: Sequence[Question], *, again: str) -> None:
    """Put each question until answers end, then print the score."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    right = asked = 0
    for number, one in enumerate(chosen, start=1):
        print_text(out, f"{number}/{len(chosen)}  {_board(one)}: {one.question}", hang=5)
        try:
            is_right = _recalled(out, one) if isinstance(one, Card) else _answered(out, one)
        except (EOFError, KeyboardInterrupt, click.Abort):
            if _is_terminal():
                out.print()
            break
        asked += 1
        right += is_right
        if isinstance(one, Exercise):
            print_text(out, worked(one), indent=4)
            print_text(out, one.equation, indent=4, style="dim")
        if one.time_stamp:
            print_text(out, f"{one.time_stamp}  {link(one.time_stamp)}", indent=4, style="dim")
        out.print()
    left = "" if asked == len(chosen) else f", {len(chosen) - asked} not answered"
    print_text(out, f"{right} of {asked} right{left}.")
    # A line of its own, to be copied.
    print_text(out, f"The same again: {again}")


def _answered(out: Console, exercise: Exercise) -> bool:
    """Whether the answer is right; a person whose answer cannot be read is asked again, a pipe is not.

    Raises:
        EOFError: there are no more answers.
    """
    if sys.stdin is None:  # closed by the shell
        raise EOFError
    while True:
        # The prompt is for people only; a pipe's output is then one block a question.
        text = input(f"  {KINDS[exercise.dimension]}: " if _is_terminal() else "").strip()
        if not text:
            print_text(out, "passed over", indent=2)
            return False
        try:
            judgement = judge(exercise, text)
        except QuantityError as error:
            print_text(out, f"not read: {error}", indent=2)
            if _is_terminal():
                continue
            return False
        verdict = "right" if judgement.is_right else "wrong"
        print_text(out, f"{verdict}: {shown(judgement.value, exercise.dimension)}", indent=2)
        return judgement.is_right


def _recalled(out: Console, card: Card) -> bool:
    """Whether a reader says that the answer was known; a pipe says so beforehand.

    Raises:
        EOFError: there are no more answers.
    """
    if sys.stdin is None:  # closed by the shell
        raise EOFError
    if _is_terminal():
        input("  Enter shows the answer: ")
    print_text(out, card.answer, indent=4)
    return input("  did you have it, y or n? " if _is_terminal() else "").strip().lower().startswith("y")


def _board(one: Question) -> str:
    return one.board if isinstance(one, Card) else board_of(one)


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _document(one: Question) -> dict[str, Any]:
    shared = {
        "id": one.id,
        "board": _board(one),
        "level": one.level.value,
        "time_stamp": one.time_stamp,
        "link": link(one.time_stamp),
        "question": one.question,
    }
    if isinstance(one, Card):
        return {**shared, "kind": one.kind.value, "answer": one.answer}
    answer = one.answer()
    return {
        **shared,
        "answer": answer,
        "answer_text": shown(answer, one.dimension),
        "dimension": one.dimension,
        "tolerance": one.tolerance,
        "working": worked(one),
        "inputs": dict(one.inputs),
        "equation": one.equation,
    }


def _cards(chosen: Sequence[Question]) -> str:
    """Questions in Anki's plain text format: answers with their working, boards as tags.

    https://docs.ankiweb.net/importing/text-files.html
    """
    text = io.StringIO()
    text.write("#separator:tab\n#html:false\n")
    text.write("#columns:" + "\t".join(COLUMNS) + f"\n#tags column:{len(COLUMNS)}\n")
    rows = csv.writer(text, delimiter="\t", lineterminator="\n")
    for one in chosen:
        answer = one.answer if isinstance(one, Card) else f"{shown(one.answer(), one.dimension)}. {worked(one)}"
        rows.writerow((one.question, answer, f"ridgeline::{_board(one)} ridgeline::{one.level.value}"))
    return text.getvalue()


def _write(path: Path, text: str) -> None:
    """Write a file whole, replacing what is there, or not at all."""
    if not path.name:
        raise click.BadParameter("the file has no name", param_hint="--export")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            part.write_text(text, encoding="utf-8", newline="\n")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise click.ClickException(f"{str(path)!r} is not written: {error.strerror}; name another file") from None
