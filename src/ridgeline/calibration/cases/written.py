"""Cases as rows of a case file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from ridgeline.calibration.cases.case import Case
from ridgeline.calibration.cases.case_file import COLUMNS, REQUIRED

__all__ = ["case_row", "cases_text"]


def case_row(case: Case) -> dict[str, Any]:
    """Filled columns of a case, with numbers as numbers.

    >>> case_row(Case(name="one", family="mine", kind="gemm", machine="h100-sxm", m=64, measured=1e-5))
    {'case': 'one', 'kind': 'gemm', 'machine': 'h100-sxm', 'm': 64, 'measured': 1e-05}
    """
    overrides = {**case.machine_overrides, **({"case": dict(case.attributes)} if case.attributes else {})}
    columns = {name: getattr(case, name) for name in Case.__dataclass_fields__ if name in COLUMNS}
    # The measured number follows the facts that it is of.
    measured = columns.pop("measured")
    row = {"case": case.name, **columns, "overrides": overrides, "measured": measured}
    row = {name: value for name, value in row.items() if value not in ("", None, {})}
    return {
        name: int(value) if isinstance(value, float) and value == int(value) else value for name, value in row.items()
    }


def cases_text(cases: Sequence[Case]) -> str:
    """Text of a case file with these rows; columns that none of them fills are left out."""
    rows = [case_row(case) for case in cases]
    columns = dict.fromkeys([*REQUIRED, *(name for row in rows for name in row)])
    file = io.StringIO()
    writer = csv.DictWriter(file, list(columns), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({**row, **({"overrides": json.dumps(row["overrides"])} if "overrides" in row else {})})
    return file.getvalue()
