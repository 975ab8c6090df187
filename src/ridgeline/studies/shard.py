"""A shard: some of a study's points, estimated and written into one Parquet file, whose bytes depend on them alone."""

from __future__ import annotations

import json
import math
import os
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.specs.machine import Machine
from ridgeline.studies.chip import Chip
from ridgeline.studies.fields import PRICE, column
from ridgeline.studies.study import Block, Column, Place, Study, columns_of, estimated, place_of

if TYPE_CHECKING:
    import duckdb

__all__ = ["Done", "Shards", "all_columns", "place_at", "read_done", "run_shard", "shards_of"]

PART_POINTS = 2**16
"""Points that are estimated together: their numbers stay in the processor's cache."""

SHARD_POINTS = 2**19
"""Points of a shard, where a block has many: 15 MB of Parquet, and about a second of one core."""

ROW_GROUP = 2**17
"""Rows that a Parquet file keeps together."""

FOLDER = "shards"


class Shards(NamedTuple):
    """How a study is cut. Parts lie in order: those of a block, then those of the next; a shard is a run of parts.

    Attributes:
        part_rows: values along the first of the inner axes that a part has.
        parts_per_block: parts of each block.
        parts_per_shard: parts of each shard.
        number: of shards.
    """

    part_rows: int
    parts_per_block: int
    parts_per_shard: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A shard that is written.

    Attributes:
        shard: its number.
        points: of the study that it stands for.
        rows: of its file.
        left_out: points without a row, by the reason.
        file_bytes: size of its file.
    """

    shard: int
    points: int
    rows: int
    left_out: Mapping[str, int]
    file_bytes: int


def shards_of(study: Study, *, per_shard: int | None = None) -> Shards:
    """How a study is cut.

    Args:
        study: any.
        per_shard: parts of a shard; left out, as many as suit its points.
    """
    first, across = (
        (study.inner_axes[0].size, study.block_points // study.inner_axes[0].size) if study.inner else (1, 1)
    )
    part_rows = min(max(PART_POINTS // across, 1), first)
    parts_per_block = math.ceil(first / part_rows)
    usual = min(max(SHARD_POINTS // (part_rows * across), 1), study.blocks_per_shard)
    parts_per_shard = usual if per_shard is None else per_shard
    blocks = study.points // study.block_points
    return Shards(part_rows, parts_per_block, parts_per_shard, math.ceil(blocks * parts_per_block / parts_per_shard))


def all_columns(study: Study) -> tuple[Column, ...]:
    """Columns of the table ``study``, in order."""
    fields = tuple(Column(name, "DOUBLE", "of the machine") for name in study.machine_columns)
    return (
        Column("point", "BIGINT", "number of the point, which tells its command", is_of_row=True),
        Column("model", "VARCHAR", "as the study names it"),
        Column("machine", "VARCHAR", "as the study names it"),
        Column("variant", "INTEGER", "number of the machine among those that its table stands for"),
        *fields,
        *columns_of(study.kind),
    )


class _Places:
    """Places of blocks, each machine made once for all blocks in a row that have it."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._held: tuple[tuple[int, int], Machine | RidgelineError, dict[str, float | None]] | None = None

    def at(self, block: int) -> Place:
        """The place of a block.

        Raises:
            RidgelineError: there is no such machine; the message is the reason.
        """
        model, candidate, variant, knobs = place_of(self._study, block)
        if self._held is None or self._held[0] != (candidate, variant):
            self._held = ((candidate, variant), *self._machine(candidate, variant))
        _, machine, values = self._held
        if isinstance(machine, RidgelineError):
            raise machine
        return Place(self._study.models[model], machine, values, knobs, candidate, variant)

    def _machine(self, candidate: int, variant: int) -> tuple[Machine | RidgelineError, dict[str, float | None]]:
        """A machine with its columns, or why there is none."""
        of, columns = self._study.candidates[candidate], self._study.machine_columns
        if not isinstance(of, Chip):
            tariff = of.machine.tariff
            price = None if tariff is None else tariff.usd_per_chip_s
            known = _known(of.machine) | {PRICE: price}
            return of.machine, {name: known.get(name) for name in columns}
        values = of.values(variant)
        shown: dict[str, float | None] = {
            column(name): value for name, value in values.items() if column(name) in columns
        }
        try:
            over = of.over(values)
            return (RidgelineError(over) if over else of.machine(variant)), shown
        except RidgelineError as error:
            return error, shown


def _known(machine: Machine) -> dict[str, float | None]:
    """Numbers of a machine of the catalog by the columns of hypothetical ones."""
    chip = machine.chip
    found: dict[str, float | None] = {"flop_per_s": chip.flop_per_s["bf16"], "node_chips": machine.node_chips}
    found |= {f"flop_per_s_{name}": value for name, value in chip.flop_per_s.items()}
    found |= {
        name: getattr(chip, name) for name in ("hbm_bytes", "hbm_bytes_per_s", "l2_bytes", "compute_units", "power_w")
    }
    for level in machine.fabric:
        found |= {f"{level.name}_{name}": getattr(level, name) for name in ("bytes_per_s", "chips", "links")}
    return found


def place_at(study: Study, block: int) -> Place:
    """The place of one block."""
    return _Places(study).at(block)


class _Part(NamedTuple):
    """A part of a block with what came of it."""

    first_point: int
    shared: Mapping[str, Any]
    found: Block


def _parts(study: Study, cut: Shards, shard: int, left_out: Counter[str]) -> Iterator[_Part]:
    """Parts of a shard that have rows; points of others are counted by the reason."""
    places, across = _Places(study), study.block_points // (study.inner_axes[0].size if study.inner else 1)
    total = study.points // study.block_points * cut.parts_per_block
    for part in range(shard * cut.parts_per_shard, min((shard + 1) * cut.parts_per_shard, total)):
        block, within = divmod(part, cut.parts_per_block)
        first = within * cut.part_rows
        last = min(first + cut.part_rows, study.block_points // across)
        try:
            place = places.at(block)
            found = estimated(study.kind, place, study.inner_axes, slice(first, last))
        except RidgelineError as error:
            left_out[str(error)] += (last - first) * across
            continue
        left_out.update(found.left_out)
        model, candidate, variant, _ = place_of(study, block)
        shared = {
            "model": study.model_names[model],
            "machine": study.candidates[candidate].name,
            "variant": variant,
            **place.machine_fields,
            **found.shared,
        }
        yield _Part(block * study.block_points + first * across, shared, found)


def points_of(study: Study, cut: Shards, shard: int) -> int:
    """Points that a shard stands for."""
    across = study.block_points // (study.inner_axes[0].size if study.inner else 1)

    def before(part: int) -> int:
        block, within = divmod(part, cut.parts_per_block)
        return min(block * study.block_points + within * cut.part_rows * across, study.points)

    return before((shard + 1) * cut.parts_per_shard) - before(shard * cut.parts_per_shard)


def run_shard(study: Study, cut: Shards, shard: int, folder: Path, fingerprint: str) -> Done:
    """Estimate a shard and write its file, whole or not at all.

    Args:
        study: any.
        cut: how it is cut.
        shard: number of the shard.
        folder: of the study, which all who run shards see.
        fingerprint: of the study, kept in the file.

    Raises:
        OSError: the file cannot be written.
    """
    left_out: Counter[str] = Counter()
    parts = list(_parts(study, cut, shard, left_out))
    columns = all_columns(study)
    rows = _rows(columns, parts)
    groups = _groups(columns, parts)
    path = shard_path(folder, shard)
    part_path = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.part")
    done = Done(
        shard=shard,
        points=points_of(study, cut, shard),
        rows=len(rows["point"]),
        left_out=dict(sorted(left_out.items())),
        file_bytes=0,
    )
    try:
        _write(columns, rows, groups, part_path, done, fingerprint)
        with part_path.open("rb") as written:
            os.fsync(written.fileno())
        size = part_path.stat().st_size
        part_path.replace(path)
    finally:
        part_path.unlink(missing_ok=True)
    return Done(shard=shard, points=done.points, rows=done.rows, left_out=done.left_out, file_bytes=size)


def shard_path(folder: Path, shard: int) -> Path:
    """The file of a shard."""
    return folder / FOLDER / f"{shard:08d}.parquet"


def _rows(columns: tuple[Column, ...], parts: list[_Part]) -> dict[str, NDArray[Any]]:
    """Columns that differ from row to row, and of each row its part."""
    counts = [len(part.found.places) for part in parts]
    rows: dict[str, NDArray[Any]] = {
        "part": np.repeat(np.arange(len(parts), dtype=np.int32), counts),
        "point": _joined([part.found.places + part.first_point for part in parts], np.int64),
    }
    for one in columns:
        if one.is_of_row and one.name != "point":
            usual = np.uint8 if one.names else np.float64
            rows[one.name] = _joined([part.found.rows[one.name] for part in parts], usual)
    return rows


def _joined(arrays: list[NDArray[Any]], usual: type[Any]) -> NDArray[Any]:
    """One array of several; of none, an empty one."""
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=usual)


def _groups(columns: tuple[Column, ...], parts: list[_Part]) -> dict[str, NDArray[Any]]:
    """Columns that the rows of a part share, with the number of the part."""
    groups: dict[str, NDArray[Any]] = {"part": np.arange(len(parts), dtype=np.int32)}
    for one in columns:
        if not one.is_of_row:
            values = [part.shared[one.name] for part in parts]
            if one.sql_type == "VARCHAR":
                groups[one.name] = np.array(values, dtype=object)
            else:
                groups[one.name] = np.array([math.nan if value is None else value for value in values], dtype=float)
    return groups


def _write(
    columns: tuple[Column, ...],
    rows: dict[str, NDArray[Any]],
    groups: dict[str, NDArray[Any]],
    path: Path,
    done: Done,
    fingerprint: str,
) -> None:
    """The shard's file, by one thread, so that rows stay in order and bytes are the same."""
    import duckdb  # noqa: PLC0415  a sixth of a second, for those who write alone

    told = {"study": fingerprint, "shard": shard_text(done)}
    metadata = ", ".join(f"{key}: {_quoted(value)}" for key, value in told.items())
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("shard_rows", rows)
        connection.register("shard_groups", groups)
        shared = [_shared(one, groups[one.name]) for one in columns if not one.is_of_row]
        connection.execute(f"CREATE TABLE parts AS SELECT part, {', '.join(shared)} FROM shard_groups")  # noqa: S608  our own names
        listed = ", ".join(_of_rows(one) if one.is_of_row else one.name for one in columns)
        connection.execute(
            f"COPY (SELECT {listed} FROM shard_rows JOIN parts USING (part)) TO"  # noqa: S608  our own names
            f" {_quoted(str(path))} (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION snappy,"
            f" ROW_GROUP_SIZE {ROW_GROUP}, KV_METADATA {{{metadata}}})"
        )


def _shared(one: Column, values: NDArray[Any]) -> str:
    """A column that a part's rows share, as SQL reads it; names are numbers of a list, which are written fast."""
    if one.sql_type != "VARCHAR":
        return f"CASE WHEN isnan({one.name}) THEN NULL ELSE {one.name}::{one.sql_type} END AS {one.name}"
    names = ", ".join(map(_quoted, sorted(set(values))))
    return f"{one.name}::{f'ENUM({names})' if names else 'VARCHAR'} AS {one.name}"


def _of_rows(one: Column) -> str:
    """A column that differs from row to row, as SQL reads it; what is not known is null."""
    if one.names:
        return f"[{', '.join(map(_quoted, one.names))}][{one.name} + 1] AS {one.name}"
    if one.sql_type == "DOUBLE":
        return f"CASE WHEN isnan({one.name}) THEN NULL ELSE {one.name} END AS {one.name}"
    return f"{one.name}::{one.sql_type} AS {one.name}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def shard_text(done: Done) -> str:
    """What a shard's file says of itself."""
    return json.dumps({"points": done.points, "rows": done.rows, "left_out": dict(done.left_out)}, sort_keys=True)


def read_done(connection: duckdb.DuckDBPyConnection, folder: Path, shard: int, fingerprint: str) -> Done | None:
    """What a shard's file says of itself; None where there is no whole file of this study.

    Args:
        connection: any.
        folder: of the study.
        shard: number of the shard.
        fingerprint: of the study.
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
