"""Mooncake's logs of Kimi, a JSON object per line, with hashes of the prompts' 512-token prefix blocks.

Source: Qin et al. 2024, "Mooncake" (arXiv 2407.00079); github.com/kvcache-ai/Mooncake, as of 2026-11: arrivals in
milliseconds, and a hash names its block with all before it.
"""

from ridgeline.traces.trace import TraceFormat

__all__ = ["MOONCAKE"]

MOONCAKE = TraceFormat(
    name="Mooncake",
    prompt="input_length",
    output="output_length",
    arrival="timestamp",
    ticks_per_s=1e3,
    is_json=True,
    prefix_blocks="hash_ids",
    block_tokens=512,
)
