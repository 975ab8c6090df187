"""How right ``ridgeline infer`` is on open models, whose size is known: leave one out, beside a plain regression.

``uv run python bench/inversion.py EVIDENCE`` prints the tables, ``--write`` puts them into ``docs/inversion.md`` and
what ``infer`` says of itself into ``src/ridgeline/inversion/scored.toml``. EVIDENCE is a file with the columns
``model, active_B, total_B, kv_bytes_native, n_providers, in_med, out_med, log_sd_in, log_sd_out, cache_read_med`` and
``n_cache``, a model a line: the middle of what hosts ask for it, and how far they lie apart.
"""

from __future__ import annotations

import csv
import datetime as dt
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from frozendict import frozendict
from numpy.typing import NDArray
from scipy.stats import t

from ridgeline.inversion.assumed import Assumed
from ridgeline.inversion.evidence import Evidence, multipliers_of
from ridgeline.inversion.infer import Inference, Unknown, guessed, infer, unknowns_of
from ridgeline.inversion.likelihood import likelihood_of
from ridgeline.inversion.machines import candidates
from ridgeline.inversion.market import TIER, learnt, residuals_at, written
from ridgeline.inversion.priors import priors
from ridgeline.inversion.scored import SCORES
from ridgeline.quantity_text import format_quantity

PAGE = Path(__file__).parents[1] / "docs" / "inversion.md"
BEGIN, END = "<!-- score: bench/inversion.py --write -->", "<!-- end of score -->"

AS_OF = dt.date(2026, 11, 20)
"""On which the prices of the file were read."""

FEWEST_HOSTS = 3
"""That must sell cached tokens before the middle of their prices is taken for the market's."""

OF_MEDIAN = math.sqrt(math.pi / 2)
"""Deviation of a normal sample's middle over that of its mean."""

TARGETS = {
    "active_params": "active parameters",
    "total_params": "total parameters",
    "kv_bytes_per_token": "KV bytes a token",
}
DIMENSIONS = {"active_params": "count", "total_params": "count", "kv_bytes_per_token": "bytes"}
INSIDE = {"50 %": 0.75, "90 %": 0.95}
"""Intervals, by the part of a variable below their upper end."""

LINES = ("input", "output", "cached_input")
RESAMPLED, SEED = 10_000, 0
"""Draws of models for the interval of a difference: its ends are then known to a hundredth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An open model: what is true of it, what a market asks, and how well the middle of that is known."""

    name: str
    truth: dict[str, float]
    usd: dict[str, float]
    log_sd: dict[str, float]

    @property
    def is_dense(self) -> bool:
        """Whether all parameters are active."""
        return self.truth["total_params"] == self.truth["active_params"]

    @property
    def facts(self) -> Assumed:
        """The truth as an assumption."""
        values = {name: self.truth[name] for name in ("active_params", "kv_bytes_per_token")}
        if not self.is_dense:
            values["extra_expansion"] = self.truth["total_params"] / self.truth["active_params"] - 1
        return Assumed(values=frozendict(values), kind="dense" if self.is_dense else "experts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """What is guessed of one quantity of one model: ends of both intervals, and the middle."""

    middle: float
    inside: dict[str, tuple[float, float]]


Way = dict[str, list[Guess]]
"""Of all models, by target."""


def read(path: Path) -> list[Known]:
    """All models of a file."""
    found = []
    for row in csv.DictReader(path.read_text().splitlines()):
        usd = {"input": float(row["in_med"]) / 1e6, "output": float(row["out_med"]) / 1e6}
        hosts = {"input": int(row["n_providers"]), "output": int(row["n_providers"])}
        spread = {"input": float(row["log_sd_in"]), "output": float(row["log_sd_out"])}
        if row["cache_read_med"] and int(row["n_cache"]) >= FEWEST_HOSTS:
            usd["cached_input"] = float(row["cache_read_med"]) / 1e6
            # How far hosts lie apart in that is not in the file.
            hosts["cached_input"], spread["cached_input"] = int(row["n_cache"]), spread["input"]
        truth = {
            "active_params": float(row["active_B"]) * 1e9,
            "total_params": float(row["total_B"]) * 1e9,
            "kv_bytes_per_token": float(row["kv_bytes_native"]),
        }
        log_sd = {name: OF_MEDIAN * spread[name] / math.sqrt(hosts[name]) for name in usd}
        found.append(Known(name=row["model"], truth=truth, usd=usd, log_sd=log_sd))
    return found


def evidence_of(one: Known, market: Sequence[Known]) -> Evidence:
    """Its prices, and which of its ratios the market asks for models of all sizes: the rule for a vendor's policy."""
    return Evidence(
        name=one.name,
        provider="",
        date=AS_OF,
        usd=one.usd,
        rounding_log_sd=one.log_sd,
        multipliers=multipliers_of(one.usd, [other.usd for other in market]),
    )


def with_margins_of_others(models: Sequence[Known], left_out: int) -> tuple[Unknown, ...]:
    """What its prices say where price over cost is learnt from the other models, whose sizes are known."""
    known = priors()
    of = candidates(known.machines_of(""), AS_OF, known.chances.eight_bits)
    machine = of.likeliest()
    others = [one for place, one in enumerate(models) if place != left_out]
    market = learnt(
        [residuals_at(one.facts, one.usd, known, machine) for one in others],
        written(LINES, known, of, machine),
        models=known.market.models,
        freedom=known.market.freedom,
    )
    evidence = Evidence(
        name=models[left_out].name,
        provider="",
        date=AS_OF,
        usd=models[left_out].usd,
        # How well a market's middle is known is in what is learnt of other middles.
        rounding_log_sd={},
    )
    likelihood = likelihood_of(evidence, known, machine, Assumed(tier=TIER), market)
    return unknowns_of(guessed(likelihood, seed=SEED, is_preview=True), seed=SEED)


def by_posterior(unknowns: Sequence[Unknown], target: str) -> Guess:
    """Of the joint posterior."""
    at = next(one for one in unknowns if one.name == target).posterior
    return Guess(middle=at.p50, inside={"50 %": (at.p25, at.p75), "90 %": (at.p05, at.p95)})


def by_regression(models: Sequence[Known], left_out: int, target: str, columns: Sequence[str]) -> Guess:
    """Least squares of logarithms over all models but one; the interval is Student's, of residuals and of the fit."""

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
    deviations = {name: float(t.ppf(part, freedom)) for name, part in INSIDE.items()}
    return Guess(
        middle=math.exp(middle),
        inside={
            name: (math.exp(middle - one * width), math.exp(middle + one * width)) for name, one in deviations.items()
        },
    )


def log_errors(models: Sequence[Known], guesses: Sequence[Guess], target: str) -> NDArray[np.float64]:
    """Logarithms of guessed over true."""
    return np.array([math.log(guess.middle / one.truth[target]) for one, guess in zip(models, guesses, strict=True)])


def typical(logs: NDArray[np.float64]) -> float:
    """Root mean square of logarithms, as a factor."""
    return math.exp(math.sqrt(float(np.mean(logs**2))))


def row_of(models: Sequence[Known], way: str, guesses: Sequence[Guess], target: str) -> str:
    """Typical factor of error, bias, coverage of both intervals, and the typical width of the 90 % one as a factor."""
    logs = log_errors(models, guesses, target)
    coverage = [
        np.mean(
            [
                guess.inside[name][0] <= one.truth[target] <= guess.inside[name][1]
                for one, guess in zip(models, guesses, strict=True)
            ]
        )
        for name in INSIDE
    ]
    width = np.median([math.sqrt(guess.inside["90 %"][1] / guess.inside["90 %"][0]) for guess in guesses])
    cells = (
        TARGETS[target],
        way,
        f"x {typical(logs):.2f}",
        f"x {math.exp(float(np.median(logs))):.2f}",
        *(f"{100 * one:.0f} %" for one in coverage),
        f"x/÷ {width:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def difference(models: Sequence[Known], one: Sequence[Guess], other: Sequence[Guess], target: str) -> str:
    """How much larger one way's typical error is than another's, with nine tenths of models drawn anew, in pairs."""
    logs = [log_errors(models, guesses, target) for guesses in (one, other)]
    places = np.random.default_rng(SEED).integers(0, len(models), (RESAMPLED, len(models)))
    first, second = (np.sqrt(np.mean(found[places] ** 2, axis=1)) for found in logs)
    low, high = np.exp(np.quantile(first - second, (0.05, 0.95)))
    return f"x {typical(logs[0]) / typical(logs[1]):.2f} ({low:.2f} to {high:.2f})"


def dense_chances(models: Sequence[Known], found: Sequence[Inference]) -> tuple[float, float, float]:
    """Mean chance of "dense" of models that are and of those that are not, and how often the former's is the higher."""
    chances = [
        next(
            option.posterior
            for asked in one.questions
            if asked.name == "kind"
            for option in asked.options
            if option.name == "dense"
        )
        for one in found
    ]
    dense = np.array([chance for one, chance in zip(models, chances, strict=True) if one.is_dense])
    others = np.array([chance for one, chance in zip(models, chances, strict=True) if not one.is_dense])
    return float(dense.mean()), float(others.mean()), float(np.mean(dense[:, None] > others))


def ways_of(models: Sequence[Known], found: Sequence[Inference]) -> dict[str, Way]:
    """All ways to guess."""

    def regressed(columns: Sequence[str]) -> Way:
        return {
            target: [by_regression(models, place, target, columns) for place in range(len(models))]
            for target in TARGETS
        }

    def of(unknowns: Callable[[int], Sequence[Unknown]]) -> Way:
        all_of_them = [unknowns(place) for place in range(len(models))]
        return {target: [by_posterior(one, target) for one in all_of_them] for target in TARGETS}

    return {
        HEADLINE: of(lambda place: found[place].unknowns),
        LEARNT: of(lambda place: with_margins_of_others(models, place)),
        REGRESSION: regressed(("input", "output")),
        "regression on input": regressed(("input",)),
        NO_PRICES: regressed(()),
    }


HEADLINE, LEARNT = "`ridgeline infer`", "the same, margins learnt from the others"
REGRESSION, NO_PRICES = "regression on input and output", "no prices: the others' middle"


def tables(models: Sequence[Known], found: Sequence[Inference], ways: dict[str, Way]) -> str:
    """The score, as Markdown."""
    lines = [
        "| of | by | typical error | bias | in the 50 % interval | in the 90 % interval | 90 % interval |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [row_of(models, way, guesses[target], target) for target in TARGETS for way, guesses in ways.items()]
    lines += [
        "",
        f"Typical error over that of the {REGRESSION} (nine tenths, models drawn anew in pairs):",
        "",
        "| of | `ridgeline infer` | margins learnt from the others |",
        "|---|---|---|",
    ]
    for target, said in TARGETS.items():
        cells = [difference(models, ways[way][target], ways[REGRESSION][target], target) for way in (HEADLINE, LEARNT)]
        lines.append(f"| {said} | {' | '.join(cells)} |")
    dense, others, above = dense_chances(models, found)
    lines += [
        "",
        KINDS_SAID.format(100 * dense, 100 * others, 100 * above),
        "",
        "| model | active | inferred | total | inferred | KV a token | inferred |",
        "|---|---|---|---|---|---|---|",
    ]
    for one, of in zip(models, found, strict=True):
        cells = [one.name]
        for target in TARGETS:
            at = of.unknown(target).posterior
            inside = at.p05 <= one.truth[target] <= at.p95
            low, middle, high = (format_quantity(end, DIMENSIONS[target], 2) for end in (at.p05, at.p50, at.p95))
            cells.append(format_quantity(one.truth[target], DIMENSIONS[target], 2))
            cells.append(f"{low} - **{middle}** - {high}{'' if inside else ' ✗'}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


KINDS_SAID = (
    "Dense or with experts, where one in four is believed to be dense before: the mean chance of dense is {:.0f} % for"
    " models that are, {:.0f} % for those that are not; of a pair the dense one has the higher chance in {:.0f} % of"
    " cases."
)


def record(models: Sequence[Known], ways: dict[str, Way]) -> str:
    """What ``infer`` says of itself."""
    lines = [
        "# How right the inversion was on open models, written by bench/inversion.py EVIDENCE --write; do not edit.",
        "",
        f"models = {len(models)}",
    ]
    for target in TARGETS:
        error, without = (typical(log_errors(models, ways[way][target], target)) for way in (HEADLINE, NO_PRICES))
        lines += ["", f"[of.{target}]", f"error                = {error:.2f}", f"error_without_prices = {without:.2f}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print, and write where that is asked for."""
    path, *options = sys.argv[1:]
    models, found = read(Path(path)), []
    for place, one in enumerate(models, start=1):
        print(f"{place}/{len(models)} {one.name}", file=sys.stderr)
        # Quasi-random guesses, which count for more draws than a walk's, and with which walks agree.
        found.append(infer(evidence_of(one, models), seed=SEED, is_preview=True))
    ways = ways_of(models, found)
    text = tables(models, found, ways)
    print(text)
    if "--write" in options:
        page = PAGE.read_text()
        before, _, rest = page.partition(BEGIN)
        _, _, after = rest.partition(END)
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
        SCORES.write_text(record(models, ways))


if __name__ == "__main__":
    main()
