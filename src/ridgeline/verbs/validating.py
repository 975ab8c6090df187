"""Predictions against measured cases."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ridgeline.specs.fidelity import Fidelity
from ridgeline.verbs.names import Name, fidelity_of, folder_of, refuse_beside_peaks

if TYPE_CHECKING:
    from ridgeline.calibration.cases import Case
    from ridgeline.calibration.cases.model_table import ModelTable
    from ridgeline.calibration.judge.validate import Validation

__all__ = ["validate"]


def validate(
    cases: Iterable[Case] | Name,
    *,
    models: ModelTable | Name | None = None,
    fidelity: Fidelity | str = "measured",
    kernels: Name | None = None,
) -> Validation:
    """Compare predictions with measured cases, as ``ridgeline validate`` does.

    Args:
        cases: a path to a case file, or its rows.
        models: a path to a model table, or its rows, for models that the catalog lacks.
        fidelity: "napkin", "roofline" or "measured".
        kernels: profile or folder of the user's own calibration, in place of the catalog's numbers.

    Raises:
        CaseError: a file is invalid; the message names file and line.
        RidgelineError: a name is unknown; the message says what to give instead.
    """
    # Imported here: it loads most of the package, which other verbs do not need.
    from ridgeline.calibration.cases import read_cases  # noqa: PLC0415
    from ridgeline.calibration.cases.model_table import read_model_table  # noqa: PLC0415
    from ridgeline.calibration.judge.validate import validate as judge  # noqa: PLC0415

    fidelity = fidelity_of(fidelity)
    refuse_beside_peaks(fidelity, [] if kernels is None else ["kernels"])
    rows = read_cases(Path(cases)) if isinstance(cases, str | os.PathLike) else cases
    table = read_model_table(Path(models)) if isinstance(models, str | os.PathLike) else models
    return judge(rows, models=table, fidelity=fidelity, kernels=folder_of(kernels))
