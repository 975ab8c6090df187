"""Document and text of ``ridgeline measure``."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from ridgeline.calibration.cases import case_row
from ridgeline.calibration.fit.chip_fit import Fitted
from ridgeline.catalog.kernels import numbers_of
from ridgeline.cli.output import console, counted, listed, percent, print_table, print_text, show
from ridgeline.measuring.bench import Device
from ridgeline.measuring.check import Check
from ridgeline.measuring.measure import Measurement
from ridgeline.measuring.timed import Untimed, by_reason
from ridgeline.specs.machine import Machine

__all__ = ["document", "show_measurement"]

ALIKE = 0.1
"""Part by which a driver's figure may differ from the catalog's before it is said; drivers keep some memory back."""


def document(
    inputs: Mapping[str, Any], found: Measurement, device: Device, *, machine: Machine, own: Machine, taken_s: float
) -> dict[str, Any]:
    """The JSON document.

    Args:
        inputs: options as resolved.
        found: outcome of measuring.
        device: device that it was measured on.
        machine: machine with the catalog's numbers.
        own: machine with the fitted numbers.
        taken_s: wall time that it took, s.
    """
    fitted = found.found.machines.get(machine.id)
    return {
        "inputs": dict(inputs),
        "machine": machine.id,
        "device": dataclasses.asdict(device),
        "taken_s": taken_s,
        "efficiency": dataclasses.asdict(own.efficiency),
        "fitted": None if fitted is None else _fitted(fitted, machine),
        "cases": [case_row(case) for case in found.timed.cases],
        "unreached": _counts(found.timed.unreached),
        "unrun": _counts(found.timed.unrun),
        "skipped": [dataclasses.asdict(one) for one in found.found.skipped],
        "check": None if found.check is None else _checked(found.check),
        "warnings": list(unlike(device, machine)),
    }


def _fitted(fitted: Fitted, machine: Machine) -> dict[str, Any]:
    known = numbers_of(machine.efficiency.fitted)
    return {
        "rows": dict(fitted.rows),
        "numbers": {
            one.name: {
                "value": one.value,
                "log_sd": one.log_sd,
                "rows": one.rows,
                "catalog_value": known.get(one.name),
            }
            for one in fitted.parameters
        },
        "bands": {
            kind: {**dataclasses.asdict(band), "by": fitted.band_rows[kind]} for kind, band in fitted.bands.items()
        },
    }


def _checked(check: Check) -> dict[str, Any]:
    total = check.total
    return {
        "median_abs_log_error": total.median_abs_log_error,
        "rows": total.rows,
        "catalog_median_abs_log_error": total.catalog_median_abs_log_error,
        "kinds": [dataclasses.asdict(one) for one in check.kinds],
    }


def _counts(left: Sequence[Untimed]) -> list[dict[str, Any]]:
    return [{"kind": kind, "reason": reason, "rows": rows} for (kind, reason), rows in by_reason(left).items()]


def unlike(device: Device, machine: Machine) -> tuple[str, ...]:
    """Warnings where the chip at hand is not what the catalog says of the machine."""
    chip, said = machine.chip, []
    if abs(device.memory_bytes / chip.hbm_bytes - 1) > ALIKE:
        held, known = show(device.memory_bytes, "bytes"), show(chip.hbm_bytes, "bytes")
        said.append(f"{device.name} has {held} of memory, and {machine.id} {known}: name another machine with --on")
    if chip.compute_units and device.compute_units and abs(device.compute_units / chip.compute_units - 1) > ALIKE:
        said.append(
            f"{device.name} has {device.compute_units} compute units, and {machine.id} {chip.compute_units:g}:"
            " name another machine with --on"
        )
    return tuple(said)


def show_measurement(found: Measurement, device: Device, *, machine: Machine, taken_s: float, kept: object) -> None:
    """Print what was measured and fitted.

    Args:
        found: outcome of measuring.
        device: device that it was measured on.
        machine: machine with the catalog's numbers.
        taken_s: wall time that it took, s.
        kept: profile or folder that holds the numbers; None for none.
    """
    out = console()
    rows = Counter(case.kind for case in found.timed.cases)
    timed = listed(f"{count} {kind}" for kind, count in rows.items()) if rows else "nothing"
    print_text(out, f": {timed}, in {show(taken_s, 's')}", head=f"Timed on {device.name} with {device.library}")
    for warning in unlike(device, machine):
        print_text(out, f"warning: {warning}")
    for name, fitted in found.found.machines.items():
        _show_fitted(out, name, fitted, machine)
    if found.check is not None:
        _show_check(out, found.check)
    for said, left in (("not reached", found.timed.unreached), ("not run", found.timed.unrun)):
        for (kind, reason), count in by_reason(left).items():
            print_text(out, f"{said}: {counted(count, 'shape')}, {kind}: {reason}")
    for one in found.found.skipped:
        print_text(out, f"not fitted: {counted(one.rows, 'row')}, {one.what}: {one.reason}")
    if kept is not None:
        print_text(out, f"use with --kernels {kept}")
    elif found.found.machines:
        print_text(
            out,
            "no numbers are kept; --to FOLDER or --profile NAME keeps them, for the option --kernels of the commands"
            " that estimate",
        )


def _show_fitted(out: Console, name: str, fitted: Fitted, machine: Machine) -> None:
    known = numbers_of(machine.efficiency.fitted)
    print_text(out, "", head=name)
    print_table(
        out,
        ("number", "here", "uncertainty", "catalog", "rows"),
        [
            (one.name, f"{one.value:.4g}", percent(one.log_sd), f"{known[one.name]:.4g}", f"{one.rows:,}")
            for one in fitted.parameters
        ],
    )
    out.print()
    bands = [(kind, f"{band.below:.3f}", fitted.band_rows[kind]) for kind, band in fitted.bands.items()]
    print_table(out, ("kind", "80 % within, ln", "by"), bands, left=(0, 2))
    out.print()


def _show_check(out: Console, check: Check) -> None:
    """Print errors on the cases that were held back."""
    rows = [
        (one.kind, str(one.rows), f"{one.median_abs_log_error:.3f}", f"{one.catalog_median_abs_log_error:.3f}")
        for one in (*check.kinds, check.total)
    ]
    print_table(out, ("held back", "shapes", "|ln|", "catalog's |ln|"), rows)
    print_text(out, LEGEND, style="dim")


LEGEND = "|ln|: median of |ln(predicted/measured)|, by the fit on the other shapes and by the catalog's numbers"
