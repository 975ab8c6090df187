"""Scaling laws of loss as fitted by their authors: coefficients, errors, and ranges, each with its source.

Each form of a law is a class here, and a table of ``scaling_laws.toml``. ``equations`` evaluates a law from its
coefficients; ``lifecycle/laws`` has the results of each form.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import field
from functools import lru_cache
from typing import Annotated, TypeVar

from ridgeline.catalog.fact_files import known_source, read_toml, sources
from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile, Reading
from ridgeline.catalog.lookup import nearest
from ridgeline.equations.joint_sparsity import JointLaw
from ridgeline.equations.repetition import RepeatLaw
from ridgeline.equations.scaling import ComputeLaw, ScalingLaw
from ridgeline.equations.sparsity import GranularLaw, RoutingLaw, SparseLaw
from ridgeline.quantity_text import parse_quantity

__all__ = [
    "DenseLaw",
    "FittedLaw",
    "GranularFit",
    "JointFit",
    "LossLaw",
    "PowerFit",
    "RepeatedFit",
    "RoutedFit",
    "RoutedLaw",
    "SparseFit",
    "TokensFit",
    "granular_law",
    "joint_law",
    "law_ids",
    "load_law",
    "power_law",
    "repeated_law",
    "routed_law",
    "sparse_law",
]

LAWS = "scaling_laws.toml"

Ends = Annotated[
    tuple[float, float],
    Reading(lambda texts, _: tuple(parse_quantity(text, "count") for text in texts)),
]


class FittedLaw(FactFile):
    """Fields that every law has.

    Attributes:
        id: first author and year.
        name: full name of the law.
        short: short name for pictures.
        source: key of ``sources.toml``.
        locator: place of the numbers in the source.
        date: date of the version that was read.
        params: smallest and largest active parameters of the runs that it was fitted on.
        tokens: fewest and most training tokens of these runs.
        runs: owner of the runs, the same word for laws fitted to the same ones.
        note: remark on the law.
        range_is_unverified: whether the range was not read in the paper.
        is_variant: whether it is left out where every law is used.
        experts: fewest and most experts of the runs per active expert; 1 for dense models.
        routed_fraction: part of a dense model's parameters that every expert has anew.
    """

    id: str = ""
    name: str
    short: str
    source: Annotated[str, Reading(lambda key, _: known_source(str(key)))]
    locator: str
    date: dt.date
    params: Ends
    tokens: Ends
    runs: str
    note: str = ""
    range_is_unverified: bool = False
    is_variant: bool = False
    experts: tuple[float, float] = (1.0, 1.0)
    routed_fraction: float = 0.0

    @property
    def is_routed(self) -> bool:
        """Whether models with experts are among its runs."""
        return self.experts[1] > 1

    @property
    def address(self) -> str:
        """Address of its paper."""
        return sources()[self.source].address


class PowerFit(FittedLaw):
    """A loss that is a power of parameters and one of tokens.

    Attributes:
        coefficients: coefficients of ``scaling.model_loss``.
        errors: standard errors of the coefficients; None where the paper prints none.
    """

    coefficients: ScalingLaw
    errors: ScalingLaw | None = None


class RepeatedFit(FittedLaw):
    """A loss that is a power of parameters and one of tokens, for repeated text.

    Attributes:
        coefficients: coefficients of ``scaling.model_loss`` on the effective text and parameters.
        repetition: decay rates of their effective amounts.
    """

    coefficients: ScalingLaw
    repetition: RepeatLaw


class TokensFit(FittedLaw):
    """The best number of tokens for a compute budget, without a loss.

    Attributes:
        coefficients: coefficients of ``scaling.compute_optimal_tokens``.
    """

    coefficients: ComputeLaw


class RoutedFit(FittedLaw):
    """The dense model that is equivalent to a routed one.

    Attributes:
        coefficients: coefficients of ``sparsity.equivalent_params``.
        dense: id of the law of the dense model's loss.
    """

    coefficients: RoutingLaw
    dense: str


class GranularFit(FittedLaw):
    """A loss in total parameters, tokens, and pieces that an expert is cut into.

    Attributes:
        coefficients: coefficients of ``sparsity.granular_loss``.
        granularity: pieces of an expert in the runs.
        dense: id of the law of dense models on the same text.
    """

    coefficients: GranularLaw
    granularity: float
    dense: str


class SparseFit(FittedLaw):
    """A loss in total parameters, tokens, and the part of the experts that a token visits.

    Attributes:
        coefficients: coefficients of ``sparsity.sparse_loss``.
    """

    coefficients: SparseLaw


class JointFit(FittedLaw):
    """A loss in active parameters, tokens and experts.

    Attributes:
        coefficients: coefficients of ``joint_sparsity.joint_loss``.
    """

    coefficients: JointLaw


DenseLaw = PowerFit | RepeatedFit
RoutedLaw = RoutedFit | GranularFit | SparseFit | JointFit
LossLaw = DenseLaw | RoutedLaw
"""Laws that give a loss."""

Fit = TypeVar("Fit", bound=FittedLaw)


class ScalingLaws(FactFile):
    """Contents of ``scaling_laws.toml``, with a table for each form."""

    power: dict[str, PowerFit] = field(default_factory=dict)
    repeated: dict[str, RepeatedFit] = field(default_factory=dict)
    compute: dict[str, TokensFit] = field(default_factory=dict)
    routed: dict[str, RoutedFit] = field(default_factory=dict)
    granular: dict[str, GranularFit] = field(default_factory=dict)
    sparse: dict[str, SparseFit] = field(default_factory=dict)
    joint: dict[str, JointFit] = field(default_factory=dict)


@lru_cache(maxsize=1)
def _laws() -> dict[str, LossLaw | TokensFit]:
    """All laws by id, dense ones first, in the order of the file."""
    found: ScalingLaws = read_toml(CATALOG / LAWS, ScalingLaws)
    tables = (found.power, found.repeated, found.compute, found.routed, found.granular, found.sparse, found.joint)
    return {name: _named(law, name) for table in tables for name, law in table.items()}


SPOKEN_NAMES = {"chinchilla": ("hoffmann-2022",), "epoch": ("besiroglu-2024",), "llama-3": ("llama-3-2024",)}
"""Common names of laws that are listed by their authors."""


def _named(law: Fit, name: str) -> Fit:
    return type(law)(**{**law.by_name(), "id": name})


def law_ids() -> list[str]:
    """Ids of all laws, dense ones first."""
    return list(_laws())


def load_law(name: str) -> LossLaw | TokensFit:
    """A law by its id.

    Raises:
        CatalogError: the id is unknown; the message lists the known ones.
    """
    found = _laws().get(name.lower())
    if found is None:
        near = dict.fromkeys([*SPOKEN_NAMES.get(name.lower(), ()), *nearest(name.lower(), law_ids())])
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise CatalogError(f"no scaling law {name!r}{hint}. There are {', '.join(law_ids())}")
    return found


def _of(kind: type[Fit], name: str) -> Fit:
    found = load_law(name)
    if not isinstance(found, kind):
        raise CatalogError(f"scaling law {name!r} is a {type(found).__name__}, and no {kind.__name__}")
    return found


def power_law(name: str) -> PowerFit:
    """A law of two powers.

    >>> power_law("besiroglu-2024").coefficients.tokens_power
    0.3658
    """
    return _of(PowerFit, name)


def repeated_law(name: str) -> RepeatedFit:
    """A law for repeated text."""
    return _of(RepeatedFit, name)


def routed_law(name: str) -> RoutedFit:
    """A law of equivalent parameters."""
    return _of(RoutedFit, name)


def granular_law(name: str) -> GranularFit:
    """A law of experts in pieces."""
    return _of(GranularFit, name)


def sparse_law(name: str) -> SparseFit:
    """A law of the active part."""
    return _of(SparseFit, name)


def joint_law(name: str) -> JointFit:
    """A law of parameters, tokens and experts together."""
    return _of(JointFit, name)
