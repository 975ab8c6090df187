"""Quantities of a plan as an engine's flags: the catalog has the flags, an engine's file the values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ridgeline.catalog.engine_flags import EngineFlags, FlagFact, flags_of
from ridgeline.catalog.engine_options import options_of
from ridgeline.hand_over.replica import CannotHandOverError, Replica

__all__ = ["cache_word", "common_values", "is_on_command_line", "option_values", "options", "weights_word", "words"]

OWN = frozenset({"step_tokens", "sequences", "memory_fraction", "captured_sequences"})
"""Fields of ``EngineOptions`` that a plan always settles."""


def common_values(replica: Replica) -> dict[str, Any]:
    """Settings common to all engines, by quantity; None where one is left out."""
    layout, captured = replica.deployment.layout, replica.captured_sequences
    return {
        "tp": layout.tp * layout.dp,
        "pp": layout.pp if layout.pp > 1 else None,
        "group_sequences": replica.group_sequences,
        "step_tokens": replica.step_tokens,
        "context_tokens": replica.context_tokens,
        "memory_fraction": replica.memory_fraction,
        "captured_sequences": captured,
        **option_values(replica),
        # Without captured sequences there are no graphs, for which engines have an option.
        **({"replays_graphs": False} if captured is None else {}),
    }


def option_values(replica: Replica) -> dict[str, Any]:
    """Operator's options beside those that a plan settles, by field of ``EngineOptions``."""
    given = replica.deployment.engine.options.given
    return {name: value for name, value in given.items() if name not in OWN}


def is_on_command_line(flag: str) -> bool:
    """Whether a flag goes onto the command line, and not into the options file."""
    return flag.startswith("--")


def words(engine: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """Command line's part of the settings, in the order of the catalog's file.

    Args:
        engine: engine that the flags are for.
        values: values by quantity; None where one is left to the engine.

    Raises:
        CannotHandOverError: the release has no flag for one of them.
    """
    return tuple(
        word
        for name, fact, value in _written(engine, values)
        if is_on_command_line(name)
        for word in ((name,) if fact.switch else (name, fact.word or _text(value)))
    )


def options(engine: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Options file's part of the settings, as nested tables."""
    found: dict[str, Any] = {}
    for name, fact, value in _written(engine, values):
        if is_on_command_line(name):
            continue
        *path, last = name.split(".")
        table = found
        for part in path:
            table = table.setdefault(part, {})
        table[last] = value if fact.word is None else json.loads(fact.word)
    return found


def _written(engine: str, values: Mapping[str, Any]) -> Iterator[tuple[str, FlagFact, Any]]:
    """Flags that are written, each with its value."""
    facts = flags_of(engine)
    known = {fact.sets for fact in facts.flags.values()}
    for name in (name for name, value in values.items() if value is not None and name not in known):
        raise CannotHandOverError(_no_flag(engine, facts, name))
    for name, fact in facts.flags.items():
        value = values.get(fact.sets)
        if value is None or (fact.switch and fact.when is None and value is False):
            continue
        if fact.when is None or fact.when == value:
            yield name, fact, value


def _no_flag(engine: str, facts: EngineFlags, name: str) -> str:
    """Message on an option that a release has no flag for."""
    option = next((key for key, fact in options_of(engine).items() if fact.sets == name), name)
    return (
        f"{engine} {facts.version} has no flag for {option}; plan without it, or add the flag of your release by hand"
    )


def _text(value: object) -> str:
    """A value in the form of a command line."""
    if isinstance(value, dict):
        return json.dumps(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def cache_word(engine: str, replica: Replica) -> str:
    """Engine's name for the format of the KV cache.

    Raises:
        CannotHandOverError: the release has no word for the format.
    """
    planned, published = replica.deployment.precision.kv.name, replica.deployment.model.precision.kv.name
    if planned == published and not replica.reads_tokens_of_choice:
        return "auto"
    known = flags_of(engine).kv
    if planned not in known:
        raise CannotHandOverError(
            f"{engine} {flags_of(engine).version} has no KV cache in {planned}; plan with --kv"
            f" {' or --kv '.join(known)}"
        )
    return known[planned].word


def weights_word(engine: str, replica: Replica) -> str | None:
    """Engine's word for quantising a checkpoint at load time; None where it is loaded as it is.

    Raises:
        CannotHandOverError: neither the checkpoint has the plan's format of weights, nor can the engine make it.
    """
    asked = replica.asked_weights
    if asked is None or replica.is_own_checkpoint:
        return None
    known = flags_of(engine).weights
    if asked in known and replica.is_published_plain:
        return known[asked].word
    made = f"; while loading 16-bit weights it makes {', '.join(known)}" if known else ""
    raise CannotHandOverError(
        f"the plan has weights in {asked}, and {replica.checkpoint} holds others, which {engine} does not turn into"
        f" them{made}; name a checkpoint in {asked}: --checkpoint NAME, or plan without --weights"
    )
