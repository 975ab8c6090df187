"""Formats of logs, one file each."""

from ridgeline.traces.formats.azure import AZURE
from ridgeline.traces.formats.burstgpt import BURST_GPT
from ridgeline.traces.formats.mooncake import MOONCAKE
from ridgeline.traces.formats.vidur import VIDUR, VIDUR_LENGTHS

__all__ = ["FORMATS"]

FORMATS = (AZURE, MOONCAKE, BURST_GPT, VIDUR, VIDUR_LENGTHS)
"""Those that are known; of two that fit the first."""
