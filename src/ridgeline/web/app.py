"""What the page asks for: the boards, their views at some values of the controls, and whether an answer is right.

Every request is a reading: nothing is kept but the models that were dropped on the page, the last few of them. What is
wrong in one is said with status 400 and the name of its field.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ridgeline.boards.board import Board, ControlError, Facts, Mode
from ridgeline.boards.document import control_document, view_document
from ridgeline.boards.exercise import KINDS, Exercise, judge, shown, worked
from ridgeline.boards.lecture import BOARDS, CHAPTERS, CLAIMS, EXERCISES, board
from ridgeline.boards.lecture.document import bridge_document, claim_document
from ridgeline.boards.lecture.recording import link
from ridgeline.catalog import machine_ids, model_ids
from ridgeline.figures.theme import THEMES
from ridgeline.quantity_text import QuantityError, parse_quantity, ways_to_write
from ridgeline.web.facts import Dropped, UnknownNameError

__all__ = ["FieldError", "app"]

PAGE = Path(__file__).parent / "page"
"""Built from the sources in the folder ``page`` of the repository."""

MOST_CHARACTERS = 100
"""Of a field; no quantity needs as many."""
MOST_MESSAGE = 600
"""Characters of a refusal."""
MOST_CONFIG_BYTES = 1_000_000
"""Of a dropped file; the longest config.json in the catalog has a twentieth of that."""

# Nothing but what came with the page; KaTeX and Plot set styles on their elements.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"  # noqa: E501
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


class FieldError(ValueError):
    """A request's field that holds what it cannot.

    Attributes:
        field: its name, as met.
        wrong: of all such fields what is wrong with them, where there are more.
    """

    def __init__(self, field: str, message: str, *, wrong: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.wrong = wrong or {field: message}


def app(hosts: tuple[str, ...] = ("127.0.0.1", "localhost")) -> ASGIApp:
    """The application.

    Args:
        hosts: names that requests may call it by; others may come from a foreign page that was led here.
    """
    found = Starlette(
        routes=[
            Route("/api/shelf", _shelf),
            Route("/api/boards/{name}", _board),
            Route("/api/boards/{name}/views", _views),
            Route("/api/exercises/{name}", _exercise),
            Route("/api/models", _model, methods=["POST"]),
            Route("/theme.css", _theme),
            Mount("/", StaticFiles(directory=PAGE, html=True)),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))],
        exception_handlers={FieldError: _refused},
    )
    found.state.dropped = Dropped()
    return _Headers(found)


class _Headers:
    """Adds to every answer, errors too, what keeps the page by itself, and how long it may be kept."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = {name.lower(): value for name, value in message["headers"]}
                # Of the built files the names change with the content.
                kept = "max-age=31536000, immutable" if scope["path"].startswith("/assets/") else "no-cache"
                added = HEADERS | {"cache-control": kept}
                headers |= {name.encode(): value.encode() for name, value in added.items()}
                message["headers"] = list(headers.items())
            await send(message)

        await self.app(scope, receive, sent)


async def _refused(_: Request, error: Exception) -> Response:
    field, wrong = (error.field, error.wrong) if isinstance(error, FieldError) else ("", {})
    said = {_said(name): _said(message) for name, message in wrong.items()}
    return JSONResponse({"field": _said(field), "message": _said(str(error)), "wrong": said}, status_code=400)


def _said(text: str) -> str:
    """Text from a request, as it can be sent back: not too long, and in characters that there are."""
    short = text if len(text) <= MOST_MESSAGE else f"{text[:MOST_MESSAGE]}..."
    return short.encode("utf-8", "replace").decode()


def _shelf(_: Request) -> Response:
    """All boards by name, and what numbers can be taken from and are written as."""
    return JSONResponse(
        {
            "version": metadata.version("ridgeline"),
            "boards": [
                {
                    "name": one.name,
                    "title": one.title,
                    "question": one.question,
                    "chapter": chapter.name,
                    "chapter_title": chapter.title,
                }
                for chapter in CHAPTERS
                for one in chapter.boards
            ],
            "models": model_ids(),
            "machines": machine_ids(),
            "units": ways_to_write(),
        }
    )


def _board(request: Request) -> Response:
    """What stays as it is while controls are turned."""
    fields = _fields(request)
    one = _named(request)
    facts = _facts(request, one, fields)
    if fields:
        raise FieldError(next(iter(fields)), f"board {one.name!r} takes a model and a machine here")
    return JSONResponse(
        {
            "name": one.name,
            "title": one.title,
            "question": one.question,
            "caption": one.caption,
            "formula": [{"tex": term.tex, "colour": term.colour} for term in one.formula],
            "symbols": [{"tex": symbol.tex, "meaning": symbol.meaning} for symbol in one.symbols],
            "time_stamp": one.time_stamp,
            "link": link(one.time_stamp),
            "model": facts.model.id,
            "machine": facts.machine.id,
            "takes_facts": one.takes_facts,
            "controls": [control_document(control, facts) for control in one.controls],
            "claims": _claims(one.name),
            "exercises": [_question(exercise) for exercise in EXERCISES if exercise.id in one.exercises],
        }
    )


def _views(request: Request) -> Response:
    """The pictures of one mode, at the values of the controls that were turned."""
    fields = _fields(request)
    one = _named(request)
    facts = _facts(request, one, fields)
    mode = _mode(fields.pop("mode", Mode.LECTURE.value))
    values = _values(one, mode, fields, facts)
    return JSONResponse(
        {
            "mode": mode.value,
            "controls": values,
            "views": [view_document(view, values) for view in one.views],
        }
    )


@lru_cache(maxsize=len(BOARDS))
def _claims(name: str) -> list[dict[str, Any]]:
    """The ledger's rows on a board, which no control moves."""
    return [
        {**claim_document(claim), "bridge": bridge_document(claim)}
        for wanted in board(name).claims
        for claim in CLAIMS
        if claim.id == wanted
    ]


def _exercise(request: Request) -> Response:
    """Whether an answer is right, and how it is found; without an answer, the way there."""
    fields = _fields(request)
    name = request.path_params["name"]
    exercise = next((one for one in EXERCISES if one.id == name), None)
    if exercise is None:
        raise FieldError("name", f"{name!r} is not an exercise")
    found: dict[str, Any] = {"working": worked(exercise), "answer": shown(exercise.answer(), exercise.dimension)}
    text = fields.pop("answer", None)
    if fields:
        raise FieldError(next(iter(fields)), "an exercise takes an answer alone")
    if text is not None:
        try:
            found["is_right"] = judge(exercise, text).is_right
        except QuantityError as error:
            raise FieldError("answer", str(error)) from None
    return JSONResponse(found)


async def _model(request: Request) -> Response:
    """Keep a dropped config.json, and say by which name; a foreign page's is not taken."""
    if request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        raise FieldError("config", "comes from another page; drop the file on this one")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_CONFIG_BYTES:
            raise FieldError("config", f"more than {MOST_CONFIG_BYTES:,} bytes; a model's config.json is shorter")
    dropped: Dropped = request.app.state.dropped
    try:
        name = await run_in_threadpool(dropped.keep, body)
    except ValueError as error:
        raise FieldError("config", str(error)) from None
    return JSONResponse({"model": name})


def _theme(_: Request) -> Response:
    """The figures' colours, as the page's."""
    rules = {
        name: "".join(
            f"--{part}:{getattr(theme, part)};"
            for part in ("background", "beyond", "ink", "muted", "compute", "kv", "weights", "estimate")
        )
        for name, theme in THEMES.items()
    }
    css = (
        f":root{{color-scheme:light;{rules['light']}}}"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{rules['dark']}}}}}"
        f":root[data-theme=dark]{{color-scheme:dark;{rules['dark']}}}"
    )
    return Response(css, media_type="text/css")


def _fields(request: Request) -> dict[str, str]:
    """Of the address; each once and short."""
    found: dict[str, str] = {}
    for name, text in request.query_params.multi_items():
        if name in found:
            raise FieldError(name[:MOST_CHARACTERS], "stands twice; write it once")
        if len(name) > MOST_CHARACTERS or len(text) > MOST_CHARACTERS:
            raise FieldError(name[:MOST_CHARACTERS], f"is longer than {MOST_CHARACTERS} characters")
        found[name] = text
    return found


def _named(request: Request) -> Board:
    try:
        return board(request.path_params["name"])
    except ValueError as error:
        raise FieldError("board", str(error)) from None


def _facts(request: Request, one: Board, fields: dict[str, str]) -> Facts:
    """Of the model and the machine that the fields name, which are taken out."""
    dropped: Dropped = request.app.state.dropped
    names = {field: fields.pop(field, "") for field in ("model", "machine")}
    try:
        return dropped.facts(one, **names)
    except UnknownNameError as error:
        raise FieldError(error.field, str(error)) from None


def _mode(text: str) -> Mode:
    try:
        return Mode(text)
    except ValueError:
        raise FieldError("mode", f"{text!r} is not a mode; there are {', '.join(Mode)}") from None


def _values(one: Board, mode: Mode, texts: dict[str, str], facts: Facts) -> dict[str, float]:
    """Of all controls, from text with units as a person types it; all that is wrong is said together."""
    wrong: dict[str, str] = {}
    turned: dict[str, float] = {}
    for name, text in texts.items():
        try:
            value = parse_quantity(text, one.control(name).dimension)
            one.values(Mode.LECTURE, {name: value}, facts)
        except (ControlError, QuantityError) as error:
            wrong[name] = str(error)
        else:
            turned[name] = value
    if not wrong:
        try:
            return one.values(mode, turned, facts)
        except ControlError as error:
            wrong[error.control] = str(error)
    field, message = next(iter(wrong.items()))
    raise FieldError(field, message, wrong=wrong)


def _question(exercise: Exercise) -> dict[str, Any]:
    return {"id": exercise.id, "question": exercise.question, "asked": KINDS[exercise.dimension]}
