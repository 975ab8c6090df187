"""Tables of words and numbers as plain data."""

from __future__ import annotations

from typing import TypedDict

from ridgeline.boards.picture import Sheet

__all__ = ["SheetDocument", "sheet_document"]


class SheetDocument(TypedDict):
    """A table of words and numbers.

    Attributes:
        columns: headings, that of the rows' names first.
        rows: cells, as many as columns.
        bold: numbers of the rows that matter most.
        text: what it says.
    """

    columns: list[str]
    rows: list[list[str]]
    bold: list[int]
    text: str


def sheet_document(sheet: Sheet) -> SheetDocument:
    """All of it."""
    return {
        "columns": list(sheet.columns),
        "rows": [list(row) for row in sheet.rows],
        "bold": list(sheet.bold),
        "text": sheet.text,
    }
