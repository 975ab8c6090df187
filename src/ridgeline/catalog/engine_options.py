"""Options of serving engines by the engines' own names: their effect, their defaults, and a user's values."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator

from ridgeline.catalog.engine_support import SupportFact, facts_for
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, Fact, FactFile, reads
from ridgeline.catalog.lookup import nearest
from ridgeline.quantity_text import QuantityError, parse_quantity
from ridgeline.specs.engine import Engine, Limits
from ridgeline.specs.engine_options import EngineOptions, HostTime

__all__ = [
    "ENGINE_OPTIONS",
    "host_time_of",
    "names_understood",
    "option_names",
    "options_named",
    "options_of",
    "options_stated",
    "resolved_options",
    "run_with",
]

ENGINE_OPTIONS = CATALOG / "engine_options.toml"

FLAGS = {"replays_graphs", "overlaps_host"}
"""Fields of ``EngineOptions`` that are booleans."""

YES = {"true", "1", "yes", "on"}
NO = {"false", "0", "no", "off", "null", "none"}


def _known_field(name: str) -> str:
    if name not in EngineOptions.__dataclass_fields__:
        raise ValueError(f"{name!r} is no field of EngineOptions")
    return name


class OptionFact(SupportFact):
    """An option of an engine."""

    sets: Annotated[str, AfterValidator(_known_field)]
    meaning: str
    negated: bool = False
    default: bool | int | None = None


Seconds = Annotated[Fact, reads("s")]


class OptionFacts(FactFile):
    """Tables of one engine."""

    eager_layer_s: Seconds
    step_s: Seconds
    options: dict[str, OptionFact]
    ignored: dict[str, str] = field(default_factory=dict)


class OptionFile(FactFile):
    """Contents of the file."""

    engines: dict[str, OptionFacts]


@lru_cache(maxsize=1)
def _file() -> dict[str, OptionFacts]:
    return read_toml(ENGINE_OPTIONS, OptionFile).engines


def options_of(engine: str) -> dict[str, OptionFact]:
    """Options of an engine by name; empty where none are known."""
    facts = facts_for(engine, _file())
    return {} if facts is None else facts.options


def names_understood(engine: str) -> frozenset[str]:
    """Names of an engine's options, those without effect here included."""
    facts = facts_for(engine, _file())
    return frozenset() if facts is None else frozenset({*facts.options, *facts.ignored})


def host_time_of(engine: str) -> HostTime:
    """Host time that an engine's graphs and overlap hide; zero where unknown."""
    facts = facts_for(engine, _file())
    return HostTime() if facts is None else HostTime(eager_layer_s=facts.eager_layer_s.value, step_s=facts.step_s.value)


@lru_cache(maxsize=1)
def option_names() -> frozenset[str]:
    """Names of the options of all engines, those without effect here included."""
    return frozenset(name for facts in _file().values() for name in (*facts.options, *facts.ignored))


def options_named(engine: str, given: Mapping[str, object]) -> EngineOptions:
    """Options given by an engine's own names, as a record.

    Args:
        engine: catalog name of the engine.
        given: values by name, with dashes or underscores; numbers and flags may be text, such as "16k" or "true".

    Raises:
        CatalogError: the engine lacks an option (the message lists the known ones), a value is invalid, or two
            conflict.

    >>> options_named("vllm", {"max-num-batched-tokens": "16k", "enforce_eager": True}).given
    {'step_tokens': 16000, 'replays_graphs': False}
    """
    known, found, named = options_of(engine), dict[str, Any](), dict[str, str]()
    for key, value in given.items():
        name = key.removeprefix("--").replace("-", "_")
        if name not in known:
            raise CatalogError(_unknown(engine, name))
        fact = known[name]
        if fact.sets in found:
            raise CatalogError(f"engine {engine}: {named[fact.sets]} and {name} set the same; keep one")
        found[fact.sets], named[fact.sets] = _read(name, fact, value), name
    try:
        return EngineOptions(**found)
    except ValueError as error:
        raise CatalogError(f"engine {engine}, {', '.join(named.values())}: {error}") from None


def options_stated(engine: str, stated: Mapping[str, object]) -> EngineOptions:
    """Options among the facts that a measured run states; others than this engine's are ignored."""
    return options_named(engine, {name: value for name, value in stated.items() if name in options_of(engine)})


def resolved_options(engine: Engine, limits: Limits, *, groups: int) -> dict[str, float | None]:
    """All options of an engine by name, as set or by default; None where chip or load decides.

    Args:
        engine: engine with its options.
        limits: limits of a group, on the chip.
        groups: number of groups that divide an option set for all of them.
    """
    return {name: _resolved(fact, engine.options, limits, groups) for name, fact in options_of(engine.name).items()}


def _resolved(fact: OptionFact, options: EngineOptions, limits: Limits, groups: int) -> float | None:
    value: float | None = getattr(options, fact.sets)
    by_limits = {"step_tokens": limits.pass_tokens, "sequences": limits.sequences}
    of_group = fact.sets.removeprefix("all_")
    if value is None and of_group in by_limits:
        return by_limits[of_group] * (1 if of_group == fact.sets else groups)
    if fact.sets == "memory_fraction" and value is None:
        by_default = limits.cache_fraction if limits.cache_fraction < 1 else limits.memory_fraction
        return None if limits.reserves_pass else by_default
    if value is None:
        return fact.default
    return value != fact.negated if fact.sets in FLAGS else value


def _unknown(engine: str, name: str) -> str:
    """Message on an unknown option, with those that the engine takes."""
    facts = facts_for(engine, _file())
    if facts is None:
        return f"engine {engine} has no options of its own here; vllm, sglang and tensorrt-llm have"
    if name in facts.ignored:
        return f"engine {engine}: {name} changes no prediction: {facts.ignored[name]}; leave it out"
    near = nearest(name.lower(), list(facts.options))
    known = "; ".join(f"{one} ({fact.meaning})" for one, fact in facts.options.items())
    said = f", nearest: {', '.join(near)}" if near else ""
    return f"engine {engine} has no option {name!r} that is modelled{said}. Those that are: {known}"


def _read(name: str, fact: OptionFact, value: object) -> object:
    """A value in the type of its field."""
    if fact.sets in FLAGS:
        said = str(value).lower()
        if said not in YES | NO:
            raise CatalogError(f"{name}={value!r} is neither true nor false")
        return (said in YES) != fact.negated
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise CatalogError(f"{name}={value!r} is not a number")
    try:
        number = parse_quantity(value, "count") if isinstance(value, str) else float(value)
    except QuantityError as error:
        raise CatalogError(f"{name}: {error}") from None
    return int(number) if fact.sets != "memory_fraction" and number == number // 1 else number


def run_with(engine: Engine, options: EngineOptions) -> Engine:
    """An engine with further options of its operator; options set before stay unless set again."""
    if not options.given:
        return engine
    together = dataclasses.replace(engine.options, **_other_way(options), **options.given)
    is_memory_stated = together.memory_fraction is not None
    limits = tuple(_limited(one, options, is_memory_stated=is_memory_stated) for one in engine.limits or (Limits(),))
    return dataclasses.replace(engine, options=together, limits=limits)


def _limited(limits: Limits, options: EngineOptions, *, is_memory_stated: bool) -> Limits:
    """Limits with an operator's options, who may have set the memory fraction before."""
    changes: dict[str, Any] = {}
    tokens = options.all_step_tokens if options.step_tokens is None else options.step_tokens
    sequences = options.all_sequences if options.sequences is None else options.sequences
    if options.memory_fraction is not None:
        # A stated fraction is not raised. It is the cache's part for an engine that divides the remaining memory; one
        # that reserves a pass keeps the rest for it.
        knob = "cache_fraction" if limits.cache_fraction < 1 else "memory_fraction"
        changes |= {knob: options.memory_fraction, "raised_fraction": 0.0}
        changes |= {"reserved_bytes": 0.0} if limits.reserves_pass else {}
    elif tokens is not None and not is_memory_stated:
        more = limits.reserved_token_bytes * (tokens - limits.pass_tokens)
        changes |= {"reserved_bytes": max(limits.reserved_bytes + more, 0.0)}
    if sequences is not None:
        changes |= {"sequences": sequences, "shares_sequences": options.all_sequences is not None}
    if tokens is not None:
        changes |= {"pass_tokens": tokens, "shares_pass_tokens": options.all_step_tokens is not None}
    return dataclasses.replace(limits, **changes)


def _other_way(options: EngineOptions) -> dict[str, None]:
    """Options that another one overrides: a limit per group by one of all groups, and vice versa."""
    pairs = [(name, f"all_{name}") for name in ("step_tokens", "sequences")]
    both = [*pairs, *((other, one) for one, other in pairs)]
    return {other: None for one, other in both if one in options.given}
