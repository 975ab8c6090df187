"""Configurations on the Hugging Face hub."""

from __future__ import annotations

from pathlib import Path

from ridgeline.catalog.facts import CatalogError
from ridgeline.extras import installing

__all__ = ["fetch_config"]


def fetch_config(repository: str) -> Path:
    """Configuration of ``org/name`` on the Hugging Face hub, from the local cache or fetched.

    Raises:
        CatalogError: the extra is not installed, the hub has no such configuration, or it is unreachable.
    """
    try:
        from huggingface_hub import hf_hub_download  # noqa: PLC0415  an extra, and slow to load
    except ImportError:
        raise CatalogError(f"hf:{repository} needs the extra 'hf': {installing('hf')}") from None
    try:
        return Path(hf_hub_download(repository, "config.json"))
    except Exception as error:  # noqa: BLE001  the hub's errors share no base
        reason = str(error).strip().splitlines()
        raise CatalogError(
            f"hf:{repository}: the hub gave no config.json ({reason[0] if reason else type(error).__name__});"
            " give a path to the file instead"
        ) from None
