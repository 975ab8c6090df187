"""What the scenes' dev page shows: each scene in both modes, and at corners of its controls.

Writes ``scenes.json`` beside itself; then ``npx vite`` in ``page`` serves ``/dev/scenes.html``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ridgeline.boards.board import Mode
from ridgeline.boards.documents.view import view_document
from ridgeline.boards.lecture import board

VIEWS = {"trains": ("departures", 0), "racks": ("experts", 0), "gantt": ("bubbles", 0), "multiples": ("context", 1)}

CORNERS: dict[str, tuple[str, dict[str, float]]] = {
    "trains-few-seats": ("trains", {"seats": 32, "load_fraction": 0.998, "period_s": 0.5}),
    "trains-none-full": ("trains", {"load_fraction": 0.9}),
    "racks-one": ("racks", {"racks": 1, "redundant_experts": 32, "chips": 72}),
    "racks-alike": ("racks", {"skew": 0}),
    "racks-three": ("racks", {"racks": 3, "chips": 8, "experts": 1024}),
    "racks-eight": ("racks", {"racks": 8, "chips": 8}),
    "racks-many-chips": ("racks", {"chips": 1000}),
    "gantt-two-stages": ("gantt", {"stages": 2, "micro_batches": 1}),
    "gantt-many-micro-batches": ("gantt", {"micro_batches": 64, "backward_ratio": 2}),
}


def shown(kind: str, mode: Mode, turned: dict[str, float]) -> dict[str, Any]:
    """One scene, as the page is given it."""
    name, place = VIEWS[kind]
    one = board(name)
    found = view_document(one.views[place], one.values(mode, turned))
    return {"axes": found.pop("axes"), "picture": found}


if __name__ == "__main__":
    scenes = {f"{kind}-{mode}": shown(kind, mode, {}) for kind in VIEWS for mode in Mode}
    scenes |= {name: shown(kind, Mode.LECTURE, turned) for name, (kind, turned) in CORNERS.items()}
    Path(__file__).with_name("scenes.json").write_text(json.dumps(scenes))
