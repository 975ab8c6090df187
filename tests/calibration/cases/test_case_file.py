"""Cells are checked once, when a file is read, and are numbers from then on."""

from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pytest

from ridgeline.calibration.cases import Case, CaseError, Unsupported, read_cases
from ridgeline.calibration.cases.model_table import read_model_table
from ridgeline.calibration.cases.series import series_of

HEADER = "case,kind,machine,quantity,measured,m,n,k,engine,overrides"


def read(folder: Path, *rows: str) -> list[Case]:
    path = folder / "family.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n")
    return read_cases(path)


def test_a_row_is_typed_as_it_is_read(tmp_path: Path) -> None:
    (case,) = read(tmp_path, 'a,gemm,h100-sxm,latency_s, 2e-5 ,0.5,1e3,,,"{""hbm_bytes_per_s"": 1e12}"')
    assert (case.measured, case.m, case.n, case.k) == (2e-5, 0.5, 1000, None)
    assert isinstance(case.n, int)
    assert case.machine_overrides == {"hbm_bytes_per_s": 1e12}
    assert (case.engine, case.tp) == ("", None)
    with pytest.raises(Unsupported, match="gemm rows need k, which is empty"):
        case.number("k")


def test_equal_numbers_are_equal_however_they_are_written(tmp_path: Path) -> None:
    one, other = read(
        tmp_path, "a,gemm,h100-sxm,latency_s,1,8,1024,512,,", "b,gemm,h100-sxm,latency_s,1,9,1024.0,5.12e2,,"
    )
    assert series_of(one) == series_of(other)


def test_a_stack_of_rows_survives_being_sent_to_another_process() -> None:
    case = Case(name="made", family="made", m=1)
    stack = dataclasses.replace(case, stacked={"m": np.array([1.0, 2.0])})
    assert pickle.loads(pickle.dumps(stack)).number("m").tolist() == [1, 2]  # noqa: S301  our own
    assert pickle.loads(pickle.dumps(case)) == case  # noqa: S301  our own


def test_a_number_that_is_none_is_refused_with_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"family\.csv:3: n='0.5' must be a whole number from 1 up"):
        read(tmp_path, "a,gemm,h100-sxm,latency_s,1,8,1024,512,,", "b,gemm,h100-sxm,latency_s,1,8,0.5,512,,")


def test_a_model_table_says_which_line_does_not_read(tmp_path: Path) -> None:
    path = tmp_path / "models.csv"
    path.write_text("model,layers,gated,colour\nmine,4,,red\nyours,four,,\n")
    with pytest.raises(CaseError, match=r"models\.csv:3: .*yours: layers='four' is not a whole number from 0 up"):
        read_model_table(path)
    path.write_text("model,layers,gated,colour\nmine,4,,red\n")
    mine = read_model_table(path)["mine"]
    assert (mine.layers, mine.gated, mine.hidden) == (4, 1, None)


def test_notes_that_state_a_stream_interval_are_read_and_no_others(tmp_path: Path) -> None:
    path = tmp_path / "family.csv"
    header = "case,kind,machine,quantity,measured,overrides,notes"
    stated = ("stream interval 30", "rate inf; stream interval none", "a stream interval of its own", "")
    given = '"{""case"": {""stream_interval"": 5}}"'
    rows = [f"{place},closed_loop,h100-sxm,ttft_s,1,,{notes}" for place, notes in enumerate(stated)]
    path.write_text(
        "\n".join([header, *rows, f"given,closed_loop,h100-sxm,ttft_s,1,{given},stream interval 30"]) + "\n"
    )
    found = [case.attributes.get("stream_interval") for case in read_cases(path)]
    assert found == [30, 1, None, None, 5]


def test_notes_that_state_options_are_read_with_their_values(tmp_path: Path) -> None:
    path = tmp_path / "family.csv"
    notes = {
        "script sets batch_wait_timeout_iters=20 (prefill held back)": {"batch_wait_timeout_iters": 20},
        "prefill_schedule_interval 4; max_num_seqs: 64": {"prefill_schedule_interval": 4, "max_num_seqs": 64},
        "some points may include max_num_tokens tuning; max_batch_size 0.5-0.9": {},
    }
    rows = [f"{place},closed_loop,h100-sxm,ttft_s,1,{one}" for place, one in enumerate(notes)]
    path.write_text("\n".join(["case,kind,machine,quantity,measured,notes", *rows]) + "\n")
    assert [dict(case.attributes) for case in read_cases(path)] == list(notes.values())
