"""(deployment, pass) -> the step: its time, its bound, its operations, and the memory it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ridgeline.errors import RidgelineError
from ridgeline.estimator.carriers import carriers
from ridgeline.estimator.clock import Cause, Timing
from ridgeline.estimator.drafting import require_divided, speculation_notes
from ridgeline.estimator.engine_support import engine_notes
from ridgeline.estimator.memory import Memory, limits_of, pass_memory
from ridgeline.estimator.pass_interval import pass_interval
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import TimedOperation, time_step, timed_operations
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import PREDICTION, Model
from ridgeline.specs.passes import Pass
from ridgeline.specs.precision import Precision
from ridgeline.specs.provenance import Carrier

__all__ = [
    "STAGES_UNMEASURED",
    "Estimate",
    "caveats",
    "engine_note",
    "estimate",
    "length_caveat",
    "options_notes",
]


STAGES_UNMEASURED = (
    "of no engine was a run with pipeline stages measured: what they cost are their hops and bubbles alone"
)
"""Note on every pipeline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Estimate of one step.

    Attributes:
        step_time_s: time of the pass, s.
        low_s: lower end of the 80 % interval, s.
        high_s: upper end of the 80 % interval, s.
        bound: cause that takes most of the time.
        causes: time by cause, s; adds up to ``step_time_s``.
        operations: operations of the busiest chip, in order; in a pipeline, the mean of its stages.
        memory: memory use of the fullest chip.
        deployment: deployment that was estimated.
        done: pass that was estimated.
    """

    step_time_s: float
    low_s: float
    high_s: float
    bound: Cause
    causes: dict[Cause, float]
    operations: tuple[TimedOperation, ...]
    memory: Memory
    deployment: Deployment
    done: Pass

    @property
    def precision(self) -> Precision:
        """Number formats used."""
        return self.deployment.precision

    @property
    def notes(self) -> tuple[str, ...]:
        """Deviations and omissions to show beside the numbers."""
        deployment = self.deployment
        return (
            *_too_large(self.memory, deployment),
            *_raised(self.memory),
            *deployment.notes,
            *_idle(deployment.layout, self.done),
            *speculation_notes([deployment.speculation]),
            *_over_limit(deployment, self.done),
            *caveats(deployment, max(float(lane.context_tokens) for lane in self.done.lanes)),
            engine_note(deployment),
            *options_notes(deployment, is_pass=True),
            *engine_notes(deployment),
        )

    @property
    def tpot_s(self) -> float | None:
        """Time per token of a step's sequences over the tokens that it adds, s; None where prompts are read."""
        return None if self.done.has_prompts else self.step_time_s / self.deployment.speculation.accepted_tokens

    @property
    def tpot_interval_s(self) -> tuple[float, float] | None:
        """The 80 % interval of ``tpot_s``, s."""
        if self.tpot_s is None:
            return None
        step_s = self.step_time_s
        low, high = self.deployment.speculation.interval(self.low_s / step_s, self.high_s / step_s)
        return self.tpot_s * low, self.tpot_s * high

    @property
    def carried_by(self) -> tuple[Carrier, ...]:
        """Carriers of the time: numbers measured on this chip, on its family, or assumed; worst first."""
        return carriers(self.deployment, self.done, self.operations)

    @property
    def fits(self) -> bool:
        """Whether the memory of the fullest chip suffices; the times are void where it does not."""
        return bool(self.memory.free_bytes >= 0)

    def to_rows(self) -> list[dict[str, Any]]:
        """The operations as rows of a table, those of one name together: layers of several kinds share most of theirs.

        Work, bytes and times are sums over a chip's ``repeats`` runs; messages are split by destination.
        """
        return [_row(name, runs) for name, runs in _by_name(self.operations).items()]


def _by_name(operations: Iterable[TimedOperation]) -> dict[str, list[TimedOperation]]:
    merged: dict[str, list[TimedOperation]] = {}
    for operation in operations:
        merged.setdefault(operation.name, []).append(operation)
    return merged


def _row(name: str, runs: list[TimedOperation]) -> dict[str, Any]:
    def total(of: Callable[[Timing], Numeric]) -> float:
        return sum(float(of(run.timing)) * float(run.runs) for run in runs)

    causes = {cause: sum(float(run.timing.causes.get(cause, 0)) * float(run.runs) for run in runs) for cause in Cause}
    scale_up_bytes = total(lambda timing: timing.scale_up_bytes)
    scale_out_bytes = total(lambda timing: timing.scale_out_bytes)
    return {
        "name": name,
        "repeats": round(sum(float(run.runs) for run in runs), 2),
        "flop": total(lambda timing: timing.work.flop),
        "weight_bytes": total(lambda timing: timing.work.weight_bytes),
        "kv_bytes": total(lambda timing: timing.work.kv_bytes),
        "activation_bytes": total(lambda timing: timing.work.activation_bytes),
        "message_bytes": scale_up_bytes + scale_out_bytes,
        "scale_up_bytes": scale_up_bytes,
        "scale_out_bytes": scale_out_bytes,
        "time_s": sum(float(run.time_s) for run in runs),
        "bound": max(causes, key=lambda cause: causes[cause]).value,
    }


def estimate(deployment: Deployment, pass_: Pass) -> Estimate:
    """Estimate one pass.

    Args:
        deployment: deployment whose layout must divide its model and its machine.
        pass_: pass of plain numbers, not a grid.

    Raises:
        LayoutError: the layout does not divide the model or the machine; the message names both numbers.
        RidgelineError: the pass is a grid; the message says how to estimate one.

    A step that memory does not hold has times, too, but is marked: ``fits`` is false, and the first note says by how
    much it is too large.
    """
    if pass_.is_grid:
        raise RidgelineError(
            "estimate: the pass has a grid, and this is one step; write"
            " estimate_grid(model, machine, [layout], batch=..., context_tokens=...)"
        )
    require_divided(deployment)
    _require_checked(deployment, pass_)
    operations = timed_operations(deployment, pass_)
    time_s, causes = time_step(operations)
    low, high = pass_interval(deployment, pass_, operations)
    memory = pass_memory(deployment, pass_)
    return Estimate(
        step_time_s=float(time_s),
        low_s=float(time_s * low),
        high_s=float(time_s * high),
        bound=max(causes, key=lambda cause: float(causes[cause])),
        causes={cause: float(part_s) for cause, part_s in causes.items()},
        operations=operations,
        memory=memory,
        deployment=deployment,
        done=pass_,
    )


def _require_checked(deployment: Deployment, pass_: Pass) -> None:
    """Refuse a step that does not verify the deployment's draft tokens.

    Raises:
        RidgelineError: the pass does not verify the draft tokens; the message names one that does.
    """
    speculation = deployment.speculation
    steps = [lane for lane in pass_.lanes if not lane.is_prompt]
    if speculation and any(lane.new_tokens != speculation.checked_tokens for lane in steps):
        raise RidgelineError(
            f"estimate: speculation {speculation} checks {speculation.drafted_tokens} drafted tokens in each step; give"
            f" verify(batch=..., context_tokens=..., drafted_tokens={speculation.drafted_tokens})"
        )


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
        f" {_bytes_text(usable)} usable of {_bytes_text(deployment.machine.chip.hbm_bytes)}; {remedy}"
    )
    return (said,)


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
    elif engine.scheduling.starts_prefills_alone and any(
        isinstance(group.feed_forward, RoutedExperts) for group in deployment.model.groups
    ):
        notes.append(
            f"{engine.name}'s groups of dp each start prefills on their own, and all wait; started together (vLLM's"
            " prefill_schedule_interval) layouts with dp serve more"
        )
    return tuple(notes)


def _idle(layout: Layout, pass_: Pass) -> tuple[str, ...]:
    """Notes on parts of a layout that a batch leaves idle."""
    idle = layout.dp - int(min(float(pass_.sequences), layout.dp))
    return (
        *((f"{idle} of the {layout.dp} groups of dp have no sequence",) if idle else ()),
        *((STAGES_UNMEASURED,) if layout.pp > 1 else ()),
    )


def _over_limit(deployment: Deployment, pass_: Pass) -> tuple[str, ...]:
    """Notes on a batch above the engine's limit, which would run one part after the other."""
    limits, sequences = limits_of(deployment), int(shares_of(pass_, deployment.layout).held)
    if sequences <= limits.sequences:
        return ()
    most = f"the {limits.sequences:,} that the engine takes in a step (--max-sequences)"
    return (f"{sequences:,} sequences of a group are more than {most}; estimated all the same",)


def caveats(deployment: Deployment, tokens: float) -> tuple[str, ...]:
    """Caveats shown beside every number: omissions, doubtful facts, and the certainty of the efficiencies.

    Args:
        deployment: deployment that is estimated.
        tokens: length of the longest sequence, tokens.
    """
    model, machine = deployment.model, deployment.machine
    return (
        *length_caveat(model, tokens),
        *_model_caveats(deployment),
        *machine.caveats,
        deployment.fidelity.status_on(machine.efficiency),
        *_routing(model, machine.efficiency.expert_imbalance),
    )


def length_caveat(model: Model, tokens: float) -> tuple[str, ...]:
    """Caveat on sequences that are longer than those that a model was made for; empty where they are not."""
    most = model.max_context_tokens
    if most is None or tokens <= most:
        return ()
    return (f"{tokens:,.0f} tokens are more than the {most:,} that {model.name} was made for",)


def _model_caveats(deployment: Deployment) -> tuple[str, ...]:
    """Caveats of the model; its multi-token-prediction layers count as modelled where they draft."""
    draft = deployment.speculation.draft
    drafts = draft is not None and draft.shares_ends
    return tuple(one for one in deployment.model.caveats if not (drafts and PREDICTION in one))


def _routing(model: Model, expert_imbalance: float) -> tuple[str, ...]:
    """Note on the assumed routing of tokens, where there are experts."""
    if not any(isinstance(group.feed_forward, RoutedExperts) for group in model.groups):
        unused = f"{model.name} has no routed experts: their imbalance changes nothing"
        return (unused,) if expert_imbalance > 1 else ()
    loads = [group.feed_forward.load for group in model.groups if isinstance(group.feed_forward, RoutedExperts)]
    named = next((load.name for load in loads if load is not None), None)
    if named is not None:
        return (f"tokens choose their experts as {named} says; what is sent to them is taken as of even choices",)
    busiest = f", and the busiest group gets {expert_imbalance:g} times what that gives it"
    return (
        "tokens choose their experts evenly and by chance"
        + (busiest if expert_imbalance > 1 else "; --expert-load zipf:0.5 lets the busiest group have more"),
    )
