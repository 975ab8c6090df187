from __future__ import annotations

import itertools
import json
import math
import os
import random
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.catalog import load_machine, machine_ids
from ridgeline.catalog.machine_file import machine_text
from ridgeline.catalog.machines import machine_entry
from ridgeline.cli import commands
from ridgeline.studies.axis import StudyError
from ridgeline.studies.command import commands_of
from ridgeline.studies.query import query, write_csv
from ridgeline.studies.read import study_of
from ridgeline.studies.study import Study
from ridgeline.studies.sweep import sweep

ROUNDING = 1e-12
"""Grids and single numbers add up in the same order, but powers and logarithms of arrays may differ in the last bit."""


def rows_of(folder: Path, sql: str) -> list[dict[str, Any]]:
    return query(folder, sql).to_rows()


def asked_again(words: tuple[str, ...]) -> dict[str, Any]:
    """What a command prints."""
    result = CliRunner().invoke(commands, [*words, "--json"])
    document: dict[str, Any] = json.loads(result.stdout)
    return document


@pytest.mark.parametrize(
    "fidelity", [*(pytest.param(name, marks=pytest.mark.slow) for name in ("napkin", "roofline")), "measured"]
)
def test_a_row_is_what_its_command_prints(fidelity: str, small: Callable[[str], Study], tmp_path: Path) -> None:
    """Whatever the machine and the phase: the same functions, at one point or at many."""
    with ThreadPoolExecutor(1) as executor:
        sweep(small(fidelity), tmp_path / "out", executor=executor)
    rows = rows_of(tmp_path / "out", "SELECT * FROM study ORDER BY point")
    kinds = grouped(rows, ("machine", "phase"))
    assert len(kinds) == 4
    drawn = random.Random(7)  # noqa: S311  rows, and no secret
    chosen = [row for kind in kinds for row in drawn.sample(kind, 2)]
    for row, found in zip(chosen, commands_of(tmp_path / "out", [row["point"] for row in chosen]), strict=True):
        told = asked_again(found.words)
        for name in ("step_time_s", "low_s", "high_s"):
            assert told[name] == pytest.approx(row[name], rel=ROUNDING)
        assert told["bound"] == row["bound"]
        assert told["memory"]["free_bytes"] == pytest.approx(row["free_bytes"], rel=ROUNDING)
        assert (told["inputs"]["batch"], told["inputs"]["chips"]) == (row["batch"], row["chips"])


def test_money_and_rates_follow_from_the_step(swept: Path) -> None:
    for row in rows_of(swept, "SELECT * FROM study"):
        tokens = row["batch"] * (row["context_tokens"] if row["phase"] == "prefill" else 1)
        chip_s = row["step_time_s"] * row["chips"] / tokens
        assert row["tokens_per_s_per_chip"] == pytest.approx(1 / chip_s, rel=ROUNDING)
        assert row["usd_per_token"] == pytest.approx(chip_s * row["usd_per_chip_s"], rel=ROUNDING)


GROUP = ("model", "machine", "variant", "phase", "engine", "weights", "kv", "context_tokens")
QUESTION = ("model", "phase", "engine", "weights", "kv", "context_tokens")


def grouped(rows: list[dict[str, Any]], names: tuple[str, ...]) -> list[list[dict[str, Any]]]:
    def key(row: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(row[name] for name in names)

    return [list(group) for _, group in groupby(sorted(rows, key=key), key=key)]


def test_the_views_are_the_best_of_each_group(swept: Path) -> None:
    fitting = [row for row in rows_of(swept, "SELECT * FROM study") if row["free_bytes"] >= 0]
    assert 0 < len(fitting) < len(rows_of(swept, "SELECT point FROM study"))
    cheapest = [min(group, key=lambda row: (row["usd_per_token"], row["point"])) for group in grouped(fitting, GROUP)]
    fastest = [min(group, key=lambda row: row["step_time_s"]) for group in grouped(fitting, GROUP)]
    limit_s = sorted(row["step_time_s"] for row in cheapest)[len(cheapest) // 2]
    quick = [row for row in fitting if row["step_time_s"] <= limit_s]
    within = [min(group, key=lambda row: (row["usd_per_token"], row["point"])) for group in grouped(quick, GROUP)]
    for view, rows in (("cheapest", cheapest), ("fastest", fastest), (f"within({limit_s!r})", within)):
        points = {row["point"] for row in rows_of(swept, f"FROM {view}")}
        assert points == {row["point"] for row in rows}, view


def test_the_front_has_what_nothing_beats(swept: Path) -> None:
    fitting = [row for row in rows_of(swept, "SELECT * FROM study") if row["free_bytes"] >= 0]
    wanted = {
        row["point"]
        for group in grouped(fitting, QUESTION)
        for row in group
        if not any(
            (other["step_time_s"], other["usd_per_token"]) != (row["step_time_s"], row["usd_per_token"])
            and other["step_time_s"] <= row["step_time_s"]
            and other["usd_per_token"] <= row["usd_per_token"]
            for other in group
        )
    }
    assert {row["point"] for row in rows_of(swept, "SELECT point FROM pareto")} == wanted


def test_machines_are_compared_by_the_whole_family(swept: Path) -> None:
    found = rows_of(swept, "SELECT * FROM chips_within(1.0) WHERE phase = 'decode' AND context_tokens = 1000")
    best = rows_of(swept, "SELECT * FROM within(1.0) WHERE phase = 'decode' AND context_tokens = 1000")
    assert found
    for row in found:
        costs = [
            one["usd_per_token"]
            for one in best
            if one["variant"] == row["variant"] and one["machine"] == row["machine"]
        ]
        assert len(costs) == row["models"] == 2
        assert row["usd_per_token"] == pytest.approx(math.sqrt(costs[0] * costs[1]), rel=ROUNDING)
        assert row["dearest_usd_per_token"] == max(costs)
    assert [row["usd_per_token"] for row in found] == sorted(row["usd_per_token"] for row in found)


def test_elasticities_are_slopes_between_neighbours(swept: Path) -> None:
    found = rows_of(swept, "SELECT * FROM elasticities WHERE phase = 'decode' AND field = 'hbm_bytes_per_s'")
    best = rows_of(swept, "SELECT * FROM cheapest WHERE machine = 'next' AND phase = 'decode'")
    assert found
    for row in found:
        low, high = (
            next(
                one
                for one in best
                if one["hbm_bytes_per_s"] == row[end]
                and all(one[name] == row[name] for name in ("model", "context_tokens", "flop_per_s"))
            )
            for end in ("value", "next_value")
        )
        moved = math.log(row["next_value"] / row["value"])
        for name in ("usd_per_token", "step_time_s", "usd_per_chip_s"):
            change = math.log(high[name] / low[name]) / moved
            assert row[f"{name}_elasticity"] == pytest.approx(change, rel=1e-9)  # of differences


def test_a_file_has_all_rows(swept: Path, tmp_path: Path) -> None:
    write_csv(swept, "SELECT point, model FROM study ORDER BY point -- all", tmp_path / "all.csv")
    lines = (tmp_path / "all.csv").read_text().splitlines()
    assert lines[0] == "point,model"
    assert len(lines) - 1 == rows_of(swept, "SELECT count(*) AS rows FROM study")[0]["rows"]
    with pytest.raises(StudyError, match="nope"):
        write_csv(swept, "SELECT nope FROM study", tmp_path / "none.csv")
    assert not (tmp_path / "none.csv").exists()


def test_a_wrong_query_lists_the_tables(swept: Path) -> None:
    with pytest.raises(StudyError, match=r"nope(.|\n)*Tables: study, left_out, fitting, cheapest"):
        query(swept, "SELECT nope FROM study")


@pytest.mark.parametrize("sql", ["", "-- nothing"])
def test_a_query_without_a_statement_is_refused(swept: Path, sql: str) -> None:
    with pytest.raises(StudyError, match="there is no SQL"):
        query(swept, sql)


def test_what_is_no_file_is_not_replaced_by_one(swept: Path, tmp_path: Path) -> None:
    pipe, link, file = tmp_path / "pipe", tmp_path / "link", tmp_path / "file"
    os.mkfifo(pipe)
    link.symlink_to(file)
    for path in (pipe, tmp_path / "none" / "x.csv"):
        with pytest.raises(StudyError, match="needs a file in a folder that exists"):
            write_csv(swept, "SELECT 1 AS one", path)
    write_csv(swept, "SELECT 1 AS one;", link)
    assert (pipe.is_fifo(), link.is_symlink(), file.read_text()) == (True, True, "one\n1\n")


def asked(*words: str) -> str:
    result = CliRunner().invoke(commands, ["query", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_what_json_has_no_word_for_is_text(swept: Path) -> None:
    told = json.loads(asked(str(swept), "SELECT DATE '2026-01-02' AS day, 1.5 AS much, NULL AS none", "--json"))
    assert told["rows"] == [{"day": "2026-01-02", "much": 1.5, "none": None}]


def test_a_wide_table_says_once_what_its_rows_share_and_has_their_costs(swept: Path) -> None:
    told = asked(str(swept), "FROM chips_within(1.0) WHERE phase = 'decode' AND context_tokens = 1000")
    assert "usd_per_token" in told.splitlines()[0]
    assert "the same in each: phase decode, engine ideal" in told


def test_elasticities_have_no_unit(swept: Path) -> None:
    told = asked(str(swept), "SELECT usd_per_token_elasticity, step_time_s_elasticity FROM elasticities")
    assert not set(re.findall(r"\$|Mtok|ms", told))


def test_a_folder_without_a_study_says_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"holds no study; make one: ridgeline sweep STUDY.toml"):
        query(tmp_path, "SELECT 1")


def test_a_folder_is_read_without_what_it_was_made_from(swept: Path, tmp_path: Path) -> None:
    """Models and machines of files may be elsewhere by then."""
    shutil.copytree(swept, tmp_path / "moved")
    (tmp_path / "moved" / "study.toml").write_text('models = ["gone/config.json"]')
    assert rows_of(tmp_path / "moved", "FROM cheapest") == rows_of(swept, "FROM cheapest")


def test_points_that_are_none_are_refused(swept: Path) -> None:
    with pytest.raises(StudyError, match="there are those from 0 to 671"):
        commands_of(swept, [672])
    with pytest.raises(StudyError, match="point None is not a whole number"):
        commands_of(swept, [None])  # type: ignore[list-item]


@pytest.mark.parametrize("machine_id", machine_ids())
def test_a_machine_written_reads_as_the_same_machine(machine_id: str, tmp_path: Path) -> None:
    entry = machine_entry(machine_id)
    path = tmp_path / "written.toml"
    path.write_text(machine_text(entry.facts))
    assert load_machine(str(path)) == entry.machine


TRAINING = """
kind = "training"
models = ["llama-3.1-8b", "deepseek-v3"]
machines = ["h100-sxm", "fat"]
tokens = "1T"
chips = [64, 128]
batch_tokens = "4Mi"
layouts = ["tp2,dp32", "tp2,pp2,dp32"]

[machine.fat]
like = "h100-sxm"
hbm_bytes = "160 GB"
quantities.order = 3  # a word of SQL
"""


def test_studies_of_training_are_what_train_prints(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as executor:
        done = sweep(study_of(TRAINING, "t.toml"), tmp_path / "out", executor=executor)
    # Of each machine and number of chips one layout has as many; the others say so.
    assert (done.manifest.points, done.rows) == (16, 8)
    rows = rows_of(tmp_path / "out", "SELECT * FROM study WHERE model = 'llama-3.1-8b' ORDER BY point")
    assert [row["free_bytes"] > 0 for row in rows] == [True] * len(rows)
    for row, found in zip(rows, commands_of(tmp_path / "out", [row["point"] for row in rows]), strict=True):
        told = asked_again(found.words)
        assert told["step_time_s"] == pytest.approx(row["step_time_s"], rel=ROUNDING)
        assert told["mfu_fraction"] == pytest.approx(row["mfu_fraction"], rel=ROUNDING)
        assert told["run"]["usd"] == pytest.approx(row["usd"], rel=ROUNDING)
        assert told["run"]["days"] == pytest.approx(row["days"], rel=ROUNDING)
    # Prices are written by the hour, as lists have them.
    words = [word for one in commands_of(tmp_path / "out", [row["point"] for row in rows]) for word in one.words]
    prices = [price for option, price in itertools.pairwise(words) if option == "--price"]
    assert prices
    assert all(price.endswith("/h") for price in prices)
    (best,) = rows_of(
        tmp_path / "out", "SELECT * FROM cheapest WHERE chips = 64 AND machine = 'fat' AND model LIKE 'll%'"
    )
    assert (best["layout"], best["order"]) == ("tp2,dp32", 3.0)


PLANNING = """
kind = "planning"
models = ["llama-3.1-8b", "llama-3.1-70b"]
machines = ["h100-sxm", "fat"]
chips = [1, 4]
prompt_tokens = 1000
output_tokens = 200
tpot_s = [0, "30ms"]

[machine.fat]
like = "h100-sxm"
hbm_bytes = "160 GB"
usd_per_chip_s = "$4/h"
"""


@pytest.mark.slow
def test_studies_of_plans_are_what_plan_prints(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as executor:
        done = sweep(study_of(PLANNING, "p.toml"), tmp_path / "out", executor=executor)
    # 70 billion parameters of 16 bits are on no chip of 80 GB.
    assert all(reason.startswith("nothing serves llama-3.1-70b on 1 chip: ") for reason in done.manifest.left_out)
    assert sum(done.manifest.left_out.values()) == done.manifest.points - done.rows > 0
    rows = rows_of(tmp_path / "out", "SELECT * FROM study WHERE machine = 'fat' AND chips = 4 ORDER BY point")
    assert [row["tpot_limit_s"] for row in rows] == [None, 0.03] * 2
    for row, found in zip(rows, commands_of(tmp_path / "out", [row["point"] for row in rows]), strict=True):
        told = asked_again(found.words)["plans"][0]
        names = ("tpot_s", "ttft_s", "usd_per_output_token", "requests_per_s", "replicas", "batch", "bound")
        assert {name: told[name] for name in names} == {name: row[name] for name in names}
        assert row["tpot_s"] <= (row["tpot_limit_s"] or math.inf)
    (best,) = rows_of(tmp_path / "out", "FROM chips_within(0.03) WHERE chips = 4 AND tpot_limit_s = 0.03 LIMIT 1")
    assert best["models"] == 2
