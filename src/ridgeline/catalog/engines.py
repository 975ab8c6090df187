"""Fitted overheads of serving engines: one TOML file, an engine a table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile, read_toml
from ridgeline.specs.engine import IDEAL_ENGINE, Engine

__all__ = ["ENGINES", "engine_ids", "engine_of", "engines_text", "load_engine"]

ENGINES = CATALOG / "engines.toml"


class EngineFacts(FactFile):
    """A table of the file; a number that it leaves out takes no time."""

    status: str
    runs: tuple[str, ...]
    is_captured: bool = True
    has_own_sums: bool = True
    step_s: float = 0.0
    sequence_s: float = 0.0
    request_s: float = 0.0
    layer_s: float = 0.0
    token_s: float = 0.0
    launch_layer_s: float = 0.0


class EngineFile(FactFile):
    """The file."""

    engines: dict[str, EngineFacts]


@lru_cache(maxsize=1)
def _tables() -> dict[str, tuple[Engine, tuple[str, ...]]]:
    """Engines, and how the names start of what are runs of them."""
    tables = {}
    for name, facts in read_toml(ENGINES, EngineFile).engines.items():
        numbers = facts.model_dump()
        runs = numbers.pop("runs")
        tables[name] = (Engine(name=name, **numbers), runs)
    return tables


def engine_ids() -> list[str]:
    """Catalog names of engines; the ideal one takes no time."""
    return sorted([IDEAL_ENGINE.name, *_tables()])


def load_engine(name: str) -> Engine:
    """An engine by its catalog name.

    Raises:
        CatalogError: there is no such engine; lists those that are.
    """
    if name == IDEAL_ENGINE.name:
        return IDEAL_ENGINE
    if name not in _tables():
        raise CatalogError(f"no engine {name!r} in the catalog; it has {', '.join(engine_ids())}")
    return _tables()[name][0]


def engine_of(run: str) -> Engine:
    """The engine of a run by what the run calls it, version and all; the ideal one where it is not known."""
    named = [
        (len(start), engine)
        for engine, starts in _tables().values()
        for start in starts
        if run.lower().startswith(start)
    ]
    return max(named, key=lambda one: one[0])[1] if named else IDEAL_ENGINE


def engines_text(engines: Mapping[str, Engine], remarks: Mapping[str, str]) -> str:
    """The text of the file with other engines' numbers.

    Args:
        engines: by name, what is changed; the others stay as they are.
        remarks: what is said behind a number, by ``engine.field``.
    """
    lines = ["# Written by `ridgeline calibrate`; every number is explained in specs/engine.py."]
    for name, (known, runs) in _tables().items():
        engine = engines.get(name, known)
        lines += ["", f"[engines.{name}]", f"status = {_toml(engine.status)}"]
        lines.append(f"runs = [{', '.join(map(_toml, runs))}]")
        for field in dataclasses.fields(Engine):
            value = getattr(engine, field.name)
            if field.name not in {"name", "status"} and value != field.default:
                remark = remarks.get(f"{name}.{field.name}")
                lines.append(f"{field.name} = {_toml(value)}" + (f"  # {remark}" if remark else ""))
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:  # noqa: ANN401  text, a flag or a number
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else f"{value:.4g}"
