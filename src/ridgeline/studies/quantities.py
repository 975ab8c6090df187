"""Number format and caption of a column, by its name."""

from __future__ import annotations

from ridgeline.quantity_text import format_quantity

__all__ = ["caption_of", "dimension_of", "shown"]

DIMENSIONS = {
    "flop_per_s": "flop_per_s",
    "bytes_per_s": "bytes_per_s",
    "usd_per_token": "usd_per_token",
    "usd_per_chip_s": "usd_per_s",
    "bytes": "bytes",
    "usd": "usd",
    "power_w": "w",
    "fraction": "fraction",
    "s": "s",
}
"""Dimension of a column by the ending of its name, the longest endings first."""


def dimension_of(column: str) -> str | None:
    """The dimension of a column's numbers; None where its name says none.

    >>> dimension_of("step_time_s"), dimension_of("scale_up_bytes_per_s"), dimension_of("batch")
    ('s', 'bytes_per_s', None)
    """
    if column.endswith("_per_s_per_chip"):
        return None
    named = f"_{column}"
    return next((of for end, of in DIMENSIONS.items() if named.endswith(f"_{end}")), None)


def shown(column: str, value: object, digits: int = 3) -> str:
    """A value as text, with its unit where the column's name says it.

    >>> shown("step_time_s", 0.0123), shown("batch", 4096), shown("area_mm2", 1234.5), shown("layout", "tp8")
    ('12.3 ms', '4,096', '1.23k', 'tp8')
    """
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    dimension = dimension_of(column)
    if dimension is not None:
        return format_quantity(float(value), dimension, digits)
    return f"{value:,}" if isinstance(value, int) else format_quantity(float(value), "count", digits)


CAPTIONS = {
    "usd_per_token": "cost of a token",
    "step_time_s": "step time",
    "tokens_per_s_per_chip": "tokens per second of each chip",
    "context_tokens": "context, tokens",
    "usd_per_chip_s": "price of a chip",
    "flop_per_s": "bf16 arithmetic",
    "hbm_bytes_per_s": "HBM bandwidth",
    "hbm_bytes": "HBM capacity",
    "scale_up_bytes_per_s": "scale-up bandwidth",
    "scale_out_bytes_per_s": "scale-out bandwidth",
    "power_w": "power of a chip",
    "free_bytes": "free memory",
    "mfu_fraction": "MFU",
    "usd": "cost of the run",
}
"""Captions of columns whose names do not read well by themselves."""


def caption_of(column: str) -> str:
    """Caption of an axis.

    >>> caption_of("step_time_s"), caption_of("area_mm2")
    ('step time', 'area mm2')
    """
    return CAPTIONS.get(column) or column.replace("_", " ")
