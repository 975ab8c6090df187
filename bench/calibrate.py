"""What chips and engines take, fitted anew on all measured cases: the catalog's own numbers.

    python bench/calibrate.py ../shared/evidence             print the numbers
    python bench/calibrate.py ../shared/evidence --write     and put them into the catalog of this clone

The same cases give the same files. It takes minutes.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ridgeline.calibration.calibrate import calibrate
from ridgeline.calibration.cases import read_cases
from ridgeline.calibration.cases.model_table import read_model_table
from ridgeline.calibration.judge.folds import fold_workers
from ridgeline.calibration.texts import calibration_texts
from ridgeline.catalog.engines import ENGINES
from ridgeline.catalog.kernels import KERNELS, SHARED
from ridgeline.cli.calibrate import show_engine, show_fitted, show_numbers
from ridgeline.cli.output import console


def main() -> str | None:
    """Fit, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evidence", type=Path, help="folder with models.csv, and open/ with cases")
    parser.add_argument("--write", action="store_true", help="write the catalog's files")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    asked = parser.parse_args()
    cases = [case for path in sorted((asked.evidence / "open").glob("*.csv")) for case in read_cases(path)]
    models = read_model_table(asked.evidence / "models.csv")
    with fold_workers(asked.jobs) as mapped:
        found = calibrate(cases, models, mapped=mapped, said=lambda text: print(f"fitting {text}", file=sys.stderr))
    try:
        texts = calibration_texts(found)
    except ValueError as error:
        return str(error)
    out = console()
    for name, fitted in {SHARED: found.shared, **found.chips}.items():
        show_fitted(out, name, fitted)
    show_numbers(out, "engines under load", found.loads)
    for name, one in found.engines.items():
        show_engine(out, name, one.parameters, one.engine.widths)
    if asked.write:
        for name, text in texts.items():
            path = ENGINES if name == ENGINES.name else KERNELS / name
            half = path.with_suffix(".part")
            half.write_text(text, encoding="utf-8")
            half.replace(path)
        print(f"{len(texts)} files in {KERNELS.parent}")
    return None


if __name__ == "__main__":
    sys.exit(main())
