"""Command that gives a point, with a file of its machine where that is hypothetical."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ridgeline.catalog.machine_file import machine_text
from ridgeline.studies.axis import StudyError
from ridgeline.studies.hypothetical import Hypothetical
from ridgeline.studies.manifest import STUDY_FILE, write_whole
from ridgeline.studies.places import place_at
from ridgeline.studies.query import opened
from ridgeline.studies.read import study_of
from ridgeline.studies.study import Study, command_words, place_of

__all__ = ["Command", "command_of", "commands_of"]

MACHINES = "machines"
"""Folder of hypothetical machines that were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Command that gives the numbers of a point.

    Attributes:
        words: arguments of ``ridgeline``.
        machine_file: file of a hypothetical machine, beside the study; None for a machine of the catalog.
        machine_toml: contents of ``machine_file``.
    """

    words: tuple[str, ...]
    machine_file: Path | None = None
    machine_toml: str = ""

    @property
    def text(self) -> str:
        """Command line as a shell takes it."""
        return f"ridgeline {shlex.join(self.words)}"


def command_of(study: Study, point: int, folder: Path) -> Command:
    """The command of one point.

    Args:
        study: study that has the point.
        point: number of the point.
        folder: folder of the study, for the files of hypothetical machines.

    Raises:
        StudyError: there is no such point.
    """
    if not 0 <= point < study.points:
        raise StudyError(f"point {point:,}: there are those from 0 to {study.points - 1:,}")
    block, within = divmod(point, study.block_points)
    values = {}
    for axis in reversed(study.inner_axes):
        within, at = divmod(within, axis.size)
        values[axis.name] = axis.values[at]
    place = place_at(study, block)
    candidate = study.candidates[place.candidate]
    model = study.model_names[place_of(study, block)[0]]
    subcommand, *options = command_words(study.kind, study, place, values)
    options += [] if study.kernels is None else ["--kernels", study.kernels]
    if isinstance(candidate, Hypothetical):
        file = folder / MACHINES / f"{candidate.name}-{place.variant}.toml"
        words = (subcommand, model, "--on", str(file), *options)
        return Command(words=words, machine_file=file, machine_toml=machine_text(candidate.facts(place.variant)))
    return Command(words=(subcommand, model, "--on", candidate.name, *options))


def commands_of(folder: Path, points: Sequence[int]) -> list[Command]:
    """The commands of points, with the files of their machines written.

    Args:
        folder: folder of the study.
        points: numbers of the points, from the column ``point`` of ``study``.

    Raises:
        StudyError: the folder holds no study, or there is no such point.
    """
    study = study_of(opened(folder).study, f"{folder}/{STUDY_FILE}")
    if wrong := [point for point in points if not isinstance(point, int)]:
        raise StudyError(f"point {wrong[0]!r} is not a whole number; select the column point of study")
    found = [command_of(study, point, folder) for point in points]
    for one in {one.machine_file: one for one in found}.values():
        if one.machine_file is not None:
            one.machine_file.parent.mkdir(exist_ok=True)
            write_whole(one.machine_file, one.machine_toml)
    return found
