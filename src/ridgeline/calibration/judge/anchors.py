"""Anchors, a user's own measurements, and the corrections that they make to predictions.

An error has three components: of a deployment (a model in a format on a machine by an engine), of one of its layouts,
and of a row. Each is taken as normal around zero; their sizes are known from rows that were not fitted on. The
correction of a layout by given rows then follows, shrunk the more the fewer they are: kriging with three nested
effects.

Source: Rasmussen and Williams 2006, "Gaussian Processes for Machine Learning", equations 2.23 and 2.24.
"""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import ModelTable
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.kinds.run import Run, model_of, precision_of
from ridgeline.catalog.engines import engine_of
from ridgeline.numeric import INTERVAL_DEVIATIONS
from ridgeline.specs.correction import Correction
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, Spread
from ridgeline.specs.layout import Layout
from ridgeline.specs.precision import Component

__all__ = ["Anchors", "anchored_errors", "anchors_of", "log_factor", "spread_of"]

Array = NDArray[np.float64]

ROBUST = 1.4826
"""Standard deviation of a normal error over its median size."""

FEWEST = 3
"""Rows of a layout from which on they are judged against each other."""

LEAST = 0.02
"""Least size of an effect: repeated measurements differ by as much (the evidence's noise floor)."""

SLIP = 10.0
"""Factor that no error of a prediction explains, but a wrong unit does."""

BANDS = {
    ("closed_loop", "tpot_s"): "tpot_s",
    ("decode_step", "tpot_s"): "tpot_s",
    ("decode_step", "step_s"): "tpot_s",
    ("decode_step", "latency_s"): "tpot_s",
    ("closed_loop", "ttft_s"): "ttft_s",
    ("prefill", "ttft_s"): "ttft_s",
    ("prefill", "latency_s"): "ttft_s",
}
"""Time that each kind of measurement corrects."""


def spread_of(errors: Sequence[tuple[Hashable, Hashable, float]]) -> Spread:
    """Spread of errors between deployments, between layouts of one, and between rows of one.

    Args:
        errors: errors of rows that were not fitted on, each with its deployment and its layout.
    """
    layouts: dict[tuple[Hashable, Hashable], list[float]] = defaultdict(list)
    for deployment, layout, error in errors:
        layouts[deployment, layout].append(error)
    middles = {key: float(np.median(found)) for key, found in layouts.items()}
    apart = [
        _from_middle(error - middles[key], len(found))
        for key, found in layouts.items()
        if len(found) >= FEWEST
        for error in found
    ]
    row = ROBUST * float(np.median(apart)) if apart else LEAST
    of_deployment: dict[Hashable, list[float]] = defaultdict(list)
    for (deployment, _), middle in middles.items():
        of_deployment[deployment].append(middle)
    means = {deployment: float(np.mean(found)) for deployment, found in of_deployment.items()}
    within = [
        _from_middle(middle - means[deployment], len(found))
        for deployment, found in of_deployment.items()
        if len(found) > 1
        for middle in found
    ]
    layout = ROBUST * float(np.median(within)) if within else LEAST
    between = ROBUST * float(np.median(np.abs(list(means.values())))) if means else LEAST
    return Spread(deployment=max(between, LEAST), layout=max(layout, LEAST), row=max(row, LEAST))


def _from_middle(distance: float, count: int) -> float:
    """A distance from the middle of ``count`` values, scaled to the distance from the middle of many."""
    return abs(distance) * math.sqrt(count / (count - 1))


def log_factor(spread: Spread, same_layout: Array, moved: Array, layouts: Array) -> tuple[float, float]:
    """Logarithm of a layout's factor from rows of its deployment, and its remaining standard deviation.

    Args:
        spread: three components of the errors.
        same_layout: whether each row is of the layout in question, 0 or 1.
        moved: ``ln(measured / predicted)`` of each row.
        layouts: whether both rows are of one layout, for each pair.

    >>> log_factor(Spread(deployment=0.1, layout=0.0, row=0.1), np.ones(1), np.array([0.2]), np.ones((1, 1)))[0]
    0.1
    """
    common, own = spread.deployment**2, spread.layout**2
    if len(moved) == 0:
        return 0.0, math.sqrt(common + own)
    known = common + own * layouts + spread.row**2 * np.eye(len(moved))
    shared = common + own * same_layout
    weights = np.linalg.solve(known, shared)
    return float(weights @ moved), math.sqrt(max(common + own - float(weights @ shared), 0.0))


def _as_seen(spread: Spread, rows: Sequence[tuple[Layout, float]]) -> Spread:
    """Components of errors, enlarged where the rows themselves spread, or deviate, more than usual."""
    by_layout: dict[Layout, list[float]] = defaultdict(list)
    for layout, value in rows:
        by_layout[layout].append(value)
    apart = [
        _from_middle(value - sum(found) / len(found), len(found))
        for found in by_layout.values()
        if len(found) > 1
        for value in found
    ]
    far = abs(float(np.mean([value for _, value in rows]))) if rows else 0.0
    return dataclasses.replace(
        spread,
        row=max(spread.row, math.sqrt(np.mean(np.square(apart))) if apart else 0.0),
        deployment=max(spread.deployment, far),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchors:
    """Measured rows of a deployment.

    Attributes:
        moved: layout and ``ln(measured / predicted)`` of each row, by the time that they correct.
        spreads: components of the errors, by the time that they correct.
        unused: rows that say nothing about the deployment, each with the reason.
    """

    moved: Mapping[str, Sequence[tuple[Layout, float]]]
    spreads: Mapping[str, Spread]
    unused: tuple[str, ...]

    def correction(self, layout: Layout) -> Correction:
        """Correction for a layout."""
        factors, widths = {}, {}
        for band in ("tpot_s", "ttft_s"):
            rows = self.moved.get(band, ())
            same = np.array([float(one == layout) for one, _ in rows])
            pairs = np.array([[float(one == other) for one, _ in rows] for other, _ in rows])
            moved = np.array([value for _, value in rows])
            spread = _as_seen(self.spreads[band], rows)
            found, left = log_factor(spread, same, moved, pairs)
            factors[band] = math.exp(found)
            widths[band] = INTERVAL_DEVIATIONS * math.hypot(left, spread.row)
        tokens = self.moved.get("tpot_s", ())
        return Correction(
            tpot_factor=factors["tpot_s"],
            ttft_factor=factors["ttft_s"],
            tpot_width=widths["tpot_s"] if tokens else None,
            rows=sum(len(rows) for rows in self.moved.values()),
        )


def anchors_of(
    cases: Sequence[Case], *, models: ModelTable, deployment: Deployment, spreads: Mapping[str, Spread]
) -> Anchors:
    """Anchors for a deployment, in any layout, from measured rows.

    Args:
        cases: measured rows of any kind.
        models: rows of a model table, for models that the catalog lacks.
        deployment: deployment to correct; its machine has the kernels and the imbalance of the predictions.
        spreads: spreads of errors, by the time that they correct.
    """
    moved: dict[str, list[tuple[Layout, float]]] = defaultdict(list)
    unused = []
    for case in cases:
        if reason := _stranger(case, deployment):
            unused.append(f"{case.name}: {reason}")
            continue
        # Only that benchmark has lengths that vary without a statement.
        as_said = dataclasses.replace(case, attributes={"length_ratio_min": 1.0, **case.attributes})
        try:
            _require_formats(case, deployment)
            found = predict(
                as_said,
                models,
                deployment.fidelity,
                engine=_as_it_was(deployment.engine, case),
                machines=lambda _: deployment.machine,
            )
            layout = Layout(**{name: int(case.number_or(name, 1)) for name in ("tp", "pp", "ep", "dp", "cp")})
        except (Unsupported, ValueError) as error:
            unused.append(f"{case.name}: {error}")
            continue
        ratio = (case.measured or math.nan) / found.value
        if not 1 / SLIP < ratio < SLIP:
            unused.append(f"{case.name}: {ratio:,.3g} times what is predicted; is it in seconds, and of this layout?")
            continue
        moved[BANDS[case.kind, case.quantity]].append((layout, math.log(ratio)))
    return Anchors(moved=dict(moved), spreads=spreads, unused=tuple(unused))


def _as_it_was(engine: Engine, case: Case) -> Engine:
    """Engine of the deployment in the release that a row names."""
    ran = engine_of(case.engine).release
    return dataclasses.replace(engine, release=ran) if ran.version else engine


def _require_formats(case: Case, deployment: Deployment) -> None:
    """Refuse a row whose weights or cache are in other formats than the deployment's."""
    run = Run(case=case, machine=deployment.machine, fidelity=deployment.fidelity, models={}, engine=IDEAL_ENGINE)
    (found, _), asked = precision_of(run, model_of(run)), deployment.precision
    for component in Component:
        ran, wanted = found.of(component).weight.name, asked.of(component).weight.name
        if ran != wanted:
            raise Unsupported(f"weights of {component.value} in {ran}, and {wanted} is asked about")
    if case.kv_dtype and found.kv.name != asked.kv.name:
        raise Unsupported(f"KV cache in {found.kv.name}, and {asked.kv.name} is asked about")


def _stranger(case: Case, deployment: Deployment) -> str | None:
    """Reason why a row says nothing about the deployment; None where it does."""
    engine = deployment.engine
    ran = case.engine
    known = engine_of(ran).name if ran in {"", "ideal"} or engine_of(ran) != IDEAL_ENGINE else ran
    facts = (
        (case.model, deployment.model.id, "model"),
        (case.machine, deployment.machine.id, "machine"),
        (known if ran else engine.name, engine.name, "engine"),
    )
    for found, asked, what in facts:
        if found != asked:
            return f"{what} {found!r} is not {asked!r}"
    if not case.measured:
        return "nothing was measured"
    if (case.kind, case.quantity) not in BANDS:
        known = ", ".join(sorted({f"{kind} {quantity}" for kind, quantity in BANDS}))
        return f"{case.kind} {case.quantity} corrects no time; {known} do"
    return None


def anchored_errors(
    errors: Sequence[tuple[Hashable, Hashable, float]], spread_without: Callable[[Hashable], Spread], anchors: int
) -> list[tuple[Hashable, float]]:
    """Errors of rows with some others of their layout known: each row in turn, with random anchors.

    Args:
        errors: errors of rows that were not fitted on, each with its deployment and its layout.
        spread_without: function from a deployment to the spread of the others' errors.
        anchors: number of known rows of a layout.

    Returns:
        The result is each layout with its error.
    """
    layouts: dict[tuple[Hashable, Hashable], list[float]] = defaultdict(list)
    for deployment, layout, error in errors:
        layouts[deployment, layout].append(error)
    found: list[tuple[Hashable, float]] = []
    rng = np.random.default_rng(0)
    for (deployment, layout), rows in layouts.items():
        if len(rows) <= anchors:
            continue
        spread = spread_without(deployment)
        for place in range(len(rows)):
            others = rng.choice(np.delete(np.array(rows), place), anchors, replace=False)
            factor, _ = log_factor(spread, np.ones(anchors), -others, np.ones((anchors, anchors)))
            found.append(((deployment, layout), rows[place] + factor))
    return found
