"""Logs in the form of Vidur and Sarathi-Serve: with arrivals in seconds, or lengths alone.

Source: Agrawal et al. 2024, "Vidur" (arXiv 2405.05465); github.com/microsoft/vidur, as of
2026-11: data/processed_traces.
"""

from ridgeline.traces.trace import TraceFormat

__all__ = ["VIDUR", "VIDUR_LENGTHS"]

VIDUR = TraceFormat(name="Vidur", prompt="num_prefill_tokens", output="num_decode_tokens", arrival="arrived_at")
VIDUR_LENGTHS = TraceFormat(name="Vidur, lengths alone", prompt="num_prefill_tokens", output="num_decode_tokens")
