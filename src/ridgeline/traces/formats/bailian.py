"""Bailian's logs of Qwen (traceA, traceB, coder, thinking), a JSON object per line, with hashes of 16-token blocks.

A line has ``chat_id``, ``parent_chat_id`` (-1 for the first turn), ``timestamp`` (s), ``input_length``,
``output_length``, ``type``, ``turn`` and ``hash_ids``. Turns of a chat share blocks, so that their order is not needed.

Source: github.com/alibaba-edu/qwen-bailian-usagetraces-anon, and AIPerf 0.7's page on it (docs.nvidia.com/aiperf), as
of 2026-11.
"""

from ridgeline.traces.trace import TraceFormat

__all__ = ["BAILIAN"]

BAILIAN = TraceFormat(
    name="Bailian",
    prompt="input_length",
    output="output_length",
    arrival="timestamp",
    is_json=True,
    prefix_blocks="hash_ids",
    block_tokens=16,
    signs=("chat_id", "timestamp", "input_length", "output_length", "hash_ids"),
)
