"""Result of a hand-over: a command, a manifest, and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ridgeline.catalog.engine_flags import flags_of
from ridgeline.estimator.parameters import main_format
from ridgeline.hand_over.replica import Replica
from ridgeline.quantity_text import counted, format_quantity
from ridgeline.specs.engine import Engine

__all__ = ["FIRST_NODE", "NODE_RANK", "Launch", "notes_of"]

FIRST_NODE, NODE_RANK = "$FIRST_NODE", "$NODE_RANK"
"""Shell variables of a launch over several nodes: address of the first one, and number of this one, from 0."""


LARGEST_HOST = 8
"""Chips of the largest host that is sold; a larger scale-up domain joins several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """Launch of an engine for a plan.

    Attributes:
        engine: engine that is started, by its catalog name, or dynamo.
        version: release of the engine that the flags are from.
        plan: rank of the plan among those found, from 1.
        layout: layout of one replica.
        replicas: number of replicas to start.
        nodes: hosts of one replica.
        command: words of the command on a replica's first node; empty where the manifest is all there is to apply.
        further_command: words of the command on its further nodes; empty where there are none.
        manifest: contents of the file that the command reads, or that is applied; null where there is none.
        manifest_file: name of that file; empty without one.
        notes: aspects of the plan that the command does not express, and further steps.
    """

    engine: str
    version: str
    plan: int
    layout: str
    replicas: int
    nodes: int
    command: tuple[str, ...]
    further_command: tuple[str, ...] = ()
    manifest: str | None = None
    manifest_file: str = ""
    notes: tuple[str, ...] = ()


def notes_of(engine: str, replica: Replica) -> tuple[str, ...]:
    """Notes on every launch: settings left to the engine, and assumptions of the plan.

    Args:
        engine: engine whose flags are written.
        replica: replica that they describe.
    """
    return tuple(_notes(engine, replica))


def _notes(engine: str, replica: Replica) -> Iterator[str]:
    flags, deployment = flags_of(engine), replica.deployment
    yield from _on_release(engine, deployment.engine)
    if flags.unverified:
        yield f"flags of {engine} {flags.version} are not verified: {flags.note}"
    weights, kv = main_format(deployment.model, deployment.precision), deployment.precision.kv.name
    if deployment.speculation:
        yield (
            f"the plan counts on {counted(deployment.speculation.accepted_tokens, 'token')} a step from"
            f" {deployment.speculation}; the engine's metrics say what it accepts; flags for drafts were read in the"
            " documentation, not in the release"
        )
    wanted = replica.asked_weights
    if wanted and not replica.is_own_checkpoint:
        yield f"weights are quantised to {wanted} while {replica.checkpoint} is loaded; KV cache {kv}"
    else:
        yield f"the plan counts on {replica.checkpoint} holding its weights in {weights}; KV cache {kv}"
    yield _on_most(replica)
    if replica.memory_fraction is None:
        reserved = format_quantity(replica.limits.reserved_bytes, "bytes")
        yield f"the memory fraction is left to {engine}, which keeps about {reserved} of a chip free; so does the plan"
    if replica.kv_capacity_tokens is not None:
        yield (
            f"the plan counts on room for {replica.kv_capacity_tokens:,} tokens of KV cache a replica; the engine's log"
            " says what it finds"
        )
    most = deployment.model.max_context_tokens
    if most is not None and replica.context_tokens > most:
        yield f"requests of {replica.context_tokens:,} tokens are longer than the {most:,} that the model was made for"
    machine = deployment.machine
    if replica.nodes > 1 and machine.node_chips is None and machine.scale_up_chips > LARGEST_HOST:
        yield f"a host is taken to have the {machine.scale_up_chips} chips of a scale-up domain of {machine.id}"


def _on_most(replica: Replica) -> str:
    """Note on how many requests the engine lets in at once, and why so many."""
    most, batch = replica.most_at_once, replica.batch
    pool = f"{replica.role} " if replica.role else ""
    said = f"a {pool}replica lets in {counted(most, 'request')} at once"
    if most == batch:
        return f"{said}: the plan's batch, so others wait before it"
    mean = "" if replica.role == "prefill" else f"; of the load about {batch:,} are under way there on the mean"
    return f"{said}, all that memory and the engine's own limit allow, as the plan assumes{mean}"


def _on_release(engine: str, planned: Engine) -> Iterator[str]:
    """Note on numbers of the plan from another release than the flags."""
    release, version = planned.release.version, flags_of(engine).version
    if release and release != version:
        yield f"the plan's times are those of {planned.title}, and the flags those of {version}: compare them"
