"""Hold a document of ``ridgeline measure --check --json`` against what is known of its chip.

``python bench/measured.py measured.json`` prints each expectation with what was found, and ends with status 1 where one
is not met.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ridgeline.calibration.fit.chip_fit import FEWEST_ROWS

KINDS = ("gemm", "attention_decode", "attention_prefill", "elementwise")

CHECKED = {"gemm": 0.12, "attention_decode": 0.15, "attention_prefill": 0.20, "elementwise": 0.20, "all_reduce": 0.20}
"""Most that the median of |ln(predicted/measured)| of held-back shapes may be.

Fits of published tables of the same kinds reach 0.06 to 0.08 for products, 0.10 for decode attention, 0.16 for prefill
attention and 0.20 for the others (gates of ``bench/accuracy.py``); a minute has a third of the rows, and other kernels.
"""

NEAR = {"gemm.fraction.bf16": 0.10, "gemm.hbm_fraction": 0.10, "elementwise.hbm_fraction": 0.20}
"""Most that |ln(measured/catalog)| may be, of numbers that the vendor's library and the memory decide.

Chips of one kind differ by some percent in power and clocks, and harnesses by as much. Of the H100's kernels that
stream, 15 published rows tell, which run into the limit of 1 with a deviation of 0.085: two of it come on top.
"""


def main() -> None:
    """Print all expectations; the exit status says whether they are met."""
    found = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    failed = 0
    for what, is_met in expectations(found):
        print(f"{'met    ' if is_met else 'NOT MET'} {what}")
        failed += not is_met
    sys.exit(1 if failed else 0)


def expectations(found: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Each expectation in words, with whether it is met."""
    inputs, rows = found["inputs"], Counter(case["kind"] for case in found["cases"])
    yield f"{found['device']['name']} is {found['machine']}: {found['warnings'] or 'no warning'}", not found["warnings"]
    taken_s, budget_s = found["taken_s"], inputs["budget_s"]
    yield f"took {taken_s:.1f} s of {budget_s:g} s", taken_s <= budget_s
    for kind in (*KINDS, *(("all_reduce",) if found["device"]["chips"] > 1 else ())):
        yield f"{kind}: {rows[kind]} shapes timed, a fit needs {FEWEST_ROWS}", rows[kind] >= FEWEST_ROWS
    for one in found["unrun"]:
        yield f"not run: {one['rows']} of {one['kind']}: {one['reason']}", "of memory" in one["reason"]
    checked = {one["kind"]: one for one in (found["check"] or {"kinds": []})["kinds"]}
    for kind, most in CHECKED.items():
        if one := checked.get(kind):
            error = one["median_abs_log_error"]
            catalog = f"catalog {one['catalog_median_abs_log_error']:.3f}"
            yield f"{kind}: |ln| of {one['rows']} held-back shapes {error:.3f} <= {most} ({catalog})", error <= most
    numbers = (found["fitted"] or {"numbers": {}})["numbers"]
    for name, most in NEAR.items():
        if one := numbers.get(name):
            apart = abs(math.log(one["value"] / one["catalog_value"]))
            pair = f"{one['value']:.3f} here, {one['catalog_value']:.3f} in the catalog"
            yield f"{name}: {pair}, |ln| {apart:.3f} <= {most}", apart <= most
        else:
            yield f"{name}: not fitted", False


if __name__ == "__main__":
    main()
