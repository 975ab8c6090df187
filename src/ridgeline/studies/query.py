"""A study's folder as tables of DuckDB: ``study``, and views that answer what studies are made for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ridgeline.studies.axis import StudyError
from ridgeline.studies.manifest import Manifest, read_manifest
from ridgeline.studies.shard_file import shard_path
from ridgeline.studies.views import LIMITED
from ridgeline.tables import frame

if TYPE_CHECKING:
    import duckdb

__all__ = ["Answer", "opened", "query", "write_csv"]

MEMORY = "500MB"
"""Memory limit of a query, beyond which DuckDB spills to disk, so that studies of any size can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Result of a query.

    Attributes:
        columns: names of the columns.
        rows: rows in order, a tuple each.
        missing: points of the study that are not there yet.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    missing: int

    def to_rows(self) -> list[dict[str, Any]]:
        """Rows as dicts: ``pandas.DataFrame(answer.to_rows())``."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_frame(self) -> Any:  # noqa: ANN401  a pandas.DataFrame, whose library is no dependency
        """Rows as a ``pandas.DataFrame``."""
        return frame({name: [row[at] for row in self.rows] for at, name in enumerate(self.columns)})


def opened(folder: Path) -> Manifest:
    """Manifest of the study in a folder.

    Raises:
        StudyError: it holds none.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise StudyError(f"{folder}: holds no study; make one: ridgeline sweep STUDY.toml --out {folder}")
    return manifest


@contextmanager
def _connected(folder: Path, manifest: Manifest) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to DuckDB with the study's table and views.

    Raises:
        StudyError: nothing of the study is there yet.
    """
    import duckdb  # noqa: PLC0415  a sixth of a second, for those who ask

    files = [str(shard_path(folder, one.shard)) for one in manifest.done]
    if not files:
        raise StudyError(f"{folder}: nothing of the study is there yet; carry it on: ridgeline sweep")
    with duckdb.connect(config={"memory_limit": MEMORY}) as connection:
        listed = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
        connection.execute(f"CREATE VIEW study AS SELECT * FROM read_parquet([{listed}])")  # noqa: S608  our own files
        connection.execute("CREATE TABLE left_out (reason VARCHAR, points BIGINT)")
        if manifest.left_out:
            connection.executemany("INSERT INTO left_out VALUES (?, ?)", list(manifest.left_out.items()))
        for statement in manifest.views.values():
            connection.execute(statement)
        yield connection


def query(folder: Path, sql: str, *, most: int | None = None) -> Answer:
    """Run one SQL statement over a study.

    Args:
        folder: folder of a sweep, whole or not.
        sql: one statement over ``study`` and the views of docs/studies.md.
        most: rows that are fetched; left out, all.

    Raises:
        StudyError: the folder holds no study, or the statement is refused; says what DuckDB says.
    """
    import duckdb  # noqa: PLC0415  a sixth of a second, for those who ask

    manifest = opened(folder)
    with _connected(folder, manifest) as connection:
        try:
            found = connection.execute(sql)
            if found is None:  # of text without a statement
                raise StudyError("query: there is no SQL; such as: FROM cheapest")
            columns = tuple(name for name, *_ in found.description or ())
            rows = found.fetchall() if most is None else found.fetchmany(most)
        except duckdb.Error as error:
            raise _refused(manifest, error) from None
    return Answer(columns=columns, rows=rows, missing=manifest.points - sum(one.points for one in manifest.done))


def write_csv(folder: Path, sql: str, path: Path) -> None:
    """Write all rows of a query into a CSV file, however many there are.

    Args:
        folder: folder of a sweep, whole or not.
        sql: one SELECT statement.
        path: path of the file, which is there whole or not at all.

    Raises:
        StudyError: the folder holds no study, the statement is refused, or the file cannot be written.
    """
    import duckdb  # noqa: PLC0415  a sixth of a second, for those who ask

    if not path.parent.is_dir() or (path.exists() and not path.is_file()):
        raise StudyError(f"{path}: CSV needs a file in a folder that exists")
    path = path.resolve()  # replaces the target of a link, not the link
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    manifest = opened(folder)
    with _connected(folder, manifest) as connection:
        try:
            told = str(part).replace("'", "''")
            connection.execute(f"COPY ({sql.strip().rstrip(';')}\n) TO '{told}' (FORMAT csv, HEADER)")
            part.replace(path)
        except duckdb.Error as error:
            raise _refused(manifest, error) from None
        except OSError as error:
            raise StudyError(f"{path}: {error.strerror}") from None
        finally:
            part.unlink(missing_ok=True)


def _refused(manifest: Manifest, error: duckdb.Error) -> StudyError:
    """Error with DuckDB's message about a statement, and the tables that there are."""
    names = ", ".join(("study", "left_out", *map(_called, manifest.views)))
    return StudyError(f"query: {str(error).strip()}\nTables: {names}; docs/studies.md describes them")


def _called(view: str) -> str:
    """A view as a query names it: those of a limit take one."""
    return f"{view}(limit_s)" if view in LIMITED else view
