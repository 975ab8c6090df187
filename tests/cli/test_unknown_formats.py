"""A format that an engine is not known to run is warned of before the plans, with the engine that runs it."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from ridgeline.cli import commands

ASKED = "plan llama-3.1-8b --prompt 1000 --output 100 --batch 8 --chips 1 --top 1"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            "--on h100-sxm --engine sglang --weights nvfp4",
            "nvfp4 weights on hopper chips. Times are as if it did. vllm does (--engine vllm); or take other --weights",
        ),
        ("--on h100-sxm --on b200-sxm --engine sglang --weights nvfp4", "Warning: sglang is not known to run nvfp4"),
        ("--on a100-80-sxm --engine sglang --kv fp8", "is not known to run fp8 KV on ampere chips."),
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
