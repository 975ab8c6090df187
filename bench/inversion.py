"""How right ``ridgeline infer`` is on open models, whose size is known: leave one out, beside a plain regression.

``uv run python bench/inversion.py EVIDENCE`` prints the table, ``--write`` puts it into ``docs/inversion.md``. EVIDENCE
is a file with the columns ``model, release, active_B, total_B, kv_bytes_native, in_med, out_med, cache_read_med`` and
``n_cache``, a model a line: the middle of what hosts ask for it.
"""

from __future__ import annotations

import csv
import datetime as dt
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ridgeline.inversion.evidence import Evidence, rounding_log_sd
from ridgeline.inversion.infer import Inference, infer

PAGE = Path(__file__).parents[1] / "docs" / "inversion.md"
BEGIN, END = "<!-- score: bench/inversion.py --write -->", "<!-- end of score -->"

AS_OF = dt.date(2026, 11, 20)
"""On which the prices of the file were read."""

FEWEST_HOSTS = 3
"""That must sell cached tokens before the middle of their prices is taken for the market's."""

TARGETS = {
    "active_params": "active parameters",
    "total_params": "total parameters",
    "kv_bytes_per_token": "KV bytes a token",
}
INSIDE = {"50 %": 0.6744897501960817, "90 %": 1.6448536269514722}
"""Intervals, by the deviations of a normal variable on either side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An open model: what is true of it, and what a market asks."""

    name: str
    truth: dict[str, float]
    usd: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """What is guessed of one quantity of one model: ends of both intervals, and the middle."""

    middle: float
    inside: dict[str, tuple[float, float]]


def read(path: Path) -> list[Known]:
    """All models of a file."""
    found = []
    for row in csv.DictReader(path.read_text().splitlines()):
        usd = {"input": float(row["in_med"]) / 1e6, "output": float(row["out_med"]) / 1e6}
        if row["cache_read_med"] and int(row["n_cache"]) >= FEWEST_HOSTS:
            usd["cached_input"] = float(row["cache_read_med"]) / 1e6
        truth = {
            "active_params": float(row["active_B"]) * 1e9,
            "total_params": float(row["total_B"]) * 1e9,
            "kv_bytes_per_token": float(row["kv_bytes_native"]),
        }
        found.append(Known(name=row["model"], truth=truth, usd=usd))
    return found


def inferred(one: Known) -> Inference:
    """What its prices say, by priors that no price was used for: so each model is left out as it is."""
    return infer(
        Evidence(
            name=one.name,
            provider="",
            date=AS_OF,
            usd=one.usd,
            rounding_log_sd={name: rounding_log_sd(usd) for name, usd in one.usd.items()},
        )
    )


def by_posterior(found: Inference, target: str) -> Guess:
    """Of the joint posterior."""
    at = found.unknown(target).posterior
    return Guess(middle=at.p50, inside={"50 %": (at.p25, at.p75), "90 %": (at.p05, at.p95)})


def by_regression(models: Sequence[Known], left_out: int, target: str, columns: Sequence[str]) -> Guess:
    """Least squares of logarithms over all models but one; the interval is that of its residuals and of its own fit."""

    def row(one: Known) -> list[float]:
        return [1.0, *(math.log(one.usd[name]) for name in columns)]

    others = [one for place, one in enumerate(models) if place != left_out]
    design: NDArray[np.float64] = np.array([row(one) for one in others])
    target_logs = np.log([one.truth[target] for one in others])
    fitted, *_ = np.linalg.lstsq(design, target_logs, rcond=None)
    freedom = len(others) - design.shape[1]
    variance = float(np.sum((target_logs - design @ fitted) ** 2)) / freedom
    asked = np.array(row(models[left_out]))
    width = math.sqrt(variance * (1 + float(asked @ np.linalg.inv(design.T @ design) @ asked)))
    middle = float(asked @ fitted)
    return Guess(
        middle=math.exp(middle),
        inside={name: (math.exp(middle - z * width), math.exp(middle + z * width)) for name, z in INSIDE.items()},
    )


def scored(
    models: Sequence[Known], guesses: Sequence[Guess], target: str
) -> tuple[float, float, dict[str, float], float]:
    """Typical factor of error, bias, coverage of both intervals, and the typical width of the 90 % one as a factor."""
    logs = np.array([math.log(guess.middle / one.truth[target]) for one, guess in zip(models, guesses, strict=True)])
    coverage = {
        name: float(
            np.mean(
                [
                    guess.inside[name][0] <= one.truth[target] <= guess.inside[name][1]
                    for one, guess in zip(models, guesses, strict=True)
                ]
            )
        )
        for name in INSIDE
    }
    widths = [math.sqrt(guess.inside["90 %"][1] / guess.inside["90 %"][0]) for guess in guesses]
    return (
        math.exp(math.sqrt(float(np.mean(logs**2)))),
        math.exp(float(np.median(logs))),
        coverage,
        float(np.median(widths)),
    )


def table(models: Sequence[Known]) -> str:
    """The score, as Markdown."""
    found = []
    for place, one in enumerate(models, start=1):
        print(f"{place}/{len(models)} {one.name}", file=sys.stderr)
        found.append(inferred(one))
    ways = {
        "`ridgeline infer`": {target: [by_posterior(one, target) for one in found] for target in TARGETS},
        "regression on input and output": {
            target: [by_regression(models, place, target, ("input", "output")) for place in range(len(models))]
            for target in TARGETS
        },
        "regression on input": {
            target: [by_regression(models, place, target, ("input",)) for place in range(len(models))]
            for target in TARGETS
        },
        "no prices: the others' middle": {
            target: [by_regression(models, place, target, ()) for place in range(len(models))] for target in TARGETS
        },
    }
    lines = [
        "| of | by | typical error | bias | in the 50 % interval | in the 90 % interval | 90 % interval |",
        "|---|---|---|---|---|---|---|",
    ]
    for target, said in TARGETS.items():
        for way, guesses in ways.items():
            error, bias, coverage, width = scored(models, guesses[target], target)
            lines.append(
                f"| {said} | {way} | x {error:.2f} | x {bias:.2f} | {100 * coverage['50 %']:.0f} % |"
                f" {100 * coverage['90 %']:.0f} % | x/÷ {width:.1f} |"
            )
    lines += [
        "",
        "| model | active, B | inferred, B | total, B | inferred, B | KV, kB | inferred, kB |",
        "|---|---|---|---|---|---|---|",
    ]
    for one, of in zip(models, found, strict=True):
        cells = [one.name]
        for target, unit in (("active_params", 1e9), ("total_params", 1e9), ("kv_bytes_per_token", 1e3)):
            at = of.unknown(target).posterior
            inside = at.p05 <= one.truth[target] <= at.p95
            cells.append(f"{one.truth[target] / unit:.3g}")
            cells.append(f"{at.p05 / unit:.3g} - **{at.p50 / unit:.3g}** - {at.p95 / unit:.3g}{'' if inside else ' ✗'}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print, and write where that is asked for."""
    path, *options = sys.argv[1:]
    text = table(read(Path(path)))
    print(text)
    if "--write" in options:
        page = PAGE.read_text()
        before, _, rest = page.partition(BEGIN)
        _, _, after = rest.partition(END)
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


if __name__ == "__main__":
    main()
