"""How the program ends where it is cut short: never with a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ridgeline.catalog.machines import MACHINES
from ridgeline.catalog.models import MODELS
from ridgeline.cli import CONTROLS, commands

RUN = [sys.executable, "-m", "ridgeline"]
SMALL = ["estimate", "llama-3.1-8b", "--on", "h100-sxm", "--layout", "tp1", "--batch", "8", "--context", "1k"]
LARGE = ["catalog", "models", "--json"]
"""More than a pipe or a buffer holds."""


def ended(line: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of it; ``$RIDGELINE`` is the program."""
    program = " ".join(RUN)
    shell = ["/bin/bash", "-c", line.replace("$RIDGELINE", program)]
    return subprocess.run(shell, capture_output=True, text=True, check=False)  # noqa: S603  our own line


@pytest.mark.parametrize("command", [SMALL, LARGE, ["--help"]], ids=" ".join)
@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("> /dev/full", "Error: standard output: No space left on device\n"),
        (">&-", "Error: standard output is closed; send it to a file, or to /dev/null\n"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(command: list[str], where: str, said: str) -> None:
    found = ended(f"$RIDGELINE {' '.join(command)} {where}")
    assert (found.returncode, found.stderr) == (74, said)


@pytest.mark.slow
@pytest.mark.parametrize("command", [SMALL, LARGE], ids=" ".join)
def test_a_reader_may_go(command: list[str]) -> None:
    found = ended(f"($RIDGELINE {' '.join(command)}; echo $? >&2) | head -n 1")
    assert found.stdout.count("\n") == 1
    # As a shell says it, or all that was printed had been taken before the reader went.
    assert found.stderr in {"141\n", "0\n"}


def test_errors_break_between_words_on_a_terminal_and_nowhere_else() -> None:
    line = [*RUN, "estimate", "llama-3.1-8b", "--on", "h100sxm", "--layout", "tp1", "--batch", "8", "--context", "1k"]
    piped = subprocess.run(line, capture_output=True, text=True, check=False).stderr  # noqa: S603  our own
    assert max(map(len, piped.splitlines())) > 100
    reader, terminal = os.openpty()
    subprocess.run(line, stderr=terminal, env={**os.environ, "COLUMNS": "50"}, check=False)  # noqa: S603  our own
    shown = os.read(reader, 10_000).decode()
    os.close(terminal)
    os.close(reader)
    assert max(map(len, shown.splitlines())) <= 50
    assert shown.split() == piped.split()


INTERRUPTED = """
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell that starts tests behind it takes away
sys.meta_path.insert(0, Interrupt())
sys.argv = ["ridgeline", *{command!r}]
from ridgeline.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["ridgeline.cli", "click", "numpy", "ridgeline.cli.estimate"])
def test_an_interrupt_while_modules_load_is_silent(module: str) -> None:
    program = INTERRUPTED.format(module=module, command=SMALL)
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603  our own
    assert (found.returncode, found.stdout, found.stderr.strip()) == (130, "", "")


NAMED = "x[/b][red]y\x1b]0;z"
"""Brackets that would be markup, and characters that would name the terminal's window."""


def renamed(of: Path, to: Path, old: str) -> Path:
    """A catalog file whose machine or model has that name."""
    text = of.read_text()
    assert old in text
    to.write_text(text.replace(old, NAMED.replace("\x1b", "\\u001b")))
    return to


def test_names_are_shown_as_they_are_and_command_no_terminal(tmp_path: Path) -> None:
    model = renamed(MODELS / "llama-3.1-8b.toml", tmp_path / "model.toml", "Llama 3.1 8B")
    machine = renamed(MACHINES / "h100-sxm.toml", tmp_path / "machine.toml", "NVIDIA H100 SXM 80 GB")
    for line in (
        f"estimate {model} --on {machine} --layout tp1 --batch 8 --context 1k",
        f"plan {model} --on {machine} --chips 1 --prompt 100 --output 100 --why-not tp2",
        f"catalog models {model}",
        f"catalog machines {machine} --model {model}",
    ):
        result = CliRunner().invoke(commands, line.split())
        assert result.exit_code == 0, result.output
        assert "\x1b" not in result.stdout
        assert NAMED.translate(CONTROLS) in result.stdout


def test_what_is_refused_commands_no_terminal(tmp_path: Path) -> None:
    path = renamed(MODELS / "llama-3.1-8b.toml", tmp_path / "model.toml", "llama-3.1-8b")
    line = ["estimate", str(path), "--on", "h100-sxm", "--layout", "tp7", "--batch", "8", "--context", "1k"]
    found = subprocess.run([*RUN, *line], capture_output=True, text=True, check=False)  # noqa: S603  our own
    assert found.returncode == 2
    assert "does not divide" in found.stderr
    assert "\x1b" not in found.stderr
    assert NAMED.translate(CONTROLS) in found.stderr


def test_a_file_nested_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text("id = " + "[" * 20_000 + "]" * 20_000)
    for kind in ("models", "machines"):
        result = CliRunner().invoke(commands, ["catalog", kind, str(path)])
        assert result.exit_code == 2
        assert "nested too deep" in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.slow
def test_garbage_is_collected_again_once_a_command_runs() -> None:
    program = (
        "import gc, sys\n"
        "sys.argv = ['ridgeline', 'boards', '--help']\n"
        "from ridgeline.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: print(gc.isenabled(), gc.get_freeze_count() > 0)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  our own
    assert found.stdout.splitlines()[-1] == "True True"
