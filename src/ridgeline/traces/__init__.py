"""Requests: logs of real ones with their lengths and arrivals, and synthetic ones."""

from ridgeline.traces.classed import Classed, classed
from ridgeline.traces.lengths import workload_of
from ridgeline.traces.read import read_trace
from ridgeline.traces.requests import Requests
from ridgeline.traces.source import RequestSource
from ridgeline.traces.synthetic import Synthetic, synthetic
from ridgeline.traces.trace import Trace, TraceError, TraceFormat
from ridgeline.traces.trace_file import TraceFile, open_trace, paced

__all__ = [
    "Classed",
    "RequestSource",
    "Requests",
    "Synthetic",
    "Trace",
    "TraceError",
    "TraceFile",
    "TraceFormat",
    "classed",
    "open_trace",
    "paced",
    "read_trace",
    "synthetic",
    "workload_of",
]
