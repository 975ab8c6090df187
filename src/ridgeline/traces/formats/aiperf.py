"""AIPerf's ``profile_export.jsonl``: a JSON object per request, in the order in which they ended.

``metadata.request_start_ns`` is the time of day at which a request was sent; ``metrics.input_sequence_length`` and
``.output_sequence_length``, which has tokens of reasoning in it, have a ``value`` each. A request that failed or was
cancelled has an ``error``.

Source: github.com/ai-dynamo/aiperf, docs/tutorials/working-with-profile-exports.md, at 13992dbd, as of 2026-11.
"""

from __future__ import annotations

from typing import Any

from ridgeline.traces.trace import TraceFormat

__all__ = ["AIPERF"]


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """Columns of a request, as far as present."""
    if record.get("error"):
        return FAILED
    metadata, metrics = (found if isinstance(found := record.get(name), dict) else {} for name in SIGNS)
    lengths = {name: one["value"] for name, one in metrics.items() if isinstance(one, dict) and "value" in one}
    return {name: metadata[name] for name in ("request_start_ns",) if name in metadata} | lengths


SIGNS = ("metadata", "metrics")
FAILED = {"input_sequence_length": 0, "output_sequence_length": 0, "request_start_ns": 0}

AIPERF = TraceFormat(
    name="AIPerf",
    prompt="input_sequence_length",
    output="output_sequence_length",
    arrival="request_start_ns",
    ticks=int,
    ticks_per_s=1e9,
    is_json=True,
    in_order=False,
    signs=SIGNS,
    flat=_flat,
)
