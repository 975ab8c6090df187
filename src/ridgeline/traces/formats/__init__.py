"""Formats of logs, one file each."""

from ridgeline.traces.formats.aiperf import AIPERF
from ridgeline.traces.formats.azure import AZURE
from ridgeline.traces.formats.bailian import BAILIAN
from ridgeline.traces.formats.burstgpt import BURST_GPT
from ridgeline.traces.formats.guidellm import GUIDELLM
from ridgeline.traces.formats.mooncake import MOONCAKE
from ridgeline.traces.formats.serving_run import SERVING_RUN
from ridgeline.traces.formats.vidur import VIDUR, VIDUR_LENGTHS
from ridgeline.traces.formats.vllm_bench import VLLM_BENCH, VLLM_BENCH_LENGTHS

__all__ = ["FORMATS"]

FORMATS = (
    AZURE,
    BAILIAN,  # has all that Mooncake's has
    MOONCAKE,
    BURST_GPT,
    VIDUR,
    VIDUR_LENGTHS,
    VLLM_BENCH,
    VLLM_BENCH_LENGTHS,
    AIPERF,
    GUIDELLM,
    SERVING_RUN,
)
"""Known formats; of two that fit, the first is taken."""
