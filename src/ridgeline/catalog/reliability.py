"""Reliability of published training runs: failures, restarts, checkpoint storage, and differences between chips."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, Fact, FactFile, reads
from ridgeline.specs.reliability import CheckpointTier, Reliability

__all__ = ["ReliabilityFacts", "RunFailures", "reliability_facts", "usual_reliability"]

Count = Annotated[Fact, reads("count")]
Duration = Annotated[Fact, reads("duration")]


class RunFailures(FactFile):
    """Failures of a run or a cluster.

    Attributes:
        name: name that its owners give it.
        chips: number of chips that it ran on.
        time: time over which its failures were counted.
        failures: number of failures that stopped it.
    """

    name: str
    chips: Count
    time: Duration
    failures: Count

    @property
    def chip_mtbf_s(self) -> float:
        """Mean time between failures of one chip, with its part of everything else, s."""
        return self.chips.value * self.time.value / self.failures.value


class Restart(FactFile):
    """Time from a failure until training resumes."""

    name: str
    seconds: Duration


class CheckpointStorage(FactFile):
    """Storage to which a number of chips writes checkpoints."""

    name: str
    chips: Count
    bytes_per_s: Annotated[Fact, reads("bytes_per_s")]


class Pause(FactFile):
    """A checkpoint that takes ``write_s`` to write and pauses training for ``pause_s``."""

    name: str
    write_s: Duration
    pause_s: Duration

    @property
    def blocking_fraction(self) -> float:
        """Part of the writing time in which chips wait."""
        return self.pause_s.value / self.write_s.value


class Spread(FactFile):
    """Standard deviation of the logarithm of chips' times for the same step."""

    name: str
    step_log_sd: Annotated[Fact, reads("fraction")]


class ReliabilityFacts(FactFile):
    """Contents of ``reliability.toml``; ``usual`` names the run whose failures stand for a family of chips."""

    usual: dict[str, str]
    runs: dict[str, RunFailures]
    restarts: dict[str, Restart]
    storage: dict[str, CheckpointStorage]
    pauses: dict[str, Pause]
    spreads: dict[str, Spread]


@lru_cache(maxsize=1)
def reliability_facts() -> ReliabilityFacts:
    """All published facts, by id."""
    return read_toml(CATALOG / "reliability.toml", ReliabilityFacts)


FALLBACK = "llama-3-405b"
"""Run whose failures stand for chips without published ones: it counts the most failures."""


def usual_reliability(family: str) -> Reliability:
    """Reliability to assume for a run on chips of a family without its own numbers; its notes name the sources.

    Checkpoint storage is assumed to have Llama 3's bandwidth per chip, and chips wait for all of the writing.

    Args:
        family: architecture of the chips, as in ``Machine.family``.
    """
    facts = reliability_facts()
    run = facts.runs[facts.usual.get(family, FALLBACK)]
    restart, storage, spread = facts.restarts["byterobust"], facts.storage["tectonic"], facts.spreads["sinha-2022"]
    stands_in = "" if family in facts.usual else f", which stands in for {family or 'these'} chips"
    tier = CheckpointTier(name="storage", chip_bytes_per_s=storage.bytes_per_s.value / storage.chips.value)
    return Reliability(
        chip_mtbf_s=run.chip_mtbf_s,
        restart_s=restart.seconds.value,
        tiers=(tier,),
        step_log_sd=spread.step_log_sd.value,
        notes=(
            f"failures: {_said(run.name, run.failures)}{stands_in}",
            f"restart: {_said(restart.name, restart.seconds)}",
            f"checkpoints: {_said(storage.name, storage.bytes_per_s)}, a chip's part each; chips wait for all of it",
            f"stragglers: a standard deviation between chips' times of {_said(spread.name, spread.step_log_sd)}",
        ),
    )


def _said(name: str, fact: Fact) -> str:
    """A fact in words, with its source and date."""
    doubt = "unverified; " if fact.unverified else ""
    note = f"; {fact.note}" if fact.note else ""
    return f"{fact.written} of {name} ({doubt}{fact.source}, {fact.date}{note})"
