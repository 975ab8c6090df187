"""Numbers of the chapter on layouts."""

from __future__ import annotations

from ridgeline.boards.constant import filled_in, implied, said

__all__ = [
    "ACTIVE_EXPERTS",
    "ALIKE",
    "CABLES_PER_TRAY",
    "CHIPS",
    "EXPERTS",
    "EXPERT_HIDDEN",
    "HOPPERS_BYTES",
    "HUGE_PARAMS",
    "LAYERS_PER_STAGE",
    "NO_COPIES",
    "PRODUCTION_COPIES",
    "RACKS",
    "RUMOURED_PARAMS",
    "RUMOUR_YEAR",
    "SKEW",
    "TRAYS",
]

EXPERTS = said(256, "0:34:00", name="experts")
"""Experts of a layer of DeepSeek's model."""

ACTIVE_EXPERTS = implied(EXPERTS.value // 32, "0:33:00", hedge="a small part, maybe 1 in 32", name="active_experts")
"""Experts that a token is routed to."""

CHIPS = said(64, "0:34:20", hedge="of 72, to divide evenly", name="chips")
"""Chips of a rack that hold experts."""

NO_COPIES = implied(0, "0:34:20")
"""No copies: every expert lies on one chip."""

PRODUCTION_COPIES = 32.0
"""Further copies of experts with which DeepSeek decodes: open-infra-index, day 6."""

RACKS = said(2, "0:36:00", name="racks")
"""Racks that an expert layer is spread over, to see what goes wrong."""

ALIKE = implied(0, "0:40:00", hedge="on average")
"""Power of an expert's rank: tokens want all experts alike, so that half of them leave one of two racks."""

SKEW = filled_in(0.5, why="a guess, so that some experts draw more tokens than others")
"""Power of an expert's rank with which tokens seek it less, where a picture needs one above zero; a guess."""

EXPERT_HIDDEN = filled_in(2048, why="DeepSeek-V3's")
"""Width of one expert: DeepSeek-V3's."""

LAYERS_PER_STAGE = filled_in(25, why="a hundred layers over four racks")
"""Layers of a stage where a hundred layers lie over four racks."""

TRAYS = said(4, "0:42:30", hedge="to start with: two on each side")
"""Chips, or trays of them, in the drawing of the cables."""

CABLES_PER_TRAY = said(2, "0:42:30", hedge="let's say", name="cables_per_chip")
"""Cables from each tray to the switches."""

HOPPERS_BYTES = said(640e9, "0:45:10", hedge="the interviewer's: I think")
"""Memory of eight Hoppers as sold, bytes."""

HUGE_PARAMS = said(5e12, "0:44:50", hedge="the interviewer's example")
"""Parameters of a model that needs a larger domain."""

RUMOURED_PARAMS = said(1e12, "0:44:30", hedge="the interviewer's: rumoured, and over a trillion", between=(1e12, 2e12))
"""Parameters of GPT-4."""

RUMOUR_YEAR = said(2023, "0:44:20")
"""Year in which GPT-4 came out."""
