"""Tables of numbers as plain data."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.picture import Table

__all__ = ["TableDocument", "table_document"]


class TableDocument(TypedDict):
    """Numbers by row and column, the darker the larger.

    Attributes:
        values: row after row.
        is_written: whether each number is written into its cell.
        text: what the table says.
        first: number of the first row and of the first column.
    """

    values: list[list[float]]
    is_written: bool
    text: str
    first: int


def table_document(table: Table) -> TableDocument:
    """All of it."""
    return {
        "values": table.values.tolist(),
        "is_written": table.is_written,
        "text": table.text,
        "first": table.first,
    }
