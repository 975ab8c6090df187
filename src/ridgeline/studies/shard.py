"""A shard: some of a study's points, estimated and written into one Parquet file, whose bytes depend on them alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.studies.places import Places
from ridgeline.studies.shard_file import Contents, Done, write_shard
from ridgeline.studies.study import Block, Column, Study, all_columns, estimated, place_of

__all__ = ["Shards", "points_of", "run_shard", "shards_of"]

PART_POINTS = 2**16
"""Points that are estimated together: their numbers stay in the processor's cache."""

SHARD_POINTS = 2**19
"""Points of a shard, where a block has many: 15 MB of Parquet, and about a second of one core."""


class Shards(NamedTuple):
    """Partition of a study: parts lie block after block, and a shard is a run of parts.

    Attributes:
        part_rows: number of values that a part has along the first of the inner axes.
        parts_per_block: number of parts of each block.
        parts_per_shard: number of parts of each shard.
        number: number of shards.
    """

    part_rows: int
    parts_per_block: int
    parts_per_shard: int
    number: int


def shards_of(study: Study, *, per_shard: int | None = None) -> Shards:
    """Partition of a study into shards.

    Args:
        study: study to cut.
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


class _Part(NamedTuple):
    """Part of a block with its rows."""

    first_point: int
    shared: Mapping[str, Any]
    found: Block


def _parts(study: Study, cut: Shards, shard: int, left_out: Counter[str]) -> Iterator[_Part]:
    """Parts of a shard that have rows; points of others are counted by the reason."""
    places, across = Places(study), study.block_points // (study.inner_axes[0].size if study.inner else 1)
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
        study: study that the shard is part of.
        cut: partition of the study.
        shard: number of the shard.
        folder: folder of the study, which all who run shards see.
        fingerprint: fingerprint of the study, kept in the file.

    Raises:
        OSError: the file cannot be written.
    """
    left_out: Counter[str] = Counter()
    parts, columns = list(_parts(study, cut, shard, left_out)), all_columns(study)
    contents = Contents(columns, _rows(columns, parts), _groups(columns, parts))
    done = Done(
        shard=shard,
        points=points_of(study, cut, shard),
        rows=len(contents.rows["point"]),
        left_out=dict(sorted(left_out.items())),
        file_bytes=0,
    )
    return write_shard(folder, done, contents, fingerprint)


def _rows(columns: tuple[Column, ...], parts: list[_Part]) -> dict[str, NDArray[Any]]:
    """Columns that differ from row to row, and the part of each row."""
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
    """Concatenation of arrays; an empty one where there are none."""
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
