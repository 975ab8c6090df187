"""Azure's logs of 2023 and 2024: AzureLLMInferenceTrace_conv.csv, _code.csv and those of a week.

Times of day have up to seven decimals of a second, of which six are read; one without a zone is in UTC.

Source: Patel et al. 2024, "Splitwise"; github.com/Azure/AzurePublicDataset, as of 2026-11.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ridgeline.traces.trace import TraceFormat

__all__ = ["AZURE"]

TICK = timedelta(microseconds=1)
BEGINNING = datetime(2020, 1, 1)  # noqa: DTZ001  most are without a zone: a second subtraction is as long as the rest
BEGINNING_UTC = BEGINNING.replace(tzinfo=UTC)


def _ticks(written: str) -> int:
    """Time of day in microseconds."""
    then = datetime.fromisoformat(written)
    return (then - (BEGINNING if then.tzinfo is None else BEGINNING_UTC)) // TICK


AZURE = TraceFormat(
    name="Azure",
    prompt="ContextTokens",
    output="GeneratedTokens",
    arrival="TIMESTAMP",
    ticks=_ticks,
    ticks_per_s=1e6,
)
