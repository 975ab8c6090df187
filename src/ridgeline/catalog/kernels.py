"""Fitted kernels of chips: one TOML file a machine, and one of what all chips share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_type_hints

from ridgeline.catalog.facts import CATALOG, FactFile, read_toml
from ridgeline.specs.kernels import Kernels

__all__ = ["KERNELS", "SHARED", "kernels_of", "reference_of", "written"]

KERNELS = CATALOG / "kernels"

SHARED = "shared"
"""The file of what chips share; it serves chips whose family was never measured."""

MEASURED_IN_FAMILY = {"ampere": "a100-80-sxm", "hopper": "h100-sxm", "ada": "l40s", "blackwell": "b200-sxm"}
"""Of each family, the chip with the most measurements."""

MEASURED_BUS = "l40s"
"""The machine with the most measured messages over a bus.

By how much more ranks have less is its host's: of two with this chip, each of eight ranks had a fifteenth of what each
of two had in one (the collectives), and seven tenths in the other (static batches of TensorRT-LLM). Other machines take
the bus to be shared, which lies between.
"""

UNMEASURED = frozenset({"cdna2", "cdna3", "cdna4", "rubin"})
"""Families of GPUs without measurements of their own; other accelerators share no kernels with them."""

BLOCKS: dict[str, type[Any]] = get_type_hints(Kernels)
"""Tables of a file, and the records that they are."""


class KernelFile(FactFile):
    """A file of fitted kernels."""

    status: str
    products: dict[str, Any]
    decode: dict[str, Any]
    latent: dict[str, Any]
    prompt: dict[str, Any]
    experts: dict[str, Any]
    links: dict[str, Any]
    exchange: dict[str, Any]
    streams: dict[str, Any]


@lru_cache(maxsize=64)
def _read(name: str) -> tuple[Kernels, str]:
    path = KERNELS / f"{name}.toml"
    file = read_toml(path, KernelFile)
    try:
        blocks = {name: record(**getattr(file, name)) for name, record in BLOCKS.items()}
    except TypeError as error:
        raise ValueError(f"{path}: {error}") from None
    return Kernels(**blocks), file.status


def kernels_of(machine: str, family: str, *, is_bus: bool = False) -> tuple[Kernels, str] | None:
    """A machine's kernels, and where they come from; None for accelerators that share none with those measured.

    Its own where they were measured, else those of its family, else those that all GPUs share. Messages over a bus are
    those of the machine with one, but for what its host does to many ranks.
    """
    if (KERNELS / f"{machine}.toml").is_file():
        return _read(machine)
    nearest = reference_of(family)
    if nearest is None or not (KERNELS / f"{nearest}.toml").is_file():
        return None
    kernels, status = _read(nearest)
    if is_bus and (KERNELS / f"{MEASURED_BUS}.toml").is_file():
        kernels = dataclasses.replace(kernels, links=_read(MEASURED_BUS)[0].links.over_a_bus())
        status = f"{status}; messages those of {MEASURED_BUS}"
    whose = "none of its family were measured" if nearest == SHARED else f"those of {nearest}, of its family"
    return kernels, f"{whose}: {status}"


def reference_of(family: str) -> str | None:
    """The machine of a family that others of it start from: what chips share, where none was measured."""
    return MEASURED_IN_FAMILY.get(family, SHARED if family in UNMEASURED else None)


def written(status: str, remarks: Mapping[str, str], kernels: Kernels) -> str:
    """The text of a file.

    Args:
        status: what it was fitted on.
        remarks: what is said behind a number, by ``block.field`` or ``block.field.key``.
        kernels: all of its numbers; those without a remark are shared.
    """
    lines = [
        "# Written by `ridgeline calibrate`; every number is explained in specs/kernels.py.",
        f'status = "{status}"',
    ]
    for block in BLOCKS:
        lines += ["", f"[{block}]"]
        for field, value in dataclasses.asdict(getattr(kernels, block)).items():
            entries = (
                {f"{field}.{key}": one for key, one in value.items()} if isinstance(value, dict) else {field: value}
            )
            for name, one in entries.items():
                lines.append(f"{name} = {one:.4g}  # {remarks.get(f'{block}.{name}', 'shared')}")
    return "\n".join(lines) + "\n"
