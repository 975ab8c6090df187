"""BurstGPT's logs of a university's use of ChatGPT and GPT-4.

BurstGPT_1 and _2 have ``Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type``; BurstGPT_3 has
``Session ID`` and ``Elapsed time`` besides, of which neither is read. A request that failed has no response tokens.

Source: Wang et al. 2024, "BurstGPT" (arXiv 2401.17644); github.com/HPMLL/BurstGPT, release 2.0, as of 2026-11:
arrivals in seconds.
"""

from ridgeline.traces.trace import TraceFormat

__all__ = ["BURST_GPT"]

BURST_GPT = TraceFormat(name="BurstGPT", prompt="Request tokens", output="Response tokens", arrival="Timestamp")
