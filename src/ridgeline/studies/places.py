"""Values that the points of a block share: the model, the machine with its columns, and every knob."""

from __future__ import annotations

from ridgeline.errors import RidgelineError
from ridgeline.specs.machine import Machine
from ridgeline.studies.fields import column
from ridgeline.studies.hypothetical import Hypothetical
from ridgeline.studies.study import Place, Study, place_of

__all__ = ["Places", "place_at"]


class Places:
    """Places of blocks; a machine is made once for all consecutive blocks that have it."""

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
        """Machine with its columns, or the reason why there is none."""
        of, columns = self._study.candidates[candidate], self._study.machine_columns
        if not isinstance(of, Hypothetical):
            return of.machine, {name: of.known.get(name) for name in columns}
        values = of.values(variant)
        shown: dict[str, float | None] = {
            column(name): value for name, value in values.items() if column(name) in columns
        }
        try:
            over = of.over(values)
            return (RidgelineError(over) if over else of.machine(variant)), shown
        except RidgelineError as error:
            return error, shown


def place_at(study: Study, block: int) -> Place:
    """The place of one block."""
    return Places(study).at(block)
