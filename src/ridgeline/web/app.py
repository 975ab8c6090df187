"""The page's server: its files, and what it asks for, as JSON.

What is wrong in a request is said with status 400 and the name of its field.
"""

from __future__ import annotations

from asyncio import timeout
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ridgeline.web.answers import answers
from ridgeline.web.documents import DroppedDocument
from ridgeline.web.facts import Dropped
from ridgeline.web.fields import FieldError, UnknownPathError
from ridgeline.web.theme import theme_css

__all__ = ["app"]

PAGE = Path(__file__).parent / "page"
"""Folder of the page, built from the folder ``page`` of the repository."""

MOST_CONFIG_BYTES = 1_000_000
"""Size limit of a dropped file, bytes; the longest config.json in the catalog has a twentieth of that."""

MOST_BODY_S = 20
"""Time limit for a dropped file to arrive, s."""

LEAST_ZIPPED_BYTES = 1_000
"""Least size of an answer that is compressed, bytes; a shorter one would hardly shrink."""

ZIPPED = 1
"""Level of compression: the highest takes longer than all that is computed, and a hand on a slider waits for it."""

# Nothing but what came with the page; KaTeX and the charts set styles on their elements.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"  # noqa: E501
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


def app(hosts: tuple[str, ...] = ("127.0.0.1", "localhost")) -> ASGIApp:
    """The application.

    Args:
        hosts: names that requests may call it by; others may come from a foreign page that was led here.
    """
    found = Starlette(
        routes=[
            Route("/api/models", _model, methods=["POST"]),
            Route("/api/{path:path}", _answer),
            Route("/theme.css", _theme),
            Mount("/", StaticFiles(directory=PAGE, html=True)),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
            Middleware(GZipMiddleware, minimum_size=LEAST_ZIPPED_BYTES, compresslevel=ZIPPED),
        ],
        exception_handlers={FieldError: _refused},
    )
    found.state.dropped = Dropped()
    return _Headers(found)


class _Headers:
    """Adds headers to every answer, errors too: isolation from other sites, and cache lifetime."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = {name.lower(): value for name, value in message["headers"]}
                # Of the built files the names change with the content.
                is_built = scope["path"].startswith("/assets/") and message["status"] < HTTPStatus.BAD_REQUEST
                kept = "max-age=31536000, immutable" if is_built else "no-cache"
                added = HEADERS | {"cache-control": kept}
                headers |= {name.encode(): value.encode() for name, value in added.items()}
                message["headers"] = list(headers.items())
            await send(message)

        await self.app(scope, receive, sent)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, FieldError)  # noqa: S101  the only kind that is handed over
    return JSONResponse(error.document(), status_code=404 if isinstance(error, UnknownPathError) else 400)


def _answer(request: Request) -> Response:
    dropped: Dropped = request.app.state.dropped
    return JSONResponse(answers(request.path_params["path"], _fields(request), dropped))


async def _model(request: Request) -> Response:
    """Keep a dropped config.json, and return its name; one from another site is refused."""
    if _is_foreign(request):
        raise FieldError("config", "comes from another page; drop the file on this one")
    try:
        async with timeout(MOST_BODY_S):
            body = await _body(request)
    except TimeoutError:
        raise FieldError("config", f"did not arrive within {MOST_BODY_S} seconds; drop the file again") from None
    except ClientDisconnect:
        return Response(status_code=400)  # the client is gone
    dropped: Dropped = request.app.state.dropped
    try:
        name = await run_in_threadpool(dropped.keep, body)
    except ValueError as error:
        raise FieldError("config", str(error)) from None
    kept: DroppedDocument = {"model": name}
    return JSONResponse(kept)


async def _body(request: Request) -> bytes:
    """Whole body of a request, up to a size limit.

    Raises:
        FieldError: it is.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_CONFIG_BYTES:
            raise FieldError("config", f"more than {MOST_CONFIG_BYTES:,} bytes; a model's config.json is shorter")
    return body


def _is_foreign(request: Request) -> bool:
    """Whether another page asks: as the browser says, older ones by the page's origin alone; programs say neither."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host")


def _theme(_: Request) -> Response:
    return Response(theme_css(), media_type="text/css")


def _fields(request: Request) -> dict[str, str]:
    """Fields of the address by name.

    Raises:
        FieldError: one stands twice.
    """
    found: dict[str, str] = {}
    for name, text in request.query_params.multi_items():
        if name in found:
            raise FieldError(name, "stands twice; write it once")
        found[name] = text
    return found
