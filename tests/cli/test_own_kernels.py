"""``--kernels`` on each command that estimates: the answers are those of one's own calibration, and say so."""

from __future__ import annotations

import dataclasses
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ridgeline
from ridgeline.catalog.kernels import Sureness, written
from ridgeline.catalog.machines import load_machine
from ridgeline.cli import commands
from ridgeline.errors import RidgelineError
from ridgeline.studies.read import read_study, study_of

MACHINE = "h100-sxm"
LOG = Path(__file__).parents[2] / "docs" / "example_trace.jsonl"


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A calibration by which dense products reach half of what the catalog's do."""
    machine = load_machine(MACHINE)
    kernels = machine.efficiency.kernels
    assert kernels is not None
    gemm = dataclasses.replace(
        kernels.gemm,
        fraction={name: part / 2 for name, part in kernels.gemm.fraction.items()},
        hbm_fraction=kernels.gemm.hbm_fraction / 2,
    )
    text = written("own", Sureness(), dataclasses.replace(kernels, gemm=gemm), {}, blocks=("gemm",))
    folder = tmp_path_factory.mktemp("slow")
    (folder / f"{MACHINE}.toml").write_text(text)
    return folder


def run(*words: object) -> Any:  # noqa: ANN401  click's result
    return CliRunner(env={"COLUMNS": "120"}).invoke(commands, [str(word) for word in words])


def document_of(*words: object) -> Any:  # noqa: ANN401
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


MODEL = f"llama-3.1-8b --on {MACHINE}"
COMMANDS = {
    "train": (f"train {MODEL} --tokens 1T --batch-tokens 1Mi --layout tp2,dp8", "step_time_s"),
    "budget": (
        f"budget --law hoffmann-2022 --like {MODEL} --chips 16 --batch-tokens 1Mi --prompt 1000 --output 99 --draws 9",
        "phases pretraining chip_s_per_token",
    ),
    "price": (f"price {MODEL} --prompt 500 --output 100 --pools 1 --layout tp1", "usd_per_token output"),
    "trace": (f"trace {LOG} --hit-rates --model {MODEL} --tiers ddr", "mixes mixes 0 ttft_s"),
}


SLOW = ("budget", "price")
"""Commands that search, for half a second."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in COMMANDS]
)
def test_a_calibration_changes_what_is_answered(name: str, slow: Path) -> None:
    line, path = COMMANDS[name]
    found = []
    for own in ((), ("--kernels", slow)):
        document = document_of(*line.split(), *own)
        assert document["inputs"]["kernels"] == (str(slow) if own else None)
        value = document
        for key in path.split():
            value = value[int(key) if key.isdigit() else key]
        found.append(value)
    # Dense products take most of the time of such a model, and twice as long.
    assert found[1] > 1.3 * found[0]


STUDIES = {
    "serving": 'layouts = "tp1"\nbatch = 8\ncontext_tokens = "1k"\nengines = ["usual", "ideal"]',
    "training": 'kind = "training"\nlayouts = "tp2,dp8"\nchips = 16\ntokens = "1T"\nbatch_tokens = "1Mi"',
}


@pytest.mark.parametrize("kind", STUDIES)
def test_a_study_takes_a_calibration(kind: str, slow: Path, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(f'models = "llama-3.1-8b"\nmachines = ["{MACHINE}", "l40s"]\n{STUDIES[kind]}')
    found = []
    for own in ((), ("--kernels", slow)):
        document = document_of("sweep", study, "--out", tmp_path / f"{len(own)}", *own)
        assert document["inputs"]["kernels"] == (str(slow) if own else None)
        rows = document_of("query", tmp_path / f"{len(own)}", "FROM study ORDER BY point", "--commands")
        (first,) = (row["step_time_s"] for row in rows["rows"][:1])
        command = shlex.split(rows["commands"][0])[1:]
        # What a point's command gives is the point's number, to the digits in which studies keep them.
        assert document_of(*command)["step_time_s"] == pytest.approx(first, rel=1e-6)
        assert ("--kernels" in command) is bool(own)
        found.append([row["step_time_s"] for row in rows["rows"]])
    for usual, own_s, machine in zip(*found, [row["machine"] for row in rows["rows"]], strict=True):
        assert own_s == usual if machine == "l40s" else 1.3 * usual < own_s < 2 * usual


def test_a_study_may_name_its_calibration(slow: Path, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    text = f'models = "llama-3.1-8b"\nmachines = ["{MACHINE}"]\n{STUDIES["serving"]}'
    study.write_text(f'kernels = "{slow}"\n{text}')
    result = run("sweep", study, "--out", tmp_path / "out")
    assert f"kernels of {slow}: own numbers of {MACHINE}" in result.stdout
    # A relative folder lies beside the study, wherever the command is called, and where the sweep is read again.
    (tmp_path / "mine").symlink_to(slow)
    study.write_text(f"kernels = 'mine'  # own\n{text}")
    asked = read_study(study)
    assert asked.kernels == str(slow.resolve())
    assert study_of(asked.text, str(tmp_path / "out" / "study.toml")) == asked
    refused: tuple[tuple[str, tuple[object, ...], str], ...] = (
        (f'kernels = "{slow}"\n{text}', ("--kernels", slow), "keep one of them"),
        (f'kernels = "nobody"\n{text}', (), "no calibration 'nobody'"),
        (f"kernels = 1\n{text}", (), "1 is no text"),
        (f'kernels = "{slow}"\nfidelity = "roofline"\n{text}', (), "leave kernels out"),
        (f'kernels = "{slow}"\n{text}\n[machine.{MACHINE}]\nlike = "l40s"', (), "another name"),
        (text, ("--kernels", "nobody"), "no calibration 'nobody'"),
    )
    for written_text, own, said in refused:
        study.write_text(written_text)
        result = run("sweep", study, "--out", tmp_path / "refused", *own)
        assert result.exit_code == 2
        assert said in result.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"train {MODEL} --tokens 1T --batch-tokens 1Mi --layout tp2,dp8 --fidelity roofline", "leave --kernels out"),
        ("budget", "add --on MACHINE"),
        (f"budget --on {MACHINE} --unit flop", "leave --unit flop out"),
        (f"budget --on {MACHINE} --fidelity roofline", "leave --kernels out"),
        (f"trace {LOG}", "--kernels: of mixes of tiers on a machine"),
    ],
)
def test_a_calibration_that_changes_nothing_is_refused(line: str, said: str, slow: Path) -> None:
    result = run(*line.split(), "--kernels", slow)
    assert result.exit_code == 2
    assert said in result.stderr


def test_functions_take_a_calibration_as_commands_do(slow: Path) -> None:
    asked: dict[str, Any] = {"tokens": 1e12, "batch_tokens": 2**20, "layout": "tp2,dp8"}
    own = ridgeline.train("llama-3.1-8b", MACHINE, kernels=slow, **asked)
    words = COMMANDS["train"][0].split()
    assert own.plans[0].time.step_time_s == document_of(*words, "--kernels", slow)["step_time_s"]
    with pytest.raises(RidgelineError, match="leave kernels out"):
        ridgeline.train("llama-3.1-8b", MACHINE, kernels=slow, fidelity="roofline", **asked)
    machine = ridgeline.load_machine(MACHINE, kernels=slow)
    assert ridgeline.load_machine(machine, kernels=slow) is machine
    with pytest.raises(RidgelineError, match="kernels are a machine's"):
        ridgeline.budget(kernels=slow)
    with pytest.raises(RidgelineError, match="costs in FLOP use no machine's times"):
        ridgeline.budget(machine=MACHINE, unit="flop", kernels=slow)
