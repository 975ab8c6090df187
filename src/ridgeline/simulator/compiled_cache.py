"""Compiled code that is kept on disk, dropped once a source that went into it has changed."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from types import ModuleType

__all__ = ["drop_stale"]

DIGEST = "loop.sha256"
"""Name of the file that keeps the digest of the sources, beside what was compiled from them."""


def drop_stale(folder: Path, modules: Iterable[ModuleType]) -> None:
    """Delete the compiled code in a folder, unless it comes from the sources of today.

    Numba keeps compiled code for as long as the file of the compiled function is as it was. Functions of other files
    that were inlined, and constants of other files, it does not look at.

    Args:
        folder: folder in which Numba keeps compiled code.
        modules: modules whose functions and constants went into it.
    """
    digest = sha256("".join(inspect.getsource(one) for one in modules).encode()).hexdigest()
    kept = folder / DIGEST
    if kept.exists() and kept.read_text() == digest:
        return
    for compiled in [*folder.glob("*.nbi"), *folder.glob("*.nbc")]:
        compiled.unlink(missing_ok=True)
    # Written last: who is cut off before this begins anew.
    kept.write_text(digest)
