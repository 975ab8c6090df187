"""The page as a static site: every board drawn from files, and Python in the page for all that is turned.

A folder that any host serves, at any address: pages, documents, images for links, and Python apart from these, which is
fetched on the first turn of a slider.
"""

from __future__ import annotations

import html
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ridgeline.boards.board import Board, Mode
from ridgeline.boards.lecture import BOARDS, EXERCISES
from ridgeline.boards.lecture.featured import FIRST
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.callbacks import Progress, no_progress
from ridgeline.errors import RidgelineError
from ridgeline.extras import installing
from ridgeline.web.answers import answers
from ridgeline.web.differences import as_differences
from ridgeline.web.exported import Exported
from ridgeline.web.facts import Dropped
from ridgeline.web.runtime import NoRuntimeError, compressed, python_files
from ridgeline.web.theme import theme_css

__all__ = ["SiteError", "export_site", "question_key"]

PAGE = Path(__file__).parent / "page"
MARK = "ridgeline-site.json"
"""File that marks a folder as an earlier export."""

TEXT = (".html", ".css", ".js", ".txt")
"""Files that most hosts compress as they send them."""

LICENCES = "licences.txt"
"""File that nobody needs to see a picture."""

TITLE = "Ridgeline: the blackboard"

# Nothing but what came with the site; a worker is bound by what its host says, and compiles Python by itself.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'none'"  # noqa: E501


class SiteError(RidgelineError):
    """Error for a site that cannot be written to its folder."""


def export_site(folder: Path, *, url: str = "", with_python: bool = True, told: Progress = no_progress) -> Exported:
    """Write the site in place of an earlier one, whole or not at all.

    Args:
        folder: new, empty, or an earlier export.
        url: address of the site, for absolute addresses of images; relative ones if left out.
        with_python: whether values can be turned; else the pictures stay as they are.
        told: callback with the number of boards done since the last call.

    Raises:
        SiteError: the folder holds something else.
    """
    _refuse(folder)
    without_images = "" if find_spec("matplotlib") else f"pictures need the extra plot: {installing('plot')}"
    documents, images, walked = dict[str, bytes](), dict[str, bytes](), _walked()
    # Other programs prepare Python, which takes as long as all that is drawn here meanwhile.
    with ThreadPoolExecutor(max_workers=1) as beside:
        preparing = beside.submit(_python, with_python=with_python)
        for board in BOARDS:
            documents[f"documents/boards/{board.name}.json.gz.bin"] = _documents(_of_board(board, walked))
            if not without_images:
                images[f"{board.name}/preview.png"] = _preview(board)
            told(1)
        python, without_python = preparing.result()
    page = _page(url, python, has_images=not without_images) | documents
    sent = {place: one for place, one in page.items() if place != LICENCES}
    text = {place: one for place, one in sent.items() if place.endswith(TEXT)}
    sizes = {
        "page_bytes": _size(page),
        "document_bytes": _size({place: one for place, one in page.items() if place.startswith("documents/")}),
        "sent_bytes": _size(sent) - _size(text) + sum(len(compressed(one)) for one in text.values()),
        "image_bytes": _size(images),
        "python_bytes": _size(python),
    }
    mark = json.dumps({"what": "written by: ridgeline blackboard --export", **sizes}, indent=2).encode()
    with _replaced(folder) as made:
        for place, content in (page | images | {f"python/{name}": one for name, one in python.items()}).items():
            path = made / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        (made / MARK).write_bytes(mark + b"\n")
    return Exported(**sizes, without_python=without_python, without_images=without_images)


def _python(*, with_python: bool) -> tuple[dict[str, bytes], str]:
    """Files of Python and an empty text, or no files and the reason."""
    if not with_python:
        return {}, "left out as asked"
    try:
        return python_files(), ""
    except NoRuntimeError as error:
        return {}, str(error)


def _size(files: Mapping[str, bytes]) -> int:
    return sum(map(len, files.values()))


def _refuse(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise SiteError(f"{folder} is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise SiteError(f"{folder} holds other files; name a folder that is new, empty or an earlier export")


@contextmanager
def _replaced(folder: Path) -> Iterator[Path]:
    """Folder to write into, which replaces ``folder`` once everything is written."""
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as beside:
        made, before = Path(beside) / "made", Path(beside) / "before"
        made.mkdir()
        yield made
        try:
            if folder.exists():
                folder.replace(before)
            made.replace(folder)
        except BaseException:
            if before.exists() and not folder.exists():
                before.replace(folder)
            raise


def _page(url: str, python: Mapping[str, bytes], *, has_images: bool) -> dict[str, bytes]:
    """Pages and what they share."""
    built = (PAGE / "index.html").read_text(encoding="utf-8")
    found = {
        path.relative_to(PAGE).as_posix(): path.read_bytes()
        for path in sorted(PAGE.rglob("*"))
        if path.is_file() and path.name != "index.html"
    }
    found["theme.css"] = theme_css().encode()
    found["documents/lecture.json.gz.bin"] = _documents({name: answers(name, {}, Dropped()) for name in LECTURE})
    found["documents/thumbnails.json.gz.bin"] = _documents({"thumbnails": answers("thumbnails", {}, Dropped())})
    found["documents/sources.json.gz.bin"] = _documents({"sources": answers("sources", {}, Dropped())})
    found["documents/exercises.json.gz.bin"] = _documents(
        {f"exercises/{one.id}": answers(f"exercises/{one.id}", {}, Dropped()) for one in EXERCISES}
    )
    size = f"{_size(python) / 1e6:.1f}" if python else ""
    first = next(board for board in BOARDS if board.name == FIRST)
    head = _Head(url=url, python_megabytes=size, has_images=has_images)
    found["index.html"] = head.page(built, first, name="").encode()
    for board in BOARDS:
        found[f"{board.name}/index.html"] = head.page(built, board, name=board.name).encode()
    return found


LECTURE = ("shelf", "ledger", "walk")
"""Documents that every page begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """Heads of pages: data for the page's script, for the browser, and for previews of links.

    Attributes:
        url: address of the site; empty if unknown.
        python_megabytes: download in MB when a slider is first turned; empty where nothing is downloaded.
        has_images: whether links can be shown with pictures.
    """

    url: str
    python_megabytes: str
    has_images: bool

    def page(self, built: str, board: Board, *, name: str) -> str:
        """Page of a board, made of the built one; with an empty name, the start page."""
        title = f"{board.title} · Ridgeline" if name else TITLE
        said = re.search(r'<meta name="description" content="([^"]*)"', built)
        if said is None:
            raise SiteError(f"{PAGE / 'index.html'} has no description; build the page anew")
        description = html.escape(board.question) if name else said[1]
        first = (
            f'<base href="{"../" if name else "./"}" />\n'
            f'    <meta http-equiv="Content-Security-Policy" content="{html.escape(POLICY)}" />'
        )
        about = [
            '<meta name="ridgeline-site" content="1" />',
            *([f'<meta name="ridgeline-python" content="{self.python_megabytes}" />'] if self.python_megabytes else []),
            *self._links(board, name, html.escape(title), description),
        ]
        changes = (
            (r'<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {first}'),
            (r"<title>[^<]*</title>", f"<title>{html.escape(title)}</title>"),
            (r'<meta name="description" content="[^"]*"', f'<meta name="description" content="{description}"'),
            (r"</head>", "  {}\n  </head>".format("\n    ".join(about))),
        )
        for pattern, text in changes:
            met = re.search(pattern, built)
            if met is None:
                raise SiteError(f"{PAGE / 'index.html'} has no {pattern}; build the page anew")
            built = built[: met.start()] + text + built[met.end() :]
        return re.sub(r'(href|src)="\.?/(?!/)', r'\1="', built)

    def _links(self, board: Board, name: str, title: str, description: str) -> Iterator[str]:
        """Tags for link previews: Open Graph, and Twitter's additions."""
        place = f"{name}/" if name else ""
        yield f'<meta property="og:title" content="{title}" />'
        yield f'<meta property="og:description" content="{description}" />'
        if self.url:
            yield f'<meta property="og:url" content="{html.escape(self.url)}{place}" />'
        if self.has_images:
            # Who shows a link may know no base: relative to the page itself.
            place = f"{html.escape(self.url)}{board.name}/" if self.url else "" if name else f"{board.name}/"
            image = f"{place}preview.png"
            yield f'<meta property="og:image" content="{image}" />'
            width, height = _preview_pixels()
            yield f'<meta property="og:image:width" content="{width}" />'
            yield f'<meta property="og:image:height" content="{height}" />'
            yield f'<meta property="og:image:alt" content="{html.escape(board.caption)}" />'
            yield '<meta name="twitter:card" content="summary_large_image" />'


def _preview_pixels() -> tuple[int, int]:
    from ridgeline.figures.preview import PREVIEW_PIXELS  # noqa: PLC0415  an extra

    return PREVIEW_PIXELS


def _preview(board: Board) -> bytes:
    from ridgeline.figures.preview import preview_png  # noqa: PLC0415  an extra

    return preview_png(board, board.values(Mode.CAREFUL))


def _walked() -> dict[str, list[dict[str, str]]]:
    """Fields with which steps of the lecture's walk ask for views, by board."""
    found: dict[str, list[dict[str, str]]] = {}
    for step in walk_document()["steps"]:
        of = "" if step["mode"] == "both" else f"{step['mode']}."
        turned = {f"{of}{name}": text for name, text in step["turned"].items()}
        found.setdefault(step["board"], []).append({**turned, **_shown(step["mode"])})
    return found


def _shown(mode: str) -> dict[str, str]:
    """Fields with which the page asks for a mode: for one alone in the frame of both."""
    return {"mode": mode} if mode == "both" else {"mode": mode, "frame": "both"}


def _of_board(board: Board, walked: Mapping[str, list[dict[str, str]]]) -> dict[str, Any]:
    """Documents of a board: of both modes, as it opens, and at each step of the walk."""
    path, dropped = f"boards/{board.name}", Dropped()
    found: dict[str, Any] = {path: answers(path, {}, dropped)}
    opens = _shown(board.opens.value) if board.opens else {}
    for fields in ({}, opens, *walked.get(board.name, ())):
        views: Any = answers(f"{path}/views", fields, dropped)
        found[question_key(f"{path}/views", fields)] = {**views, "views": as_differences(views["views"])}
    return _once(found, f"{path}/views")


def _once(found: dict[str, Any], first: str) -> dict[str, Any]:
    """Documents with a path in place of what their first one has of each picture: steps ask for one mode of two."""
    for key, answer in found.items():
        if key == first or not key.startswith(first):
            continue
        for place, (view, before) in enumerate(zip(answer["views"], found[first]["views"], strict=True)):
            for mode, picture in view["pictures"].items():
                way = [first, "views", place, "pictures", mode]
                view["pictures"][mode] = _known(picture, before["pictures"].get(mode), way)
    return found


def _known(picture: dict[str, Any], before: dict[str, Any] | None, way: list[str | int]) -> dict[str, Any]:
    """A picture with the way to another in place of itself, or of each of its parts, where both are the same."""
    if before is None or picture == before:
        return picture if before is None else {"as_in": way}
    return {
        name: {"as_in": [*way, name]} if part and isinstance(part, list | dict) and part == before.get(name) else part
        for name, part in picture.items()
    }


def question_key(path: str, fields: Mapping[str, str]) -> str:
    """Key under which the page's script looks up a question; defaults are left out."""
    given = sorted((name, text) for name, text in fields.items() if (name, text) != ("mode", "both"))
    return f"{path}?{urlencode(given)}" if given else path


def _documents(found: Mapping[str, Any]) -> bytes:
    return compressed(json.dumps(found, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode())
