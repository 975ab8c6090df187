"""Docstrings begin with what they are about: a noun or a verb, never half a sentence that needs its neighbours."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.each import of_each

SOURCE = Path(__file__).parents[1] / "src" / "ridgeline"
ROOMS = sorted(path.name for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists())

PREPOSITIONS = (
    "of by in on at to for from with without within over under after before among between beside beyond until as into"
    " onto than via along through per against"
)
QUESTION_WORDS = "what whose which who whom when where why"
"""Relatives, too. "Whether" is none of them: it says what True means; and "how many" counts."""

POINTERS = "that those this these it its they them their he his him see too also same other ones"
JOINTS = "so and or but if because"

HALF_A_SENTENCE = frozenset(f"{PREPOSITIONS} {QUESTION_WORDS} {POINTERS} {JOINTS}".split())
"""First words of a docstring that say how it hangs on something else, before they say what it is about."""

FEWEST_WORDS = 3
"""Least for an attribute or argument: a thing and its unit, or its owner. Fewer repeat the name or point elsewhere."""


@of_each("room", ROOMS)
def test_docstrings_say_what_they_are_about(room: str) -> None:
    found = sorted(riddles(SOURCE / room))
    assert not found, "say it as a noun phrase, or as a sentence that says what it does:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("said", "is_riddle"),
    [
        ("What a step's kernels take.", True),
        ("Time of a decode step's kernels, in seconds.", False),
        ("The same, along.", True),
        ("Whether it fits.\n\nAttributes:\n    chips: of the pool, all together.", True),
        ("Whether it fits.\n\nAttributes:\n    chips: a count.", True),
        ("Whether it fits.\n\nArgs:\n    chips: number of chips in the\n        pool.", False),
    ],
)
def test_the_check_knows_a_riddle(said: str, is_riddle: bool) -> None:  # noqa: FBT001  a case's expectation
    assert any(is_half(words, fewest) for _, words, fewest in parts(said)) is is_riddle


def riddles(room: Path) -> Iterator[str]:
    """File, line and words of each docstring that begins with half a sentence, or is too short to say anything."""
    for path in [room] if room.is_file() else room.rglob("*.py"):
        for line, text in docstrings(ast.parse(path.read_text(encoding="utf-8")).body):
            for name, words, fewest in parts(text):
                if is_half(words, fewest):
                    yield f"{path.relative_to(SOURCE)}:{line}: {name}{words}"


def docstrings(body: list[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Line and text of each string that stands as a statement: of modules, classes, functions and constants."""
    for one in body:
        match one:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield one.lineno, inspect.cleandoc(text)
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from docstrings(one.body)


@of_each("room", ROOMS)
def test_strings_that_stand_alone_are_docstrings(room: str) -> None:
    paths = [SOURCE / room] if (SOURCE / room).is_file() else (SOURCE / room).rglob("*.py")
    trees = {path.relative_to(SOURCE): ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    found = [f"{path}:{line}" for path, tree in trees.items() for line in orphans(tree.body)]
    assert not found, "it documents nothing: put it under its constant, or leave it out:\n" + "\n".join(found)


def test_the_check_knows_an_orphan() -> None:
    lines = (
        '"""Module."""',
        "A = 1",
        '"""A."""',
        '"""More."""',
        "__all__ = []",
        '"""None."""',
        "import a",
        '"""None."""',
    )
    assert list(orphans(ast.parse("\n".join(lines)).body)) == [4, 6, 8]


def orphans(body: list[ast.stmt]) -> Iterator[int]:
    """Line of each string that stands as a statement, and neither begins its block nor follows its constant."""
    for before, one in itertools.pairwise([None, *body]):
        match one:
            case ast.Expr(value=ast.Constant(value=str())) if before is not None and not is_constant(before):
                yield one.lineno
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from orphans(one.body)


def is_constant(one: ast.stmt) -> bool:
    """Whether a statement assigns what a docstring may follow."""
    if isinstance(one, ast.AnnAssign):
        return True
    return isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) != "__all__"


def parts(text: str) -> Iterator[tuple[str, str, int]]:
    """Name, words and least number of words of a docstring's first paragraph, then of each attribute or argument."""
    yield "", text.partition("\n\n")[0], 1
    for section in re.findall(r"^(?:Attributes|Args):\n((?: +.*\n?|\n)*)", text, re.MULTILINE):
        for name, words in re.findall(r"^ {4}(\*{0,2}\w+): ?(.*(?:\n {8}.*)*)", section, re.MULTILINE):
            yield f"{name}: ", words, FEWEST_WORDS


def is_half(words: str, fewest: int) -> bool:
    """Whether words begin as half a sentence, or are fewer than it takes."""
    said = words.lower().removeprefix("the ").split()
    return len(words.split()) < fewest or said[0].strip("`.,:;") in HALF_A_SENTENCE
