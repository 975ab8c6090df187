"""Default memory split and batch limits of serving engines, each value with its source."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, Fact, FactFile, reads
from ridgeline.specs.engine import UNLIMITED, Limits

__all__ = ["LIMITS", "LimitsFacts", "engine_limits"]

LIMITS = CATALOG / "engine_limits.toml"

Bytes = Annotated[Fact, reads("bytes")]
Count = Annotated[Fact, reads("count")]


class LimitsFacts(FactFile):
    """A table of the file: an engine's limits on chips from a size up, with the fields of ``Limits``.

    ``outside_bytes`` is memory outside of the engine's own accounting: CUDA context, workspaces, captured graphs.
    """

    least_hbm_bytes: Bytes | None = None
    not_on: tuple[str, ...] = ()
    memory_fraction: Count | None = None
    reserved_bytes: Bytes | None = None
    outside_bytes: Bytes | None = None
    reserved_token_bytes: Bytes | None = None
    cache_fraction: Count | None = None
    output_fraction: Count
    sequences: Count | None = None
    pass_tokens: Count
    shares_pass_tokens: bool = False
    block_tokens: Count
    mixes_prompts: bool = True
    raised_fraction: Count | None = None
    profiles_pass: bool = False
    reserves_pass: bool = False

    def spec(self) -> Limits:
        """The limits as a record of ``specs``."""

        def value(fact: Fact | None, otherwise: float) -> float:
            return otherwise if fact is None else fact.value

        return Limits(
            least_hbm_bytes=value(self.least_hbm_bytes, 0.0),
            not_on=self.not_on,
            memory_fraction=value(self.memory_fraction, 1.0),
            reserved_bytes=value(self.reserved_bytes, 0.0) + value(self.outside_bytes, 0.0),
            reserved_token_bytes=value(self.reserved_token_bytes, 0.0),
            profiles_pass=self.profiles_pass,
            reserves_pass=self.reserves_pass,
            cache_fraction=value(self.cache_fraction, 1.0),
            output_fraction=self.output_fraction.value,
            sequences=int(value(self.sequences, UNLIMITED)),
            pass_tokens=int(self.pass_tokens.value),
            shares_pass_tokens=self.shares_pass_tokens,
            block_tokens=int(self.block_tokens.value),
            mixes_prompts=self.mixes_prompts,
            raised_fraction=value(self.raised_fraction, 0.0),
        )


@lru_cache(maxsize=1)
def engine_limits() -> dict[str, tuple[LimitsFacts, ...]]:
    """Limits of each engine for which they are known, as facts, the largest chips first.

    Raises:
        CatalogError: the file is malformed.
    """
    return read_toml(LIMITS, dict[str, tuple[LimitsFacts, ...]])
