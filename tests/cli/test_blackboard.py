from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

from click.testing import CliRunner

from ridgeline.cli import commands


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
