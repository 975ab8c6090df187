"""The site as files: what is in them, and that they are written whole or not at all. tests/browser opens them."""

from __future__ import annotations

import functools
import gzip
import json
import operator
import re
import struct
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from ridgeline.boards.board import Board
from ridgeline.boards.lecture import BOARDS, EXERCISES
from ridgeline.figures.preview import PREVIEW_PIXELS
from ridgeline.web import site
from ridgeline.web.answers import answers
from ridgeline.web.differences import of_bits
from ridgeline.web.documents import AnswerDocument
from ridgeline.web.facts import Dropped
from ridgeline.web.site import MARK, SiteError, export_site

URL = "https://example.org/blackboard/"


Asked = dict[tuple[str, frozenset[tuple[str, str]]], str]
"""The server's answers as JSON, by path and fields."""


@pytest.fixture(scope="module")
def asked() -> Asked:
    """What the export asked the server, and was answered."""
    return {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, asked: Asked) -> Path:
    """A site without Python, of which each picture is a word."""

    def answered(path: str, fields: Mapping[str, str], dropped: Dropped) -> AnswerDocument:
        found = answers(path, fields, dropped)
        asked[path, frozenset(fields.items())] = json.dumps(found)
        return found

    made = tmp_path_factory.mktemp("site") / "made"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "_preview", lambda board: board.name.encode())
        patch.setattr(site, "answers", answered)
        export_site(made, url=URL, with_python=False)
    return made


def documents(folder: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress((folder / "documents" / f"{name}.json.gz.bin").read_bytes()))
    return found


def read(part: Any) -> Any:  # noqa: ANN401  any part of a document
    """With rows of numbers as they were."""
    if isinstance(part, list):
        return [read(one) for one in part]
    if not isinstance(part, dict):
        return part
    if "differences" not in part:
        return {name: read(one) for name, one in part.items()}
    held = part["differences"]
    for start in range(part["order"], 0, -1):
        for place in range(start, len(held)):
            held[place] += held[place - 1]
    return [of_bits(one) for one in held]


def filled(part: Any, whole: Any) -> Any:  # noqa: ANN401  the same
    """With what lies elsewhere in the file."""
    if isinstance(part, list):
        return [filled(one, whole) for one in part]
    if not isinstance(part, dict):
        return part
    if "as_in" in part:
        return functools.reduce(operator.getitem, part["as_in"], whole)
    return {name: filled(one, whole) for name, one in part.items()}


@pytest.mark.slow
@pytest.mark.xdist_group("site")  # written once, in one process
def test_documents_are_the_servers_answers(
    folder: Path, asked: Asked, assert_near: Callable[[Any, Any, str], None]
) -> None:
    keys = set()
    for name in ("lecture", "exercises", *(f"boards/{one.name}" for one in BOARDS)):
        whole = read(documents(folder, name))
        for key, found in filled(whole, whole).items():
            path, _, query = key.partition("?")
            wanted = json.loads(asked[path, frozenset(parse_qsl(query))])
            assert_near(found, wanted, key)
            keys.add(key)
    assert {"shelf", "ledger", "walk"} <= keys
    assert {f"boards/{one.name}" for one in BOARDS} | {f"boards/{one.name}/views" for one in BOARDS} <= keys
    assert {f"exercises/{one.id}" for one in EXERCISES} <= keys


@pytest.mark.slow
@pytest.mark.xdist_group("site")
def test_every_step_of_the_walk_is_drawn_from_files(folder: Path) -> None:
    for step in documents(folder, "lecture")["walk"]["steps"]:
        mode = step["mode"]
        named = step["turned"].items()
        fields = {name if mode == "both" else f"{mode}.{name}": text for name, text in named} | {"mode": mode}
        if mode != "both":
            fields["frame"] = "both"
        assert site.question_key(f"boards/{step['board']}/views", fields) in documents(
            folder, f"boards/{step['board']}"
        )


class Head(HTMLParser):
    """What stands in a page's tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def meta(self, name: str) -> str:
        (found,) = [one["content"] for tag, one in self.tags if tag == "meta" and name in one.values()]
        return found


def test_each_page_says_what_a_link_to_it_shows(folder: Path) -> None:
    for board in BOARDS:
        text = (folder / board.name / "index.html").read_text(encoding="utf-8")
        head = Head(text)
        assert board.title in head.meta("og:title")
        assert head.meta("og:description") == head.meta("description") == board.question
        assert head.meta("og:url") == f"{URL}{board.name}/"
        assert head.meta("og:image") == f"{URL}{board.name}/preview.png"
        assert (folder / board.name / "preview.png").read_bytes() == board.name.encode()
        assert head.meta("ridgeline-site") == "1"
        assert "ridgeline-python" not in text
    first = Head((folder / "index.html").read_text(encoding="utf-8"))
    assert first.meta("og:url") == URL
    assert first.meta("og:image") == f"{URL}cost/preview.png"


def test_pages_find_their_files_in_any_folder_and_allow_no_others(folder: Path) -> None:
    for page, base in ((folder / "index.html", folder), (folder / "cost" / "index.html", folder)):
        head = Head(page.read_text(encoding="utf-8"))
        (where,) = [one["href"] for tag, one in head.tags if tag == "base"]
        assert (page.parent / where).resolve() == base.resolve()
        named = [one.get("href" if tag == "link" else "src", "") for tag, one in head.tags if tag in {"link", "script"}]
        for address in named:
            assert address.startswith("data:") or (base / address).is_file(), address
        policy = head.meta("Content-Security-Policy")
        assert "default-src 'none'" in policy
        assert not re.search(r"https?:|unsafe-eval|\*", policy)
        # A policy holds for what comes after it.
        assert [tag for tag, one in head.tags if tag != "html"][:4] == ["head", "meta", "base", "meta"]


def test_a_folder_with_something_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(SiteError, match="holds other files"):
        export_site(tmp_path, with_python=False)
    with pytest.raises(SiteError, match="is a file"):
        export_site(tmp_path / "mine.txt", with_python=False)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_an_export_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / MARK).write_text("earlier")
    monkeypatch.setattr(site, "BOARDS", BOARDS[:1])
    monkeypatch.setattr(site, "FIRST", BOARDS[0].name)

    def failing(_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(site, "_preview", failing)
    with pytest.raises(KeyboardInterrupt):
        export_site(folder, with_python=False)
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    assert (folder / MARK).read_text() == "earlier"
    monkeypatch.setattr(site, "_preview", lambda _: b"")
    export_site(folder, with_python=False)
    assert json.loads((folder / MARK).read_text())["python_bytes"] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_without_npm_the_boards_are_written_alone_and_why_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ridgeline.web.runtime.shutil.which", lambda _: None)
    monkeypatch.setattr(site, "BOARDS", BOARDS[:1])
    monkeypatch.setattr(site, "FIRST", BOARDS[0].name)
    found = export_site(tmp_path / "site")
    assert found.without_python == "npm is not at hand"
    assert found.python_bytes == 0
    assert not (tmp_path / "site" / "python").exists()
    assert found.total_bytes == found.page_bytes + found.image_bytes
    assert found.document_bytes < found.sent_bytes < found.page_bytes


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_a_links_picture_is_small(board: Board) -> None:
    picture = site._preview(board)  # noqa: SLF001  what the export draws
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == PREVIEW_PIXELS
    assert len(picture) < 45_000
