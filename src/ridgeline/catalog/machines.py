"""Machines of the catalog: chips, fabric, prices, and the efficiencies of their family."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from ridgeline.catalog.fact_files import read_toml, sources
from ridgeline.catalog.facts import CATALOG, CatalogError, Fact, FactFile, reads
from ridgeline.catalog.kernels import kernels_of, own_bands_by, reference_of, with_own_kernels
from ridgeline.catalog.lookup import find, ids
from ridgeline.catalog.packed import is_file
from ridgeline.catalog.rentals import Rental, default_tariff, market_tariff
from ridgeline.glossary import ImplausibleError
from ridgeline.specs.band import Band
from ridgeline.specs.efficiency import Efficiency
from ridgeline.specs.machine import Chip, FabricLevel, Machine
from ridgeline.specs.provenance import Grade, Source
from ridgeline.specs.topology import Mesh, Switch, Topology, Torus

__all__ = [
    "FabricFacts",
    "MachineEntry",
    "MachineFacts",
    "entry_of",
    "family_of",
    "kernels_reference",
    "load_machine",
    "machine_entry",
    "machine_ids",
]

MACHINES = CATALOG / "machines"
EFFICIENCIES = CATALOG / "efficiencies"

NOT_ESTIMATED_FROM = {
    "chip": ("l2_bytes", "compute_units", "power_w", "dies"),
    "fabric": ("links", "cables_per_link", "switches"),
    "machine": ("node_chips",),
}
"""Facts that no estimate uses, so that a doubtful one is no caveat."""

Arithmetic = Annotated[Fact, reads("flop_per_s")]
Bandwidth = Annotated[Fact, reads("bytes_per_s")]
Bytes = Annotated[Fact, reads("bytes")]
Count = Annotated[Fact, reads("count")]
Power = Annotated[Fact, reads("w")]


class ChipFacts(FactFile):
    """The ``[chip]`` table; ``largest_product_flop_per_s`` is the measured rate of the best 16-bit product."""

    flop_per_s: dict[str, Arithmetic]
    largest_product_flop_per_s: Arithmetic | None = None
    hbm_bytes: Bytes
    hbm_bytes_per_s: Bandwidth
    l2_bytes: Bytes | None = None
    compute_units: Count | None = None
    power_w: Power | None = None
    dies: Count | None = None


class FabricFacts(FactFile):
    """One ``[[fabric]]`` table."""

    name: str
    technology: str
    topology: Literal["switch", "bus", "mesh", "torus"]
    chips: Count | None = None
    bytes_per_s: Bandwidth
    links: Count | None = None
    cables_per_link: Count | None = None
    switches: Count | None = None
    torus: tuple[int, ...] = ()
    wraps_every: Count | None = None

    def spec(self) -> FabricLevel:
        """The level as a record of ``specs``."""
        return FabricLevel(
            name=self.name,
            chips=_whole(self.chips),
            bytes_per_s=self.bytes_per_s.value,
            topology=self._topology(),
            links=_whole(self.links),
            cables_per_link=_whole(self.cables_per_link),
            switches=_whole(self.switches),
        )

    def _topology(self) -> Topology:
        if self.topology != "torus":
            if self.torus or self.wraps_every:
                raise ValueError(f"fabric {self.name!r}: a {self.topology} has no torus and no wraps_every")
            return Mesh() if self.topology == "mesh" else Switch(is_bus=self.topology == "bus")
        if self.wraps_every is None or not self.torus:
            raise ValueError(
                f"fabric {self.name!r}: a torus needs its sides, and wraps_every, from how many chips along an axis its"
                " ends are joined: torus = [16, 16], wraps_every = { value = 16, ...}"
            )
        return Torus(sides=self.torus, wraps_every=int(self.wraps_every.value))


class MachineFacts(FactFile):
    """Contents of a machine's file.

    Attributes:
        short_name: name without maker and remarks, for sentences and pickers; empty where it is the whole name.
    """

    id: str
    name: str
    short_name: str = ""
    family: str
    released: int
    announced: bool = False
    node_chips: Count | None = None
    chip: ChipFacts
    fabric: tuple[FabricFacts, ...]
    rental: tuple[Rental, ...] = ()


class EfficiencyFile(FactFile):
    """Contents of a family's file, with the fields of ``Efficiency``."""

    name: str
    status: str
    compute_fraction: dict[str, float]
    default_compute_fraction: float
    attention_compute_fraction: float
    hbm_fraction: float
    kv_hbm_fraction: float
    kernel_launch_s: float
    dequantise_flop_per_value: float
    link_fraction: dict[str, float]
    message_latency_s: dict[str, float]
    expert_imbalance: float
    usable_hbm_fraction: float
    bands: dict[str, Band]


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineEntry:
    """A machine with the facts behind it.

    Attributes:
        machine: record that estimates use.
        facts: contents of the file, each value with its source and date.
        bands_by: data behind the bands of its kernels, by kind.
    """

    machine: Machine
    facts: MachineFacts
    bands_by: Mapping[str, str]

    def with_own_kernels(self, kernels: str | Path) -> MachineEntry:
        """The entry with the user's own calibration.

        Raises:
            CatalogError: there is no such calibration, or its file is invalid.
        """
        return dataclasses.replace(
            self,
            machine=with_own_kernels(self.machine, kernels),
            bands_by=own_bands_by(self.machine, kernels, self.bands_by),
        )

    def values(self) -> dict[str, Fact]:
        """Facts by the name under which each is shown."""
        chip = self.facts.chip
        named: dict[str, Fact | None] = {f"flop_per_s.{key}": fact for key, fact in chip.flop_per_s.items()}
        plain = (
            "largest_product_flop_per_s",
            "hbm_bytes",
            "hbm_bytes_per_s",
            "l2_bytes",
            "compute_units",
            "power_w",
            "dies",
        )
        named |= {name: getattr(chip, name) for name in plain}
        for level in self.facts.fabric:
            named |= {
                f"{level.name}.{name}": getattr(level, name)
                for name in ("chips", "bytes_per_s", *NOT_ESTIMATED_FROM["fabric"])
            }
        named["node_chips"] = self.facts.node_chips
        return {name: fact for name, fact in named.items() if fact is not None}


@lru_cache(maxsize=64)
def _efficiency(
    machine: str, family: str, *, bus_bytes_per_s: float | None, product_fraction: float | None
) -> tuple[Efficiency, Mapping[str, str]]:
    """Efficiencies of the family, or a first guess for all; with fitted kernels where there are any, and their bands.

    The second result is the data behind the bands.
    """
    path = EFFICIENCIES / f"{family}.toml"
    read = _efficiency_file(path if is_file(path) else EFFICIENCIES / "default.toml")
    plain = Efficiency(**read.by_name())
    fitted = kernels_of(machine, family, bus_bytes_per_s=bus_bytes_per_s, product_fraction=product_fraction)
    if fitted is None:
        return plain, {}
    guessed = Source(grade=Grade.ASSUMED, note=plain.status)
    beside = ("kernel_launch_s", *(f"link_fraction.{level}" for level in plain.link_fraction))
    efficiency = dataclasses.replace(
        plain,
        name=f"kernels of {machine}",
        status=fitted.status,
        kernels=fitted.kernels,
        bands=fitted.bands,
        # Values of ``plain`` that apply beside fitted kernels.
        sources={**dict.fromkeys(beside, guessed), **fitted.sources},
    )
    return efficiency, fitted.sureness.bands_by


@lru_cache(maxsize=16)
def _efficiency_file(path: Path) -> EfficiencyFile:
    return read_toml(path, EfficiencyFile)


def _product_fraction(chip: ChipFacts) -> float | None:
    """Part of the 16-bit peak that the largest products reach; None where not measured."""
    reached = chip.largest_product_flop_per_s
    return None if reached is None else reached.value / chip.flop_per_s["bf16"].value


def _number(fact: Fact | None) -> float | None:
    return None if fact is None else fact.value


def _whole(fact: Fact | None) -> int | None:
    return None if fact is None else int(fact.value)


def _caveats(entry: MachineEntry) -> tuple[str, ...]:
    """Doubts about a machine's facts."""
    aside = tuple(name for names in NOT_ESTIMATED_FROM.values() for name in names)
    estimated_from = [name for name in entry.values() if not name.endswith(aside)]
    doubtful = [name for name in estimated_from if entry.values()[name].unverified]
    announced = f"{entry.machine.id} is announced and was not shipping when its sources were read"
    return (
        *((announced,) if entry.facts.announced else ()),
        *((f"not verified of {entry.machine.id}: {', '.join(doubtful)}",) if doubtful else ()),
    )


def _read(path: Path) -> MachineEntry:
    entry = entry_of(read_toml(path, MachineFacts), str(path))
    if path.parent != MACHINES:
        _refuse_borrowed_id(entry, path)
        _refuse_misspelt_family(entry.facts.family, path)
        return dataclasses.replace(entry, machine=dataclasses.replace(entry.machine, unit_doubts=_out_of_range(entry)))
    for name, fact in entry.values().items():
        if fact.source not in sources():
            raise CatalogError(f"{path}: {name}: source {fact.source!r} is not in sources.toml; describe it there")
    return entry


OUT_OF_RANGE = 10.0
"""Times the catalog's largest fact of a kind, or a part of its smallest, from which on a slip of a unit is likely."""

OF_UNITS = ("flop_per_s", "hbm_bytes", "hbm_bytes_per_s", "bytes_per_s", "power_w")
"""Kinds of facts in units with prefixes, in which a slip is of a factor of 1,000."""


def _out_of_range(entry: MachineEntry) -> tuple[str, ...]:
    """Doubts about facts that are far from those of all machines of the catalog."""
    known: dict[str, list[tuple[float, str]]] = {}
    for one in machine_ids():
        for name, fact in machine_entry(one).values().items():
            known.setdefault(_kind(name), []).append((fact.value, one))
    said = []
    for name, fact in entry.values().items():
        if _kind(name) not in OF_UNITS:
            continue
        (least, smallest), (most, largest) = min(known[_kind(name)]), max(known[_kind(name)])
        if fact.value > OUT_OF_RANGE * most:
            end = f"{fact.value / most:,.3g} times that of {largest}, the largest of the catalog"
        elif fact.value < least / OUT_OF_RANGE:
            end = f"1/{least / fact.value:,.3g} of that of {smallest}, the smallest of the catalog"
        else:
            continue
        said.append(f"{name} = {fact.written} of {entry.machine.id} is {end}: check its unit")
    return tuple(said)


def _kind(name: str) -> str:
    """Kind of a fact: arithmetic of any format is one, and bandwidth of any level of the fabric."""
    return "flop_per_s" if name.startswith("flop_per_s") else name.rpartition(".")[2]


def _refuse_borrowed_id(entry: MachineEntry, path: Path) -> None:
    """Refuse a file with a catalog machine's id and other facts: what was measured on that machine was not on this one.

    Raises:
        CatalogError: the id is the catalog's and a fact beside its prices is not.
    """
    own = entry.facts
    if own.id not in machine_ids():
        return
    known = read_toml(MACHINES / f"{own.id}.toml", MachineFacts)
    theirs = entry_of(known, str(path)).values()
    numbers = {name: fact.value for name, fact in entry.values().items()}
    other = [name for name, fact in theirs.items() if numbers.get(name) != fact.value]
    other += [name for name in numbers if name not in theirs]
    other += ["family"] if own.family != known.family else []
    if other:
        raise CatalogError(
            f"{path}: id {own.id!r} is a machine of the catalog with another {', another '.join(other[:3])}; give yours"
            f' an id of its own, such as id = "my-{own.id}": what was measured on {own.id} then counts as its'
            " family's, not as measured on this one"
        )


NO_FAMILY = "other"
"""Family of a machine that is of none of the catalog's."""

LIKE_ENOUGH = 0.8
"""Likeness, by ``difflib``, from which an unknown family is taken for a misspelt one."""


def _refuse_misspelt_family(family: str, path: Path) -> None:
    """Refuse a family that is nearly one of the catalog's: its machine would be estimated by first guesses.

    Names that differ in digits alone are other generations, and no slip.

    Raises:
        CatalogError: the family is misspelt; the message names the one that is near.
    """
    families = sorted({family_of(one) for one in machine_ids()})
    if family in families:
        return
    letters = family.casefold().strip("0123456789")
    near = get_close_matches(letters, [one.strip("0123456789") for one in families], n=1, cutoff=LIKE_ENOUGH)
    if near and (near[0] != letters or family.casefold() in families):
        meant = next(one for one in families if one.strip("0123456789") == near[0])
        raise CatalogError(
            f"{path}: family {family!r} is none of {', '.join(families)}; did you mean {meant!r}? A machine of none of"
            f" them has family = {NO_FAMILY!r}"
        )


def entry_of(facts: MachineFacts, where: str) -> MachineEntry:
    """A machine from facts that need not be in a file.

    Args:
        facts: facts about the machine; efficiencies and fitted kernels are those of its id and family.
        where: text that errors name, such as a file's path.

    Raises:
        CatalogError: the facts contradict each other, or a number is implausible.
    """
    chip = facts.chip
    try:
        efficiency, bands_by = _efficiency(
            facts.id,
            facts.family,
            bus_bytes_per_s=facts.fabric[0].bytes_per_s.value if facts.fabric[0].topology == "bus" else None,
            product_fraction=_product_fraction(chip),
        )
        machine = Machine(
            id=facts.id,
            name=facts.name,
            chip=Chip(
                name=facts.name,
                flop_per_s={key: fact.value for key, fact in chip.flop_per_s.items()},
                hbm_bytes=chip.hbm_bytes.value,
                hbm_bytes_per_s=chip.hbm_bytes_per_s.value,
                l2_bytes=_number(chip.l2_bytes),
                compute_units=_whole(chip.compute_units),
                power_w=_number(chip.power_w),
            ),
            fabric=tuple(level.spec() for level in facts.fabric),
            efficiency=efficiency,
            tariff=default_tariff(facts.rental),
            family=facts.family,
            node_chips=None if facts.node_chips is None else int(facts.node_chips.value),
        )
        entry = MachineEntry(machine=machine, facts=facts, bands_by=bands_by)
        entry = dataclasses.replace(entry, machine=dataclasses.replace(machine, caveats=_caveats(entry)))
    except ImplausibleError as error:  # quantities have units here, and base units in Python alone
        raise CatalogError(f"{where}: {error.fault}; check the number and its unit") from None
    except ValueError as error:
        raise CatalogError(f"{where}: {error}") from None
    return entry


def kernels_reference(machine: str) -> str | None:
    """Machine whose fitted kernels this one starts from; None for accelerators that share none."""
    return reference_of(machine_entry(machine).facts.family)


def machine_ids() -> list[str]:
    """Ids of all machines of the catalog."""
    return ids(MACHINES)


def machine_entry(name: str) -> MachineEntry:
    """A machine with its facts, by catalog id or path to a TOML file.

    Raises:
        CatalogError: the name is unknown (the message lists the nearest), or its file is malformed.
    """
    return find("machine", MACHINES, name, _read)


@lru_cache(maxsize=64)
def family_of(machine_id: str) -> str:
    """Family of a machine of the catalog, without reading the rest."""
    return read_toml(MACHINES / f"{machine_id}.toml", MachineFacts).family


def load_machine(name: str, *, kernels: str | Path | None = None, market: str | None = None) -> Machine:
    """A machine, by catalog id or path to a TOML file.

    Args:
        name: catalog id or path.
        kernels: profile or folder of the user's own calibration, which replaces the catalog's numbers.
        market: market whose newest price a chip is taken at, as in ``market_tariff``; None for the default.

    Raises:
        CatalogError: the name is unknown (the message lists the nearest), a file is malformed, or the market has no
            known price.
    """
    entry = machine_entry(name)
    machine = entry.machine
    if market is not None:
        machine = dataclasses.replace(machine, tariff=market_tariff(entry, market))
    return machine if kernels is None else with_own_kernels(machine, kernels)
