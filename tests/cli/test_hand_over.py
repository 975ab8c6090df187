"""``plan --export``: a script for a shell, a field for programs."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands
from ridgeline.cli.hand_over import TARGETS
from ridgeline.hand_over import hand_over

LLAMA = "plan llama-3.1-8b --on h100-sxm --chips 2 --prompt 1000 --output 500"


def run(line: str) -> Result:
    return CliRunner().invoke(commands, shlex.split(line))


def test_what_is_offered_is_what_there_is() -> None:
    assert list(hand_over.TARGETS) == list(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_the_plan_is_of_the_engine_that_it_is_handed_to(target: str) -> None:
    result = run(f"{LLAMA} --export {target} --json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    engine = found["inputs"]["engine"]["name"]
    assert engine == ("vllm" if target == "dynamo" else target)
    made = found["export"]
    assert (made["engine"], made["plan"], made["replicas"]) == (target, 1, found["plans"][0]["replicas"])
    assert made["command"]
    assert made["notes"]
    assert "meta-llama/Meta-Llama-3.1-8B" in " ".join([*made["command"], made["manifest"] or ""])


@pytest.mark.parametrize("target", TARGETS)
def test_the_script_is_one_that_a_shell_reads(target: str) -> None:
    """And alone on standard output, so that a file or a shell takes it; the plan is beside it."""
    result = run(f"{LLAMA} --export {target}")
    script = result.stdout
    assert "Best plan" in result.stderr
    assert all(line.startswith("# ") for line in script.split("\n")[:3])
    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)  # noqa: S607  the shell's own check
    assert checked.returncode == 0, checked.stderr
    document = json.loads(run(f"{LLAMA} --export {target} --json").stdout)["export"]
    _, _, after_the_file = script.rpartition("\nEND\n")
    assert shlex.split(after_the_file.replace("\\\n", " "), comments=True) == document["command"]
    comments = " ".join(line.removeprefix("# ") for line in script.splitlines() if line.startswith("# "))
    assert all(note in " ".join(comments.split()) for note in document["notes"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("--export sglang --engine vllm", "plan with --engine sglang"),
        ("--export vllm --fidelity roofline", "--fidelity measured"),
        ("--checkpoint org/name", "give that, too"),
        ("--export vllm --engine vllm-v0", "--engine vllm"),
        ("--export tensorrt-llm --weights fp8", "--checkpoint"),
    ],
)
def test_what_cannot_be_handed_over_is_refused(asked: str, said: str) -> None:
    result = run(f"{LLAMA} {asked}")
    assert result.exit_code == 2
    assert said in result.output + str(result.exception)


def test_without_it_nothing_is_exported() -> None:
    assert json.loads(run(f"{LLAMA} --json").stdout)["export"] is None


def test_the_pages_launch_line_is_what_its_command_prints() -> None:
    """But for numbers, which move with each fit."""
    text = (Path(__file__).parents[2] / "docs" / "reading_a_plan.md").read_text()
    section = text.partition("## From a plan to a server")[2]
    line, shown = re.findall(r"```(?:sh)?\n(.*?)```", section, re.DOTALL)[:2]
    printed = run(line.strip().removeprefix("ridgeline ")).stdout
    script = "\n".join(line for line in printed.splitlines() if not line.startswith("# "))

    def frame(lines: str) -> list[str]:
        return re.sub(r"(?<= )[\d.]+", "N", lines.strip()).splitlines()

    assert frame(shown) == frame(script)
