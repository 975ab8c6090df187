"""Results of ``vllm bench serve --save-result --save-detailed``: one JSON object of lists, with a value per request.

``start_times`` (s) are the times at which requests were sent; older results lack them, so that only lengths are known.
With ``--append-result``, a file has one such object per line. A request that failed has no output, or a text in
``errors``. Without ``--save-detailed``, the lists are missing, and nothing can be read.

Source: github.com/vllm-project/vllm, vllm/benchmarks/serve.py, at 009e6d4a, as of 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ridgeline.traces.trace import TraceFormat

__all__ = ["VLLM_BENCH", "VLLM_BENCH_LENGTHS"]


def _requests(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Requests from lists of one length; a ValueError where lengths differ."""
    columns = [name for name in ("input_lens", "output_lens", "start_times") if name in result]
    errors = result.get("errors") or [""] * len(result["input_lens"])
    for *values, error in zip(*(result[name] for name in columns), errors, strict=True):
        request = dict(zip(columns, values, strict=True))
        yield request | {"output_lens": 0} if error else request


VLLM_BENCH = TraceFormat(
    name="vllm bench serve --save-detailed",
    prompt="input_lens",
    output="output_lens",
    arrival="start_times",
    is_json=True,
    in_order=False,
    requests_of=_requests,
)

VLLM_BENCH_LENGTHS = TraceFormat(
    name="vllm bench serve --save-detailed, lengths alone",
    prompt="input_lens",
    output="output_lens",
    is_json=True,
    requests_of=_requests,
)
