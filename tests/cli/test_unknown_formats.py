"""A format that an engine is not known to run is warned of before the plans, with the engine that runs it."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from ridgeline.cli import commands

ASKED = "plan llama-3.1-8b --prompt 1000 --output 100 --top 1"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            "--on h100-sxm --engine sglang --weights nvfp4 --batch 8 --chips 1",
            "nvfp4 weights on hopper chips. Times are as if it did. vllm does (--engine vllm); or take other --weights",
        ),
        (
            "--on h100-sxm --on b200-sxm --engine sglang --weights nvfp4 --batch 8",
            "Warning: sglang is not known to run nvfp4",
        ),
        (
            "--on h100-sxm --engine sglang --weights nvfp4 --pools 2 --chips 2 --rate 1/s",
            "nvfp4 weights on hopper chips.",
        ),
        ("--on a100-80-sxm --engine sglang --kv fp8 --batch 8", "is not known to run fp8 KV on ampere chips."),
    ],
)
def test_a_format_that_is_not_known_to_run_is_said(more: str, said: str) -> None:
    shown = re.sub(r"\s+", " ", CliRunner().invoke(commands, [*ASKED.split(), *more.split()]).stdout)
    assert shown.count("Warning:") == 1
    assert said in shown


def test_nothing_is_said_of_a_format_that_runs() -> None:
    result = CliRunner().invoke(commands, f"{ASKED} --on h100-sxm --engine vllm --weights nvfp4".split())
    assert result.exit_code == 0, result.output
    assert "Warning:" not in result.stdout


def test_an_estimate_says_it_too() -> None:
    line = "estimate llama-3.1-8b --on h100-sxm --engine sglang --weights nvfp4 --layout tp1 --batch 8 --context 1000"
    assert "Warning: sglang is not known to run nvfp4" in re.sub(
        r"\s+", " ", CliRunner().invoke(commands, line.split()).stdout
    )
