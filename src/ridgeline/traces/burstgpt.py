"""BurstGPT's logs of a university's use of ChatGPT and GPT-4.

Source: Wang et al. 2024, "BurstGPT" (arXiv 2401.17644); github.com/HPMLL/BurstGPT, as of 2026-11: arrivals in seconds,
and no response tokens where a request failed.
"""

from ridgeline.traces.trace import TraceFormat

__all__ = ["BURST_GPT"]

BURST_GPT = TraceFormat(
    name="BurstGPT",
    prompt="Request tokens",
    output="Response tokens",
    arrival="Timestamp",
    fails_without_output=True,
)
