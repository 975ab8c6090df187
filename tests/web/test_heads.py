"""A client that sends its request's head too slowly is let go; one that waits long for its answer is not."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any, cast

import pytest

uvicorn = pytest.importorskip("uvicorn", reason="the extra web is not installed")

from ridgeline.web.heads import protocol_with_timely_heads  # noqa: E402  which needs it

LONGEST_S = 0.2
SLOW_S = 3 * LONGEST_S
"""For an answer; a head as late would be cut off."""


async def app(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  as ASGI has it
    assert scope["type"] == "http"
    if scope["path"] == "/slow":
        await asyncio.sleep(SLOW_S)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))
    timely = cast("type[asyncio.Protocol]", protocol_with_timely_heads(LONGEST_S))
    server = uvicorn.Server(uvicorn.Config(app, http=timely, lifespan="off", log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join()


def until_closed(held: socket.socket, drip: bytes) -> float:
    """Seconds until the server closes, while a byte is sent now and then."""
    start = time.monotonic()
    held.settimeout(LONGEST_S / 4)
    while time.monotonic() - start < 20 * LONGEST_S:
        try:
            if drip:
                held.send(drip)
            if not held.recv(4096):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - start


@pytest.mark.parametrize("drip", [b"", b"a"], ids=["silent", "dripping"])
def test_a_head_that_does_not_come_ends_the_connection(port: int, drip: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as held:
        held.send(b"GET / HTTP/1.1\r\nhost: ")
        assert LONGEST_S / 2 < until_closed(held, drip) < 10 * LONGEST_S  # the machine may be busy


def test_so_does_one_that_does_not_come_after_another(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as held:
        held.send(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n")
        assert b"200" in held.recv(4096)
        held.send(b"GET / HTTP/1.1\r\nhost: ")
        assert until_closed(held, b"a") < 10 * LONGEST_S


@pytest.mark.slow
def test_who_waits_for_an_answer_is_not_sent_away(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20 * SLOW_S)
    for _ in range(2):
        connection.request("GET", "/slow")
        assert connection.getresponse().read() == b"ok"
    connection.close()
