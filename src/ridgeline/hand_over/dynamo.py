"""NVIDIA Dynamo: a manifest of its graph, with one pool of workers or two, each with the plan's engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ridgeline.catalog.engine_flags import WorkerFacts, flags_of, worker_of
from ridgeline.hand_over import sglang, tensorrt_llm, vllm
from ridgeline.hand_over.launch import Launch, notes_of
from ridgeline.hand_over.replica import CannotHandOverError, Replica
from ridgeline.hand_over.words import is_on_command_line, options, words
from ridgeline.hand_over.yaml_text import yaml_text

__all__ = ["NAME", "launch"]

NAME = "dynamo"

OWN_FLAGS = "dynamo-tensorrt-llm"
"""Flags of Dynamo's worker of TensorRT-LLM, which has names of its own."""

MANIFEST_FILE = "dynamo.yaml"

CHIPS = frozenset({"ampere", "ada", "hopper", "blackwell", "rubin"})
"""Families of chips that Dynamo's images and its resource ``nvidia.com/gpu`` support."""


def _vllm_words(replica: Replica, worker: WorkerFacts) -> tuple[str, ...]:
    told = vllm.values(replica) | ({"transfer": worker.transfer} if replica.role else {})
    return (*words(vllm.NAME, told), *words(NAME, {"role": replica.role or None}))


def _sglang_words(replica: Replica, worker: WorkerFacts) -> tuple[str, ...]:
    pool = {"role": replica.role, "transfer": worker.transfer} if replica.role else {}
    return words(sglang.NAME, sglang.values(replica) | pool)


def _tensorrt_llm_words(replica: Replica, worker: WorkerFacts) -> tuple[str, ...]:
    told = tensorrt_llm.values(replica) | ({"transfer": worker.transfer} if replica.role else {})
    own = {fact.sets for fact in flags_of(OWN_FLAGS).flags.values()}
    rest = options(tensorrt_llm.NAME, {name: value for name, value in told.items() if name not in own})
    flags = {fact.sets for name, fact in flags_of(tensorrt_llm.NAME).flags.items() if is_on_command_line(name)}
    if lost := [name for name in flags - own if told.get(name) is not None]:
        raise CannotHandOverError(f"dynamo's worker of tensorrt-llm has no flag for {', '.join(lost)}")
    said = {name: value for name, value in told.items() if name in own}
    return words(OWN_FLAGS, said | {"override": rest or None, "role": replica.role or None})


ENGINES: Mapping[str, Callable[[Replica, WorkerFacts], tuple[str, ...]]] = {
    vllm.NAME: _vllm_words,
    sglang.NAME: _sglang_words,
    tensorrt_llm.NAME: _tensorrt_llm_words,
}
"""Settings of each engine's worker."""


def launch(replica: Replica) -> Launch:
    """Manifest of a plan with one pool; ``of_pools`` makes one of several.

    Raises:
        CannotHandOverError: the engine or Dynamo cannot run the plan.
    """
    return of_pools((replica,))


def of_pools(pools: Sequence[Replica]) -> Launch:
    """Manifest of a plan: one pool of workers for both phases, or a prefill and a decode pool.

    Raises:
        CannotHandOverError: the engine or Dynamo cannot run the plan, or the pools' roles do not fit.
    """
    roles = tuple(pool.role for pool in pools)
    if sorted(roles) not in ([""], ["decode", "prefill"]):
        raise CannotHandOverError(f"dynamo runs one pool, or one of prefill and one of decode, not {', '.join(roles)}")
    facts, first = flags_of(NAME), pools[0]
    components = [_front_end(facts.version, _worker(first)), *(_component(facts.version, pool) for pool in pools)]
    manifest = {
        "apiVersion": "nvidia.com/v1beta1",
        "kind": "DynamoGraphDeployment",
        "metadata": {"name": _name(first)},
        "spec": {"backendFramework": _worker(first).framework, "components": components},
    }
    notes = dict.fromkeys(
        note for pool in pools for note in (*_notes(pool), *notes_of(pool.deployment.engine.name, pool))
    )
    return Launch(
        engine=NAME,
        version=facts.version,
        plan=1,
        layout=" and ".join(" ".join(filter(None, (pool.role, str(pool.deployment.layout)))) for pool in pools),
        replicas=first.replicas if len(pools) == 1 else 1,
        nodes=max(pool.nodes for pool in pools),
        command=("kubectl", "apply", "-f", MANIFEST_FILE),
        manifest=yaml_text(manifest),
        manifest_file=MANIFEST_FILE,
        notes=tuple(notes),
    )


def _worker(replica: Replica) -> WorkerFacts:
    """Settings by which Dynamo runs the replica's engine.

    Raises:
        CannotHandOverError: Dynamo does not run the engine, or not on such chips.
    """
    engine, machine = replica.deployment.engine.name, replica.deployment.machine
    worker = worker_of(engine)
    if worker is None:
        raise CannotHandOverError(f"dynamo runs {', '.join(ENGINES)}, not {engine}; plan with one of them (--engine)")
    if machine.family not in CHIPS:
        raise CannotHandOverError(
            f"dynamo's images are for chips of NVIDIA, and {machine.id} has others; take --export {engine}"
        )
    return worker


def _name(replica: Replica) -> str:
    """A name that is valid in Kubernetes."""
    return "".join(letter if letter.isalnum() else "-" for letter in replica.deployment.model.id.lower()).strip("-")


def _front_end(version: str, worker: WorkerFacts) -> dict[str, Any]:
    container = {"name": "main", "image": f"{worker.image}:{version}", "command": ["python3", "-m", "dynamo.frontend"]}
    return {"name": "frontend", "type": "frontend", "replicas": 1, "podTemplate": {"spec": {"containers": [container]}}}


def _component(version: str, replica: Replica) -> dict[str, Any]:
    """Component of one pool of workers."""
    worker, engine = _worker(replica), replica.deployment.engine.name
    container = {
        "name": "main",
        "image": f"{worker.image}:{version}",
        "command": list(worker.command),
        "args": [worker.model, replica.checkpoint, *ENGINES[engine](replica, worker)],
        "resources": {"limits": {"nvidia.com/gpu": str(min(replica.deployment.layout.chips, replica.node_chips))}},
    }
    return {
        "name": replica.role or "worker",
        "type": "worker",
        "replicas": replica.replicas,
        **({"multinode": {"nodeCount": replica.nodes}} if replica.nodes > 1 else {}),
        "podTemplate": {"spec": {"containers": [container]}},
    }


def _notes(replica: Replica) -> tuple[str, ...]:
    worker, engine, version = _worker(replica), replica.deployment.engine.name, flags_of(NAME).version
    told = OWN_FLAGS if engine == tensorrt_llm.NAME else engine
    planned = replica.deployment.engine.title
    runs = f"dynamo {version} runs {engine} {worker.engine}, and the plan's times are those of {planned}"
    flags = "" if told == OWN_FLAGS else f"; the engine's flags were read in {flags_of(engine).version}"
    return (
        f"{runs}{flags}",
        f"that there is an image {worker.image}:{version} is not verified",
    )
