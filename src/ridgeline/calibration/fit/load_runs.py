"""Measured rows under load with the passes behind them, and engines with other numbers than the catalog's."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.fit.priors import FIRST_TOKENS, SAME, TOKENS
from ridgeline.calibration.kinds.kind import KINDS, LoadKind
from ridgeline.calibration.kinds.loads import LoadPasses, LoadQuantity
from ridgeline.calibration.kinds.run import Machines, Run, as_stated, machine_of
from ridgeline.catalog.engines import USUAL, engine_ids, engine_of, fitted_engine
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import MEASURED

__all__ = [
    "LoadRun",
    "known_numbers",
    "load_runs",
    "with_numbers",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRun:
    """A measured row under load.

    Attributes:
        case: row of the case file.
        run: row with its records.
        passes: passes of its pools.
        quantity: quantity that was measured.
    """

    case: Case
    run: Run
    passes: LoadPasses
    quantity: LoadQuantity

    @property
    def band(self) -> str:
        """Quantity whose errors it shows."""
        return self.quantity.band

    @property
    def series(self) -> tuple[str, ...]:
        """Key of rows that differ only in users and lengths."""
        layout = str(self.passes.pools[-1].deployment.layout)
        names = ("engine", "model", "machine", "weight_dtype", "chips")
        return (self.case.family, self.band, layout, *(self.case.text(name) for name in names))


def load_runs(cases: Iterable[Case], *, models: ModelTable, machines: Machines) -> list[LoadRun]:
    """Measured rows under load; those that are not predicted are left out."""
    found = []
    for case in cases:
        kind = KINDS.get(case.kind)
        if not isinstance(kind, LoadKind) or not case.measured or case.quantity not in kind.quantities:
            continue
        try:
            machine, _ = machine_of(case, machines)
            engine = as_stated(engine_of(case.engine), case)
            run = Run(case=case, machine=machine, fidelity=MEASURED, models=models, engine=engine)
            passes = kind.passes(run)
        except Unsupported:
            continue
        found.append(LoadRun(case=case, run=run, passes=passes, quantity=kind.quantities[case.quantity]))
    return found


def with_numbers(engine: Engine, numbers: Mapping[str, float]) -> Engine:
    """An engine with CUDA graphs with other numbers; those of other engines are ignored."""
    if engine.replay is None:
        return engine
    changes: dict[str, dict[str, Any]] = {"replay": {}, "scheduling": {}, "": {}}
    for key, table, field in _fields(engine.name, tuple(numbers)):
        changes[table][field] = numbers[key]
    return dataclasses.replace(
        engine,
        replay=dataclasses.replace(engine.replay, **changes["replay"]),
        scheduling=dataclasses.replace(engine.scheduling, **changes["scheduling"]),
        **changes[""],
    )


@lru_cache(maxsize=256)  # a fit asks for the same numbers' fields with one value after the other
def _fields(engine: str, keys: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """Numbers that an engine has, each with the engine's record that holds it and the field."""
    name = SAME.get(engine, engine)
    found = []
    for key in keys:
        *owner, field = key.split(".")
        table = owner[-1] if owner and owner[-1] in {"replay", "scheduling"} else ""
        # Only the engine with prefill-first scheduling has its waves.
        is_own = engine != name or (table, field) != ("scheduling", "prefill_first_fraction")
        if is_own and owner[: len(owner) - bool(table)] in ([], [name]):
            found.append((key, table, field))
    return tuple(found)


def known_numbers() -> dict[str, float]:
    """The catalog's numbers, by name as in ``TOKENS`` and ``FIRST_TOKENS``; zero where it has none."""
    found = {}
    for name in (*TOKENS, *FIRST_TOKENS):
        owner, _, field = name.rpartition(".")
        of_engine, _, table = owner.partition(".") if owner.split(".")[0] in engine_ids() else ("", "", owner)
        # Shared numbers stand with each engine; an engine that differs in one rule has that rule's numbers.
        of_these = [of_engine or USUAL, *(other for other, same in SAME.items() if same == of_engine)]
        holders = (getattr(engine, table) if table else engine for engine in map(fitted_engine, of_these))
        found[name] = next((value for one in holders if (value := float(getattr(one, field)))), 0.0)
    return found
