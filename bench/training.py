"""What training frameworks take, fitted anew on all measured steps, and how right the predictions are.

    python bench/training.py ../shared/evidence             fit, and say how far held-out predictions lie
    python bench/training.py ../shared/evidence --write     and put numbers and bands into the catalog of this clone,
                                                            and the table into docs/accuracy.md

Each step is predicted by a fit without its model on its machine. Memory is fitted on nothing. It takes minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from accuracy import PAGE, filled

from ridgeline.calibration.cases import Case, Unsupported, read_cases
from ridgeline.calibration.cases.model_table import ModelTable, read_model_table
from ridgeline.calibration.fit.training_fit import (
    FittedTraining,
    MeasuredStep,
    fit_training,
    held_out_errors,
    measured_steps,
)
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.kinds.run import Run, machine_of
from ridgeline.calibration.kinds.training_job import job_of
from ridgeline.catalog.fitted_numbers import Uncertainty, number_text
from ridgeline.catalog.trainers import TRAINERS
from ridgeline.specs.fidelity import MEASURED

GATES = {
    "train_megatron": 0.10,
    "train_mpt": 0.12,
    "train_nemo": 0.15,
    "train_maxtext": 0.15,
    "train_torchtitan": 0.15,
    "train_pipeline_schedules": 0.10,
    "train_bridge_cards": 0.12,
    "train_bridge": 0.12,
    "train_bridge_finetune": 0.15,
    "train_simumax": 0.08,
    "train_tpu7x": 0.15,
    "train_mlm": 0.20,
    "memory_simumax": 0.02,
    "memory_mlm": 0.06,
    "memory_bridge": 0.08,
}
"""Largest median of ``|ln(predicted / measured)|``; of other families it is reported alone."""

INSIDE = 0.8
"""Part of measurements that an interval is to hold."""


FAMILIES = {
    "train_megatron": "Megatron-LM on A100, papers' tables",
    "train_mpt": "MPT with FSDP on A100 and H100",
    "train_nemo": "NeMo on H100, B200, GB200, GB300",
    "train_bridge": "Megatron-Bridge, tables",
    "train_bridge_cards": "Megatron-Bridge, verification cards",
    "train_bridge_finetune": "Megatron-Bridge, fine-tuning",
    "train_maxtext": "MaxText on TPU v4, TPU v5e, H100",
    "train_tpu7x": "MaxText on TPU7x",
    "train_torchtitan": "TorchTitan on H100",
    "train_pipeline_schedules": "zero-bubble schedules on A100, steps and memory",
    "train_simumax": "SimuMax on B200",
    "train_mlm": "Megatron-LM's functional tests",
    "memory_simumax": "memory: SimuMax on B200",
    "memory_mlm": "memory: Megatron-LM's functional tests",
    "memory_bridge": "memory: Megatron-Bridge",
}
"""What is gated, in words."""


def shown(errors: Mapping[str, list[float]]) -> str:
    """A line a family: rows, median, p90 and bias of logarithms, and its gate."""
    lines = ["| measured | rows | median | p90 | bias | gate |", "|---|---|---|---|---|---|"]
    known = [family for family in FAMILIES if family in errors]
    for family in [*known, *sorted(errors.keys() - FAMILIES.keys())]:
        logs, gate = np.array(errors[family]), GATES.get(family)
        median, far, bias = float(np.median(np.abs(logs))), np.quantile(np.abs(logs), 0.9), np.median(logs)
        met = "reported" if gate is None else f"{gate:.2f} {'met' if median <= gate else 'missed'}"
        said = FAMILIES.get(family, family.replace("_", " "))
        lines.append(f"| {said} | {len(logs)} | {median:.3f} | {far:.2f} | {bias:+.2f} | {met} |")
    return "\n".join(lines)


class Off(NamedTuple):
    """How far a prediction is off.

    Attributes:
        family: of the row.
        is_routed: whether its model has routed experts.
        error: ``ln(predicted / measured)``.
    """

    family: str
    is_routed: bool
    error: float


def memory_errors(cases: Iterable[Case], models: ModelTable) -> list[Off]:
    """Those of memory, which nothing is fitted on."""
    found = []
    for case in cases:
        if case.quantity == "bytes" and case.kind in {"memory", "train_step"} and case.measured:
            try:
                run = Run(case=case, machine=machine_of(case)[0], fidelity=MEASURED, models=models)
                error = float(np.log(predict(case, models, MEASURED).value / case.measured))
            except Unsupported:
                continue
            found.append(Off(case.family, job_of(run).model.is_routed, error))
    return found


def width(found: Sequence[Off]) -> float:
    """Size that a share of gated errors stays within, a family weighing by the root of its rows."""
    gated = [one for one in found if one.family in GATES]
    counts = Counter(one.family for one in gated)
    sizes = np.abs([one.error for one in gated])
    weights = np.array([counts[one.family] ** -0.5 for one in gated])
    order = np.argsort(sizes)
    shares = np.cumsum(weights[order]) / weights.sum()
    return float(sizes[order][np.searchsorted(shares, INSIDE)])


def text(fitted: FittedTraining, bands: Mapping[str, float], runs: Iterable[MeasuredStep]) -> str:
    """The catalog's file."""
    scored = [run for run in runs if run.case.family in GATES]
    numbers: dict[str, list[str]] = defaultdict(list)
    for one in fitted.parameters:
        known = Uncertainty(log_sd=one.log_sd, rows=one.rows) if one.rows else None
        table, field = _place(one.name)
        numbers[table].append(f"{field} = {number_text(one.value, known)}")
    for name, trainer in fitted.trainers.items():
        numbers[f"trainers.{name}"].append(f"attention_factor.other = {trainer.attention_factor['other']:.4g}")
        chips = [run.job.layout.chips for run in scored if run.trainer == name]
        numbers[f"trainers.{name}"].append(f"measured_chips = {int(np.median(chips))}")
        numbers[f"trainers.{name}"].append(f"most_chips = {max(chips)}")
    first = next(iter(fitted.trainers.values()))
    for field in ("products_factor", "narrow_products_factor", "experts_factor"):
        numbers["shared"].append(f"{field}.other = {getattr(first, field)['other']:.4g}")
    lines = [
        "# Fitted on measured steps of training runs; every number is explained in specs/trainer.py.",
        f'status = "fitted on {len(scored)} measured steps"',
    ]
    for table, said in numbers.items():
        lines += ["", f"[{table}]", *said]
    lines += ["", "[bands]", 'by = "steps without their model on their machine; memory as it is"']
    lines += [f"{name} = {value:.4g}" for name, value in bands.items()]
    return "\n".join(lines) + "\n"


def _place(name: str) -> tuple[str, str]:
    owner, _, field = name.partition(".")
    if owner == "trainers":
        trainer, _, field = field.partition(".")
        owner = f"trainers.{trainer}"
    return owner, field


def main() -> str | None:
    """Fit, judge, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evidence", type=Path, help="folder with models.csv, and open/ with cases")
    parser.add_argument("--write", action="store_true", help="write the catalog's file")
    asked = parser.parse_args()
    models = read_model_table(asked.evidence / "models.csv")
    cases = [case for path in sorted((asked.evidence / "open").glob("*.csv")) for case in read_cases(path)]
    runs = measured_steps(cases, models)
    fitted = fit_training(runs)
    for number in fitted.parameters:
        print(f"{number.name:48s} {number.value:10.4g}  log_sd {number.log_sd:.3f}  rows {number.rows}")
    errors = held_out_errors(runs, fitted).tolist()
    steps = [Off(run.case.family, run.job.model.is_routed, error) for run, error in zip(runs, errors, strict=True)]
    memory = memory_errors(cases, models)
    found: dict[str, list[float]] = defaultdict(list)
    for one in (*steps, *memory):
        found[one.family].append(one.error)
    print(shown(found))
    bands = _bands(steps, memory)
    print(bands)
    if asked.write:
        TRAINERS.write_text(text(fitted, bands, runs), encoding="utf-8")
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), {"training": shown(found)}), encoding="utf-8")
        print(TRAINERS, PAGE)
    return None


def _bands(steps: Sequence[Off], memory: Sequence[Off]) -> dict[str, float]:
    """Widths of intervals, of dense models and of those with experts."""
    return {
        f"{what}_{kind}": width([one for one in found if one.is_routed is routed])
        for kind, routed in (("dense", False), ("routed", True))
        for what, found in (("step", steps), ("memory", memory))
    }


if __name__ == "__main__":
    sys.exit(main())
