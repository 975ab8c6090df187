"""Cases as rows of a case file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from ridgeline.calibration.cases.case import Case
from ridgeline.calibration.cases.case_file import COLUMNS, REQUIRED

__all__ = ["case_cells", "cases_text"]


def case_cells(case: Case) -> dict[str, str]:
    """Filled cells of a case's row, by column, as ``read_cases`` reads them.

    >>> case_cells(Case(name="one", family="mine", kind="gemm", machine="h100-sxm", m=64, measured=1e-5))
    {'case': 'one', 'kind': 'gemm', 'machine': 'h100-sxm', 'm': '64', 'measured': '1e-05'}
    """
    overrides = {**case.machine_overrides, **({"case": dict(case.attributes)} if case.attributes else {})}
    columns = {name: case.text(name) for name in Case.__dataclass_fields__ if name in COLUMNS}
    cells = {"case": case.name, **columns, "overrides": json.dumps(overrides) if overrides else ""}
    # The measured number goes to the end of the facts that it is of.
    measured = cells.pop("measured")
    return {name: text for name, text in {**cells, "measured": measured}.items() if text}


def cases_text(cases: Sequence[Case]) -> str:
    """Text of a case file with these rows; columns that none of them fills are left out."""
    rows = [case_cells(case) for case in cases]
    columns = dict.fromkeys([*REQUIRED, *(name for row in rows for name in row)])
    file = io.StringIO()
    writer = csv.DictWriter(file, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
