"""Logs of real requests: their lengths and when they came; one file a public format."""

from ridgeline.traces.lengths import workload_of
from ridgeline.traces.read import read_trace
from ridgeline.traces.trace import Trace, TraceError, TraceFormat

__all__ = ["Trace", "TraceError", "TraceFormat", "read_trace", "workload_of"]
