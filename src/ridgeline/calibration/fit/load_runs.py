"""Measured rows under load with the passes behind them, and engines with other numbers than the catalog's."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
    name = SAME.get(engine.name, engine.name)
    changes: dict[str, dict[str, Any]] = {"replay": {}, "scheduling": {}, "": {}}
    for key, value in numbers.items():
        *owner, field = key.split(".")
        table = owner[-1] if owner and owner[-1] in changes else ""
        if owner[: len(owner) - bool(table)] in ([], [name]):
            changes[table][field] = value
    # Only the engine with prefill-first scheduling has its waves.
    if engine.name == name:
        changes["scheduling"].pop("prefill_first_fraction", None)
    return dataclasses.replace(
        engine,
        replay=dataclasses.replace(engine.replay, **changes["replay"]),
        scheduling=dataclasses.replace(engine.scheduling, **changes["scheduling"]),
        **changes[""],
    )


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
