"""Requests as a Parquet file, one row each, written block by block: complete, or not there at all."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ridgeline.errors import RidgelineError
from ridgeline.simulator.served import ServedRequests

if TYPE_CHECKING:
    import duckdb

__all__ = ["RequestFile"]

COLUMNS = {
    "number": "BIGINT",
    "replica": "INTEGER",
    "arrivals_s": "DOUBLE",
    "prompt_tokens": "BIGINT",
    "output_tokens": "BIGINT",
    "ttft_s": "DOUBLE",
    "tpot_s": "DOUBLE",
    "e2e_s": "DOUBLE",
    "cached_tokens": "BIGINT",
    "classes": "INTEGER",
}
"""Columns with their types, from ``ServedRequests``."""

MOST_MEMORY = "256MB"
"""Memory limit of the writer; the rest is kept beside the file until it is complete."""


class RequestFile:
    """A file of requests being written, for use in a ``with`` statement.

    Args:
        path: path of the Parquet file; it appears when all is written, and replaces an existing one.

    Raises:
        RidgelineError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._rows: duckdb.DuckDBPyConnection | None = None

    def __enter__(self) -> Self:
        import duckdb  # noqa: PLC0415  a sixth of a second, for those who write a file alone

        try:
            self._folder = tempfile.TemporaryDirectory(prefix=f".{self.path.name}-", dir=self.path.parent)
        except OSError as error:
            raise RidgelineError(f"{self.path}: cannot be written: {error}") from None
        try:
            self._rows = duckdb.connect(str(Path(self._folder.name) / "rows"))
            self._rows.execute(f"SET memory_limit = '{MOST_MEMORY}'")
            columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
            self._rows.execute(f"CREATE TABLE requests ({columns})")
        except BaseException as error:  # an interrupt, too: ``with`` has not begun
            self.__exit__(type(error), error, None)
            raise
        return self

    def add(self, served: ServedRequests) -> None:
        """Write requests to the file."""
        import duckdb  # noqa: PLC0415  it is there by now

        if self._rows is None or not len(served):
            return
        block = {name: getattr(served, name) for name in COLUMNS}  # noqa: F841  the query takes it by its name
        try:
            self._rows.execute("INSERT INTO requests SELECT * FROM block")
        except duckdb.Error as error:
            raise RidgelineError(f"{self.path}: cannot be written: {error}") from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import duckdb  # noqa: PLC0415  it is there by now

        if self._rows is None or self._folder is None:
            return
        try:
            if kind is None:
                whole = Path(self._folder.name) / "whole.parquet"
                self._rows.execute(
                    f"COPY (FROM requests ORDER BY number) TO '{whole}' (FORMAT parquet, COMPRESSION zstd)"
                )
                whole.replace(self.path)
        except (duckdb.Error, OSError) as failure:
            raise RidgelineError(f"{self.path}: cannot be written: {failure}") from None
        finally:
            self._rows.close()
            self._folder.cleanup()
