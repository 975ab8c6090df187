"""Lengths of synthetic requests, one file per kind."""

from ridgeline.traces.request_lengths.drawn import Drawn
from ridgeline.traces.request_lengths.fixed import Fixed
from ridgeline.traces.request_lengths.lognormal import Lognormal
from ridgeline.traces.request_lengths.request_lengths import RequestLengths

__all__ = ["Drawn", "Fixed", "Lognormal", "RequestLengths"]
