"""``ridgeline blackboard``: the boards as a local page, live, or as a site that any host serves."""

from __future__ import annotations

import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import click

from ridgeline.boards.lecture import BOARDS
from ridgeline.cli.output import json_option, print_json
from ridgeline.cli.progress import progress
from ridgeline.extras import installing
from ridgeline.quantity_text import format_quantity
from ridgeline.web.exported import Exported

if TYPE_CHECKING:
    from asyncio import Protocol

__all__ = ["command", "document", "export_document"]

HOST = "127.0.0.1"
PORT = 8265
LARGEST_PORT = 65535
MOST_REQUESTS = 64
"""Most requests at the same time; the page has two under way."""
IDLE_S = 5
"""Seconds until an idle connection is closed."""
LONGEST_HEAD_S = 10
"""Seconds for a request's head to arrive."""
MOST_HEAD_BYTES = 16_384
"""Most bytes of a request's head: its address, with all fields of a board, and its headers."""


@click.command("blackboard")
@click.option(
    "--port",
    type=click.IntRange(0, LARGEST_PORT),
    default=PORT,
    show_default=True,
    help="Where the page is found; 0 for any that is free.",
)
@click.option("--no-browser", is_flag=True, help="Say the address and open nothing.")
@click.option(
    "--export",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write the page as a site that any host serves, with Python in it, and open nothing. Fetches Pyodide by npm.",
)
@click.option("--url", help="With --export: where the site will be, for the pictures that links to it are shown with.")
@click.option("--no-python", is_flag=True, help="With --export: the boards as they begin, without Python to turn them.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    port: int,
    no_browser: bool,  # noqa: FBT001  a flag
    folder: Path | None,
    url: str | None,
    no_python: bool,  # noqa: FBT001  a flag
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """Open the lecture's boards as a page of this machine, with its curves under your hand. Ctrl-C ends it."""
    if folder is not None:
        _refuse_beside(context, "port", "no_browser", with_export=True)
        _export(folder, url, no_python=no_python, as_json=as_json)
        return
    _refuse_beside(context, "url", "no_python", with_export=False)
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise click.UsageError(f"the page needs a server: {installing('web')}")
    listener = _listener(port)
    address = f"http://{HOST}:{listener.getsockname()[1]}/"
    # The server is an extra, and slow to import.
    import uvicorn  # noqa: PLC0415

    from ridgeline.web.app import app  # noqa: PLC0415
    from ridgeline.web.heads import protocol_with_timely_heads  # noqa: PLC0415

    config = uvicorn.Config(
        app(),
        http=cast("type[Protocol]", protocol_with_timely_heads(LONGEST_HEAD_S)),
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
    sys.stdout.flush()  # so that a program that waits for the address reads it now
    if not no_browser:
        threading.Timer(0.2, webbrowser.open, (address,)).start()
    with suppress(KeyboardInterrupt):  # which is how it ends
        server.run(sockets=[listener])


def _refuse_beside(context: click.Context, *names: str, with_export: bool) -> None:
    """Refuse options that mean nothing with ``--export``, or nothing without it."""
    for name in names:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            option = f"--{name.replace('_', '-')}"
            beside = "leave it out: --export opens nothing" if with_export else "add --export DIR, or leave it out"
            raise click.BadParameter(beside, param_hint=option)


def _export(folder: Path, url: str | None, *, no_python: bool, as_json: bool) -> None:
    """Write the site, and say what it weighs."""
    # Imported here: half of the package, which the server does not need.
    from ridgeline.web.site import SiteError, export_site  # noqa: PLC0415

    place = _address(url) if url else ""
    # Half a minute passes before the first board is written, more where Python is fetched.
    fetched = "" if no_python else ", with Python, which npm fetches where it is not here yet"
    click.echo(f"Writing {len(BOARDS)} boards into {folder}{fetched}", err=True)
    try:
        with progress("boards written", len(BOARDS)) as told:
            found = export_site(folder, url=place, with_python=not no_python, told=told)
    except SiteError as error:
        raise click.BadParameter(str(error), param_hint="--export") from None
    except OSError as error:
        raise click.BadParameter(f"{folder} cannot be written ({error.strerror})", param_hint="--export") from None
    if as_json:
        print_json(export_document(folder, place, found, no_python=no_python))
        return
    click.echo(f"Wrote {folder}: {len(BOARDS)} boards, {_size(found.total_bytes)} in all")
    click.echo(
        f"  first pictures  {_size(found.page_bytes)} (of that documents {_size(found.document_bytes)});"
        f" {_size(found.sent_bytes)} where the host compresses text"
    )
    if found.python_bytes:
        click.echo(f"  Python          {_size(found.python_bytes)}, on the first turn of a slider")
    else:
        click.echo(f"  no Python       {found.without_python}: sliders cannot be turned there")
    if found.image_bytes:
        click.echo(f"  link pictures   {_size(found.image_bytes)}, for whoever shows a link")
    else:
        click.echo(f"  no pictures     {found.without_images}")
    if not place:
        click.echo("  Pictures of links have relative addresses, which few programs follow; give the site's by --url")
    click.echo(f"Try it: python -m http.server -d {folder}")


def _address(url: str) -> str:
    """Address of a site, with a slash at its end.

    Raises:
        click.BadParameter: it is none.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.query or parts.fragment:
        raise click.BadParameter(
            f"{url!r} is no address of a site; write https://example.org/blackboard/", param_hint="--url"
        )
    return url if url.endswith("/") else f"{url}/"


def _size(size_bytes: int) -> str:
    return format_quantity(size_bytes, "bytes")


def export_document(folder: Path, url: str, found: Exported, *, no_python: bool) -> dict[str, Any]:
    """JSON document on a site that was written."""
    inputs = {"export": str(folder), "url": url, "no_python": no_python}
    return {"inputs": inputs, "total_bytes": found.total_bytes, **asdict(found)}


def document(port: int, address: str, *, no_browser: bool) -> dict[str, Any]:
    """JSON document for a program that starts the page."""
    return {"inputs": {"port": port, "no_browser": no_browser}, "address": address}


def _listener(port: int) -> socket.socket:
    """Listening socket on this machine alone; nobody else can reach the page.

    Raises:
        click.BadParameter: the port is taken.
    """
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # An answer's body is sent without waiting until its head is acknowledged.
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
