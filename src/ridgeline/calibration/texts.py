"""Text of the catalog's files and of a profile's, with fitted numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ridgeline.calibration.calibrate import Calibration
from ridgeline.calibration.fit.blocks import BLOCKS
from ridgeline.calibration.fit.chip_fit import Fitted, Parameter
from ridgeline.calibration.fit.engine_fit import FittedEngine
from ridgeline.calibration.own import OwnCalibration
from ridgeline.catalog.engines import ENGINES
from ridgeline.catalog.engines_text import engines_text
from ridgeline.catalog.fitted_numbers import Uncertainty
from ridgeline.catalog.kernels import SHARED, Sureness, written
from ridgeline.specs.band import STEP

__all__ = ["calibration_texts", "own_texts"]


def own_texts(found: OwnCalibration) -> dict[str, str]:
    """Files of a user's own calibration, by name: one per machine, with the measured kinds, and one of engines."""
    texts = {
        f"{name}.toml": written(
            f"own: fitted on {sum(fitted.rows.values()):,} measured kernels and messages",
            _sureness(fitted),
            fitted.kernels,
            fitted.bands,
            blocks=tuple(fitted.rows),
        )
        for name, fitted in found.machines.items()
    }
    if found.engines:
        engines = {name: one.engine for name, one in found.engines.items()}
        texts[ENGINES.name] = engines_text(engines, _engines_uncertainty(found.engines, found.loads), is_whole=False)
    return texts


def calibration_texts(found: Calibration) -> dict[str, str]:
    """Files of the catalog, by name.

    Raises:
        ValueError: the rows do not cover all that the catalog holds.
    """
    lacking = sorted({*BLOCKS, STEP} - set(found.shared.bands))
    if lacking:
        raise ValueError(f"the catalog needs rows of every kind, and there are too few of: {', '.join(lacking)}")
    texts = {
        f"{name}.toml": _kernels_text(name, fitted) for name, fitted in {SHARED: found.shared, **found.chips}.items()
    }
    engines = {name: one.engine for name, one in found.engines.items()}
    texts[ENGINES.name] = engines_text(
        engines,
        _engines_uncertainty(found.engines, found.loads),
        found.spreads,
        novelty=found.novelty,
        reach=found.reach,
    )
    return texts


def _kernels_text(name: str, fitted: Fitted) -> str:
    whose = "all chips together" if name == SHARED else name
    status = f"fitted on {sum(fitted.rows.values()):,} measured kernels and messages of {whose}"
    if name != SHARED and len(fitted.rows) < len(BLOCKS):
        status += f" ({', '.join(fitted.rows)}; the rest as its family's)"
    return written(status, _sureness(fitted), fitted.kernels, fitted.bands)


def _sureness(fitted: Fitted) -> Sureness:
    return Sureness(numbers={one.name: _uncertainty(one) for one in fitted.parameters}, bands_by=fitted.band_rows)


def _engines_uncertainty(engines: Mapping[str, FittedEngine], loads: Iterable[Parameter]) -> dict[str, Uncertainty]:
    uncertainty = {one.name: _uncertainty(one) for engine in engines.values() for one in engine.parameters}
    for one in loads:
        names = [f"{name}.{one.name}" for name in engines] if one.name.startswith("scheduling.") else [one.name]
        uncertainty |= dict.fromkeys(names, _uncertainty(one))
    return uncertainty


def _uncertainty(one: Parameter) -> Uncertainty:
    return Uncertainty(log_sd=one.log_sd, rows=one.rows)
