from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from ridgeline.boards.lecture import BOARDS
from ridgeline.cli import commands
from ridgeline.web import site


def test_a_taken_port_is_refused_with_what_to_write() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = CliRunner().invoke(commands, ["blackboard", "--no-browser", "--port", str(port)])
    assert found.exit_code == 2
    assert "or 0 for any that is free" in " ".join(found.stderr.replace("│", " ").split())


def test_the_page_is_served_on_this_machine_alone_and_ends_without_a_trace() -> None:
    line = [sys.executable, "-c", "from ridgeline.cli import main; main()", "blackboard", "--no-browser", "--port", "0"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603  ours
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert found, said
        with urllib.request.urlopen(f"{found[0]}api/shelf") as answer:  # noqa: S310  our own address
            assert json.load(answer)["boards"]
        os.kill(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=30)
    assert process.returncode == 0
    assert error == ""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site of one board, whose picture is a word."""
    monkeypatch.setattr(site, "BOARDS", BOARDS[:1])
    monkeypatch.setattr(site, "FIRST", BOARDS[0].name)
    monkeypatch.setattr(site, "_preview", lambda board: board.name.encode())


@pytest.mark.usefixtures("small")
@pytest.mark.slow
def test_a_site_is_written_and_weighed(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    found = CliRunner().invoke(commands, ["blackboard", "--export", str(folder), "--no-python"])
    assert found.exit_code == 0, found.output
    assert "no Python       left out as asked" in found.stdout
    assert re.match(rf"Writing \d+ boards into {re.escape(str(folder))}\n", found.stderr)
    assert "give the site's by --url" in found.stdout
    assert (folder / "index.html").is_file()
    again = ["blackboard", "--export", str(folder), "--no-python", "--url", "https://example.org/b", "--json"]
    document = json.loads(CliRunner().invoke(commands, again).stdout)
    assert document["inputs"]["url"] == "https://example.org/b/"
    written = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and path.name != site.MARK)
    assert document["total_bytes"] == document["page_bytes"] + document["image_bytes"] == written
    assert "https://example.org/b/" in (folder / "index.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--export", "SITE", "--port", "8000"], "--export opens nothing"),
        (["--export", "SITE", "--no-browser"], "--export opens nothing"),
        (["--url", "https://example.org/"], "add --export DIR"),
        (["--no-python"], "add --export DIR"),
        (["--export", "SITE", "--url", "example.org"], "is no address of a site"),
        (["--export", "FULL", "--no-python"], "holds other files"),
    ],
)
def test_a_site_that_cannot_be_written_is_refused(tmp_path: Path, words: list[str], said: str) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    named = {"SITE": str(tmp_path / "site"), "FULL": str(full)}
    found = CliRunner().invoke(commands, ["blackboard", *(named.get(word, word) for word in words)])
    assert found.exit_code == 2
    assert said in " ".join(found.stderr.replace("│", " ").split())
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
