"""The types of the documents that the page is answered with, in TypeScript, from the code.

python bench/page_types.py             print them
python bench/page_types.py --write     and put them into page/src/documents.ts
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterable, Iterator
from enum import Enum, EnumType
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from ridgeline import quantity_text
from ridgeline.boards import board, claim, constant, picture, place
from ridgeline.boards.documents import (
    axes,
    beliefs,
    curves,
    flows,
    gantt,
    journeys,
    letters,
    multiples,
    racks,
    scene_view,
    schematic,
    sheet,
    table,
    ticks,
    trains,
    view,
)
from ridgeline.boards.lecture import document as lecture
from ridgeline.boards.lecture import places, walk
from ridgeline.web import documents

FILE = Path(__file__).parents[1] / "page" / "src" / "documents.ts"
MODULES: tuple[ModuleType, ...] = (
    picture,
    board,
    constant,
    claim,
    place,
    quantity_text,
    ticks,
    beliefs,
    flows,
    trains,
    racks,
    gantt,
    journeys,
    multiples,
    letters,
    axes,
    curves,
    table,
    sheet,
    schematic,
    scene_view,
    view,
    lecture,
    walk,
    places,
    documents,
)
"""Whose records are written, as far as a document has them."""

HEAD = "// Written by bench/page_types.py from the documents of src/ridgeline/; do not edit.\n"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "unknown"}
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
    for name, found in _named().items():
        if isinstance(found, EnumType):
            yield f"{_comment(_first(found), '')}{_union(name, [json.dumps(value) for value in _values(found)])}"
        elif is_typeddict(found):
            yield f"{_comment(_first(found), '')}export interface {name} {{\n{''.join(_fields(found))}}}\n"
        else:
            yield _union(name, [_type(one) for one in get_args(found)])


def _values(found: EnumType) -> list[str]:
    members: Iterable[Enum] = found
    return [str(one.value) for one in members]


def _named() -> dict[str, Any]:
    """By name what an answer is made of: documents, and the enumerations that they hold."""
    there = {name: getattr(module, name) for module in MODULES for name in module.__all__}
    wanted = {name: one for name, one in there.items() if name.endswith(ENDING) or is_typeddict(one)}
    used = set().union(*map(_within, (documents.AnswerDocument, documents.DroppedDocument)))
    enumerations = {name: one for name, one in there.items() if isinstance(one, EnumType) and one in used}
    # A union is no type of its own, and is written where all that it is of is.
    held = {name: one for name, one in wanted.items() if one in used or not is_typeddict(one)}
    return enumerations | {name if name == KEEPING_IT else name.removesuffix(ENDING): one for name, one in held.items()}


def _within(hint: Any) -> set[Any]:  # noqa: ANN401  a type
    """All types that a hint is made of, those of a record's fields too."""
    if is_typeddict(hint):
        return {hint}.union(*map(_within, get_type_hints(hint, include_extras=True).values()))
    parts = () if get_origin(hint) is Literal else get_args(hint)
    return set().union(*map(_within, parts)) if parts else {hint}


def _fields(found: Any) -> Iterator[str]:  # noqa: ANN401  a type
    said = _attributes(found)
    for name, hint in get_type_hints(found, include_extras=True).items():
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
    plain = text.replace("``", "`")
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
    named = next((name for name, one in NAMED.items() if one == hint), None)
    if named or hint in PLAIN:
        return named or PLAIN[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(map(_type, parts)))
    if origin is Literal:
        return " | ".join(map(json.dumps, parts))
    if origin is list:
        (inner,) = map(_type, parts)
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
