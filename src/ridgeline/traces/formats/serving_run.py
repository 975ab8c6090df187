"""Ridgeline's own record of a measured run: ``requests.csv`` beside its ``run.toml``, a request per line.

``arrival_s`` is the time at which the request was sent, which may differ from ``trace_arrival_s`` in the played log.

Source: the measured runs that this project is held against, as of 2026-11.
"""

from ridgeline.traces.trace import TraceFormat

__all__ = ["SERVING_RUN"]

SERVING_RUN = TraceFormat(name="Ridgeline's runs", prompt="prompt_tokens", output="output_tokens", arrival="arrival_s")
