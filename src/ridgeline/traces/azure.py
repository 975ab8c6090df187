"""Azure's logs of 2023 and 2024: AzureLLMInferenceTrace_conv.csv, _code.csv and those of a week.

Source: Patel et al. 2024, "Splitwise"; github.com/Azure/AzurePublicDataset, as of 2026-11.
"""

from __future__ import annotations

from datetime import UTC, datetime

from ridgeline.traces.trace import TraceFormat

__all__ = ["AZURE"]

BEGINNING = datetime(2020, 1, 1, tzinfo=UTC)


def _since_beginning_s(written: str) -> float:
    """Seconds to a time of day; one without a zone is in UTC."""
    then = datetime.fromisoformat(written)
    return ((then if then.tzinfo else then.replace(tzinfo=UTC)) - BEGINNING).total_seconds()


AZURE = TraceFormat(
    name="Azure",
    prompt="ContextTokens",
    output="GeneratedTokens",
    arrival="TIMESTAMP",
    arrival_s=_since_beginning_s,
)
