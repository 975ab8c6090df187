"""What a page's worker runs, run here: the same files by a Python that has neither NumPy nor pydantic."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ridgeline.boards.lecture import BOARDS, EXERCISES
from ridgeline.quantity_text import format_quantity
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped
from ridgeline.web.fields import FieldError
from ridgeline.web.python_tree import python_tree

Question = tuple[str, dict[str, str]]

ASKING = """
import json, sys
sys.path[:] = [sys.argv[1], *(path for path in sys.path if "site-packages" not in path)]
from ridgeline.web.worker.reply import keep, reply
for line in sys.stdin:
    path, fields = json.loads(line)
    print(keep(fields["config"].encode()) if path == "keep" else reply(path, json.dumps(fields)))
assert "site-packages" not in sys.modules["numpy"].__file__ and "pydantic" not in sys.modules
"""


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files, as they are imported from."""
    folder = tmp_path_factory.mktemp("tree")
    for place, content in python_tree().items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def replies(tree: Path, questions: list[Question]) -> list[Any]:
    """To each question its reply."""
    asked = "".join(f"{json.dumps(one)}\n" for one in questions)
    command = [sys.executable, "-I", "-c", ASKING, str(tree)]
    found = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)  # noqa: S603  our own
    assert found.returncode == 0, found.stderr[-2000:]
    return [json.loads(line) for line in found.stdout.splitlines()]


def answered(path: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """What the server says."""
    try:
        return {"answer": json.loads(json.dumps(answers(path, dict(fields), Dropped())))}
    except FieldError as error:
        return {"refusal": error.document()}


Near = Callable[[Any, Any, str], None]
Compare = Callable[[list[Question]], None]


@pytest.fixture
def compare(tree: Path, assert_near: Near) -> Compare:
    """All replies are the server's."""

    def compare(questions: list[Question]) -> None:
        for (path, fields), mine in zip(questions, replies(tree, questions), strict=True):
            assert_near(mine, answered(path, fields), f"{path} {fields}")

    return compare


@pytest.mark.slow
def test_all_boards_begin_as_on_the_server(compare: Compare) -> None:
    compare([(f"boards/{one.name}/views", {}) for one in BOARDS])


@pytest.mark.slow
def test_boards_of_other_models_and_machines_are_the_servers(compare: Compare) -> None:
    facts = {"model": "llama-3.1-405b", "machine": "h100-sxm"}
    named = [one for one in BOARDS if one.takes_facts][::6]
    compare([(f"boards/{one.name}{rest}", facts) for one in named for rest in ("", "/views")])


@pytest.mark.slow
def test_exercises_are_judged_as_on_the_server(compare: Compare) -> None:
    asked = [(f"exercises/{one.id}", {"answer": text}) for one in EXERCISES[::5] for text in ("1", "many")]
    compare([*asked, ("exercises/none", {})])


@pytest.mark.slow
def test_what_is_wrong_is_said_as_on_the_server(compare: Compare) -> None:
    compare(
        [
            ("boards/none/views", {}),
            ("boards/latency/views", {"context_tokens": "far"}),
            ("boards/latency/views", {"context_tokens": "-1", "mode": "careless"}),
            ("boards/latency/views", {"of_another": "1"}),
            ("boards/latency/views", {"model": "none"}),
            ("nowhere", {}),
        ],
    )


@pytest.mark.slow
def test_a_dropped_configuration_is_read_there_too(tree: Path, assert_near: Near) -> None:
    config = {"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32}
    config |= {"num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "torch_dtype": "bfloat16"}
    text = json.dumps(config)
    dropped = Dropped()
    name = dropped.keep(text.encode())
    asked: list[Question] = [("keep", {"config": text}), ("boards/latency/views", {"model": name})]
    kept, views = replies(tree, asked)
    assert kept == {"answer": {"model": name}}
    wanted = answers("boards/latency/views", {"model": name}, dropped)
    assert_near(views, {"answer": json.loads(json.dumps(wanted))}, "views")
    (refused,) = replies(tree, [("keep", {"config": "{"})])
    assert refused["refusal"]["field"] == "config"


def turned(board_name: str, seed: int) -> Question:
    """A board with two controls somewhere in their ranges, in a mode."""
    draw = random.Random(f"{board_name} {seed}")  # noqa: S311  nothing is kept secret here
    board = next(one for one in BOARDS if one.name == board_name)
    fields = {}
    for control in draw.sample(board.controls, min(2, len(board.controls))):
        low = max(control.low, control.high * 1e-9)
        value = low * (control.high / low) ** draw.random() if control.high > 0 else control.low
        value = min(max(round(value) if control.is_whole else value, control.low), control.high)
        fields[control.name] = format_quantity(value, control.dimension, 6)
    return f"boards/{board_name}/views", {**fields, "mode": draw.choice(("both", "lecture", "careful"))}


@pytest.mark.slow
def test_boards_turned_at_random_are_the_servers(compare: Compare) -> None:
    compare([turned(one.name, seed) for one in BOARDS for seed in range(5)])


@pytest.mark.slow
def test_lines_over_other_ends_are_the_servers(compare: Compare) -> None:
    questions: list[Question] = []
    for one in BOARDS:
        views = answers(f"boards/{one.name}/views", {}, Dropped())["views"]  # type: ignore[typeddict-item]
        ends = [view["axes"]["x"].get("ends") for view in views]
        over = ";".join(f"{end[0]}:{end[1] * 1.7}" if end else "" for end in ends)
        questions.append((f"boards/{one.name}/views", {"over": over}))
    compare(questions)


def test_the_tree_leaves_out_what_answers_do_not_come_to(tree: Path) -> None:
    held = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    assert {"ridgeline/boards/lecture/batch/cost.py", "ridgeline/catalog/packed.pickle", "numpy/arrays.py"} <= held
    rooms = ("planner", "simulator", "calibration", "cli", "figures", "studies")
    assert not [
        place
        for place in held
        if place.endswith(".toml") or place.startswith(tuple(f"ridgeline/{one}/" for one in rooms))
    ]
