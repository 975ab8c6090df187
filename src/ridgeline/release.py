"""Version of Ridgeline."""

from __future__ import annotations

__all__ = ["UNKNOWN", "version"]

UNKNOWN = "unknown"
"""Version of files that are run without being installed."""


def version() -> str:
    """Version of the installed package, as results name it."""
    # Loads much, and most of what asks is a page without a server, which has the answer as a file.
    from importlib import metadata  # noqa: PLC0415

    try:
        return metadata.version("ridgeline")
    except metadata.PackageNotFoundError:
        return UNKNOWN
