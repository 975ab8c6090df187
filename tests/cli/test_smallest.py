"""The smallest legal inputs of each verb: one token, one request, one user, one chip. All end, with finite numbers."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.cli import commands

ON = ["llama-3.1-8b", "--on", "h100-sxm"]
ONE_TOKEN = ["--prompt", "100", "--output", "1"]
SMALLEST = {
    "a token in and out": ["estimate", *ON, "--layout", "tp1", "--batch", "1", "--context", "1"],
    "one chip": ["plan", *ON, "--chips", "1", "--prompt", "1", "--output", "2"],
    "one user": ["plan", *ON, "--users", "1", "--prompt", "1", "--output", "2"],
    "users who ask for one token": ["simulate", *ON, "--layout", "tp1", "--users", "8", "--requests", "20", *ONE_TOKEN],
    "one user, one request": ["simulate", *ON, "--layout", "tp1", "--users", "1", "--requests", "1", *ONE_TOKEN],
    "two pools, one token": [
        *("simulate", *ON, "--layout", "tp1/tp1", "--rate", "2/s", "--requests", "20", "--no-bands", *ONE_TOKEN)
    ],
}


def not_finite(part: Any, at: str = "") -> list[str]:  # noqa: ANN401  any part of a document
    if isinstance(part, dict):
        return [one for name, value in part.items() for one in not_finite(value, f"{at}.{name}")]
    if isinstance(part, list):
        return [one for place, value in enumerate(part) for one in not_finite(value, f"{at}[{place}]")]
    return [at] if isinstance(part, float) and not math.isfinite(part) else []


@pytest.mark.parametrize("arguments", SMALLEST.values(), ids=SMALLEST)
@pytest.mark.filterwarnings("error")
def test_it_ends_with_finite_numbers(arguments: list[str]) -> None:
    found = CliRunner().invoke(commands, [*arguments, "--json"])
    assert found.exit_code == 0, found.output
    assert not_finite(json.loads(found.stdout)) == []


@pytest.mark.parametrize("arguments", SMALLEST.values(), ids=SMALLEST)
def test_it_is_told_without_what_is_not_a_number(arguments: list[str]) -> None:
    found = CliRunner().invoke(commands, arguments)
    assert found.exit_code == 0, found.output
    assert not re.search(r"\b(nan|inf)\b", found.stdout)
