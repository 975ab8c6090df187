"""Parquet file of a shard: written whole or not at all, by one thread, with its counts in its metadata."""

from __future__ import annotations

import dataclasses
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from ridgeline.studies.study import Column

if TYPE_CHECKING:
    import duckdb

__all__ = ["FOLDER", "Contents", "Done", "read_done", "shard_path", "write_shard"]

FOLDER = "shards"

ROW_GROUP = 2**17
"""Rows of a row group of a Parquet file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A shard that is written.

    Attributes:
        shard: number of the shard.
        points: number of the study's points that it stands for.
        rows: number of rows of its file.
        left_out: points without a row, by the reason.
        file_bytes: size of its file.
    """

    shard: int
    points: int
    rows: int
    left_out: Mapping[str, int]
    file_bytes: int


def shard_path(folder: Path, shard: int) -> Path:
    """Path of a shard's file."""
    return folder / FOLDER / f"{shard:08d}.parquet"


class Contents(NamedTuple):
    """Contents of a shard's file.

    Attributes:
        columns: columns of the table, in order.
        rows: columns that differ from row to row, and ``part``, the number of each row's part.
        groups: columns that the rows of a part share, and its number, ``part``.
    """

    columns: tuple[Column, ...]
    rows: dict[str, NDArray[Any]]
    groups: dict[str, NDArray[Any]]


def write_shard(folder: Path, done: Done, contents: Contents, fingerprint: str) -> Done:
    """Write a shard's file; of the same shard always the same bytes.

    Args:
        folder: folder of the study.
        done: counts of the shard, kept in the file's metadata.
        contents: table of the shard.
        fingerprint: fingerprint of the study.

    Raises:
        OSError: it cannot be written; what was there is untouched.
    """
    path = shard_path(folder, done.shard)
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.part")
    try:
        _copy(contents, part, {"study": fingerprint, "shard": _said(done)})
        with part.open("rb") as written:
            os.fsync(written.fileno())
        size = part.stat().st_size
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return dataclasses.replace(done, file_bytes=size)


def _copy(contents: Contents, path: Path, told: Mapping[str, str]) -> None:
    """Copy a table into a file by one thread, so that rows stay in order."""
    import duckdb  # noqa: PLC0415  a sixth of a second, for those who write alone

    columns = contents.columns
    metadata = ", ".join(f"{key}: {_quoted(value)}" for key, value in told.items())
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("shard_rows", contents.rows)
        connection.register("shard_groups", contents.groups)
        shared = [_shared(one, contents.groups[one.name]) for one in columns if not one.is_of_row]
        connection.execute(f"CREATE TABLE parts AS SELECT part, {', '.join(shared)} FROM shard_groups")  # noqa: S608  our own names
        listed = ", ".join(_of_rows(one) if one.is_of_row else f'"{one.name}"' for one in columns)
        connection.execute(
            f"COPY (SELECT {listed} FROM shard_rows JOIN parts USING (part)) TO"  # noqa: S608  our own names
            f" {_quoted(str(path))} (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION snappy,"
            f" ROW_GROUP_SIZE {ROW_GROUP}, KV_METADATA {{{metadata}}})"
        )


def _shared(one: Column, values: NDArray[Any]) -> str:
    """A column that a part's rows share, as SQL reads it; names are numbers of a list, which are written fast."""
    name = f'"{one.name}"'  # a study's own quantity may be a word of SQL
    if one.sql_type != "VARCHAR":
        return f"CASE WHEN isnan({name}) THEN NULL ELSE {name}::{one.sql_type} END AS {name}"
    names = ", ".join(map(_quoted, sorted(set(values))))
    return f"{name}::{f'ENUM({names})' if names else 'VARCHAR'} AS {name}"


def _of_rows(one: Column) -> str:
    """A column that differs from row to row, as SQL reads it; what is not known is null."""
    if one.names:
        return f"[{', '.join(map(_quoted, one.names))}][{one.name} + 1] AS {one.name}"
    if one.sql_type == "DOUBLE":
        return f"CASE WHEN isnan({one.name}) THEN NULL ELSE {one.name} END AS {one.name}"
    return f"{one.name}::{one.sql_type} AS {one.name}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _said(done: Done) -> str:
    """Counts of a shard as its file's metadata has them, in JSON."""
    return json.dumps({"points": done.points, "rows": done.rows, "left_out": dict(done.left_out)}, sort_keys=True)


def read_done(connection: duckdb.DuckDBPyConnection, folder: Path, shard: int, fingerprint: str) -> Done | None:
    """Counts of a shard from its file's metadata; None where there is no whole file of this study.

    Args:
        connection: any open connection.
        folder: folder of the study.
        shard: number of the shard.
        fingerprint: fingerprint of the study.
    """
    import duckdb  # noqa: PLC0415  it is there by now

    path = shard_path(folder, shard)
    try:
        found = connection.execute(
            "SELECT decode(key), decode(value) FROM parquet_kv_metadata(?)", [str(path)]
        ).fetchall()
        told = dict(found)
        if told.get("study") != fingerprint:
            return None
        kept = json.loads(told["shard"])
        return Done(
            shard=shard,
            points=kept["points"],
            rows=kept["rows"],
            left_out=kept["left_out"],
            file_bytes=path.stat().st_size,
        )
    except (duckdb.Error, OSError, ValueError, KeyError):
        return None
