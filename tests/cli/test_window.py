"""Requests longer than a model's window are said before all numbers, once, and in the document."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands

BEYOND = "Beyond the model's window: "
HAS = "131,072 that Llama 3.1 8B was made for"
ON = "llama-3.1-8b --on h100-sxm"
OF_A_REQUEST = "--prompt 200k --output 100"


def run(line: str) -> Result:
    return CliRunner().invoke(commands, line.split())


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        (f"plan {ON} {OF_A_REQUEST} --chips 1", "200,100"),
        (f"plan {ON} {OF_A_REQUEST} --chips 2 --pools 2", "200,100"),
        (f"plan {ON} --on h200-sxm {OF_A_REQUEST} --chips 1", "200,100"),
        (f"estimate {ON} --layout tp1 --batch 1 --context 200k", "200,000"),
        (f"simulate {ON} --layout tp1 {OF_A_REQUEST} --users 2 --requests 4", "200,100"),
        (f"expect {ON} --layout tp1 {OF_A_REQUEST} --users 2 --measured-tpot 20ms", "200,100"),
        (f"cache {ON} --hold 5min --reuse 0.3 --context 200k", "200,500"),
    ],
)
def test_a_request_beyond_the_window_is_the_first_line(line: str, tokens: str) -> None:
    result = run(line)
    assert result.exit_code == 0, result.output
    text = re.sub(r"\s+", " ", result.stdout)
    assert text.startswith(
        f"{BEYOND}{tokens} tokens are more than the {HAS}; servers refuse them unless told otherwise"
    )
    assert text.count(HAS) == 1
    assert f"{tokens} tokens are more than the {HAS}" in run(f"{line} --json").stdout


def test_within_the_window_nothing_is_said_of_it() -> None:
    assert "window" not in run(f"estimate {ON} --layout tp1 --batch 1 --context 100k").stdout


def test_a_step_that_does_not_fit_says_both() -> None:
    result = run(f"estimate {ON} --layout tp1 --batch 64 --context 300k")
    assert result.exit_code == 1
    assert "does not fit" in result.stderr
    assert HAS in result.stderr
