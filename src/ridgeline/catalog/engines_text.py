"""Fitted engines as the text of their file."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.fitted_numbers import Uncertainty, number_text, text_text
from ridgeline.specs.engine import Engine, Spread
from ridgeline.specs.evidence import Evidence

__all__ = ["engines_text"]

from ridgeline.catalog.engines import ENGINES, EngineFile, as_of, error_spreads, known_tables


def engines_text(
    engines: Mapping[str, Engine],
    uncertainty: Mapping[str, Uncertainty],
    spreads: Mapping[str, Spread] | None = None,
    *,
    novelty: Mapping[str, Mapping[str, float]] | None = None,
    reach: Evidence | None = None,
    is_whole: bool = True,
) -> str:
    """Text of the file with other engines' numbers.

    Args:
        engines: engines to change, by name; the others stay as they are.
        uncertainty: uncertainty of fitted numbers, by ``engine.field``, ``engine.scheduling.field`` or
            ``replay.field``; numbers of changed engines without one are written plain.
        spreads: spreads of errors, by quantity; left out, they stay as they are.
        novelty: widths of intervals by what is new and by quantity; left out, they stay as they are.
        reach: deployments that all engines together were measured with; left out, it stays as it is.
        is_whole: whether unchanged engines are written, and spreads.
    """
    changed = {
        name: engines.get(name, known) for name, (known, _) in known_tables().items() if is_whole or name in engines
    }
    # Shared numbers are those of a changed engine, where there is one.
    replays = [engine.replay for engine in (*engines.values(), *changed.values()) if engine.replay is not None]
    now = read_toml(ENGINES, EngineFile)
    sure = dict(uncertainty)
    if is_whole:
        unchanged = {*changed} - {*engines} | ({"replay"} if replays[:1] == [now.replay] else set())
        places = {place.removeprefix("engines."): one for place, one in now.uncertainty.items()}
        sure = {place: one for place, one in places.items() if place.partition(".")[0] in unchanged} | sure
    lines = ["# Fitted on measured cases; every number is explained in specs/engine.py.", "", f"as_of = {as_of()}"]
    if replays:
        lines += ["", "[replay]", *_lines(replays[0], "replay", sure)]
    for quantity, spread in ((spreads or error_spreads()) if is_whole else {}).items():
        lines += ["", f"[spreads.{quantity}]", *_lines(spread, "", {})]
    for what, widths in ((now.novelty.by_name() if novelty is None else novelty) if is_whole else {}).items():
        lines += ["", f"[novelty.{what}]", *_widths(widths)]
    if is_whole:
        kinds, chips = (
            (now.reach if reach is None else reach).layer_kinds,
            (now.reach if reach is None else reach).chips,
        )
        listed = ", ".join(map(text_text, kinds))
        lines += ["", "[reach]", f"layer_kinds = [{listed}]", f"chips = {number_text(chips, None)}"]
    for name, engine in changed.items():
        lines += ["", *_engine_lines(name, engine, sure)]
    return "\n".join(lines) + "\n"


def _engine_lines(name: str, engine: Engine, sure: Mapping[str, Uncertainty]) -> list[str]:
    """Lines with the tables of one engine."""
    lines = [f"[engines.{name}]", f"status = {text_text(engine.status)}"]
    lines.append(f"runs = [{', '.join(map(text_text, known_tables()[name][1]))}]")
    lines += _lines(engine, name, sure)
    if engine.replay is not None:
        lines.append("replays = true")
    if engine.evidence.deployments:
        lines += ["measured = [", *(f'    ["{of}", "{on}"],' for of, on in engine.evidence.deployments), "]"]
        if engine.evidence.users < math.inf:
            lines.append(f"most_users = {number_text(engine.evidence.users, None)}")
    if scheduling := _lines(engine.scheduling, f"{name}.scheduling", sure):
        lines += ["", f"[engines.{name}.scheduling]", *scheduling]
    if engine.widths:
        lines += ["", f"[engines.{name}.widths]", *_widths(engine.widths)]
    return lines


def _widths(widths: Mapping[str, float]) -> list[str]:
    return [f"{of} = {number_text(width, None)}" for of, width in widths.items()]


def _lines(record: Any, name: str, uncertainty: Mapping[str, Uncertainty]) -> list[str]:  # noqa: ANN401  a record
    """Lines with the numbers and flags of a record that differ from their defaults."""
    lines = []
    for one in dataclasses.fields(record):
        value = getattr(record, one.name)
        if value == one.default:
            continue
        if isinstance(value, bool):
            lines.append(f"{one.name} = {str(value).lower()}")
        elif isinstance(value, (int, float)):
            lines.append(f"{one.name} = {number_text(value, uncertainty.get(f'{name}.{one.name}'))}")
    return lines
