from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "accuracy.md"


@pytest.fixture(scope="module")
def accuracy() -> ModuleType:
    """The script, which is no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        return importlib.import_module("accuracy")


TEXT = "Before\n\n<!-- summary -->\n<!-- end -->\n\n<!-- table -->\n| 0.100 |\n| 0.200 |\n<!-- end -->\n\nAfter\n"


def test_places_are_filled_and_the_rest_is_left(accuracy: ModuleType) -> None:
    page = accuracy.filled(TEXT, {"summary": "- all is well", "table": "| 0.300 |"})
    assert page == (
        "Before\n\n<!-- summary -->\n- all is well\n<!-- end -->\n\n<!-- table -->\n| 0.300 |\n<!-- end -->\n\nAfter\n"
    )


def test_filling_twice_is_filling_once(accuracy: ModuleType) -> None:
    said = {"summary": "- all\n- is well", "table": "| 0.300 |"}
    page = accuracy.filled(TEXT, said)
    assert accuracy.filled(page, said) == page


def test_a_page_without_the_place_is_refused(accuracy: ModuleType) -> None:
    with pytest.raises(ValueError, match="0 places for machines"):
        accuracy.filled(TEXT, {"machines": "| 0.300 |"})


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("| 0.100 |\n| 0.200 |", 0),
        ("| 0.104 |\n| 0.195 |", 0),  # another machine's last bits
        ("| 0.100 |\n| 0.240 |", 1),
        ("| 0.100 |\n| 0.200 met |", 1),
        ("| 0.100 |\n| -0.200 |", 1),
        ("| 0.100 |\n| 0.200 | 0.200 |", 1),
    ],
)
def test_lines_that_say_something_else_are_shown(accuracy: ModuleType, text: str, wrong: int) -> None:
    assert (
        len(accuracy.differences(accuracy.filled(TEXT, {"table": text}), {"table": "| 0.100 |\n| 0.200 |"}))
        == 2 * wrong
    )


def test_a_line_more_is_a_difference_to_the_last(accuracy: ModuleType) -> None:
    page = accuracy.filled(TEXT, {"table": "| 0.100 |"}).rstrip().removesuffix("After").rstrip()
    assert accuracy.differences(page, {"table": "| 0.100 |\n| 0.100 |"})


def test_a_table_is_markdown(accuracy: ModuleType) -> None:
    rows = [{"family": "one", "median": "0.1"}, {"family": "two", "median": "0.2"}]
    assert accuracy.table(rows, words=1) == "| family | median |\n| --- | ---: |\n| one | 0.1 |\n| two | 0.2 |"


def test_every_gate_is_on_the_page_and_no_other(accuracy: ModuleType) -> None:
    (text,) = re.findall("<!-- table -->\n(.*?)\n<!-- end -->", PAGE.read_text(), re.DOTALL)
    named = [line.split("|")[1].strip() for line in text.splitlines()[2:]]
    assert named == [gate.name for gate in accuracy.GATES]


@pytest.mark.parametrize("name", ["summary", "table", "machines"])
def test_the_page_is_filled(name: str) -> None:
    (text,) = re.findall(f"<!-- {name} -->\n(.*?)<!-- end -->", PAGE.read_text(), re.DOTALL)
    assert text.strip()


def test_the_pages_pictures_are_there() -> None:
    shown = re.findall(r'(?:srcset|src)="([^"]+)"', PAGE.read_text())
    assert sorted(shown) == ["figures/accuracy-dark.png", "figures/accuracy-light.png"]
    for path in shown:
        assert (PAGE.parent / path).read_bytes().startswith(b"\x89PNG")


def test_the_readme_says_what_the_page_says() -> None:
    (met, gates) = re.findall(r"^- (\d+) of (\d+) gates are met", PAGE.read_text(), re.MULTILINE)[0]
    (unseen_met, unseen) = re.findall(r"(\d+) of (\d+) gates for unseen chips", PAGE.read_text())[0]
    readme = " ".join((ROOT / "README.md").read_text().split())
    assert f"meets {met} of {gates} gates" in readme
    assert f"{unseen_met} of {unseen} for chips" in readme
