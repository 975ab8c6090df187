"""What the points of a block share: the model, the machine with its columns, and every knob."""

from __future__ import annotations

from ridgeline.errors import RidgelineError
from ridgeline.specs.machine import Machine
from ridgeline.studies.chip import Chip
from ridgeline.studies.fields import PRICE, column
from ridgeline.studies.study import Place, Study, place_of

__all__ = ["Places", "place_at"]


class Places:
    """Places of blocks, each machine made once for all blocks in a row that have it."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._held: tuple[tuple[int, int], Machine | RidgelineError, dict[str, float | None]] | None = None

    def at(self, block: int) -> Place:
        """The place of a block.

        Raises:
            RidgelineError: there is no such machine; the message is the reason.
        """
        model, candidate, variant, knobs = place_of(self._study, block)
        if self._held is None or self._held[0] != (candidate, variant):
            self._held = ((candidate, variant), *self._machine(candidate, variant))
        _, machine, values = self._held
        if isinstance(machine, RidgelineError):
            raise machine
        return Place(self._study.models[model], machine, values, knobs, candidate, variant)

    def _machine(self, candidate: int, variant: int) -> tuple[Machine | RidgelineError, dict[str, float | None]]:
        """A machine with its columns, or why there is none."""
        of, columns = self._study.candidates[candidate], self._study.machine_columns
        if not isinstance(of, Chip):
            tariff = of.machine.tariff
            price = None if tariff is None else tariff.usd_per_chip_s
            known = _known(of.machine) | {PRICE: price}
            return of.machine, {name: known.get(name) for name in columns}
        values = of.values(variant)
        shown: dict[str, float | None] = {
            column(name): value for name, value in values.items() if column(name) in columns
        }
        try:
            over = of.over(values)
            return (RidgelineError(over) if over else of.machine(variant)), shown
        except RidgelineError as error:
            return error, shown


def _known(machine: Machine) -> dict[str, float | None]:
    """Numbers of a machine of the catalog by the columns of hypothetical ones."""
    chip = machine.chip
    found: dict[str, float | None] = {"flop_per_s": chip.flop_per_s["bf16"], "node_chips": machine.node_chips}
    found |= {f"flop_per_s_{name}": value for name, value in chip.flop_per_s.items()}
    found |= {
        name: getattr(chip, name) for name in ("hbm_bytes", "hbm_bytes_per_s", "l2_bytes", "compute_units", "power_w")
    }
    for level in machine.fabric:
        found |= {f"{level.name}_{name}": getattr(level, name) for name in ("bytes_per_s", "chips", "links")}
    return found


def place_at(study: Study, block: int) -> Place:
    """The place of one block."""
    return Places(study).at(block)
