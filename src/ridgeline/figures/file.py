"""Writing of pictures into files: complete or not at all, and the same bytes for the same picture."""

from __future__ import annotations

import io
import os
from pathlib import Path

from matplotlib.figure import Figure

from ridgeline.figures.style import style

__all__ = ["write_figure"]


def write_figure(figure: Figure, path: Path) -> None:
    """Write a picture in the format of the file's suffix, in place of what is there.

    Raises:
        OSError: the folder cannot be written to; what was there is untouched.
    """
    picture = io.BytesIO()
    with style():
        kind = path.suffix.lower().removeprefix(".")
        # No date, which would make each run another file.
        figure.savefig(picture, format=kind, metadata={"svg": {"Date": None}, "png": None}[kind])
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(picture.getvalue())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
