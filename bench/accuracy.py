"""How right predictions are: scores on measured cases that did not fit them, beside gates and baselines.

    python bench/accuracy.py ../shared/evidence             print the tables
    python bench/accuracy.py ../shared/evidence --write     and put them, and the pictures, into docs/accuracy.md
    python bench/accuracy.py ../shared/evidence --check     and fail where the page says something else

Kernels and messages are predicted by fits that left their shapes out (``calibration/judge/folds.py``), whole passes and
engines under load by kernels and engines that were not fitted on their models.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from gates import GATES, Gate
from scipy.optimize import least_squares

from ridgeline.calibration.calibrate import Calibration, calibrate, parts_of_errors
from ridgeline.calibration.cases import read_cases
from ridgeline.calibration.cases.model_table import ModelTable, read_model_table
from ridgeline.calibration.cases.series import deployment_of
from ridgeline.calibration.judge.anchors import anchored_errors, spread_of
from ridgeline.calibration.judge.folds import fold_workers
from ridgeline.calibration.judge.score import ScoredRow, score, score_new
from ridgeline.calibration.judge.validate import levels_and_shapes, spearman
from ridgeline.calibration.kinds.kind import KINDS, LoadKind
from ridgeline.calibration.kinds.loads import loaded
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.calibration.kinds.run import Run, machine_of
from ridgeline.catalog.engines import engine_of, widened_by
from ridgeline.estimator.interval import total_s
from ridgeline.figures.file import write_figure
from ridgeline.figures.scatter import Cloud, scatter_figure
from ridgeline.figures.theme import THEMES
from ridgeline.specs.engine import Spread
from ridgeline.specs.fidelity import ROOFLINE

PAGE = Path(__file__).parent.parent / "docs" / "accuracy.md"
FIGURES = PAGE.parent / "figures"
FEWEST = 30
"""Rows from which a bias is judged, and whether an interval holds what it should."""
MOST_BIAS = 0.15
COVERAGE = (0.72, 0.88)
MET, MISSED = "met", "**missed**"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The rows of a gate, all together or of one machine or model.

    Attributes:
        gate: of them.
        of: the machine or model; empty for all.
        rows: as predicted by fits that have not seen them.
        errors: logarithms of predicted over measured times.
        weights: of rows, which add up to one.
        unseen: sizes of errors with nothing of the chip's family measured.
    """

    gate: Gate
    of: str
    rows: Sequence[ScoredRow]
    errors: np.ndarray
    weights: np.ndarray
    unseen: np.ndarray

    @property
    def median(self) -> float:
        """Of the errors' sizes."""
        return quantile(np.abs(self.errors), self.weights, 0.5)

    @property
    def p90(self) -> float:
        """What nine of ten errors stay within."""
        return quantile(np.abs(self.errors), self.weights, 0.9)

    @property
    def bias(self) -> float:
        """The median with its sign, above zero where times are predicted too long."""
        return quantile(self.errors, self.weights, 0.5)

    @property
    def rank(self) -> float | None:
        """Spearman's correlation."""
        return spearman(np.array([row.predicted for row in self.rows]), np.array([row.measured for row in self.rows]))

    @property
    def mean(self) -> float:
        """The mean of |predicted / measured - 1|."""
        return float(np.sum(self.weights * np.abs(np.expm1(self.errors))))

    @property
    def banded(self) -> int:
        """Rows with an interval."""
        return sum(row.is_inside is not None for row in self.rows)

    @property
    def inside(self) -> float | None:
        """Share of measurements that lie in their intervals; None where there are none."""
        held = [
            (weight, row.is_inside)
            for weight, row in zip(self.weights, self.rows, strict=True)
            if row.is_inside is not None
        ]
        weights, inside = np.array(held).T if held else (np.zeros(0), np.zeros(0))
        return float(np.sum(weights * inside) / np.sum(weights)) if held else None

    @property
    def is_met(self) -> bool:
        """Whether all limits of the gate hold."""
        gate, rank = self.gate, self.rank
        return (
            (gate.limit is None or self.median <= gate.limit)
            and (gate.p90 is None or self.p90 <= gate.p90)
            and (gate.rank is None or (rank is not None and rank >= gate.rank))
        )

    @property
    def cells(self) -> dict[str, str]:
        """As text, by column."""
        unseen = float(np.median(self.unseen)) if len(self.unseen) else None
        p90, rank = f"{self.p90:.2f}", "-" if self.rank is None else f"{self.rank:.2f}"
        if not self.of and self.gate.p90 is not None:
            p90 += f" ({_met(self.p90, self.gate.p90)})"
        if not self.of and self.gate.rank is not None and self.rank is not None:
            rank += f" ({self.gate.rank:.2f} {MET if self.rank >= self.gate.rank else MISSED})"
        return {
            "family": self.gate.name,
            "of": self.of,
            "rows": f"{len(self.rows):,}",
            "median": f"{self.median:.3f}",
            "gate": _met(self.median, self.gate.limit),
            "p90": p90,
            "bias": f"{self.bias:+.2f}",
            "rank": rank,
            "in 80 %": "-" if self.inside is None else f"{self.inside:.2f}",
            "unseen chip": "-" if unseen is None else f"{unseen:.3f}",
            "its gate": "-" if unseen is None else _met(unseen, self.gate.alone),
        }


def quantile(values: np.ndarray, weights: np.ndarray, share: float) -> float:
    """That of values which count by their weights: halfway to the next where all count alike."""
    if np.ptp(weights) == 0:
        return float(np.quantile(values, share))
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / np.sum(weights)
    return float(values[order][min(int(np.searchsorted(reached, share)), len(values) - 1)])


def _met(value: float, limit: float | None) -> str:
    return "-" if limit is None else f"{limit:.2f} {MET if value <= limit else MISSED}"


def _line(gate: Gate, rows: Sequence[ScoredRow], of: str = "") -> Line:
    unseen = [abs(row.stranger_log_ratio) for row in rows if row.stranger_log_ratio is not None]
    series = [deployment_of(row.case) if gate.by_series else (str(place),) for place, row in enumerate(rows)]
    longest = Counter(series)
    weights = np.array([1 / longest[one] for one in series])
    return Line(
        gate=gate,
        of=of,
        rows=rows,
        errors=np.log([row.predicted_s / row.time_s for row in rows]),
        weights=weights / np.sum(weights),
        unseen=np.array(unseen),
    )


def lines(rows: Sequence[ScoredRow]) -> list[Line]:
    """Each gate with its rows, where there are any."""
    judged = [(gate, [row for row in rows if gate.judges(row.case)]) for gate in GATES]
    return [_line(gate, mine) for gate, mine in judged if mine]


def by_machine(line: Line) -> list[Line]:
    """The same, each machine for itself."""
    return _by(line, lambda row: row.case.machine)


def by_model(line: Line) -> list[Line]:
    """The same, each model for itself."""
    return _by(line, lambda row: row.case.model)


def _by(line: Line, whose: Callable[[ScoredRow], str]) -> list[Line]:
    names = sorted({whose(row) for row in line.rows})
    return [_line(line.gate, [row for row in line.rows if whose(row) == name], name) for name in names]


def at_peaks_s(row: ScoredRow, models: ModelTable) -> float:
    """The time behind a row at the spec sheet's peaks, with no engine."""
    case = row.case
    kind = KINDS[case.kind]
    if not isinstance(kind, LoadKind):
        return float(total_s(predict(case, models, ROOFLINE).parts))
    machine, _ = machine_of(case)
    engine = engine_of(case.engine)
    run = Run(case=case, machine=machine, fidelity=ROOFLINE, models=models, engine=engine)
    passes = kind.passes(run)
    takes: dict[str, Any] = dict.fromkeys(
        ("first_token_s", "first_token_steps", "dp_balance_steps", "arrivals_wait_fraction"), 0.0
    )
    bare = dataclasses.replace(passes.engine, scheduling=dataclasses.replace(passes.engine.scheduling, **takes))
    quantity = kind.quantities[case.quantity]
    value = quantity.value(run, passes, loaded(passes, bare))
    return row.time_s * (value / row.measured) ** (-1 if quantity.measure is Measure.RATE else 1)


def fitted_roofline(rows: Sequence[ScoredRow], peaks_s: Sequence[float]) -> np.ndarray:
    """Errors of the plainest model, in sample: a share of both peaks and an overhead for each machine.

    The time of each row at the spec sheet's peaks times one number, and another added.
    """
    errors = np.zeros(len(rows))
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row.case.machine, []).append(place)
    for mine in places.values():
        at_peak_s, measured_s = np.array([(peaks_s[place], rows[place].time_s) for place in mine]).T

        def residuals(logs: np.ndarray, peak: np.ndarray = at_peak_s, truth: np.ndarray = measured_s) -> np.ndarray:
            return np.asarray(np.log((np.exp(logs[0]) * peak + np.exp(logs[1])) / truth))

        errors[mine] = least_squares(residuals, [0.3, np.log(1e-5)], loss="soft_l1", f_scale=0.1).fun
    return errors


def table(rows: Sequence[Mapping[str, str]], words: int) -> str:
    """Rows by column as Markdown, the first so many columns to the left."""
    rules = ["---"] * words + ["---:"] * (len(rows[0]) - words)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [rows[0], rules, *(row.values() for row in rows)])


def all_peaks_s(found: Sequence[Line], models: ModelTable) -> dict[int, float]:
    """The same of all rows by ``id``, each once: some are judged twice."""
    once = {id(row): row for line in found for row in line.rows}
    return {place: at_peaks_s(row, models) for place, row in once.items()}


def gates_table(found: Sequence[Line], peaks_s: Mapping[int, float]) -> str:
    """A line for each gate."""
    rows = []
    for line in found:
        errors = fitted_roofline(line.rows, [peaks_s[id(row)] for row in line.rows])
        rows.append(line.cells | {"roofline": f"{quantile(np.abs(errors), line.weights, 0.5):.2f}"})
    return table([{name: text for name, text in row.items() if name != "of"} for row in rows], words=1)


def machines_table(found: Sequence[Line]) -> str:
    """A line for each machine of a gate with several."""
    return _split_table([one for line in found if len(split := by_machine(line)) > 1 for one in split], "machine")


def models_table(found: Sequence[Line]) -> str:
    """A line for each model of engines under load, of gates with several."""
    loads = [line for line in found if isinstance(KINDS[line.rows[0].case.kind], LoadKind)]
    split = [one for line in loads if len(split := by_model(line)) > 1 for one in split]
    return _split_table(split, "model", left_out=("unseen chip",))


def _split_table(split: Sequence[Line], name: str, left_out: tuple[str, ...] = ()) -> str:
    rows = [
        {(name if column == "of" else column): text for column, text in one.cells.items() if column not in left_out}
        for one in split
    ]
    return table([{column: text for column, text in row.items() if "gate" not in column} for row in rows], words=2)


def baselines_table(found: Sequence[Line], all_s: Mapping[int, float]) -> str:
    """What plainer models make of the gates under load: the same closed forms at the spec sheet's peaks, in sample."""
    rows = []
    for line in found:
        if line.gate.limit is None or not isinstance(KINDS[line.rows[0].case.kind], LoadKind):
            continue
        peaks_s = np.array([all_s[id(row)] for row in line.rows])
        plain = np.log(peaks_s / [row.time_s for row in line.rows])
        scaled = plain - quantile(plain, line.weights, 0.5)
        both = fitted_roofline(line.rows, list(peaks_s))
        named = {"plain roofline": plain, "times one number": scaled, "and one added, by machine": both}
        sizes = {name: np.abs(errors) for name, errors in named.items()}
        rows.append(
            {"family": line.gate.name, "Ridgeline": f"{line.median:.2f} / {line.p90:.2f}"}
            | {
                name: f"{quantile(each, line.weights, 0.5):.2f} / {quantile(each, line.weights, 0.9):.2f}"
                for name, each in sizes.items()
            }
        )
    return table(rows, words=1)


def news_table(calibration: Calibration) -> str:
    """Rows of closed loops by what of them is new: predicted by fits without it."""
    rows = []
    factors, of_engine = widened_by(calibration.novelty), calibration.novelty["engine"]
    scored = {
        split: score_new(split, errors, calibration.under_load, factors, of_engine)
        for split, errors in calibration.news.items()
    }
    for gate in (gate for gate in GATES if gate.name in NEWS):
        for split, all_rows in scored.items():
            mine = [row for row in all_rows if gate.judges(row.case)]
            if not mine:
                continue
            line = _line(gate, mine)
            levels, shapes = levels_and_shapes(line.errors, [deployment_of(row.case) for row in mine])
            rows.append(
                {
                    "family": gate.name,
                    "left out": split.value,
                    "rows": f"{len(mine):,}",
                    "median": f"{line.median:.3f}",
                    "mean": f"{line.mean:.1%}",
                    "p90": f"{line.p90:.2f}",
                    "bias": f"{line.bias:+.2f}",
                    "level": f"{np.median(np.abs(levels)):.3f}",
                    "shape": f"{np.median(shapes):.3f}",
                    "in 80 %": "-" if line.inside is None else f"{line.inside:.2f}",
                }
            )
    return table(rows, words=2)


NEWS = tuple(
    f"{family}, {of}" for family in ("closed_loop_silicon", "closed_loop_inferencex_2026") for of in ("TPOT", "TTFT")
)


def summary(found: Sequence[Line], measured: int) -> str:
    """The gates that are missed, the machines that are biased, and how the intervals hold."""
    gated = [line for line in found if line.gate.limit is not None]
    unseen = [line for line in found if line.gate.alone is not None]
    split = [one for line in gated for one in (*by_machine(line), *by_model(line)) if one.of]
    enough = [one for one in split if len(one.rows) >= FEWEST]
    biased = [f"{one.gate.name} on {one.of} ({one.bias:+.2f})" for one in enough if abs(one.bias) > MOST_BIAS]
    uneven = [
        f"{line.gate.name} ({line.inside:.2f})"
        for line in found
        if line.banded >= FEWEST and line.inside is not None and not COVERAGE[0] <= line.inside <= COVERAGE[1]
    ]
    once = {id(row): row for line in found for row in line.rows}  # some rows are judged twice: those of few users
    inside = [row.is_inside for row in once.values() if row.is_inside is not None]
    said = (
        f"{len(once):,} of {measured:,} measured rows are predicted.",
        _missed("gates", gated, [line for line in gated if not line.is_met]),
        _missed(
            "gates for unseen chips",
            unseen,
            [line for line in unseen if float(np.median(line.unseen)) > (line.gate.alone or 0.0)],
        ),
        f"Biased by over {MOST_BIAS}, of machines and models with {FEWEST} rows: {'; '.join(biased) or 'none'}.",
        f"Of {len(inside):,} measurements {np.mean(inside):.2f} lie in their 80 % interval.",
        f"Outside of {COVERAGE[0]} to {COVERAGE[1]}, of lines with {FEWEST} or more: {'; '.join(uneven) or 'none'}.",
    )
    return "\n".join(f"- {text}" for text in said)


def anchored(calibration: Calibration) -> str:
    """What a few measurements of a series do for its others; every series counts alike."""
    errors = parts_of_errors(calibration.under_load)["tpot_s"]
    without: dict[Hashable, Spread] = {}
    for deployment in {one for one, _, _ in errors}:
        without[deployment] = spread_of([row for row in errors if row[0] != deployment])
    left = anchored_errors(errors, without.__getitem__, ANCHORS)
    series = Counter(one for one, _ in left)
    sizes = np.abs([error for _, error in left])
    order = np.argsort(sizes)
    reached = np.cumsum(np.array([1 / series[one] for one, _ in left])[order]) / len(series)
    median, p90 = (sizes[order][np.searchsorted(reached, part)] for part in (0.5, 0.9))
    verdict = "met" if median <= ANCHORED[0] and p90 <= ANCHORED[1] else "**missed**"
    return (
        f"Anchored on {ANCHORS} rows of its series, TPOT of another is off by {median:.3f} (p90 {p90:.2f});"
        f" {ANCHORED[0]:.2f} (p90 {ANCHORED[1]:.2f}) {verdict}."
    )


ANCHORS, ANCHORED = 3, (0.08, 0.22)


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
        calibration = calibrate(cases, models, mapped=mapped)
    factors = widened_by(calibration.novelty)
    rows = score(calibration.cases, calibration.held, calibration.steps, calibration.under_load, factors)
    found = lines(rows)
    peaks_s = all_peaks_s(found, models)
    said = {
        "summary": summary(found, sum(case.measured is not None for case in cases)) + f"\n- {anchored(calibration)}",
        "table": gates_table(found, peaks_s),
        "machines": machines_table(found),
        "models": models_table(found),
        "news": news_table(calibration),
        "baselines": baselines_table(found, peaks_s),
    }
    print("\n\n".join(said.values()))
    if given.write:
        draw(rows)
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), said), encoding="utf-8")
    if given.check and (wrong := differences(PAGE.read_text(encoding="utf-8"), said)):
        print(f"{PAGE} says something else; run again with --write:\n" + "\n".join(wrong), file=sys.stderr)
        return 1
    return 0


PANELS: dict[str, tuple[tuple[str, ...], str]] = {
    "Products and streams": (("gemm", "elementwise"), ""),
    "Attention of decode steps": (("attention_decode", "mla_decode"), ""),
    "Attention over prompts": (("attention_prefill",), ""),
    "Experts": (("grouped_gemm",), ""),
    "Messages": (("all_", "reduce_scatter", "point_to_point"), ""),
    "Passes and static batches": (("prefill", "decode_step", "generate"), ""),
    "Time per token under load": (("closed_loop", "disaggregated"), "tpot_s"),
    "First tokens under load": (("closed_loop", "disaggregated"), "ttft_s"),
}
"""What each panel of the picture shows: how kinds of cases start, and which quantity where it is not all."""


def draw(rows: Sequence[ScoredRow]) -> None:
    """Predicted against measured times, in both themes."""
    clouds = []
    for name, (kinds, quantity) in PANELS.items():
        mine = [row for row in rows if row.case.kind.startswith(kinds) and quantity in {"", row.case.quantity}]
        times = np.array([(row.time_s, row.predicted_s) for row in mine])
        clouds.append(Cloud(name=name, measured_s=times[:, 0], predicted_s=times[:, 1]))
    title = "Predicted against measured time"
    caption = "Each row by a fit that has not seen it. Strip: within a quarter. Ratios beyond 5 lie at the edge."
    FIGURES.mkdir(exist_ok=True)
    for theme in THEMES.values():
        write_figure(scatter_figure(clouds, title, caption, theme), FIGURES / f"accuracy-{theme.name}.png")


def _with_text(text: str, match: re.Match[str]) -> str:
    return f"{match[1]}{text}\n{match[2].lstrip()}"


def filled(page: str, said: dict[str, str]) -> str:
    """The page with what the code says in its places.

    Raises:
        ValueError: the page has no such place.
    """
    for name, text in said.items():
        page, places = re.subn(
            f"(<!-- {name} -->\n).*?(\n?<!-- end -->)",
            functools.partial(_with_text, text),
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
