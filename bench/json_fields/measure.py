"""Fields of the document of ``measure``: what is run to see them, on a bench that predicts, and what they mean."""

from __future__ import annotations

import types
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from json_fields.fields import Fields
from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.chip_fit import Parameter
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.own import Skipped
from ridgeline.measuring.bench import Device, UnrunError
from ridgeline.measuring.check import Check, Checked
from ridgeline.specs.band import Band
from ridgeline.specs.fidelity import MEASURED

__all__ = ["FIELDS", "predicted_bench"]


class _Predicted:
    """A bench whose times are those of predictions, and whose clock they move."""

    runs = 10
    device = Device(name="NVIDIA H100 80GB HBM3", chips=2, memory_bytes=64e9, compute_units=132, library="torch 2.15.0")

    def __init__(self) -> None:
        self.now_s = 0.0

    def seconds(self, case: Case) -> float:
        if case.kind == "attention_prefill":
            raise UnrunError("not in this release")
        time_s = predict(case, {}, MEASURED).value
        self.now_s += 0.2 + self.runs * time_s
        return time_s

    def clock(self) -> float:
        return self.now_s


@contextmanager
def predicted_bench() -> Iterator[None]:
    """A block in which ``measure`` runs on predictions, in place of PyTorch."""

    @contextmanager
    def opened(*_: object) -> Iterator[_Predicted]:
        bench = _Predicted()
        clock.monotonic = bench.clock
        yield bench

    clock = types.SimpleNamespace(monotonic=lambda: 0.0)
    with patch("ridgeline.cli.measure.torch_bench", opened), patch("ridgeline.cli.measure.time", clock):
        yield


EXAMPLES = {
    "measure": (
        "measure --on h100-sxm --chips 2 --check --to MEASURED --cases MEASURED_CASES",
        "measure --budget 30s --profile measured",
        "measure --budget 3s",
    ),
}
RECORDS = {
    "measure:device": (Device,),
    "measure:fitted.numbers.*": (Parameter,),
    "measure:fitted.bands.*": (Band,),
    "measure:skipped[]": (Skipped,),
    "measure:check": (Check, Checked),
    "measure:check.kinds[]": (Checked,),
}
WORDS = {
    "measure:inputs.on": "machine that was named; null where its chips' name says it",
    "inputs.budget_s": "wall time that was allowed for all of it",
    "inputs.check": "whether shapes were held back to check the fit",
    "inputs.device": "gpu or cpu",
    "measure:inputs.chips": "chips that messages were sent over; 1 for none",
    "measure:inputs.profile": "name that the numbers are kept under; null for none",
    "measure:inputs.to": "folder that is written; null for none",
    "inputs.cases": "folder of the case files that are written; null for none",
    "measure:machine": "catalog id, or that of the file",
    "device": "what kernels ran on",
    "taken_s": "wall time that it took",
    "measure:efficiency": "efficiencies of the machine with the numbers that were fitted",
    "fitted": "what was fitted; null where too few shapes were timed",
    "fitted.rows": "rows that numbers were fitted on, by block",
    "fitted.rows.*": "rows",
    "catalog_value": "the catalog's number in its place",
    "measure:cases": "timed shapes, each with the filled columns of a case file (docs/cases.md)",
    "unreached": "shapes for which the budget was too short, by kind and reason",
    "unreached[].kind": "kind of the shapes",
    "unreached[].reason": "reason why they were not timed",
    "unreached[].rows": "shapes",
    "unrun": "shapes that chip, library or memory do not run, by kind and reason",
    "unrun[].kind": "kind of the shapes",
    "unrun[].reason": "reason why they were not run",
    "unrun[].rows": "shapes",
    "check": "errors of predictions of every fifth shape by a fit on the others; null unless it was asked for",
    "kinds": "errors of each kind of shape",
    "measure:warnings": "where the chip is not as the catalog has it",
}
NAMED = frozenset({"measure:fitted.rows", "measure:fitted.numbers", "measure:fitted.bands"})
ENDS = frozenset({"measure:cases"})
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS, named=NAMED, ends=ENDS)
