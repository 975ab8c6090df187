"""Fields of the documents of ``validate`` and ``calibrate``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.calibration.fit.chip_fit import Parameter
from ridgeline.calibration.judge.validate import Group, Row
from ridgeline.calibration.own import Skipped
from ridgeline.specs.band import Band

EXAMPLES = {
    "validate": ("validate CASES", "validate CASES --models MODELS --kernels OWN"),
    "calibrate": (
        "calibrate EXAMPLES --to OWN --replace --jobs 1 --machine h100-sxm --models MODELS",
        "calibrate LOADS --jobs 1",
    ),
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
    "calibrate:machines.*.numbers.*": (Parameter,),
    "calibrate:machines.*.bands.*": (Band,),
    "calibrate:engines.*.numbers.*": (Parameter,),
    "calibrate:under_load.*": (Parameter,),
    "calibrate:skipped[]": (Skipped,),
    "validate:groups[]": (Group,),
    "validate:rows[]": (Row,),
}
WORDS = {
    "inputs.files": "paths of the case files",
    "inputs.models": "path of the model table",
    "calibrate:machines": "what was fitted of each machine, by catalog id",
    "calibrate:machines.*": "one machine",
    "machines.*.rows": "rows that numbers were fitted on, by block",
    "machines.*.rows.*": "rows",
    "numbers.*": "one number",
    "bands.*": "one of them",
    "bands.*.by": "what it was found on",
    "engines": "what was fitted of each engine, by its name",
    "engines.*": "one engine",
    "engines.*.numbers": "fitted numbers, by name, each with the fields of a machine's",
    "widths": "half-widths of its 80 % intervals beside that of its kernels, in logarithms, by quantity",
    "widths.*": "half-width",
    "under_load": "numbers that loads tell of engines, by name",
    "under_load.*": "one number",
    "skipped": "rows that nothing was fitted on, each group with its reason",
    "inputs.profile": "name that the numbers are kept under; null with --to",
    "inputs.to": "folder that is written",
    "calibrate:inputs.machine": "machine whose rows alone are taken; null for all",
    "calibrate:files": "paths of the files that were written",
    "groups[].family": "stem of the case file",
    "rows[].family": "stem of the case file",
    "groups": "scores, a family, quantity and machine each",
    "scored": "rows that were predicted and are scored",
    "groups[].unsupported": "rows without a prediction",
    "median_ratio": "median of predicted over measured",
    "median_abs_log_error": "median of |ln(predicted/measured)|",
    "p90_abs_log_error": "90th percentile of |ln(predicted/measured)|",
    "spearman": "rank correlation; null for fewer than three rows",
    "interval_80_coverage": "part of the measured values that lie in their 80 % interval",
    "case": "name of the case",
    "rows[].kind": "what was measured",
    "groups[].kind": "what was measured",
    "quantity": "which number of it",
    "predicted": "in the quantity's base unit",
    "measured": "in the same",
    "rows[].low": "lower end of the 80 % interval",
    "rows[].high": "upper end",
    "unsupported": "rows without a prediction, each with its reason",
    "warnings": "what rows say that predictions do not use",
}
NAMED = frozenset(
    {
        "calibrate:engines",
        "calibrate:engines.*.numbers",
        "calibrate:engines.*.widths",
        "calibrate:machines",
        "calibrate:machines.*.bands",
        "calibrate:machines.*.numbers",
        "calibrate:machines.*.rows",
        "calibrate:under_load",
    }
)
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS, named=NAMED)
