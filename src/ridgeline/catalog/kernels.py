"""Fitted kernels of chips: one TOML file per machine, and one shared by all chips."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, get_type_hints

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile
from ridgeline.catalog.fitted_numbers import CALIBRATE_AGAIN, FittedFile, Uncertainty, number_text, text_text
from ridgeline.catalog.lookup import ids, nearest
from ridgeline.catalog.packed import is_file
from ridgeline.catalog.profiles import Stamped, kernels_folder, stamped
from ridgeline.specs.band import Band
from ridgeline.specs.kernels import Kernels
from ridgeline.specs.machine import Machine
from ridgeline.specs.provenance import Grade, Source

__all__ = [
    "KERNELS",
    "SHARED",
    "ChipKernels",
    "Sureness",
    "inherited",
    "kernels_of",
    "numbers_of",
    "own_bands_by",
    "reference_of",
    "with_own_kernels",
    "written",
]

KERNELS = CATALOG / "kernels"

SHARED = "shared"
"""File of the numbers shared by all chips, for chips whose family was never measured."""

MEASURED_IN_FAMILY = {"ampere": "a100-80-sxm", "hopper": "h100-sxm", "ada": "l40s", "blackwell": "b200-sxm"}
"""Chip with the most measurements in each family."""

MEASURED_BUS = "l40s"
"""The machine with the most measured messages over a bus.

The decrease with more ranks depends on the host: of two with this chip, each of eight ranks had a fifteenth of what
each of two had in one (the collectives), and seven tenths in the other (static batches of TensorRT-LLM). For other
machines the bus is assumed to be shared, which lies between.
"""

MEASURED_BUS_BYTES_PER_S = 32e9
"""Peak of its links, one way: PCIe gen 4 with 16 lanes.

Traffic of two chips over a bus passes their host. Whether hosts are faster with slots of a later generation was not
measured: two RTX PRO 6000 in slots of gen 5, serving Qwen3-32B, are predicted to take 0.95 of their measured time per
token at this rate, and 0.84 of it at twice the rate (``serving_runs``).
"""

UNMEASURED = frozenset({"cdna2", "cdna3", "cdna4", "rubin"})
"""Families of GPUs without measurements of their own; other accelerators share no kernels with them."""

BLOCKS: dict[str, type[Any]] = get_type_hints(Kernels)
"""Tables of a file, with their record types."""


class BandFacts(FactFile):
    """A table of ``bands``: a ``Band``, and the data behind it."""

    below: float
    above: float
    longest_s: float = math.inf
    growth: float = 0.0
    by: str

    def spec(self) -> Band:
        """The band as a record of ``specs``."""
        return Band(below=self.below, above=self.above, longest_s=self.longest_s, growth=self.growth)


class KernelFile(FittedFile):
    """A file of fitted kernels: the catalog's with all kinds, a profile's with the measured ones."""

    status: str
    gemm: dict[str, Any] | None = None
    decode_attention: dict[str, Any] | None = None
    latent_attention: dict[str, Any] | None = None
    prefill_attention: dict[str, Any] | None = None
    experts: dict[str, Any] | None = None
    collectives: dict[str, Any] | None = None
    expert_all_to_all: dict[str, Any] | None = None
    elementwise: dict[str, Any] | None = None
    bands: dict[str, BandFacts] = field(default_factory=dict)

    def blocks(self) -> dict[str, Any]:
        """Tables as records of ``specs``.

        Raises:
            TypeError: a number is missing or unknown.
        """
        return {
            name: record(**getattr(self, name)) for name, record in BLOCKS.items() if getattr(self, name) is not None
        }

    def band_specs(self) -> dict[str, Band]:
        """Bands as records of ``specs``."""
        return {kind: band.spec() for kind, band in self.bands.items()}

    def sureness(self) -> Sureness:
        """Uncertainty of its numbers, and the data behind its bands."""
        return Sureness(numbers=self.uncertainty, bands_by={kind: band.by for kind, band in self.bands.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sureness:
    """Uncertainty of a file's fitted kernels.

    Attributes:
        numbers: uncertainty of each number, by path (``gemm.fraction.bf16``); missing where no row of the chip
            determines it, so that it is that of its family, or of all chips.
        bands_by: data behind each kind's band.
    """

    numbers: Mapping[str, Uncertainty] = field(default_factory=dict)
    bands_by: Mapping[str, str] = field(default_factory=dict)

    def sources(self, machine: str, grade: Grade) -> dict[str, Source]:
        """Sources of its numbers, as seen from a machine for which measurements on ``machine`` have a grade."""
        return {
            place: Source(
                grade=grade,
                machine="" if machine == SHARED else machine,
                rows=one.rows,
                log_sd=one.log_sd,
                note=OF_ALL_CHIPS if machine == SHARED else "",
            )
            for place, one in self.numbers.items()
        }


OF_ALL_CHIPS = "what all measured chips share"
"""Source note of a number that was fitted on all chips together; which rows determined it is not recorded."""

ROUND_NUMBER = Source(grade=Grade.ASSUMED, note="a round number, where fits start")
"""Source of a number that no row of any chip determined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipKernels:
    """Fitted kernels of a chip.

    Attributes:
        kernels: fitted numbers, by kind.
        bands: intervals of their times, by kind.
        status: data that they were fitted on, and the chip that they are of.
        sureness: uncertainty of the numbers in their file.
        sources: source of each number, as seen from this chip.
    """

    kernels: Kernels
    bands: Mapping[str, Band]
    status: str
    sureness: Sureness
    sources: Mapping[str, Source] = field(default_factory=dict)


@lru_cache(maxsize=64)
def _read(name: str) -> ChipKernels:
    path = KERNELS / f"{name}.toml"
    file = read_toml(path, KernelFile)
    try:
        return ChipKernels(
            kernels=Kernels(**file.blocks()), bands=file.band_specs(), status=file.status, sureness=file.sureness()
        )
    except (TypeError, ValueError) as error:
        raise CatalogError(f"{path}: {error}") from None


def kernels_of(
    machine: str, family: str, *, bus_bytes_per_s: float | None = None, product_fraction: float | None = None
) -> ChipKernels | None:
    """Kernels of a machine, with their sources; None for accelerators that share none with those measured.

    They are its own where measured, else those of its family, else those shared by all GPUs; the more remote they are,
    the wider their bands. Messages over a bus are those of the measured machine with one, without its host's effect on
    many ranks, and no faster over faster links.

    Args:
        machine: catalog id of the machine.
        family: architecture of its chip.
        bus_bytes_per_s: peak bandwidth of its links where its domain is a bus, bytes/s; None where it is none.
        product_fraction: measured part of the 16-bit peak that its largest products reach; None where not measured. A
            family without kernels of its own is then slower than the shared numbers by as much.
    """
    is_bus = bus_bytes_per_s is not None
    sources = _sources(machine, family, is_bus=is_bus)
    if is_file(KERNELS / f"{machine}.toml"):
        return dataclasses.replace(_read(machine), sources=sources)
    nearest = reference_of(family)
    if nearest is None or not is_file(KERNELS / f"{nearest}.toml"):
        return None
    near, far = _read(nearest), _read(SHARED).bands
    kernels, status, sureness = near.kernels, near.status, near.sureness
    if bus_bytes_per_s is not None and is_file(KERNELS / f"{MEASURED_BUS}.toml"):
        fraction = min(MEASURED_BUS_BYTES_PER_S / bus_bytes_per_s, 1.0)
        collectives = _read(MEASURED_BUS).kernels.collectives.over_a_bus(fraction)
        kernels = dataclasses.replace(kernels, collectives=collectives)
        status = f"{status}; messages those of {MEASURED_BUS}"
    if nearest == SHARED and product_fraction is not None:
        kernels = _multiplying(kernels, product_fraction / kernels.gemm.fraction["bf16"])
        status = f"{status}; products as fast as its largest were measured to be"
    if nearest == SHARED:
        status = f"none of its family were measured: {status}"
        return ChipKernels(kernels=kernels, bands=far, status=status, sureness=sureness, sources=sources)
    status, bands = f"those of {nearest}, of its family: {status}", inherited(near.bands, far)
    return ChipKernels(kernels=kernels, bands=bands, status=status, sureness=sureness, sources=sources)


def _sources(machine: str, family: str, *, is_bus: bool) -> dict[str, Source]:
    """Source of each number of a machine's kernels: its own rows, its family's, those of all chips, or none."""
    found = dict.fromkeys(numbers_of(_read(SHARED).kernels), ROUND_NUMBER)
    reference = reference_of(family)
    has_own = is_file(KERNELS / f"{machine}.toml")
    nearer = [(SHARED, Grade.ASSUMED)]
    nearer += [(reference, Grade.FAMILY)] if reference not in {None, SHARED, machine} else []
    nearer += [(machine, Grade.MEASURED)] if has_own else []
    for name, grade in nearer:
        if is_file(KERNELS / f"{name}.toml"):
            found |= _read(name).sureness.sources(name, grade)
    if is_bus and not has_own:
        grade = Grade.FAMILY if reference == MEASURED_BUS else Grade.ASSUMED
        of_bus = _read(MEASURED_BUS).sureness.sources(MEASURED_BUS, grade)
        found |= {place: one for place, one in of_bus.items() if place.startswith("collectives.")}
        found["collectives.ranks_power"] = Source(grade=Grade.ASSUMED, note="ranks are taken to share the bus")
    return found


def _multiplying(kernels: Kernels, factor: float) -> Kernels:
    """Kernels with the fractions of the matrix units' peak multiplied by a factor."""

    def scaled(fractions: Mapping[str, float]) -> dict[str, float]:
        return {name: min(fraction * factor, 1.0) for name, fraction in fractions.items()}

    return dataclasses.replace(
        kernels,
        gemm=dataclasses.replace(kernels.gemm, fraction=scaled(kernels.gemm.fraction)),
        experts=dataclasses.replace(kernels.experts, fraction=scaled(kernels.experts.fraction)),
        latent_attention=dataclasses.replace(
            kernels.latent_attention, fraction=min(kernels.latent_attention.fraction * factor, 1.0)
        ),
        prefill_attention=dataclasses.replace(
            kernels.prefill_attention, fraction=min(kernels.prefill_attention.fraction * factor, 1.0)
        ),
    )


@lru_cache(maxsize=64)
def _own(file: Stamped) -> KernelFile:
    try:
        return read_toml(file.path, KernelFile)
    except CatalogError as error:
        raise CatalogError(f"{error}; {CALIBRATE_AGAIN}") from None


def with_own_kernels(machine: Machine, kernels: str | Path) -> Machine:
    """The machine with the user's own calibration; unchanged where that has nothing on it, or where it has it already.

    Args:
        machine: machine from the catalog.
        kernels: profile or folder of the calibration.

    Raises:
        CatalogError: there is no such calibration, its file is invalid, or a file is named after no machine.
    """
    folder = kernels_folder(kernels)
    file = stamped(folder / f"{machine.id}.toml")
    if file is None:
        _refuse_slips(folder, machine)
        return machine
    own, known = _own(file), machine.efficiency
    if known.kernels is None:
        raise CatalogError(f"{file.path}: {machine.id} has no kernels of these kinds; take the file away")
    try:
        blocks, bands = own.blocks(), {**known.bands, **own.band_specs()}
        kernels_now = dataclasses.replace(known.kernels, **blocks)
        name = f"own kernels of {machine.id}"
        if (known.name, known.kernels, known.bands) == (name, kernels_now, bands):
            return machine
        efficiency = dataclasses.replace(
            known,
            name=name,
            status=f"{own.status} ({', '.join(blocks)}); the rest {known.status}",
            kernels=kernels_now,
            sources={**known.sources, **own.sureness().sources(machine.id, Grade.MEASURED)},
            bands=bands,
        )
    except (TypeError, ValueError) as error:
        raise CatalogError(f"{file.path}: {error}; {CALIBRATE_AGAIN}") from None
    return machine.with_efficiency(efficiency)


def own_bands_by(machine: Machine, kernels: str | Path, known: Mapping[str, str]) -> dict[str, str]:
    """Data behind a machine's bands, with those of the user's own calibration."""
    file = stamped(kernels_folder(kernels) / f"{machine.id}.toml")
    return {**known, **({} if file is None else _own(file).sureness().bands_by)}


def _refuse_slips(folder: Path, machine: Machine) -> None:
    """Refuse a file whose name is close to this machine's, and no machine's of the catalog."""
    known = ids(CATALOG / "machines")
    for name in ids(folder):
        near = nearest(name.lower(), list(dict.fromkeys([*known, machine.id])))
        if name not in {*known, "engines"} and machine.id in near:
            raise CatalogError(f"{folder / name}.toml is named for no machine; nearest: {', '.join(near)}; rename it")


def inherited(near: Mapping[str, Band], far: Mapping[str, Band]) -> dict[str, Band]:
    """Bands of a chip with its family's numbers: half way, in ratio, between the family's and a stranger's.

    Args:
        near: bands of the measured chip of its family.
        far: bands of unmeasured chips.
    """
    return {kind: _between(band, far[kind]) if kind in far else band for kind, band in near.items()}


def _between(near: Band, far: Band) -> Band:
    return dataclasses.replace(
        near,
        below=max(near.below, math.sqrt(near.below * far.below)),
        above=max(near.above, math.sqrt(near.above * far.above)),
    )


def reference_of(family: str) -> str | None:
    """Measured machine of a family; the shared numbers where none was measured."""
    return MEASURED_IN_FAMILY.get(family, SHARED if family in UNMEASURED else None)


def written(
    status: str,
    sureness: Sureness,
    kernels: Kernels,
    bands: Mapping[str, Band],
    *,
    blocks: Collection[str] = tuple(BLOCKS),
) -> str:
    """Text of a file of fitted kernels.

    Args:
        status: data that they were fitted on.
        sureness: uncertainty of its numbers and bands; numbers without one are written plain.
        kernels: all of its numbers.
        bands: bands by kind.
        blocks: kinds whose numbers are written.
    """
    lines = [
        "# Fitted on measured cases; every number is explained in specs/kernels.py and specs/band.py.",
        f"status = {text_text(status)}",
    ]
    for block in blocks:
        lines += ["", f"[{block}]"]
        for name, value in _entries(getattr(kernels, block)):
            lines.append(f"{name} = {number_text(value, sureness.numbers.get(f'{block}.{name}'))}")
    for kind, band in bands.items():
        lines += ["", f"[bands.{kind}]", f"by = {text_text(sureness.bands_by[kind])}"]
        lines += [f"{name} = {value:.4g}" for name, value in dataclasses.asdict(band).items()]
    return "\n".join(lines) + "\n"


def _entries(block: Any) -> Iterator[tuple[str, float]]:  # noqa: ANN401  a record of ``specs/kernels.py``
    """Numbers of a kind by name; those of a mapping each by its key."""
    for name, value in dataclasses.asdict(block).items():
        if isinstance(value, dict):
            yield from ((f"{name}.{key}", number) for key, number in value.items())
        else:
            yield name, value


def numbers_of(kernels: Kernels) -> dict[str, float]:
    """All numbers of a chip's kernels by path (``gemm.fraction.bf16``)."""
    return {f"{block}.{name}": value for block in BLOCKS for name, value in _entries(getattr(kernels, block))}
