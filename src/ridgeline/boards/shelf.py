"""All boards, in the order of the lecture."""

from __future__ import annotations

from ridgeline.boards.board import Board
from ridgeline.boards.boards_ciphers import BOARDS as CIPHERS
from ridgeline.boards.boards_contexts import BOARDS as CONTEXTS
from ridgeline.boards.boards_departures import BOARDS as DEPARTURES
from ridgeline.boards.boards_inference import BOARDS as INFERENCE
from ridgeline.boards.boards_layouts import BOARDS as LAYOUTS
from ridgeline.boards.boards_pipelines import BOARDS as PIPELINES
from ridgeline.boards.boards_prices import BOARDS as PRICES
from ridgeline.boards.boards_quality import BOARDS as QUALITY
from ridgeline.boards.boards_racks import BOARDS as RACKS
from ridgeline.boards.boards_sparse import BOARDS as SPARSE
from ridgeline.boards.boards_training import BOARDS as TRAINING
from ridgeline.boards.boards_wires import BOARDS as WIRES

__all__ = ["BOARDS"]

BOARDS: tuple[Board, ...] = (
    *INFERENCE,
    *DEPARTURES,
    *SPARSE,
    *QUALITY,
    *RACKS,
    *LAYOUTS,
    *WIRES,
    *PIPELINES,
    *TRAINING,
    *CONTEXTS,
    *PRICES,
    *CIPHERS,
)
