"""Models and machines by name: the catalog's, and the configurations that were dropped on the page."""

from __future__ import annotations

import hashlib
import tempfile
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path

from ridgeline.boards.board import Board, Facts
from ridgeline.catalog import load_machine, load_model, machine_ids, model_ids
from ridgeline.catalog.huggingface import import_config
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model

__all__ = ["Dropped", "UnknownNameError"]

DROPPED = "config-"
"""Prefix of the names of dropped configurations."""
MOST_KEPT = 16
"""Configurations that are kept at once, the oldest going first; and models and machines of the catalog."""


class UnknownNameError(ValueError):
    """Error for an unknown model or machine, or both.

    Attributes:
        wrong: faults by "model" and "machine".
    """

    def __init__(self, wrong: dict[str, str]) -> None:
        super().__init__("; ".join(wrong.values()))
        self.wrong = wrong


class Dropped:
    """The configurations that a page's visitors dropped on it, the last few."""

    def __init__(self) -> None:
        self._models: OrderedDict[str, Model] = OrderedDict()

    def keep(self, config: bytes) -> str:
        """Keep a configuration and return its name.

        Raises:
            ValueError: it is none that can be read; says what is wrong.
        """
        name = f"{DROPPED}{hashlib.sha256(config).hexdigest()[:12]}"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name / "config.json"  # the model is called by its folder
            path.parent.mkdir()
            path.write_bytes(config)
            try:
                model = import_config(path)
            except ValueError as error:
                raise ValueError(str(error).replace(str(path), "config.json")) from None
            except RecursionError:
                raise ValueError("config.json: is nested too deeply to be a configuration") from None
        self._models[name] = model
        self._models.move_to_end(name)
        while len(self._models) > MOST_KEPT:
            self._models.popitem(last=False)
        return name

    def facts(self, board: Board, *, model: str, machine: str) -> Facts:
        """Facts from which careful numbers are taken; the board's own where a name is empty.

        Names are looked up and never opened: a path is refused as any unknown name.

        Raises:
            UnknownNameError: there is no such model or machine.
        """
        kept = self._models.get(model)
        wrong: dict[str, str] = {}
        if model and kept is None and model not in model_ids():
            why = "is no longer here; drop it again" if model.startswith(DROPPED) else "is not in the catalog"
            wrong["model"] = f"model {model!r} {why}"
        if machine and machine not in machine_ids():
            wrong["machine"] = f"machine {machine!r} is not in the catalog"
        if wrong:
            raise UnknownNameError(wrong)
        return Facts(
            model=_model(model or board.model) if kept is None else kept, machine=_machine(machine or board.machine)
        )


@lru_cache(maxsize=MOST_KEPT)
def _model(name: str) -> Model:
    return load_model(name)


@lru_cache(maxsize=MOST_KEPT)
def _machine(name: str) -> Machine:
    return load_machine(name)
