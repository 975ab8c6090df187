"""A server and a browser for all tests of the page; without the browser they are passed over, and say so."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from ridgeline.web.app import app

# A machine without the network must not be asked for updates, and root has no sandbox.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Of a server on this machine."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as the command does
    server = uvicorn.Server(uvicorn.Config(app(), log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser without a screen."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the group browser is not installed")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("there is no chromium; apt-get install chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Any, address: str) -> Iterator[Any]:  # noqa: ANN401  the browser's types come with it
    """An empty page, which must not complain nor ask another host for anything."""
    context = chromium.new_context(
        viewport={"width": 1440, "height": 900}, accept_downloads=True, reduced_motion="reduce"
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    found = context.new_page()
    said: list[str] = []
    foreign: list[str] = []
    found.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    found.on("pageerror", lambda error: said.append(str(error)))
    found.on(
        "request",
        lambda request: None if request.url.startswith((address, "data:", "blob:")) else foreign.append(request.url),
    )
    found.complaints = said
    yield found
    context.close()
    assert foreign == []
    assert said == []
