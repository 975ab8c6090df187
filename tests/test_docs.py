from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from ridgeline.cli import COMMANDS

ROOT = Path(__file__).parents[1]


def test_the_readmes_python_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def test_the_readme_names_every_command_and_no_other() -> None:
    named = set(re.findall(r"ridgeline ([a-z]+) ", (ROOT / "README.md").read_text()))
    assert named == set(COMMANDS)


@pytest.mark.parametrize("command", ["uv run ridgeline plan", "uv run pytest"])
def test_ci_runs_the_readmes_own_commands(command: str) -> None:
    """CI takes the line from the README, so that the two cannot part."""
    assert f"pip install uv && {command}" in (ROOT / "README.md").read_text()
    assert f"grep -m1 '{command}' README.md" in (ROOT / ".ci" / "run").read_text()


def test_the_changelog_counts_what_the_catalog_holds() -> None:
    from ridgeline.catalog import machine_ids, model_ids  # noqa: PLC0415  only this test reads the catalog

    assert f"{len(model_ids())} models and {len(machine_ids())} machines" in (ROOT / "CHANGELOG.md").read_text()
