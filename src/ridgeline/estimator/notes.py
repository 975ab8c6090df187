"""Notes beside an estimate: what does not fit, what is assumed, what was never measured."""

from __future__ import annotations

from collections.abc import Sequence

from ridgeline.estimator.memory import Memory, limits_of
from ridgeline.estimator.shares import shares_of
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import PREDICTION, Model
from ridgeline.specs.passes import Pass
from ridgeline.specs.speculation import Speculation

__all__ = [
    "STAGES_UNMEASURED",
    "beyond_default",
    "caveats",
    "crossing_notes",
    "engine_note",
    "idle_notes",
    "length_caveat",
    "limit_notes",
    "memory_notes",
    "options_notes",
    "standing_notes",
]

STAGES_UNMEASURED = (
    "of no engine was a run with pipeline stages measured: what they cost are their hops and bubbles alone"
)
"""Note on every pipeline."""


def memory_notes(memory: Memory, deployment: Deployment) -> tuple[str, ...]:
    """Notes on a step that does not fit in memory, and on an engine that is given more memory than its default."""
    return (*_too_large(memory, deployment), *_raised(memory))


def _too_large(memory: Memory, deployment: Deployment) -> tuple[str, ...]:
    """Notes on a step that does not fit in memory, and what to do about it."""
    if memory.free_bytes >= 0:
        return ()
    parts = {"weights": memory.weights_bytes, "KV": memory.kv_bytes, "activations": memory.activation_bytes}
    listed = ", ".join(f"{name} {_bytes_text(part)}" for name, part in parts.items())
    usable = sum(parts.values()) + memory.free_bytes
    remedy = (
        "use a smaller batch or a shorter context, or more chips"
        if memory.weights_bytes <= usable
        else "its weights need more chips"
    )
    said = (
        f"layout {deployment.layout} does not fit: a chip needs {_bytes_text(sum(parts.values()))} ({listed}) and has"
        f" {_bytes_text(usable)} usable of {_bytes_text(deployment.machine.chip.hbm_bytes)}"
        f"{beyond_default(memory, deployment)}; {remedy}"
    )
    return (said,)


def beyond_default(memory: Memory, deployment: Deployment) -> str:
    """Clause on the part of the usable memory that an engine takes beyond its default; empty where it takes none."""
    if not float(memory.raised_bytes):
        return ""
    return f", {_bytes_text(memory.raised_bytes)} of it beyond {deployment.engine.name}'s default"


def _raised(memory: Memory) -> tuple[str, ...]:
    """Notes on an engine that is given more memory than its default."""
    if not float(memory.raised_bytes):
        return ()
    more = _bytes_text(memory.raised_bytes)
    return (f"the engine is given {more} of a chip's memory beyond its default, which leaves hardly any for a cache",)


def _bytes_text(value: Numeric) -> str:
    return format_quantity(float(value), "bytes")


def engine_note(deployment: Deployment) -> str:
    """Note that names the engine whose overhead is included."""
    engine = deployment.engine
    of = f" of {engine.release.date}" if engine.release.date else ""
    return f"engine {engine.title}{of}: {engine.status}{_among(deployment)}"


def _among(deployment: Deployment) -> str:
    """Clause on whether an engine was measured under load with the model and on the machine; empty with neither."""
    model, machine, evidence = deployment.model, deployment.machine, deployment.engine.evidence
    if not evidence.deployments:
        return ""
    machines = [on for of, on in evidence.deployments if of == model.id]
    if machine.id in machines:
        return f"; {model.name} on {machine.id} is among them"
    of_model = f"{model.name} on {', '.join(machines)} is among them" if machines else f"none of {model.name}"
    on_machine = "" if machine.id in {on for _, on in evidence.deployments} else f", none on {machine.id}"
    return f"; {of_model}{on_machine}"


def options_notes(deployment: Deployment, *, is_pass: bool) -> tuple[str, ...]:
    """Notes on engine options: those never measured, and those without effect here.

    Args:
        deployment: deployment with the engine.
        is_pass: whether the numbers beside it are those of a single pass, and not of a load.
    """
    engine, options = deployment.engine, deployment.engine.options
    notes = [f"engine {engine.name} with {one}: no load was measured so" for one in options.unmeasured]
    if is_pass:
        notes += [f"{one}: holds of loads, and changes no single pass" for one in options.of_loads]
    elif (options.aligned_prompt_steps or 1) > 1:
        notes.append("prefills are aligned between groups of dp: layouts without such groups are as they were")
    elif engine.scheduling.starts_prefills_alone and deployment.model.is_routed:
        notes.append(_prefills_alone(engine))
    return tuple(notes)


def _prefills_alone(engine: Engine) -> str:
    """Note on an engine whose groups start prefills each by itself."""
    return (
        f"{engine.name}'s groups of dp each start prefills on their own, and all wait; started together (vLLM's"
        " prefill_schedule_interval) layouts with dp serve more"
    )


def standing_notes(deployment: Deployment) -> frozenset[str]:
    """Notes that stand beside all estimates of a model, a machine and an engine alike, and are no news of one."""
    efficiency = deployment.machine.efficiency
    return frozenset(
        (
            deployment.fidelity.status_on(efficiency),
            _prefills_alone(deployment.engine),
            *((EVEN_CHOICES,) if efficiency.expert_imbalance == 1 else ()),
        )
    )


def idle_notes(layout: Layout, pass_: Pass) -> tuple[str, ...]:
    """Notes on parts of a layout that a batch leaves idle."""
    idle = layout.dp - int(min(float(pass_.sequences), layout.dp))
    return (
        *((f"{idle} of the {layout.dp} groups of dp have no sequence",) if idle else ()),
        *((STAGES_UNMEASURED,) if layout.pp > 1 else ()),
    )


def crossing_notes(deployment: Deployment) -> tuple[str, ...]:
    """Note on chips that share every matrix and are more than are in a scale-up domain."""
    tp, domain = deployment.layout.tp, deployment.machine.scale_up_chips
    if tp <= domain:
        return ()
    return (f"tp{tp} is wider than a scale-up domain of {domain}: sums in every layer cross the scale-out network",)


def limit_notes(deployment: Deployment, pass_: Pass) -> tuple[str, ...]:
    """Notes on a batch above the engine's limit, which would run one part after the other."""
    limits, sequences = limits_of(deployment), int(shares_of(pass_, deployment.layout).held)
    if sequences <= limits.sequences:
        return ()
    most = f"the {limits.sequences:,} that the engine takes in a step (--max-sequences)"
    return (f"{sequences:,} sequences of a group are more than {most}; estimated all the same",)


def caveats(deployment: Deployment, tokens: float, *, searched: Sequence[Speculation] = ()) -> tuple[str, ...]:
    """Caveats shown beside every number: omissions, doubtful facts, and the certainty of the efficiencies.

    Args:
        deployment: deployment that is estimated.
        tokens: length of the longest sequence, tokens.
        searched: speculations that were searched beside its own: a layer that drafts is modelled, chosen or not.
    """
    model, machine = deployment.model, deployment.machine
    drafts = (one.draft for one in (deployment.speculation, *searched))
    is_own_draft = any(one is not None and one.shares_ends for one in drafts)
    predicted = () if is_own_draft else _prediction(deployment)
    return (
        *length_caveat(model, tokens),
        *predicted,
        *model.caveats_beside(is_own_draft=is_own_draft or bool(predicted)),
        *machine.unit_doubts,
        *machine.caveats,
        deployment.fidelity.status_on(machine.efficiency),
        *_routing(model, machine.efficiency.expert_imbalance),
    )


UNCOUNTED = "not counted here"
"""Beginning of a note on layers that predict further tokens, which drafts would use."""


def _prediction(deployment: Deployment) -> tuple[str, ...]:
    """Notes on layers that predict further tokens, which could draft; empty where none can."""
    support = deployment.engine.support
    if not deployment.fidelity.by_operation or (support is not None and support.drafts.get("mtp") is False):
        return ()
    what = (one for one in deployment.model.unmodelled if PREDICTION in one)
    return tuple(f"{UNCOUNTED}: {one}" for one in what)


def length_caveat(model: Model, tokens: float) -> tuple[str, ...]:
    """Caveat on sequences that are longer than those that a model was made for; empty where they are not."""
    most = model.max_context_tokens
    if most is None or tokens <= most:
        return ()
    return (f"{tokens:,.0f} tokens are more than the {most:,} that {model.name} was made for",)


def _routing(model: Model, expert_imbalance: float) -> tuple[str, ...]:
    """Note on the assumed routing of tokens, where there are experts."""
    if not model.is_routed:
        unused = f"{model.name} has no routed experts: their imbalance changes nothing"
        return (unused,) if expert_imbalance > 1 else ()
    loads = [group.feed_forward.load for group in model.groups if isinstance(group.feed_forward, RoutedExperts)]
    named = next((load.name for load in loads if load is not None), None)
    if named is not None:
        return (f"tokens choose their experts as {named} says; what is sent to them is taken as of even choices",)
    busiest = f", and the busiest group gets {expert_imbalance:g} times what that gives it"
    return (EVENLY + busiest if expert_imbalance > 1 else EVEN_CHOICES,)


EVENLY = "tokens choose their experts evenly and by chance"
EVEN_CHOICES = f"{EVENLY}; --expert-load zipf:0.5 lets the busiest group have more"
"""Note on the routing that is assumed by default."""
