"""How right predictions are: scores on measured cases that did not fit them, beside gates and baselines.

    python bench/accuracy.py ../shared/evidence             print the tables
    python bench/accuracy.py ../shared/evidence --write     and put them, and the pictures, into docs/accuracy.md
    python bench/accuracy.py ../shared/evidence --check     and fail where the page says something else

Kernels and messages are predicted by fits that left their shapes out (``calibration/folds.py``), whole passes
by kernels and engines that were not fitted on their models.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np
from gates import GATES, Gate
from scipy.optimize import least_squares

from ridgeline.calibration.calibrate import calibrate
from ridgeline.calibration.cases import read_cases
from ridgeline.calibration.folds import fold_workers
from ridgeline.calibration.model_table import read_model_table
from ridgeline.calibration.predict import predict
from ridgeline.calibration.run import ModelTable
from ridgeline.calibration.score import ScoredRow, score
from ridgeline.calibration.validate import spearman
from ridgeline.estimator.estimate import ROOFLINE
from ridgeline.estimator.interval import total_s
from ridgeline.figures.file import write_figure
from ridgeline.figures.scatter import Cloud, scatter_figure
from ridgeline.figures.theme import THEMES

PAGE = Path(__file__).parent.parent / "docs" / "accuracy.md"
FIGURES = PAGE.parent / "figures"
FEWEST = 30
"""Rows from which a bias is judged, and whether an interval holds what it should."""
MOST_BIAS = 0.15
COVERAGE = (0.72, 0.88)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The rows of a gate, all together or of one machine.

    Attributes:
        gate: of them.
        machine: empty for all.
        rows: as predicted by fits that have not seen them.
        errors: logarithms of predicted over measured times.
        unseen: sizes of errors with nothing of the chip's family measured.
        inside: whether measurements lie in their intervals, where there are any.
    """

    gate: Gate
    machine: str
    rows: Sequence[ScoredRow]
    errors: np.ndarray
    unseen: np.ndarray
    inside: np.ndarray

    @property
    def cells(self) -> dict[str, str]:
        """As text, by column."""
        rank = spearman(np.array([row.predicted for row in self.rows]), np.array([row.measured for row in self.rows]))
        unseen = float(np.median(self.unseen)) if len(self.unseen) else None
        return {
            "family": self.gate.name,
            "machine": self.machine,
            "rows": f"{len(self.rows):,}",
            "median": f"{_size(self.errors):.3f}",
            "gate": _met(_size(self.errors), self.gate.limit),
            "p90": f"{np.quantile(np.abs(self.errors), 0.9):.2f}",
            "bias": f"{np.median(self.errors):+.2f}",
            "rank": "-" if rank is None else f"{rank:.2f}",
            "in 80 %": f"{np.mean(self.inside):.2f}" if len(self.inside) else "-",
            "unseen chip": "-" if unseen is None else f"{unseen:.3f}",
            "its gate": "-" if unseen is None else _met(unseen, self.gate.alone),
        }


def _size(errors: np.ndarray) -> float:
    return float(np.median(np.abs(errors)))


def _met(value: float, limit: float | None) -> str:
    return "-" if limit is None else f"{limit:.2f} {'met' if value <= limit else '**missed**'}"


def _line(gate: Gate, rows: Sequence[ScoredRow], machine: str = "") -> Line:
    unseen = [abs(row.stranger_log_ratio) for row in rows if row.stranger_log_ratio is not None]
    return Line(
        gate=gate,
        machine=machine,
        rows=rows,
        errors=np.log([row.predicted_s / row.time_s for row in rows]),
        unseen=np.array(unseen),
        inside=np.array([row.is_inside for row in rows if row.is_inside is not None]),
    )


def lines(rows: Sequence[ScoredRow]) -> list[Line]:
    """Each gate with its rows, where there are any."""
    judged = [(gate, [row for row in rows if gate.judges(row.case)]) for gate in GATES]
    return [_line(gate, mine) for gate, mine in judged if mine]


def by_machine(line: Line) -> list[Line]:
    """The same, each machine for itself."""
    machines = sorted({row.case.machine for row in line.rows})
    return [_line(line.gate, [row for row in line.rows if row.case.machine == name], name) for name in machines]


def fitted_roofline(rows: Iterable[ScoredRow], models: ModelTable) -> float:
    """Median error of the plainest model, in sample: a share of both peaks and an overhead for each machine.

    The time of each row at the spec sheet's peaks times one number, and another added.
    """
    errors: list[float] = []
    times: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        at_peak_s = float(total_s(predict(row.case, models, ROOFLINE).parts))
        times.setdefault(row.case.machine, []).append((at_peak_s, row.time_s))
    for pairs in times.values():
        at_peak_s, measured_s = np.array(pairs).T

        def residuals(logs: np.ndarray, peak: np.ndarray = at_peak_s, truth: np.ndarray = measured_s) -> np.ndarray:
            return np.log((np.exp(logs[0]) * peak + np.exp(logs[1])) / truth)

        errors += list(least_squares(residuals, [0.3, np.log(1e-5)], loss="soft_l1", f_scale=0.1).fun)
    return _size(np.array(errors))


def table(rows: Sequence[Mapping[str, str]], words: int) -> str:
    """Rows by column as Markdown, the first so many columns to the left."""
    rules = ["---"] * words + ["---:"] * (len(rows[0]) - words)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [rows[0], rules, *(row.values() for row in rows)])


def gates_table(found: Sequence[Line], models: ModelTable) -> str:
    """A line for each gate."""
    rows = [line.cells | {"roofline": f"{fitted_roofline(line.rows, models):.2f}"} for line in found]
    return table([{name: text for name, text in row.items() if name != "machine"} for row in rows], words=1)


def machines_table(found: Sequence[Line]) -> str:
    """A line for each machine of a gate with several."""
    rows = [one.cells for line in found if len(split := by_machine(line)) > 1 for one in split]
    return table([{name: text for name, text in row.items() if "gate" not in name} for row in rows], words=2)


def summary(found: Sequence[Line], measured: int) -> str:
    """The gates that are missed, the machines that are biased, and how the intervals hold."""
    gated = [line for line in found if line.gate.limit is not None]
    unseen = [line for line in found if line.gate.alone is not None]
    biased = [
        f"{one.gate.name} on {one.machine} ({np.median(one.errors):+.2f})"
        for line in gated
        for one in by_machine(line)
        if len(one.rows) >= FEWEST and abs(np.median(one.errors)) > MOST_BIAS
    ]
    uneven = [
        f"{line.gate.name} ({np.mean(line.inside):.2f})"
        for line in found
        if len(line.inside) >= FEWEST and not COVERAGE[0] <= np.mean(line.inside) <= COVERAGE[1]
    ]
    inside = np.concatenate([line.inside for line in found])
    said = (
        f"{sum(len(line.rows) for line in found):,} of {measured:,} measured rows are predicted.",
        _missed("gates", gated, [line for line in gated if _size(line.errors) > line.gate.limit]),
        _missed("gates for unseen chips", unseen, [line for line in unseen if _size(line.unseen) > line.gate.alone]),
        f"Biased by over {MOST_BIAS}, of machines with {FEWEST} rows or more: {'; '.join(biased) or 'none'}.",
        f"Of {len(inside):,} measurements {np.mean(inside):.2f} lie in their 80 % interval.",
        f"Outside of {COVERAGE[0]} to {COVERAGE[1]}, of lines with {FEWEST} or more: {'; '.join(uneven) or 'none'}.",
    )
    return "\n".join(f"- {text}" for text in said)


def _missed(name: str, judged: Sequence[Line], missed: Sequence[Line]) -> str:
    names = "; ".join(line.gate.name for line in missed) or "none"
    return f"{len(judged) - len(missed)} of {len(judged)} {name} are met. Missed: {names}."


def main() -> int:
    """Score, print, and write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evidence", type=Path, help="folder with models.csv and open/*.csv")
    parser.add_argument("--write", action="store_true", help="put tables and pictures into docs")
    parser.add_argument("--check", action="store_true", help="fail where docs/accuracy.md says something else")
    given = parser.parse_args()
    files = sorted((given.evidence / "open").glob("*.csv"))
    if not files:
        print(f"{given.evidence}/open has no case files; give the folder of the evidence", file=sys.stderr)
        return 2
    cases = [case for file in files for case in read_cases(file)]
    models = read_model_table(given.evidence / "models.csv")
    with fold_workers(os.cpu_count() or 1) as mapped:
        rows = score(calibrate(cases, models, mapped=mapped))
    found = lines(rows)
    said = {
        "summary": summary(found, sum(case.measured is not None for case in cases)),
        "table": gates_table(found, models),
        "machines": machines_table(found),
    }
    print("\n\n".join(said.values()))
    if given.write:
        draw(rows)
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), said), encoding="utf-8")
    if given.check and (wrong := differences(PAGE.read_text(encoding="utf-8"), said)):
        print(f"{PAGE} says something else; run again with --write:\n" + "\n".join(wrong), file=sys.stderr)
        return 1
    return 0


PANELS = {
    "Matrix products": ("gemm",),
    "Attention of decode steps": ("attention_decode", "mla_decode"),
    "Attention over prompts": ("attention_prefill",),
    "Experts": ("grouped_gemm",),
    "Messages": ("all_", "reduce_scatter", "point_to_point"),
    "Streams over memory": ("elementwise",),
    "Prompts and steps": ("prefill", "decode_step"),
    "Static batches": ("generate",),
}
"""What each panel of the picture shows: how kinds of cases start."""


def draw(rows: Sequence[ScoredRow]) -> None:
    """Predicted against measured times, in both themes."""
    clouds = []
    for name, kinds in PANELS.items():
        mine = [row for row in rows if row.case.kind.startswith(kinds)]
        times = np.array([(row.time_s, row.predicted_s) for row in mine])
        clouds.append(Cloud(name=name, measured_s=times[:, 0], predicted_s=times[:, 1]))
    title = "Predicted against measured time"
    caption = "Each row by a fit that has not seen it. Strip: within a quarter. Ratios beyond 5 lie at the edge."
    FIGURES.mkdir(exist_ok=True)
    for theme in THEMES.values():
        write_figure(scatter_figure(clouds, title, caption, theme), FIGURES / f"accuracy-{theme.name}.png")


def filled(page: str, said: dict[str, str]) -> str:
    """The page with what the code says in its places.

    Raises:
        ValueError: the page has no such place.
    """
    for name, text in said.items():
        page, places = re.subn(
            f"(<!-- {name} -->\n).*?(\n?<!-- end -->)",
            lambda match, text=text: f"{match[1]}{text}\n{match[2].lstrip()}",
            page,
            flags=re.DOTALL,
        )
        if places != 1:
            raise ValueError(f"{PAGE}: {places} places for {name}; write <!-- {name} -->, <!-- end --> on lines once")
    return page


NUMBER = re.compile(r"[-+]?\d+\.\d+")
ROUNDING = 0.011
"""Numbers that differ by this are the same but for another machine's last bits, next to where a digit changes."""


def differences(page: str, said: dict[str, str]) -> list[str]:
    """Lines of the page that are not what the code says."""
    wrong = []
    for old, new in zip_longest(page.splitlines(), filled(page, said).splitlines(), fillvalue=""):
        numbers = [[float(text) for text in NUMBER.findall(line)] for line in (old, new)]
        alike = len(numbers[0]) == len(numbers[1]) and NUMBER.sub("#", old) == NUMBER.sub("#", new)
        if not alike or any(abs(one - other) > ROUNDING for one, other in zip(*numbers, strict=True)):
            wrong += [f"- {old}", f"+ {new}"]
    return wrong


if __name__ == "__main__":
    sys.exit(main())
