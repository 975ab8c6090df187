"""One replica of a plan, in terms that are independent of the engine."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import limits_of
from ridgeline.numeric import ceil
from ridgeline.specs.attention import IndexedSparseAttention
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Limits
from ridgeline.specs.precision import Component

__all__ = ["CannotHandOverError", "Replica"]


class CannotHandOverError(RidgelineError):
    """A plan that an engine cannot express or run; the message says why, and what to ask for instead."""


PLAIN = {"bf16", "fp16"}
"""Formats of weights that engines quantise at load time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """One replica of a plan, or of one of its two pools.

    Attributes:
        deployment: deployment with the plan's layout and formats.
        checkpoint: checkpoint that the engine loads: a name on the Hugging Face hub, or a folder.
        is_own_checkpoint: whether it was named by the user, and holds the weights in the plan's formats.
        batch: requests in flight on the replica, as planned: of a load, their mean.
        most_at_once: requests that the engine is to let in at once: the batch, or more of a load.
        replicas: number of such replicas.
        prompt_tokens: prompt tokens of a request.
        context_tokens: tokens of a request, prompt and output.
        kv_capacity_tokens: tokens of KV cache that it has room for; None where none is stored.
        is_memory_raised: whether the engine is given more memory than its default.
        role: "prefill" or "decode" where each has a pool of its own; empty where one pool does both.
    """

    deployment: Deployment
    checkpoint: str
    is_own_checkpoint: bool
    batch: int
    most_at_once: int
    replicas: int
    prompt_tokens: int
    context_tokens: int
    kv_capacity_tokens: int | None
    is_memory_raised: bool
    role: str = ""

    @property
    def limits(self) -> Limits:
        """Limits of the engine on this chip."""
        return limits_of(self.deployment)

    @property
    def group_sequences(self) -> int:
        """Requests that one of ``dp`` groups lets in at once."""
        return int(ceil(self.most_at_once / self.deployment.layout.dp))

    @property
    def captured_sequences(self) -> int | None:
        """Sequences of a group in the largest CUDA graph that the plan assumes; None where it assumes none."""
        options = self.deployment.engine.options
        if options.replays_graphs is False or options.captured_sequences == 0:
            return None
        return options.captured_sequences or self.group_sequences

    @property
    def step_tokens(self) -> int:
        """Maximum prompt tokens of a group in a step."""
        return self.limits.pass_tokens

    @property
    def memory_fraction(self) -> float | None:
        """Part of the memory that the engine is given, as its own option counts it; None where it sets that itself."""
        limits, given = self.limits, self.deployment.engine.options.memory_fraction
        if given is not None:
            return given
        if self.is_memory_raised:
            return limits.raised_fraction
        if limits.reserves_pass:
            return None
        return limits.cache_fraction if limits.cache_fraction < 1 else limits.memory_fraction

    @property
    def node_chips(self) -> int:
        """Chips of a host of the machine."""
        machine = self.deployment.machine
        return machine.node_chips or machine.scale_up_chips

    @property
    def nodes(self) -> int:
        """Number of hosts of the replica.

        Raises:
            CannotHandOverError: the replica fills some hosts in part, and no engine starts unevenly.
        """
        chips = self.deployment.layout.chips
        if chips <= self.node_chips:
            return 1
        if chips % self.node_chips:
            raise CannotHandOverError(
                f"a replica of {chips} chips fills hosts of {self.node_chips} unevenly, which launchers do not start;"
                f" plan with --chips {chips // self.node_chips * self.node_chips}, or lay it out by hand"
            )
        return chips // self.node_chips

    @property
    def asked_weights(self) -> str | None:
        """Format of the weights where it differs from the published one, and no checkpoint of the user's has it."""
        planned, published = self.deployment.precision, self.deployment.model.precision
        changed = [
            planned.of(component).weight.name
            for component in Component
            if planned.of(component).weight != published.of(component).weight
        ]
        return changed[0] if changed else None

    @property
    def is_published_plain(self) -> bool:
        """Whether the published weights are all in 16 bits."""
        return {self.deployment.model.precision.of(component).weight.name for component in Component} <= PLAIN

    @property
    def reads_tokens_of_choice(self) -> bool:
        """Whether attention chooses its tokens by an index, for which engines default to another cache."""
        return any(isinstance(group.attention, IndexedSparseAttention) for group in self.deployment.model.groups)
