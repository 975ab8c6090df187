from __future__ import annotations

import importlib
import math
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ridgeline.calibration.cases import Case
from ridgeline.calibration.judge.score import ScoredRow

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


def test_rows_that_count_alike_have_numpys_quantiles(accuracy: ModuleType) -> None:
    values = np.array([3.0, 1.0, 2.0, 10.0])
    assert accuracy.quantile(values, np.full(4, 0.25), 0.5) == np.median(values)


def test_a_long_series_weighs_as_much_as_a_short_one(accuracy: ModuleType) -> None:
    errors, weights = np.array([0.1, 0.1, 0.1, 0.1, 0.5, 0.9]), np.array([*[0.25] * 4, 1.0, 1.0])
    assert accuracy.quantile(errors, weights, 0.5) == 0.5


def _row(batch: int, error: float, **facts: Any) -> ScoredRow:  # noqa: ANN401  columns
    known: dict[str, Any] = {"engine": "vllm", "model": "one", "chips": "8", "batch": str(batch)}
    case = Case(
        name=f"{batch}",
        family="closed_loop_silicon",
        kind="closed_loop",
        machine="h100-sxm",
        quantity="tpot_s",
        measured=0.01,
        **(known | facts),
    )
    return ScoredRow(case=case, log_ratio=error, is_inside=True, time_s=0.01, predicted_s=0.01 * math.exp(error))


def test_rows_of_a_series_differ_in_users_alone(accuracy: ModuleType) -> None:
    rows = [*(_row(users, 0.01) for users in (1, 2, 4, 8)), *(_row(1, 0.2, tp=tp) for tp in "28")]
    (line,) = accuracy.lines(rows)
    assert line.weights.tolist() == pytest.approx([1 / 12] * 4 + [1 / 3] * 2)
    assert line.median == pytest.approx(0.2)
    assert not line.is_met


def test_a_gate_is_met_where_all_its_limits_hold(accuracy: ModuleType) -> None:
    met, missed = (
        accuracy.lines([_row(1, error, tp=str(tp)) for tp, error in enumerate(errors, 1)])[0]
        for errors in ((0.1, 0.1), (0.1, 0.1, 0.1, 0.1, 0.5))
    )
    assert met.median == pytest.approx(0.1)
    assert missed.median == pytest.approx(0.1)
    assert (met.is_met, missed.is_met) == (True, False)


def test_every_gate_is_on_the_page_and_no_other(accuracy: ModuleType) -> None:
    (text,) = re.findall("<!-- table -->\n(.*?)\n<!-- end -->", PAGE.read_text(), re.DOTALL)
    named = [line.split("|")[1].strip() for line in text.splitlines()[2:]]
    assert named == [gate.name for gate in accuracy.GATES]


@pytest.mark.parametrize("name", ["summary", "table", "machines", "models", "baselines"])
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
    for page, verb in (("README.md", "meet"), ("docs/what_numbers_rest_on.md", "meets")):
        said = " ".join((ROOT / page).read_text().split())
        assert f"{verb} {met} of {gates} gates" in said
        assert f"{unseen_met} of {unseen} for chips" in said
