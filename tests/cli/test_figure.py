from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.cli import commands
from ridgeline.extras import installing

PLAN = "plan llama-3.1-8b --on h100-sxm --chips 2 --prompt 1000 --output 200"
ESTIMATE = "estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 16 --context 2000"


def run(line: str, *extra: object) -> Any:  # noqa: ANN401  click's result
    return CliRunner().invoke(commands, [*line.split(), *map(str, extra)])


@pytest.mark.slow
@pytest.mark.parametrize("line", [PLAN, ESTIMATE])
def test_a_figure_is_an_image_of_the_kind_that_its_name_says(line: str, tmp_path: Path) -> None:
    for name in ("out.png", "out.svg", "OUT.SVG"):
        result = run(line, "--figure", tmp_path / name)
        assert result.exit_code == 0, result.output
        assert result.stderr == f"figure: {tmp_path / name}\n"
        assert result.stdout == run(line).stdout
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert ET.parse(tmp_path / "out.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  our own
    assert sorted(path.name for path in tmp_path.iterdir()) == ["OUT.SVG", "out.png", "out.svg"]


@pytest.mark.parametrize("suffix", [".png", ".svg"])
@pytest.mark.slow
def test_the_same_command_gives_the_same_bytes_and_another_theme_others(suffix: str, tmp_path: Path) -> None:
    themes = {"first": (), "again": (), "light": ("--theme", "light"), "dark": ("--theme", "dark")}
    for name, extra in themes.items():
        assert run(ESTIMATE, "--figure", tmp_path / f"{name}{suffix}", *extra).exit_code == 0
    first, again, light, dark = ((tmp_path / f"{name}{suffix}").read_bytes() for name in themes)
    assert first == again == light != dark


@pytest.mark.parametrize("more", ["", " --pools 2", " --on h200-sxm"])
def test_a_plans_figure_is_there_though_nobody_reads_the_text(more: str, tmp_path: Path) -> None:
    with subprocess.Popen(  # noqa: S603  our own
        [sys.executable, "-m", "ridgeline", *f"{PLAN}{more}".split(), "--figure", str(tmp_path / "out.svg")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
    assert (tmp_path / "out.svg").exists()


def test_json_stays_alone_on_stdout(tmp_path: Path) -> None:
    result = run(PLAN, "--json", "--figure", tmp_path / "out.svg")
    assert json.loads(result.stdout)["plans"]
    assert "figure: " in result.stderr
    assert (tmp_path / "out.svg").exists()


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("out.pdf", "out.svg"),
        ("out", "out.svg"),
        ("", "figure.svg"),
        ("missing/out.svg", "make it first"),
    ],
)
def test_a_file_that_cannot_be_drawn_into_is_refused_with_what_to_write(name: str, advice: str, tmp_path: Path) -> None:
    for line in (PLAN, ESTIMATE):
        result = run(line, "--figure", tmp_path / name)
        assert result.exit_code != 0
        assert advice in result.stderr
        assert result.stdout == ""
    assert not list(tmp_path.iterdir())


def test_a_theme_without_a_figure_is_refused() -> None:
    for line in (PLAN, ESTIMATE):
        result = run(line, "--theme", "dark")
        assert result.exit_code != 0
        assert "--figure FILE" in result.stderr


def test_a_prefill_has_no_figure(tmp_path: Path) -> None:
    result = run(ESTIMATE, "--phase", "prefill", "--figure", tmp_path / "out.svg")
    assert result.exit_code != 0
    assert "--phase decode" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("line", [PLAN, ESTIMATE])
def test_without_the_extra_it_says_so_before_it_computes(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run(line, "--figure", tmp_path / "out.svg")
    assert result.exit_code != 0
    assert installing("plot") in result.stderr
    assert result.stdout == ""
    assert run(line).exit_code == 0


def test_what_does_not_serve_is_not_drawn(tmp_path: Path) -> None:
    slow = run(PLAN, "--tpot", "1us", "--figure", tmp_path / "out.svg")
    assert (slow.exit_code, slow.stderr.startswith("Error: no layout serves this")) == (1, True)
    full = run(ESTIMATE.replace("--batch 16", "--batch 16000"), "--figure", tmp_path / "out.svg")
    assert full.exit_code == 1
    assert not list(tmp_path.iterdir())


def test_a_file_is_written_whole_or_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.svg"
    path.write_text("what was there")

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    result = run(ESTIMATE, "--figure", path)
    assert result.exit_code == 1
    assert "No space left on device" in result.stderr
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_imports_the_drawing_library_before_a_figure_is_asked_for() -> None:
    probe = (
        "import ridgeline, ridgeline.cli.plan, ridgeline.cli.estimate, sys; ridgeline.plan;"
        " print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)  # noqa: S603  our own
    assert done.stdout.strip() == "False"
