"""Users' own calibrations: their folder, their lookup, and writing them atomically."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ridgeline.catalog.facts import CATALOG, CatalogError

__all__ = [
    "MINE",
    "NAME",
    "Stamped",
    "kernels_folder",
    "profile_folder",
    "profile_ids",
    "refuse_target",
    "stamped",
    "write_folder",
]

MINE = "mine"
"""Name of the profile that is written by default."""

PACKAGE = CATALOG.parent

NAME = re.compile(r"\w[\w.+-]*")
"""Valid names of a profile, and of a file in it."""


@dataclass(frozen=True, slots=True)
class Stamped:
    """A file with its time of modification, so that its cached contents expire with a change."""

    path: Path
    changed_ns: int
    size_bytes: int


def stamped(path: Path) -> Stamped | None:
    """A file in its present state; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamped(path, found.st_mtime_ns, found.st_size)


def profiles_folder() -> Path:
    """Folder of all profiles, in the user's own data."""
    if (said := os.environ.get("XDG_DATA_HOME", "")) and Path(said).is_absolute():
        data = Path(said)
    elif sys.platform == "darwin":
        data = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        data = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        data = Path.home() / ".local" / "share"
    return data / "ridgeline" / "kernels"


def profile_ids() -> list[str]:
    """Names of the existing profiles."""
    return sorted(path.name for path in profiles_folder().glob("[!.]*") if any(path.glob("*.toml")))


def profile_folder(name: str) -> Path:
    """Folder of a profile, whether it exists or not.

    Raises:
        CatalogError: the name is no valid profile name.
    """
    if not NAME.fullmatch(name):
        raise CatalogError(f"{name!r} is no name of a profile; write letters, digits, '-', '_' and '.', such as {MINE}")
    return profiles_folder() / name


def kernels_folder(asked: str | Path) -> Path:
    """Folder of a calibration, by the name of its profile or as a path.

    Raises:
        CatalogError: there is no such calibration, or there are two; the message lists the profiles.
    """
    folder = Path(asked).expanduser()
    is_named = isinstance(asked, str) and NAME.fullmatch(asked) is not None
    profile = profiles_folder() / asked if is_named else None
    held = [one for one in (profile, folder) if one is not None and any(one.glob("*.toml"))]
    if len(held) == 1:
        return held[0]
    if held:
        raise CatalogError(
            f"{str(asked)!r} is a profile and a folder here; write {held[0]} or {Path() / asked!s}{os.sep}"
        )
    known = ", ".join(profile_ids()) or "none"
    raise CatalogError(
        f"no calibration {str(asked)!r}: neither a profile (there are: {known}) nor a folder with .toml files;"
        " ridgeline calibrate CASES.csv writes one"
    )


def refuse_target(folder: Path, *, is_replaced: bool) -> None:
    """Refuse to write where a user's calibration does not belong, or where one already exists.

    Raises:
        CatalogError: the folder belongs to the installation, or holds other files, or a calibration to keep.
    """
    if folder.resolve().is_relative_to(PACKAGE.resolve()):
        raise CatalogError(f"{folder} belongs to the installation; name a folder of your own, or a --profile")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise CatalogError(f"{folder} is a file; name a folder")
    held = sorted(path.name for path in folder.iterdir())
    others = [name for name in held if not name.endswith(".toml")]
    if others:
        raise CatalogError(
            f"{folder} holds other files ({others[0]}); name a folder that is new, empty or a calibration's"
        )
    if held and not is_replaced:
        raise CatalogError(f"{folder} holds a calibration already ({', '.join(held)}); add --replace, or name another")


def write_folder(folder: Path, texts: Mapping[str, str], check: Callable[[Path], None]) -> None:
    """Write a folder's files completely or not at all; its previous contents are removed only then.

    Args:
        folder: folder of the files.
        texts: contents by file name.
        check: refuses a folder that cannot be read, before it is put into place.
    """
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as beside:
        made, before = Path(beside) / "made", Path(beside) / "before"
        made.mkdir()
        for name, text in texts.items():
            (made / name).write_text(text, encoding="utf-8")
        check(made)
        try:
            if folder.exists():
                folder.replace(before)
            made.replace(folder)
        except BaseException:
            if before.exists() and not folder.exists():
                before.replace(folder)
            raise
