"""A command's options in a TOML file, which names them without dashes."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from ridgeline.errors import RidgelineError

__all__ = ["asked_by", "keys_of", "read_options"]

PATHS = ("trace",)
"""Keys that name a file, and nothing in the catalog."""

PATHS_OR_NAMES = ("model", "on", "engine", "expert-load", "kernels")
"""Keys that name a file where it exists, and else something in the catalog."""

FOLDERS = ("model", "kernels")
"""Keys of ``PATHS_OR_NAMES`` that may name a folder, too."""

Keys = dict[str, Any]


def keys_of(command: click.Command) -> dict[str, click.Parameter]:
    """Parameters of a command, by the keys of a file."""
    return {max(one.opts, key=len).lstrip("-"): one for one in command.params}


def read_options(path: Path, command: click.Command, refused: Collection[str]) -> Keys:
    """Keys of a file; paths among their values count from its folder.

    Args:
        path: path of the file.
        command: command whose options the file names.
        refused: names of options that make no sense in a file.

    Raises:
        RidgelineError: it is no TOML, or has a key that is none of them.
    """
    try:
        keys = tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise RidgelineError(f"{path}: is no UTF-8 text; give a TOML file of options") from None
    except (OSError, ValueError) as error:
        raise RidgelineError(f"{path}: cannot be read as TOML: {error}") from None
    known = [name for name in keys_of(command) if name not in refused]
    for key in keys:
        if key in refused:
            raise RidgelineError(f"{path}: {key} is of a single run of ridgeline {command.name}; leave it out")
        if key not in known:
            near = get_close_matches(key, known, 1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise RidgelineError(f"{path}: {key!r} is none of {', '.join(known)}{meant}")
    return {key: _from_folder(key, value, path.parent) for key, value in keys.items()}


def _from_folder(key: str, value: Any, folder: Path) -> Any:  # noqa: ANN401  of TOML
    """Value as it is, or as a path from the file's folder."""
    if not isinstance(value, str) or key not in (*PATHS, *PATHS_OR_NAMES):
        return value
    there = folder / value
    is_there = there.is_file() or (key in FOLDERS and there.is_dir())
    return str(there) if key in PATHS or is_there else value


def asked_by(path: Path, command: click.Command, keys: Keys) -> Mapping[str, Any]:
    """Parameters of a command, as if a line of arguments had named the keys.

    Raises:
        RidgelineError: one is missing, or its value is refused.
    """
    known, line, places = keys_of(command), [], []
    for key, value in keys.items():
        option = known[key]
        if isinstance(option, click.Argument):
            places.append(str(value))
        else:
            line += _arguments(path, key, value, option)
    try:
        return command.make_context(command.name, [*line, "--", *places]).params
    except click.UsageError as error:
        raise RidgelineError(f"{path}: {error.format_message()}") from None


def _arguments(path: Path, key: str, value: Any, option: click.Parameter) -> list[str]:  # noqa: ANN401  of TOML
    """Arguments of an option: a flag, a value, or several where it is repeatable."""
    is_flag = isinstance(option, click.Option) and option.is_flag
    is_many = isinstance(option, click.Option) and option.multiple and isinstance(value, list)
    if is_flag and isinstance(value, bool):
        return [f"--{key}"] if value else []
    values = value if is_many else [value]
    if is_flag or any(isinstance(one, bool | list | dict) for one in values):
        raise RidgelineError(
            f"{path}: {key} = {value!r} must be {'true or false' if is_flag else 'a text or a number'}"
        )
    return [f"--{key}={one}" for one in values]
