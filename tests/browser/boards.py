"""Boards as tests ask for them: from the menu, and from the command line."""

from __future__ import annotations

import json
import shlex
from typing import Any

from click.testing import CliRunner

from ridgeline.boards.lecture import BOARDS
from ridgeline.cli import commands

NAMES = [one.name for one in BOARDS]

PICTURE = "figure svg[role=img], figure .scene > svg"


def ridgeline(line: str) -> Any:
    found = CliRunner().invoke(commands, shlex.split(line)[1:])
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def chosen(page: Any, name: str) -> None:
    """A board from the page of all boards."""
    page.click("#boards")
    page.click(f"#shelf a[data-name={name}]")
