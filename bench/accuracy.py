"""How right predictions are: scores on measured cases that did not fit them, beside gates and baselines.

    python bench/accuracy.py ../shared/evidence             print the table
    python bench/accuracy.py ../shared/evidence --write     and put it, and the picture, into docs/accuracy.md
    python bench/accuracy.py ../shared/evidence --check     or fail where the page says something else

Kernels and messages are predicted by fits that left their shapes out (``calibration/folds.py``), whole passes
by kernels and engines that were not fitted on their models.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

from ridgeline.calibration.calibrate import calibrate
from ridgeline.calibration.cases import Case, Unsupported, read_cases
from ridgeline.calibration.folds import fold_workers
from ridgeline.calibration.model_table import read_model_table
from ridgeline.calibration.predict import predict
from ridgeline.calibration.score import ScoredRow, score
from ridgeline.calibration.validate import spearman
from ridgeline.catalog import load_machine
from ridgeline.estimator.estimate import ROOFLINE
from ridgeline.figures.file import write_figure
from ridgeline.figures.scatter import Cloud, scatter_figure
from ridgeline.figures.theme import THEMES

PAGE = Path(__file__).parent.parent / "docs" / "accuracy.md"
FIGURES = PAGE.parent / "figures"
FEWEST_FOR_BIAS = 30
"""Rows of a machine from which its bias is judged."""
MOST_BIAS = 0.15
COVERAGE = (0.72, 0.88)
MIB = 2**20
STREAMED = 8e6
"""Bytes from which a kernel is judged by what it moves, and not by its launch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What a family is to reach.

    Attributes:
        family: how the names of its files start.
        of: which of its rows, in words; empty for all.
        limit: of the median of |ln(predicted/measured)|; None where it is only reported.
        alone: the same with nothing measured of the chip's family.
        rows: which of its rows.
    """

    family: str
    limit: float | None
    of: str = ""
    alone: float | None = None
    rows: Callable[[Case], bool] = lambda _: True


def _beyond_l2(case: Case) -> bool:
    """Whether the cache that a step of attention reads is larger than what the chip keeps close."""
    window = case.attributes.get("window") or float("inf")
    values = case.facts.get("kv_dtype", "bf16")
    width = 2 * float(case.facts["kv_heads"]) * float(case.facts["head_dim"]) * (1 if "8" in values else 2)
    read = float(case.facts["batch"]) * min(float(case.facts["context_tokens"]), window) * width
    return read > (load_machine(case.machine).chip.l2_bytes or 0)


def _is_nvfp4(case: Case) -> bool:
    return case.facts.get("weight_dtype") == "nvfp4"


def _moves(least: float, most: float = float("inf")) -> Callable[[Case], bool]:
    return lambda case: least <= float(case.facts.get("message_bytes", 0)) < most


def _on_pcie(case: Case) -> bool:
    return case.machine == "l40s"


def _is_band(case: Case) -> bool:
    return _moves(MIB, 32 * MIB)(case)


GATES = (
    Gate(family="gemm_aiconfigurator", limit=0.08, alone=0.15, rows=lambda case: not _is_nvfp4(case)),
    Gate(family="gemm_aiconfigurator", of="nvfp4", limit=0.18, alone=0.40, rows=_is_nvfp4),
    Gate(family="gemm_vidur", limit=0.06, alone=0.15),
    Gate(family="gemm_deepgemm", limit=0.12),
    Gate(family="gemm_llmcompass", limit=0.12),
    Gate(family="gemm_mamf", limit=None),
    Gate(family="attention_decode_aiconfigurator", of="KV beyond L2", limit=0.10, alone=0.12, rows=_beyond_l2),
    Gate(family="attention_decode_aiconfigurator", of="KV in L2", limit=None, rows=lambda case: not _beyond_l2(case)),
    Gate(
        family="mla_decode_aiconfigurator",
        of="Hopper, Blackwell",
        limit=0.08,
        alone=0.14,
        rows=lambda case: case.machine in {"h100-sxm", "b200-sxm"},
    ),
    Gate(
        family="mla_decode_aiconfigurator",
        of="A100, L40S",
        limit=None,
        rows=lambda case: case.machine not in {"h100-sxm", "b200-sxm"},
    ),
    Gate(family="attention_prefill_aiconfigurator", limit=0.16, alone=0.28),
    Gate(family="grouped_gemm_aiconfigurator", limit=0.16, alone=0.19),
    Gate(
        family="collectives_aiconfigurator",
        of="NVLink, but 1-32 MiB",
        limit=0.10,
        alone=0.27,
        rows=lambda case: not _on_pcie(case) and not _is_band(case),
    ),
    Gate(
        family="collectives_aiconfigurator",
        of="NVLink, 1-32 MiB",
        limit=0.20,
        alone=0.27,
        rows=lambda case: not _on_pcie(case) and _is_band(case),
    ),
    Gate(family="collectives_aiconfigurator", of="PCIe", limit=0.25, alone=0.27, rows=_on_pcie),
    Gate(family="collectives_nccl", limit=0.20),
    Gate(family="collectives_vidur", of="from 1 MiB", limit=0.20, rows=_moves(MIB)),
    Gate(family="collectives_vidur", of="below 1 MiB", limit=None, rows=_moves(0, MIB)),
    Gate(family="all_to_all_aiconfigurator", limit=0.25),
    Gate(family="all_to_all_deepep", limit=0.25),
    Gate(
        family="elementwise_vidur",
        of="from 8 MB",
        limit=0.20,
        rows=lambda case: _streamed_bytes(case) >= STREAMED,
    ),
    Gate(
        family="elementwise_vidur",
        of="below 8 MB",
        limit=None,
        rows=lambda case: _streamed_bytes(case) < STREAMED,
    ),
    Gate(family="decode_gptfast", limit=0.10),
    Gate(family="generate_trtllm", limit=0.12),
    Gate(family="prefill_trtllm", limit=0.20),
    Gate(family="generate_fastertransformer", limit=0.15),
    Gate(family="generate_vllm_405b", limit=0.25),
    Gate(family="decode_splitwise", limit=None),
    Gate(family="prefill_splitwise", limit=None),
)
"""Those of section 3 of the evidence's own description."""


def _streamed_bytes(case: Case) -> float:
    return 2 * float(case.facts["m"]) * float(case.facts["n"]) * float(case.attributes["streams"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the table: the rows of a gate, all together or of one machine."""

    gate: Gate
    machine: str
    rows: Sequence[ScoredRow]
    baseline: float | None

    @property
    def errors(self) -> np.ndarray:
        """Logarithms of predicted over measured."""
        return np.array([row.log_ratio for row in self.rows])

    @property
    def cells(self) -> tuple[str, ...]:
        """As text."""
        errors = self.errors
        inside = [row.is_inside for row in self.rows if row.is_inside is not None]
        alone = [abs(row.stranger_log_ratio) for row in self.rows if row.stranger_log_ratio is not None]
        rank = spearman(np.array([row.predicted for row in self.rows]), np.array([row.measured for row in self.rows]))
        of = f"{self.gate.family}{', ' + self.gate.of if self.gate.of else ''}"
        is_all = self.machine == "all"
        median = float(np.median(np.abs(errors)))
        return (
            of if is_all else "",
            self.machine,
            str(len(self.rows)),
            f"{median:.3f}",
            _met(median, self.gate.limit) if is_all else "",
            f"{np.quantile(np.abs(errors), 0.9):.2f}",
            f"{np.median(errors):+.2f}",
            "-" if rank is None else f"{rank:.2f}",
            f"{np.mean(inside):.2f}" if inside else "-",
            f"{np.median(alone):.3f}" if alone else "-",
            _met(float(np.median(alone)), self.gate.alone) if alone and is_all and self.gate.alone else "",
            "-" if self.baseline is None else f"{self.baseline:.2f}",
        )


def _met(value: float, limit: float | None) -> str:
    return "report" if limit is None else f"{limit:.2f} {'met' if value <= limit else '**missed**'}"


HEADER = (
    *("family", "machine", "rows", "median", "gate", "p90", "bias", "rank", "in 80 %", "chip unknown", "gate"),
    "roofline",
)


def lines(rows: Sequence[ScoredRow]) -> list[Line]:
    """The table: each gate's rows together, then by machine."""
    found = []
    for gate in GATES:
        mine = [row for row in rows if row.case.family.startswith(gate.family) and gate.rows(row.case)]
        if not mine:
            continue
        machines = sorted({row.case.machine for row in mine})
        split = {name: [row for row in mine if row.case.machine == name] for name in machines}
        found.append(Line(gate=gate, machine="all", rows=mine, baseline=fitted_roofline(mine)))
        if len(machines) > 1:
            found += [Line(gate=gate, machine=name, rows=some, baseline=None) for name, some in split.items()]
    return found


def fitted_roofline(rows: Iterable[ScoredRow]) -> float | None:
    """Median error of the plainest model, in sample: a share of both peaks and an overhead for each machine.

    The time of each row at the spec sheet's peaks times one number, and another added.
    """
    errors: list[float] = []
    by_machine: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        try:
            found = predict(row.case, MODELS, ROOFLINE)
        except Unsupported:
            continue
        ratio = found.value / row.measured
        at_peak_s = float(sum(part.time_s for part in found.parts))
        measured_s = at_peak_s / (ratio if found.is_time else 1 / ratio)
        by_machine.setdefault(row.case.machine, []).append((at_peak_s, measured_s))
    for pairs in by_machine.values():
        at_peak_s, measured_s = np.array(pairs).T

        def residuals(logs: np.ndarray, peak: np.ndarray = at_peak_s, truth: np.ndarray = measured_s) -> np.ndarray:
            return np.log((np.exp(logs[0]) * peak + np.exp(logs[1])) / truth)

        best = least_squares(residuals, [0.3, np.log(1e-5)], loss="soft_l1", f_scale=0.1)
        errors += list(np.abs(best.fun))
    return float(np.median(errors)) if errors else None


def table(found: Sequence[Line]) -> str:
    """As Markdown."""
    text = ["| " + " | ".join(HEADER) + " |", "|" + "---|" * 2 + "---:|" * (len(HEADER) - 2)]
    return "\n".join([*text, *("| " + " | ".join(line.cells) + " |" for line in found)])


def summary(found: Sequence[Line]) -> str:
    """The gates that are not met, the machines that are biased, and how the intervals hold."""
    missed = [line for line in found if line.machine == "all" and "missed" in line.cells[4]]
    biased = [
        f"{line.gate.family} on {line.machine} ({np.median(line.errors):+.2f})"
        for line in found
        if (line.machine != "all" or len({row.case.machine for row in line.rows}) == 1)
        and len(line.rows) >= FEWEST_FOR_BIAS
        and abs(float(np.median(line.errors))) > MOST_BIAS
        and line.gate.limit is not None
    ]
    inside = [
        row.is_inside for line in found if line.machine == "all" for row in line.rows if row.is_inside is not None
    ]
    gated = [line for line in found if line.machine == "all" and line.gate.limit is not None]
    said = ", ".join(biased) or "none"
    return "\n".join(
        [
            f"- {len(gated) - len(missed)} of {len(gated)} gates are met."
            + (f" Missed: {'; '.join(line.cells[0] for line in missed)}." if missed else ""),
            f"- Biased by over {MOST_BIAS}, of machines with {FEWEST_FOR_BIAS} rows or more: {said}.",
            f"- {np.mean(inside):.0%} of {len(inside):,} measurements lie inside their 80 % interval.",
        ]
    )


MODELS: dict[str, dict[str, str]] = {}


def main() -> int:
    """Score, print, and write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evidence", type=Path, help="folder with models.csv and open/*.csv")
    parser.add_argument("--write", action="store_true", help="put table and picture into docs")
    parser.add_argument("--check", action="store_true", help="fail where docs/accuracy.md says something else")
    given = parser.parse_args()
    files = sorted((given.evidence / "open").glob("*.csv"))
    if not files:
        print(f"{given.evidence}/open has no case files; give the folder of the evidence", file=sys.stderr)
        return 2
    cases = [case for file in files for case in read_cases(file)]
    MODELS.update(read_model_table(given.evidence / "models.csv"))
    with fold_workers(os.cpu_count() or 1) as mapped:
        found = calibrate(cases, MODELS, mapped=mapped)
    rows = score(found)
    scored = lines(rows)
    if given.write:
        draw(rows)
    said = {"summary": summary(scored), "table": table(scored)}
    print("\n\n".join(said.values()))
    if given.write:
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
    "Messages": (
        *("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "all_to_all_dispatch", "all_to_all_combine"),
        "point_to_point",
    ),
    "Streams over memory": ("elementwise",),
    "Prompts and decode steps": ("prefill", "decode_step"),
    "Static batches": ("generate",),
}
"""What each panel of the picture shows, by kind of case."""


def draw(rows: Sequence[ScoredRow]) -> None:
    """Predicted against measured times, in both themes."""
    clouds = []
    for name, kinds in PANELS.items():
        mine = [row for row in rows if row.case.kind in kinds]
        times = np.array([(row.time_s, row.predicted_s) for row in mine])
        clouds.append(Cloud(name=name, measured_s=times[:, 0], predicted_s=times[:, 1]))
    title = "Predicted against measured time"
    caption = "Every measurement at hand, each by a fit that has not seen it. The strip is a quarter either way."
    FIGURES.mkdir(exist_ok=True)
    for theme in THEMES.values():
        write_figure(scatter_figure(clouds, title, caption, theme), FIGURES / f"accuracy-{theme.name}.png")


def filled(page: str, said: dict[str, str]) -> str:
    """The page with what the code says in its places."""
    for name, text in said.items():
        page = re.sub(
            f"(<!-- {name} -->\n).*?(\n<!-- end -->)",
            lambda match, text=text: match[1] + text + match[2],
            page,
            flags=re.DOTALL,
        )
    return page


NUMBER = re.compile(r"[-+]?\d+\.\d+")
ROUNDING = 0.011
"""Numbers that differ by this are the same but for another machine's last bits, next to where a digit changes."""


def differences(page: str, said: dict[str, str]) -> list[str]:
    """Lines of the page that are not what the code says."""
    wrong = []
    for old, new in zip(page.splitlines(), filled(page, said).splitlines(), strict=False):
        numbers = [[float(text) for text in NUMBER.findall(line)] for line in (old, new)]
        alike = len(numbers[0]) == len(numbers[1]) and NUMBER.sub("#", old) == NUMBER.sub("#", new)
        if not alike or any(abs(one - other) > ROUNDING for one, other in zip(*numbers, strict=True)):
            wrong += [f"- {old}", f"+ {new}"]
    return wrong


if __name__ == "__main__":
    sys.exit(main())
