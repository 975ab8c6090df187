"""The user's own calibration in a study: its key ``kernels``, and the engines with own numbers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ridgeline.catalog.engines import USUAL as USUAL_ENGINE
from ridgeline.catalog.engines import load_engine
from ridgeline.catalog.fitted_numbers import text_text
from ridgeline.catalog.profiles import kernels_folder, profile_ids
from ridgeline.errors import RidgelineError
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.studies.axis import StudyError
from ridgeline.studies.serving import USUAL

__all__ = ["KEY", "kernels_named", "own_engines", "with_kernels", "with_whole_path"]

KEY = "kernels"


def with_kernels(text: str, where: str, kernels: Path) -> str:
    """Text of a study with a calibration that its command named, so that the folder of a sweep has it.

    Raises:
        StudyError: the study names one, too.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return text  # refused with its place when it is read
    if KEY in raw:
        raise StudyError(f"{where}: {KEY}: is {raw[KEY]!r} here, and --kernels names {kernels}; keep one of them")
    return f"{KEY} = {text_text(str(kernels.resolve()))}\n{text}"


def with_whole_path(text: str, path: Path) -> str:
    """Text of a study in which a folder beside its file is written out in full, so that the folder of a sweep has it.

    Raises:
        StudyError: there is no such calibration, there are two, or the text is not one in which it can be replaced.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return text  # refused with its place when it is read
    named = raw.get(KEY)
    if not isinstance(named, str):
        return text  # refused when it is read, where it is there
    beside = path.parent / Path(named).expanduser()
    is_profile, is_folder = named in profile_ids(), any(beside.glob("*.toml"))
    if is_profile and is_folder:
        raise StudyError(
            f"{path}: {KEY}: {named!r} is a profile and a folder beside the study; write {beside.resolve()}"
        )
    if is_profile:
        return text
    if not is_folder:
        raise StudyError(
            f"{path}: {KEY}: no calibration {named!r}: neither a profile nor a folder with .toml files beside the study"
        )
    line = f"{KEY} = {text_text(str(beside.resolve()))}"
    changed = re.sub(rf"""^\s*{KEY}\s*=\s*("[^"]*"|'[^']*')""", lambda _: line, text, count=1, flags=re.MULTILINE)
    if tomllib.loads(changed) != {**raw, KEY: str(beside.resolve())}:
        raise StudyError(f"{path}: {KEY}: {named!r} is a relative folder; write it in full: {beside.resolve()}")
    return changed


def kernels_named(where: str, raw: dict[str, Any], fidelity: Fidelity) -> str | None:
    """Profile or folder that a study names; None for the catalog's numbers.

    Raises:
        StudyError: there is no such calibration, the fidelity has no use for one, or it is of a hypothetical machine.
    """
    if KEY not in raw:
        return None
    named = raw[KEY]
    if not isinstance(named, str):
        raise StudyError(f"{where}: {KEY}: {named!r} is no text; name a profile, or the folder of a calibration")
    if fidelity.at_peaks:
        raise StudyError(
            f"{where}: {KEY}: fidelity {fidelity.name} knows the spec sheet's peaks alone; leave {KEY} out, or take"
            " fidelity measured"
        )
    try:
        folder = kernels_folder(named)
    except RidgelineError as error:
        raise StudyError(f"{where}: {KEY}: {error}") from None
    for name in raw.get("machine", {}):
        if (folder / f"{name}.toml").is_file():
            raise StudyError(
                f"{where}: machine.{name}: is measured in {folder}; give the hypothetical machine another name"
            )
    return named


def own_engines(where: str, kernels: str | None, names: Iterable[str]) -> dict[str, Engine]:
    """Engines of an axis with the user's own numbers, by their names there; none without a calibration.

    Raises:
        StudyError: the calibration's file is invalid.
    """
    if kernels is None:
        return {}
    try:
        return {name: load_engine(USUAL_ENGINE if name == USUAL else name, kernels=kernels) for name in names}
    except RidgelineError as error:
        raise StudyError(f"{where}: {KEY}: {error}") from None
