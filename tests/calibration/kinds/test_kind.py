"""What each kind says of itself holds: what it reads of a row, and which of its quantities are times."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from tests.each import of_each

from ridgeline.calibration.cases import Case, Unsupported, read_cases
from ridgeline.calibration.cases.model_table import read_model_table
from ridgeline.calibration.kinds.kind import KINDS, LoadKind, RlKind, TrainingKind
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.calibration.kinds.run import Run
from ridgeline.catalog import load_machine
from ridgeline.specs.fidelity import MEASURED

SOME = 40

WITHOUT_SECONDS = {"mfu", "hfu", "bubble_fraction", "bytes"}


@pytest.mark.slow
def test_a_kind_reads_no_attribute_that_it_does_not_declare(evidence: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: dict[str, set[str]] = defaultdict(set)
    plain = Run.attribute

    def recorded(run: Run, name: str, default: Any = None) -> Any:  # noqa: ANN401  a JSON value
        read[run.case.kind].add(name)
        return plain(run, name, default)

    monkeypatch.setattr(Run, "attribute", recorded)
    models = read_model_table(evidence / "models.csv")
    for path in sorted((evidence / "open").glob("*.csv")):
        cases = [case for case in read_cases(path) if case.kind in KINDS]
        for case in cases[:: max(1, len(cases) // SOME)]:
            try:
                predict(case, models, MEASURED)
            except Unsupported:
                continue
    for kind, names in read.items():
        assert names <= KINDS[kind].attributes, kind
    assert len(read) > 10


@of_each("kind", KINDS)
def test_times_are_named_for_seconds_and_rates_for_what_comes_in_one(kind: str) -> None:
    """But for parts of a step's time and of a peak, which have no unit, and for memory."""
    for name, quantity in KINDS[kind].quantities.items():
        if name in WITHOUT_SECONDS:
            continue
        ending = {Measure.RATE: ("_per_s", "_per_s_per_chip"), Measure.TIME: ("_s",), Measure.ENERGY: ("_token",)}
        assert name.endswith(ending[quantity.measure])
        assert (quantity.measure is Measure.TIME) == (name.endswith("_s") and "_per_" not in name)


def test_the_time_behind_a_measured_rate_is_what_is_done_over_it() -> None:
    gemm = KINDS["gemm"]
    assert not isinstance(gemm, LoadKind | TrainingKind | RlKind)
    case = Case(name="made", family="made", kind="gemm", machine="h100-sxm", m=64, n=1024, k=512)
    run = Run(case=case, machine=load_machine("h100-sxm"), fidelity=MEASURED, models={})
    assert gemm.quantities["flop_per_s"].time_s(run, 1e12) == pytest.approx(2 * 64 * 1024 * 512 / 1e12)
    assert gemm.quantities["latency_s"].time_s(run, 3e-6) == 3e-6


@pytest.mark.parametrize(
    ("kind", "columns", "attributes", "ignored"),
    [
        ("grouped_gemm", {"m": 8, "n": 512, "k": 512, "groups": 4}, {"gated": True}, ["gated"]),
        ("all_to_all", {"message_bytes": 1e6, "ranks": 8}, {"uniform": True, "top_k": 2, "sms": 8}, ["top_k", "sms"]),
    ],
)
def test_what_only_another_form_of_a_kind_reads_is_said_to_be_left_out(
    kind: str, columns: dict[str, Any], attributes: dict[str, Any], ignored: list[str]
) -> None:
    case = Case(
        name="made",
        family="made",
        kind=kind,
        quantity="latency_s",
        machine="h100-sxm",
        attributes=attributes,
        **columns,
    )
    found = predict(case, {}, MEASURED)
    assert list(found.warnings) == [f"{kind}: case.{name} is not modelled" for name in ignored]
