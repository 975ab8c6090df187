"""GuideLLM's ``benchmarks.json``: one JSON object of benchmarks, each with its requests.

``benchmarks[].requests`` has the lists ``successful``, ``incomplete`` and ``errored``; a request of the first has
``request_start_time`` (s, time of day), ``prompt_tokens`` and ``output_tokens``. The others count as failed. Requests
of all benchmarks follow one another, as they were sent. Reports of releases that had no ``request_start_time`` yet are
refused.

Source: github.com/vllm-project/guidellm, src/guidellm/schemas/base/request_stats.py, at 31c74ea2, as of 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ridgeline.traces.trace import TraceError, TraceFormat

__all__ = ["GUIDELLM"]

ENDS = ("successful", "incomplete", "errored")
FAILED = {"prompt_tokens": 0, "output_tokens": 0, "request_start_time": 0.0}


def _requests(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for benchmark in report["benchmarks"]:
        by_end = {end: benchmark["requests"].get(end) or () for end in ENDS}
        _refuse_samples(by_end, benchmark)
        yield from by_end["successful"]
        yield from (FAILED for end in ENDS[1:] for _ in by_end[end])


def _refuse_samples(by_end: dict[str, Sequence[Any]], benchmark: dict[str, Any]) -> None:
    """Refuse a benchmark that keeps only some of its requests, whose rate would be too low."""
    totals = benchmark.get("request_totals") or benchmark.get("metrics", {}).get("request_totals") or {}
    sent = sum(totals.get(end) or 0 for end in ENDS)
    if (kept := sum(map(len, by_end.values()))) < sent:
        raise TraceError(
            f"GuideLLM kept {kept:,} of {sent:,} requests as samples, which do not tell the rate; run it so that it"
            " keeps all: without --sample-requests, or with one above the requests of a benchmark"
        )


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
