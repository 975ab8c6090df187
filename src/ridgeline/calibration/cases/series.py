"""Rows that belong together: of one deployment, and of one sweep over batches or sizes."""

from __future__ import annotations

from ridgeline.calibration.cases.case import Case

__all__ = ["deployment_of", "series_of"]

DEPLOYMENT = ("engine", "model", "weight_dtype", "chips", "tp", "pp", "ep", "dp", "cp")
FIXED = (
    *("activation_dtype", "kv_dtype", "prompt_tokens", "output_tokens", "context_tokens", "n", "k"),
    *("query_heads", "kv_heads", "head_dim", "ranks"),
)
"""Further columns that are constant along a sweep over ``batch``, ``m`` (and ``groups``) or ``message_bytes``."""

SWEPT_ATTRIBUTES = {"rows"}


def deployment_of(case: Case) -> tuple[str, ...]:
    """Key of rows that differ only in users and lengths."""
    return (case.family, case.quantity, case.machine, *(case.text(name) for name in DEPLOYMENT))


def series_of(case: Case) -> tuple[str, ...]:
    """Key of rows that differ only in the batch, the users or the size of a kernel or message."""
    attributes = sorted((name, repr(value)) for name, value in case.attributes.items() if name not in SWEPT_ATTRIBUTES)
    others = repr((attributes, sorted(case.machine_overrides.items())))
    return (case.kind, *deployment_of(case), *(case.text(name) for name in FIXED), others)
