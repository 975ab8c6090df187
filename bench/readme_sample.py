"""What the README's first command prints, as the README shows it.

python bench/readme_sample.py             print it
python bench/readme_sample.py --write     and put it into README.md
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from click.testing import CliRunner

from ridgeline.cli import commands

PAGE = Path(__file__).parents[1] / "README.md"
WIDTH = "80"
"""Columns of a pipe, for which the sample is shown."""
SAMPLE = re.compile(r"(?<=```text\n).*?(?=\n```)", re.DOTALL)
END = "\n\nWhat the runners-up cost"
"""What follows the sample in what is printed."""


def main() -> None:
    """Print the sample, or write it."""
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(sample())


def page() -> str:
    """The README as it should be."""
    return SAMPLE.sub(lambda _: sample(), PAGE.read_text(encoding="utf-8"), count=1)


def sample() -> str:
    """Request, table and best plan."""
    (line,) = re.findall(r"uv run ridgeline (plan .*)", PAGE.read_text(encoding="utf-8"))
    printed = CliRunner().invoke(commands, line.split(), env={"COLUMNS": WIDTH}).stdout
    shown, end, _ = printed.partition(END)
    if not end:
        raise SystemExit(f"`ridgeline {line}` prints no {END.strip()!r}")
    return shown


if __name__ == "__main__":
    main()
