from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from ridgeline.boards.lecture import BOARDS
from ridgeline.catalog import machine_ids, model_ids
from ridgeline.catalog.engines import engine_ids
from ridgeline.catalog.storage import storage_devices
from ridgeline.cli import COMMANDS, commands

ROOT = Path(__file__).parents[2]


def offered(line: str) -> list[str]:
    """What a shell is offered for the last word."""
    *args, incomplete = line.split(" ")
    shell = ShellComplete(commands, {}, "ridgeline", "_RIDGELINE_COMPLETE")
    return [
        f"{one.value}{'' if one.type == 'plain' else f' ({one.type})'}"
        for one in shell.get_completions(args, incomplete)
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", list(COMMANDS)),
        ("b", ["budget", "boards", "board", "blackboard"]),
        ("plan ", model_ids()),
        ("plan gpt-oss", ["gpt-oss-120b", "gpt-oss-20b"]),
        ("plan GPT-oss", ["gpt-oss-120b", "gpt-oss-20b"]),
        ("plan ./mine", ["./mine (file)"]),
        ("plan gpt-oss-20b --on ", machine_ids()),
        ("estimate gpt-oss-20b --on h100-sxm --engine ", engine_ids()),
        ("estimate gpt-oss-20b --on h100-sxm --engine nothing", []),
        ("estimate gpt-oss-20b --fidelity ", ["napkin", "roofline", "measured"]),
        ("estimate gpt-oss-20b --phase ", ["decode", "prefill"]),
        ("plan gpt-oss-20b --kv fp8", ["fp8", "fp8_block", "fp8_row"]),
        ("plan gpt-oss-20b --weights a", ["auto"]),
        ("catalog machines tpu", ["tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu-v7"]),
        ("catalog models mine.toml", ["mine.toml (file)"]),
        ("catalog prices gemini-3-1", ["gemini-3-1-pro"]),
        ("catalog storage", ["storage"]),
        ("catalog storage ddr5", [name for name in storage_devices() if name.startswith("ddr5")]),
        ("budget --law b", ["besiroglu-2024"]),
        ("board ", [one.name for one in BOARDS]),
        ("claims --board co", ["cost", "context"]),
        ("quiz --board co", ["cost", "context"]),
    ],
)
def test_a_shell_is_offered_names(line: str, found: list[str]) -> None:
    assert offered(line) == found


def test_ones_own_calibrations_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    profile = tmp_path / "ridgeline" / "kernels" / "mine"
    profile.mkdir(parents=True)
    (profile / "h100-sxm.toml").touch()
    for line in ("train gpt-oss-20b --kernels ", "sweep study.toml --kernels m", "budget --kernels mi"):
        assert offered(line) == ["mine"]
    assert offered("train gpt-oss-20b --kernels ./mine") == ["./mine (file)"]


def test_options_are_offered() -> None:
    assert offered("plan --pr") == ["--prompt", "--price"]
    assert "--version" in offered("--")


def test_the_readmes_line_switches_it_on() -> None:
    (line,) = re.findall(r"`(eval .*_RIDGELINE_COMPLETE.*)`", (ROOT / "README.md").read_text(encoding="utf-8"))
    program = (
        f'ridgeline() {{ {sys.executable} -m ridgeline "$@"; }}; export -f ridgeline; {line}; complete -p ridgeline'
    )
    done = subprocess.run(["/bin/bash", "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  our own
    assert "_ridgeline_completion" in done.stdout
