"""The types of the documents that the page is answered with, in TypeScript, from the code.

python bench/page_types.py             print them
python bench/page_types.py --write     and put them into page/src/documents.ts
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum, EnumType
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from ridgeline import quantity_text
from ridgeline.boards import (
    beliefs,
    board,
    bubble,
    chip_shares,
    colour,
    companions,
    constant,
    flows,
    journeys,
    opened_chip,
    picture,
    place,
    row_of_racks,
    scene,
    schematic,
    tick,
    two_chips,
    verdict,
)
from ridgeline.boards.documents import axes, letters, sources, view
from ridgeline.boards.documents.record import is_optional, is_written
from ridgeline.boards.documents.view import ViewDocument, kind_of
from ridgeline.boards.lecture import document as lecture
from ridgeline.boards.lecture import live_numbers, places, walk
from ridgeline.boards.thumbnails import look
from ridgeline.web import documents, thumbnails

FILE = Path(__file__).parents[1] / "page" / "src" / "documents.ts"
MODULES: tuple[ModuleType, ...] = (
    colour,
    board,
    constant,
    verdict,
    place,
    opened_chip,
    chip_shares,
    quantity_text,
    tick,
    beliefs,
    flows,
    scene,
    schematic,
    journeys,
    bubble,
    two_chips,
    row_of_racks,
    companions,
    picture,
    letters,
    sources,
    axes,
    view,
    lecture,
    live_numbers,
    walk,
    places,
    look,
    thumbnails,
    documents,
)
"""Whose records are written, as far as a document has them."""

HEAD = "// Written by bench/page_types.py from the documents of src/ridgeline/; do not edit.\n"
PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    Any: "unknown",
    picture.Series: "number[]",
    picture.Rows: "number[][]",
}
ENDING = "Document"
KEEPING_IT = "RefusalDocument"
"""The page has an error of that name without it."""
WIDEST = 120


def main() -> None:
    """Print the file, or write it."""
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(types(), encoding="utf-8")
    else:
        print(types(), end="")


def types() -> str:
    """The file as it should be."""
    return HEAD + "".join(f"\n{text}" for text in written())


def written() -> Iterator[str]:
    """Each type's text, in the order of the modules."""
    for name, found in NAMED.items():
        if isinstance(found, EnumType):
            yield f"{_comment(_first(found), '')}{_union(name, [json.dumps(value) for value in _values(found)])}"
        elif found is ViewDocument:
            yield from _views(name)
        elif _is_record(found):
            yield _interface(name, found)
        else:
            yield _union(name, [_type(one) for one in get_args(found)])


def _interface(name: str, found: Any) -> str:  # noqa: ANN401  a type
    return f"{_comment(_first(found), '')}export interface {name} {{\n{''.join(_fields(found))}}}\n"


def _views(name: str) -> Iterator[str]:
    """One a kind of picture, by whose name the page tells them apart."""
    text = _interface(f"{name}Of<Kind, Drawn>", ViewDocument)
    for field, hint in (("kind", "Kind"), ("pictures", "Partial<Record<Mode, Drawn>>")):
        text = re.sub(f"  {field}: .*;", f"  {field}: {hint};", text)
    yield text
    kinds = get_args(picture.Picture)
    yield "".join(f'export type {one.__name__}{name} = {name}Of<"{kind_of(one)}", {one.__name__}>;\n' for one in kinds)
    yield _union(name, [f"{one.__name__}{name}" for one in kinds])


def _values(found: EnumType) -> list[str]:
    members: Iterable[Enum] = found
    return [str(one.value) for one in members]


def _named() -> dict[str, Any]:
    """By name what an answer is made of: documents, records of pictures, and the enumerations that they hold."""
    there = {name: getattr(module, name) for module in MODULES for name in module.__all__}
    used = set().union(*map(_within, (documents.AnswerDocument, documents.DroppedDocument, picture.Picture)))
    enumerations = {name: one for name, one in there.items() if isinstance(one, EnumType) and one in used}
    # A union is no type of its own, and is written where all that it is of is.
    held = {
        name: one
        for name, one in there.items()
        if (_is_record(one) and one in used) or (isinstance(one, UnionType) and used.issuperset(get_args(one)))
    }
    return enumerations | {name if name == KEEPING_IT else name.removesuffix(ENDING): one for name, one in held.items()}


def _is_record(found: Any) -> bool:  # noqa: ANN401  a type
    return is_typeddict(found) or is_dataclass(found)


def _hints(found: Any) -> dict[str, Any]:  # noqa: ANN401  a type
    """Of the fields that a document has."""
    hints = get_type_hints(found, include_extras=True)
    if not is_dataclass(found):
        return hints
    return {
        one.name: NotRequired[given(hints[one.name])] if is_optional(one) else hints[one.name]
        for one in fields(found)
        if is_written(one)
    }


def given(hint: Any) -> Any:  # noqa: ANN401  a type
    """A hint without None."""
    return Union[tuple(part for part in get_args(hint) if part is not NoneType)]  # noqa: UP007  of parts that are met


def _within(hint: Any) -> set[Any]:  # noqa: ANN401  a type
    """All types that a hint is made of, those of a record's fields too."""
    hint = _annotated(hint) or hint
    if _is_record(hint):
        return {hint}.union(*map(_within, _hints(hint).values()))
    parts = () if get_origin(hint) in (Literal, Annotated) else get_args(hint)
    return set().union(*map(_within, parts)) if parts else {hint}


def _annotated(hint: Any) -> Any:  # noqa: ANN401  a hint, and what it says
    """The record that a plain document is of, where its hint says so; else None."""
    said = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next(filter(is_dataclass, said), None)


def _fields(found: Any) -> Iterator[str]:  # noqa: ANN401  a type
    said = _attributes(found)
    for name, hint in _hints(found).items():
        is_optional = get_origin(hint) is NotRequired
        kind = _type(get_args(hint)[0] if is_optional else hint)
        yield f"{_comment(said[name], '  ')}  {name}{'?' if is_optional else ''}: {kind};\n"


def _attributes(found: Any) -> dict[str, str]:  # noqa: ANN401  a type
    """What the docstrings say of each field, those of the records that it extends too."""
    said: dict[str, str] = {}
    for one in _extended(found):
        _, _, attributes = inspect.cleandoc(one.__doc__ or "").partition("Attributes:\n")
        name = ""
        for line in attributes.splitlines():
            if line.startswith(" " * 8):
                said[name] += f" {line.strip()}"
            elif line.strip():
                name, _, said[name] = line.strip().partition(": ")
    return said


def _extended(found: Any) -> list[Any]:  # noqa: ANN401  a type
    """A record, and before it those all of whose fields it has: until Python 3.12 it does not tell which it extends."""
    fields = get_type_hints(found, include_extras=True).items()
    records = {one for module in MODULES for one in vars(module).values() if is_typeddict(one) and one is not found}
    extended = [one for one in records if get_type_hints(one, include_extras=True).items() <= fields]
    return [*sorted(extended, key=lambda one: one.__name__), found]


def _first(found: Any) -> str:  # noqa: ANN401  a type
    """The first sentence of its docstring."""
    return inspect.cleandoc(found.__doc__ or "").splitlines()[0]


def _comment(text: str, indent: str) -> str:
    plain = re.sub(r"\bNone\b", "null", text.replace("``", "`"))
    return f"{indent}/** {plain[0].upper()}{plain[1:]} */\n"


def _union(name: str, parts: list[str]) -> str:
    line = f"export type {name} = {' | '.join(parts)};\n"
    return (
        line
        if len(line) < WIDEST
        else f"export type {name} =\n" + "".join(f"  | {one}\n" for one in parts)[:-1] + ";\n"
    )


def _type(hint: Any) -> str:  # noqa: ANN401  a type
    """A hint in TypeScript; what has a name is called by it."""
    hint = _annotated(hint) or hint
    named = next((name for name, one in NAMED.items() if one == hint), None)
    if named or hint in PLAIN:
        return named or PLAIN[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(map(_type, parts)))
    if origin is Literal:
        return " | ".join(map(json.dumps, parts))
    if origin is list or parts[1:] == (...,):
        inner = _type(parts[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(_type, parts))}]"
    if origin is dict:
        # Of an enumeration's members some may be missing.
        key, value = map(_type, parts)
        return f"Record<{key}, {value}>" if parts[0] is str else f"Partial<Record<{key}, {value}>>"
    raise TypeError(f"{hint!r} has no counterpart in TypeScript here; write one")


NAMED = _named()

if __name__ == "__main__":
    main()
