"""``ridgeline measure`` as a person calls it, on a bench whose times are known."""

from __future__ import annotations

import importlib
import json
import math
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.catalog.device_names import device_names
from ridgeline.catalog.machines import machine_ids
from ridgeline.cli import commands

H100 = "h100-sxm"
SLOWER = {"decode_attention": {"hbm_fraction": 0.5}, "prefill_attention": {"fraction": 0.7}}


def run(*words: object) -> Any:  # noqa: ANN401  click's result
    return CliRunner().invoke(commands, [str(word) for word in words])


@pytest.fixture
def benched(bench: Any, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401
    """A function that puts a known bench in PyTorch's place, and its clock in that of the wall."""

    def put(known: Any) -> None:  # noqa: ANN401
        @contextmanager
        def opened(*_: object) -> Iterator[Any]:
            yield known

        monkeypatch.setattr("ridgeline.cli.measure.torch_bench", opened)
        monkeypatch.setattr("ridgeline.cli.measure.time", types.SimpleNamespace(monotonic=known.clock))

    return put


@pytest.mark.slow
def test_a_measured_machine_is_what_kernels_takes(bench: Any, benched: Any, tmp_path: Path) -> None:  # noqa: ANN401
    benched(bench(SLOWER, noise=0.02))
    mine, cases = tmp_path / "mine", tmp_path / "cases"
    result = run("measure", "--budget", "60s", "--check", "--to", mine, "--cases", cases, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {"inputs", "machine", "efficiency", "cases", "check"} <= set(found)
    assert found["machine"] == H100  # by the name of its chip
    assert found["taken_s"] < 60
    assert found["warnings"] == found["unreached"] == []
    assert 0 < found["check"]["median_abs_log_error"] < 0.03
    assert found["check"]["rows"] == sum(one["rows"] for one in found["check"]["kinds"])
    number = found["fitted"]["numbers"]["decode_attention.hbm_fraction"]
    assert abs(math.log(number["value"] / 0.5)) < 0.04
    # What the document says is what is read back, to the four digits that are written.
    shown = json.loads(run("catalog", "machines", H100, "--kernels", mine, "--json").stdout)["machines"][0][
        "efficiency"
    ]
    assert shown["kernels"] == found["efficiency"]["kernels"]
    assert shown["kernels"]["decode_attention"]["hbm_fraction"] == pytest.approx(number["value"], rel=1e-3)
    # Its cases are those of a case file: validate takes them, with the numbers and without.
    own, theirs = (
        json.loads(run("validate", *cases.iterdir(), *words, "--json").stdout) for words in (("--kernels", mine), ())
    )
    assert own["unsupported"] == []
    assert len(own["rows"]) == len(found["cases"])
    errors = [
        next(one["median_abs_log_error"] for one in document["groups"] if one["kind"] == "attention_decode")
        for document in (own, theirs)
    ]
    assert errors[0] < 0.03 < errors[1]
    # An estimate with them differs where they do.
    step = ("estimate", "llama-3.1-8b", "--on", H100, "--layout", "tp1", "--batch", 64, "--context", "8k", "--json")
    times_s = [json.loads(run(*step, *words).stdout)["step_time_s"] for words in (("--kernels", mine), ())]
    assert times_s[0] > 1.1 * times_s[1]


@pytest.mark.slow
def test_the_judge_of_a_run_on_a_gpu_names_what_is_off(
    bench: Any,  # noqa: ANN401
    benched: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The script of docs/measuring.md: a machine as the catalog has it passes, one with half its bandwidth does not."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    judge = importlib.import_module("measured")
    benched(bench(noise=0.02))
    found = list(judge.expectations(json.loads(run("measure", "--check", "--json").stdout)))
    assert len(found) > 10
    assert [what for what, is_met in found if not is_met] == []
    benched(bench({"gemm": {"hbm_fraction": 0.44}}, noise=0.02, unrun=frozenset({"attention_decode"})))
    found = list(judge.expectations(json.loads(run("measure", "--check", "--json").stdout)))
    off = [what.split(":")[0] for what, is_met in found if not is_met]
    assert off == ["attention_decode", "not run", "gemm.hbm_fraction"]


@pytest.mark.slow
def test_what_is_said_of_a_short_measurement(bench: Any, benched: Any) -> None:  # noqa: ANN401
    """As text: what was timed, each number beside the catalog's, the check, and what was not reached."""
    benched(bench(SLOWER, set_up_s=0.2))
    result = run("measure", "--budget", "30s", "--check")
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    for words in (
        "Timed on NVIDIA H100 80GB HBM3 with nothing",
        "catalog",
        "decode_attention.hbm_fraction",
        "held back",
    ):
        assert words in said
    assert "the budget had ended" in said
    assert "no numbers are kept" in said


def test_a_machine_that_nothing_was_fitted_on_is_an_error(bench: Any, benched: Any, tmp_path: Path) -> None:  # noqa: ANN401
    """What was timed is kept all the same."""
    benched(bench(set_up_s=0.5))
    cases = tmp_path / "cases"
    result = run("measure", "--budget", "3s", "--to", tmp_path / "mine", "--cases", cases, "--json")
    assert result.exit_code == 1
    assert "a fit needs 10" in result.stderr
    found = json.loads(result.stdout)
    assert found["fitted"] is None
    assert found["check"] is None
    assert len(found["cases"]) == sum(len(one.read_text().splitlines()) - 1 for one in cases.iterdir())
    assert found["unreached"]
    assert not (tmp_path / "mine").exists()


def test_a_chip_that_is_not_the_named_machines_is_said(bench: Any, benched: Any) -> None:  # noqa: ANN401
    benched(bench(set_up_s=0.5))
    result = run("measure", "--on", "h200", "--budget", "3s", "--json")
    found = json.loads(result.stdout)
    assert found["machine"] == "h200-sxm"
    assert {case["machine"] for case in found["cases"]} == {"h200-sxm"}
    assert [warning for warning in found["warnings"] if "of memory, and h200-sxm" in warning]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--device", "cpu"), 2, "--on FILE.toml"),
        (("--device", "cpu", "--on", H100), 2, "--on FILE.toml"),
        (("--to", "mine", "--profile", "mine"), 2, "leave one out"),
        (("--on", "tpu-v5e"), 2, "tpu-v5e is none"),
        (("--on", "h999"), 2, "no machine 'h999'"),
        (("--budget", "60"), 2, "60"),
    ],
)
def test_refusals(bench: Any, benched: Any, words: tuple[str, ...], code: int, said: str) -> None:  # noqa: ANN401
    benched(bench())
    result = run("measure", *words)
    assert result.exit_code == code
    assert said in " ".join(result.stderr.split())


@pytest.mark.parametrize(("option", "file"), [("--to", f"{H100}.toml"), ("--cases", "gemm.csv")])
def test_what_is_there_is_not_replaced_unasked(tmp_path: Path, option: str, file: str) -> None:
    """Before anything is timed."""
    (tmp_path / file).write_text("")
    result = run("measure", option, tmp_path)
    assert result.exit_code == 2
    assert "--replace" in result.stderr


def test_the_folder_of_cases_is_made_before_anything_is_timed(bench: Any, benched: Any, tmp_path: Path) -> None:  # noqa: ANN401
    known = bench()
    benched(known)
    (tmp_path / "file").write_text("")
    result = run("measure", "--cases", tmp_path / "file" / "cases")
    assert result.exit_code == 2
    assert "name another folder" in " ".join(result.stderr.split())
    assert not known.seen


def test_replaced_cases_are_those_of_one_measurement(bench: Any, benched: Any, tmp_path: Path) -> None:  # noqa: ANN401
    """A kind that is not timed now has no file left; a file of another name stays."""
    benched(bench(set_up_s=0.5, unrun=frozenset({"attention_decode"})))
    for name in ("attention_decode", "gemm", "notes"):
        (tmp_path / f"{name}.csv").write_text("")
    result = run("measure", "--budget", "3s", "--cases", tmp_path, "--replace", "--json")
    timed = {case["kind"] for case in json.loads(result.stdout)["cases"]}
    assert "attention_decode" not in timed
    assert {path.stem for path in tmp_path.iterdir()} == {*timed, "notes"}


def test_without_pytorch_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    result = run("measure")
    assert result.exit_code == 1
    assert "https://pytorch.org" in result.stderr


def test_names_of_devices_are_of_machines() -> None:
    assert set(device_names().values()) <= set(machine_ids())


def test_an_unknown_device_is_told_how_to_be_named(bench: Any, benched: Any) -> None:  # noqa: ANN401
    known = bench()
    known.name = "Somebody's GPU"
    benched(known)
    result = run("measure")
    assert result.exit_code == 2
    assert "'Somebody's GPU'" in result.stderr.replace('"', "'")
    assert "--on" in result.stderr
