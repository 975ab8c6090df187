"""``ridgeline blackboard``: the boards as a local page, live."""

from __future__ import annotations

import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

import click

from ridgeline.cli.output import json_option, print_json

__all__ = ["command", "document"]

HOST = "127.0.0.1"
PORT = 8265
LARGEST_PORT = 65535
MOST_REQUESTS = 64
"""At the same time; the page has two under way."""
IDLE_S = 5
"""Until a connection on which nothing more is asked is closed."""
MOST_HEAD_BYTES = 16_384
"""Of a request: its address, with all fields of a board, and its headers."""


@click.command("blackboard")
@click.option(
    "--port",
    type=click.IntRange(0, LARGEST_PORT),
    default=PORT,
    show_default=True,
    help="Where the page is found; 0 for any that is free.",
)
@click.option("--no-browser", is_flag=True, help="Say the address and open nothing.")
@json_option
def command(port: int, no_browser: bool, as_json: bool) -> None:  # noqa: FBT001  flags
    """Open the lecture's boards as a page of this machine, with its curves under your hand. Ctrl-C ends it."""
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise click.UsageError('the page needs a server: pip install "ridgeline[web]"')
    listener = _listener(port)
    address = f"http://{HOST}:{listener.getsockname()[1]}/"
    # The server is an extra, and slow to import.
    import uvicorn  # noqa: PLC0415

    from ridgeline.web.app import app  # noqa: PLC0415

    # Uvicorn waits for a request's head for ever; who could hold connections open so runs on this machine.
    config = uvicorn.Config(
        app(),
        log_level="warning",
        access_log=False,
        limit_concurrency=MOST_REQUESTS,
        timeout_keep_alive=IDLE_S,
        h11_max_incomplete_event_size=MOST_HEAD_BYTES,
    )
    server = uvicorn.Server(config)
    if as_json:
        print_json(document(port, address, no_browser=no_browser))
    else:
        click.echo(f"The blackboard is at {address}  (Ctrl-C ends it)")
    sys.stdout.flush()  # who waits for the address reads it now
    if not no_browser:
        threading.Timer(0.2, webbrowser.open, (address,)).start()
    with suppress(KeyboardInterrupt):  # which is how it ends
        server.run(sockets=[listener])


def document(port: int, address: str, *, no_browser: bool) -> dict[str, Any]:
    """What a program is told that starts the page."""
    return {"inputs": {"port": port, "no_browser": no_browser}, "address": address}


def _listener(port: int) -> socket.socket:
    """On this machine alone; nobody else can reach the page.

    Raises:
        click.BadParameter: the port is taken.
    """
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # An answer's body does not wait for word of its head.
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        found.bind((HOST, port))
        found.listen()
    except OSError as error:
        found.close()
        raise click.BadParameter(
            f"{port} cannot be listened on ({error.strerror}); write another, or 0 for any that is free",
            param_hint="--port",
        ) from None
    return found
