"""GuideLLM's ``benchmarks.json``: one JSON object of benchmarks, each with its requests.

``benchmarks[].requests`` has the lists ``successful``, ``incomplete`` and ``errored``; a request of the first has
``request_start_time`` (s, time of day), ``prompt_tokens`` and ``output_tokens``. The others count as failed. Requests
of all benchmarks follow one another, as they were sent. Reports of releases that had no ``request_start_time`` yet are
refused.

Source: github.com/vllm-project/guidellm, src/guidellm/schemas/base/request_stats.py, at 31c74ea2, as of 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ridgeline.traces.trace import TraceFormat

__all__ = ["GUIDELLM"]

FAILED = {"prompt_tokens": 0, "output_tokens": 0, "request_start_time": 0.0}


def _requests(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for benchmark in report["benchmarks"]:
        by_end = benchmark["requests"]
        yield from by_end.get("successful") or ()
        for _ in (*(by_end.get("incomplete") or ()), *(by_end.get("errored") or ())):
            yield FAILED


GUIDELLM = TraceFormat(
    name="GuideLLM",
    prompt="prompt_tokens",
    output="output_tokens",
    arrival="request_start_time",
    is_json=True,
    in_order=False,
    signs=("benchmarks",),
    requests_of=_requests,
)
