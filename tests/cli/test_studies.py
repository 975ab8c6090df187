from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands

STUDY = """
models = ["llama-3.1-8b"]
machines = ["h100-sxm", "fast"]
layouts = ["tp1", "tp8", "tp3"]
fidelity = "roofline"
batch = [1, 8, 64]
context_tokens = "1k"

[machine.fast]
like = "h100-sxm"
hbm_bytes_per_s = ["4 TB/s", "6 TB/s", "8 TB/s"]
"""


def run(*words: str | Path) -> Result:
    return CliRunner(env={"COLUMNS": "120"}).invoke(commands, [str(word) for word in words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that is swept; it has one shard, for which no process is started."""
    there = tmp_path_factory.mktemp("studies")
    (there / "study.toml").write_text(STUDY)
    result = run("sweep", there / "study.toml", "--out", there / "swept")
    assert result.exit_code == 0, result.output
    assert "study: 36 points, 24 rows in" in result.stdout
    assert "12 points have no row" in result.stdout.replace("\n", " ")
    return there / "swept"


def test_a_sweep_without_a_row_says_why_and_fails(tmp_path: Path) -> None:
    """Of prompts that are read in several passes ``estimate`` adds the passes up, and a row is of one."""
    study = tmp_path / "study.toml"
    study.write_text(STUDY.replace('["tp1", "tp8", "tp3"]', '["tp1"]\nphases = ["prefill"]').replace("1k", "32k"))
    result = run("sweep", study, "--out", tmp_path / "swept")
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert "12 points, 4 rows in" in said, "those of batch 1 have rows"
    assert "8: the engine reads these prompts in several passes" in said
    study.write_text(study.read_text().replace("[1, 8, 64]", "[8, 64]"))
    result = run("sweep", study, "--out", tmp_path / "none")
    said = " ".join(result.stdout.split())
    assert result.exit_code == 1
    assert "8: the engine reads these prompts in several passes, and a row is of one; lower batch" in said
    assert "ridgeline estimate --phase prefill" in said
    assert "read it" not in said
    assert "no point has a row; change what the reasons above name" in " ".join(result.stderr.split())


def test_a_sweep_that_is_whole_does_nothing_again(folder: Path) -> None:
    result = run("sweep", folder.parent / "study.toml", "--out", folder)
    assert "all of them were there" in result.stdout
    document = json.loads(run("sweep", folder.parent / "study.toml", "--out", folder, "--json").stdout)
    assert (document["points"], document["kept_points"], document["rows"]) == (36, 36, 24)
    assert sum(one["points"] for one in document["left_out"]) == 12
    assert document["failed"] == []


def test_a_query_is_a_table_with_units(folder: Path) -> None:
    shown = run(
        "query", folder, "SELECT machine, hbm_bytes_per_s, batch, step_time_s FROM fastest ORDER BY step_time_s"
    )
    head, _, *rows = shown.stdout.splitlines()
    assert head.split() == ["machine", "hbm_bytes_per_s", "batch", "step_time_s"]
    assert [row.split()[:3] for row in rows] == [
        ["fast", "8", "TB/s"],
        ["fast", "6", "TB/s"],
        ["fast", "4", "TB/s"],
        ["h100-sxm", "3.35", "TB/s"],
    ]


def test_a_query_as_json_and_its_commands(folder: Path) -> None:
    sql = "SELECT point, batch FROM study WHERE machine = 'fast' ORDER BY point LIMIT 2"
    document = json.loads(run("query", folder, sql, "--json", "--commands").stdout)
    assert document["columns"] == ["point", "batch"]
    assert [row["batch"] for row in document["rows"]] == [1, 8]
    assert document["commands"] == run("query", folder, sql, "--commands").stdout.splitlines()
    assert (folder / "machines" / "fast-0.toml").is_file()
    assert run("query", folder, "SELECT batch FROM study", "--commands").exit_code == 2


def test_without_sql_a_study_is_described(folder: Path) -> None:
    shown = run("query", folder).stdout
    assert "axes: 4 machine × 3 layout × 3 batch" in shown
    assert "usd_per_token" in shown


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT batch, hbm_bytes_per_s, step_time_s FROM study WHERE layout = 'tp1'",
        "SELECT batch, step_time_s, layout FROM study WHERE machine = 'h100-sxm'",
        "SELECT batch, step_time_s FROM study WHERE machine = 'h100-sxm' AND layout = 'tp1'",
    ],
)
@pytest.mark.slow
def test_figures_are_drawn(folder: Path, tmp_path: Path, sql: str, theme: str) -> None:
    result = run("query", folder, sql, "--figure", tmp_path / "figure.svg", "--theme", theme)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "figure.svg").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT batch FROM study", "two or three columns"),
        ("SELECT layout, batch FROM study", "layout has no numbers"),
        ("SELECT batch, chips, step_time_s FROM study", "several rows share one cell"),
        ("SELECT batch, step_time_s, point::VARCHAR FROM study", "8 lines can be told apart"),
        ("SELECT batch, step_time_s, NULL FROM study", "some are null"),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_drawn_is_said(folder: Path, tmp_path: Path, sql: str, said: str) -> None:
    result = run("query", folder, sql, "--figure", tmp_path / "figure.svg")
    assert result.exit_code != 0
    assert said in result.output
    assert not (tmp_path / "figure.svg").exists()


def test_what_is_wrong_with_a_study_is_refused(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.replace("layouts", "layout"))
    result = run("sweep", tmp_path / "study.toml", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "study.toml: layout: no key here; there are name, kind, models" in result.output
    assert not (tmp_path / "out").exists()


def test_a_narrow_page_keeps_the_axes_that_tell_rows_apart(folder: Path) -> None:
    said = (
        CliRunner(env={"COLUMNS": "80"}).invoke(commands, ["query", str(folder), "SELECT * FROM study LIMIT 5"]).stdout
    )
    head = said.splitlines()[0].split()
    assert {"batch", "layout", "step_time_s"} <= set(head)
    assert "left out at 80 columns" in said
    assert "batch" not in said.partition("left out at 80 columns")[2].partition("the same in each")[0]
