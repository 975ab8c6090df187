"""The manifest of a study's folder: which shards are whole, and what was left out; replaced in one step, never half."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ridgeline.studies.axis import StudyError
from ridgeline.studies.shard import Shards
from ridgeline.studies.shard_file import Done, shard_path
from ridgeline.studies.study import Study, all_columns
from ridgeline.studies.views import views_of

__all__ = ["MANIFEST", "STUDY_FILE", "Manifest", "read_manifest", "write_manifest", "write_whole"]

MANIFEST, STUDY_FILE = "manifest.json", "study.toml"
FORM = 1
"""Version of the folder's format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Contents of a study's folder.

    Attributes:
        name: name of the study.
        study: text of the study's file.
        fingerprint: fingerprint of the study.
        points: number of points of the study.
        axes: number of values along each axis, by the axis's name.
        columns: columns of the table ``study``, each with its meaning.
        views: statements that make the study's views, by their names.
        per_shard: number of parts of a shard.
        shards: number of shards that the study is cut into.
        done: shards that are whole, in order.
        failed: shards that failed, each with its last error.
    """

    name: str
    study: str
    fingerprint: str
    points: int
    axes: Mapping[str, int]
    columns: Mapping[str, str]
    views: Mapping[str, str]
    per_shard: int
    shards: int
    done: tuple[Done, ...]
    failed: Mapping[int, str]

    @property
    def is_whole(self) -> bool:
        """Whether every shard is whole."""
        return len(self.done) == self.shards

    @property
    def left_out(self) -> dict[str, int]:
        """Points without a row by the reason, the most common first."""
        found: dict[str, int] = {}
        for one in self.done:
            for reason, points in one.left_out.items():
                found[reason] = found.get(reason, 0) + points
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_manifest(
    folder: Path, study: Study, cut: Shards, fingerprint: str, done: Sequence[Done], failed: Mapping[int, str]
) -> None:
    """Write the manifest; the same bytes for the same shards, in whatever order they came."""
    document: dict[str, Any] = {
        "form": FORM,
        "name": study.name,
        "fingerprint": fingerprint,
        "points": study.points,
        "rows": sum(one.rows for one in done),
        "axes": {axis.name: axis.size for axis in study.axes},
        "columns": {one.name: one.meaning for one in all_columns(study)},
        "views": views_of(study),
        "parts_per_shard": cut.parts_per_shard,
        "shards": cut.number,
        "done": [
            {
                "file": str(shard_path(Path(), one.shard)),
                "shard": one.shard,
                "points": one.points,
                "rows": one.rows,
                "bytes": one.file_bytes,
                "left_out": dict(one.left_out),
            }
            for one in sorted(done, key=lambda one: one.shard)
        ],
        "failed": {str(shard): failed[shard] for shard in sorted(failed)},
    }
    write_whole(folder / MANIFEST, json.dumps(document, indent=1) + "\n")


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a folder; None where there is none.

    Raises:
        StudyError: the file is not of the form.
    """
    path = folder / MANIFEST
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        study = (folder / STUDY_FILE).read_text(encoding="utf-8")
        if raw["form"] != FORM:
            raise StudyError(
                f"{path}: is of form {raw['form']}, and this Ridgeline reads {FORM}; sweep the study again"
            )
        return Manifest(
            name=raw["name"],
            study=study,
            fingerprint=raw["fingerprint"],
            points=raw["points"],
            axes=raw["axes"],
            columns=raw["columns"],
            views=raw["views"],
            per_shard=raw["parts_per_shard"],
            shards=raw["shards"],
            done=tuple(
                Done(
                    shard=one["shard"],
                    points=one["points"],
                    rows=one["rows"],
                    left_out=one["left_out"],
                    file_bytes=one["bytes"],
                )
                for one in raw["done"]
            ),
            failed={int(shard): said for shard, said in raw["failed"].items()},
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, StudyError):
            raise
        raise StudyError(f"{path}: is no manifest of a study: {error}") from None
