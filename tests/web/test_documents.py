"""What is sent is what the page's types say: those are written from the same records."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum, EnumType
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from starlette.testclient import TestClient

from ridgeline.boards.documents.record import is_optional, is_written
from ridgeline.boards.documents.view import ViewDocument, kind_of
from ridgeline.boards.lecture import BOARDS, EXERCISES
from ridgeline.boards.picture import Picture, Rows, Series
from ridgeline.web import documents
from ridgeline.web.answers import answers
from ridgeline.web.app import app
from ridgeline.web.facts import Dropped

ROOT = Path(__file__).parents[2]
DROPPED = Dropped()
KINDS = {kind_of(one): one for one in get_args(Picture)}
ARRAYS = {Series: list[float], Rows: list[list[float]]}


@pytest.fixture
def page_types(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    yield importlib.import_module("page_types")
    sys.modules.pop("page_types", None)


def test_the_pages_types_are_written_from_the_documents(page_types: ModuleType) -> None:
    there = (ROOT / "page" / "src" / "documents.ts").read_text(encoding="utf-8")
    assert there == page_types.types(), "run: uv run python bench/page_types.py --write"


def test_types_are_written_as_the_page_has_them(page_types: ModuleType) -> None:
    found = page_types.types()
    assert "  pictures: Partial<Record<Mode, Drawn>>;" in found
    assert 'export type LoopView = ViewOf<"loop", Loop>;' in found
    assert "  ends?: [number, number];" in found
    assert "  high: number[] | null;" in found
    assert "  out_of_reach_from?: number;" in found
    assert "  values: number[][];" in found
    assert "drawn_over" not in found
    # Fields of the record that it extends, with what is said of them.
    claim = found.partition("export interface Claim {")[2].partition("\n}")[0]
    assert '  /** Id such as "A11". */\n  id: string;' in claim
    assert "  bridge: BridgeStep[];" in claim
    with pytest.raises(TypeError, match="no counterpart"):
        page_types._type(set[int])  # noqa: SLF001  of a script


def unlike(value: Any, hint: Any, place: str) -> Iterator[str]:  # noqa: ANN401  JSON, a type
    """Where a decoded document is not what its type says; no field more and none less."""
    origin, parts = get_origin(hint), get_args(hint)
    wrong = f"{place}: {value!r} is no {hint}"
    if is_typeddict(hint) or is_dataclass(hint):
        yield from unlike_record(value, hint, place)
    elif made_from := ARRAYS.get(hint) or (parts[1] if origin is Annotated else None):
        yield from unlike(value, made_from, place)
    elif origin in (Union, UnionType):
        found = [list(unlike(value, one, place)) for one in parts]
        yield from min(found, key=len)
    elif origin in (list, tuple):
        is_long = origin is list or parts[1:] == (...,)
        kinds = (parts[:1] * len(value) if is_long else parts) if isinstance(value, list) else ()
        if not isinstance(value, list) or len(kinds) != len(value):
            yield wrong
        else:
            for number, (one, kind) in enumerate(zip(value, kinds, strict=True)):
                yield from unlike(one, kind, f"{place}[{number}]")
    elif origin is dict:
        for name, one in value.items():
            yield from unlike(name, parts[0], f"{place} key")
            yield from unlike(one, parts[1], f"{place}.{name}")
    elif hint is not Any and value not in plain(value, hint):
        yield wrong


def plain(value: Any, hint: Any) -> list[Any]:  # noqa: ANN401  JSON, a type
    """What a value that is not made of others may be."""
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if isinstance(hint, EnumType):
        members: Iterable[Enum] = hint
        return [one.value for one in members]
    kinds = {float: (float, int), NoneType: (NoneType,)}.get(hint, (hint,))
    return [value] if type(value) in kinds else []  # True is no number


def unlike_record(value: Any, hint: Any, place: str) -> Iterator[str]:  # noqa: ANN401  JSON, a type
    hints = get_type_hints(hint, include_extras=True)
    if is_dataclass(hint):
        hints = {
            one.name: NotRequired[hints[one.name]] if is_optional(one) else hints[one.name]
            for one in fields(hint)
            if is_written(one)
        }
    optional = {name for name, one in hints.items() if get_origin(one) is NotRequired}
    if not isinstance(value, dict) or not set(hints) - optional <= set(value) <= set(hints):
        yield f"{place}: {value!r} has not the fields of {hint}"
        return
    if hint is ViewDocument:
        # Its hints say no more of its pictures than that they are objects.
        kind = KINDS.get(value["kind"])
        for mode, one in value["pictures"].items():
            yield from unlike(one, kind, f"{place}.{mode}") if kind else [f"{place}: no picture is {value['kind']!r}"]
    for name, one in value.items():
        yield from unlike(one, get_args(hints[name])[0] if name in optional else hints[name], f"{place}.{name}")


def check(value: object, hint: object) -> None:
    assert list(unlike(json.loads(json.dumps(value, allow_nan=False)), hint, "document")) == []


@pytest.mark.slow
@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
def test_boards_are_sent_as_their_type_says(one: Any) -> None:  # noqa: ANN401  a board
    check(answers(f"boards/{one.name}", {}, DROPPED), documents.BoardDocument)
    for asked in ({}, {"mode": "careful"}, {"foo": "1"}):
        check(answers(f"boards/{one.name}/views", asked, DROPPED), documents.ViewsDocument)


def test_other_answers_are_sent_as_their_types_say() -> None:
    check(answers("shelf", {}, DROPPED), documents.ShelfDocument)
    check(answers("ledger", {}, DROPPED), documents.LedgerDocument)
    for exercise in EXERCISES:
        check(answers(f"exercises/{exercise.id}", {}, DROPPED), documents.WorkingDocument)
    check(answers(f"exercises/{EXERCISES[0].id}", {"answer": "3 s"}, DROPPED), documents.WorkingDocument)
    client = TestClient(app(hosts=("testserver",)))
    check(client.get("/api/boards/latincy").json(), documents.RefusalDocument)


def test_what_is_not_as_its_type_says_is_found() -> None:
    right = json.loads(json.dumps(answers("boards/departures/views", {}, DROPPED)))
    assert not list(unlike(right, documents.ViewsDocument, ""))
    curves = right["views"][1]
    changes: list[dict[str, Any]] = [
        {"modes": ["bold"]},
        {"more": 1},
        {"controls": {"bold": {}}},
        {"views": [{"kind": "curves"}]},
        {"views": [curves | {"kind": "curve"}]},
        {"views": [curves | {"axes": curves["axes"] | {"x": curves["axes"]["x"] | {"ends": [1]}}}]},
        {"views": [curves | {"heading": True}]},
        {"views": [curves | {"pictures": {"lecture": curves["pictures"]["lecture"] | {"x": ["1"]}}}]},
    ]
    for change in changes:
        assert list(unlike(right | change, documents.ViewsDocument, "")), change
    del right["ignored"]
    assert list(unlike(right, documents.ViewsDocument, ""))
