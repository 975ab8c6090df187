"""A training job: what is trained, on what, laid out and run how."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

from ridgeline.errors import RidgelineError
from ridgeline.estimator.kernels import RESIDUAL
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.fidelity import MEASURED, Fidelity
from ridgeline.specs.layout import LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.trainer import Trainer
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.recipe import Recipe
from ridgeline.training.schedules import Schedule
from ridgeline.training.schedules.one_forward_one_backward import ONE_FORWARD_ONE_BACKWARD

__all__ = ["TrainingJob"]


@dataclass(frozen=True, kw_only=True)
class TrainingJob:
    """One step of a training run, repeated.

    Attributes:
        model: what is trained.
        machine: where.
        layout: how it is laid over chips.
        recipe: how a step is run.
        trainer: the framework that runs it.
        sequence_tokens: tokens of a sequence.
        batch: sequences of a step, over all replicas.
        schedule: how stages take turns.
        fidelity: resolution of the model of time.
    """

    model: Model
    machine: Machine
    layout: TrainingLayout
    recipe: Recipe
    trainer: Trainer
    sequence_tokens: int
    batch: int
    schedule: Schedule = ONE_FORWARD_ONE_BACKWARD
    fidelity: Fidelity = MEASURED

    @property
    def micro_batches(self) -> int:
        """Of a replica in a step."""
        return -(-self.batch // (self.layout.replicas * self.layout.micro_batch))

    @property
    def rows(self) -> float:
        """Tokens of a micro-batch that a ``tp`` group has."""
        return self.layout.micro_batch * self.sequence_tokens / self.layout.layout.cp

    @property
    def divided_rows(self) -> float:
        """Tokens that one of its chips has between products."""
        return self.rows / (self.layout.layout.tp if self.layout.sequence_parallel else 1)

    @property
    def residual_bytes(self) -> float:
        """Of a value of the stream between layers."""
        return RESIDUAL.bytes_per_value

    @cached_property
    def layers(self) -> tuple[LayerGroup, ...]:
        """All layers from the first to the last: dense ones first where some are routed, kinds mixed evenly else."""
        groups = self.model.groups
        routed = any(isinstance(group.feed_forward, RoutedExperts) for group in groups)
        first = [group for group in groups if routed and not isinstance(group.feed_forward, RoutedExperts)]
        order: list[LayerGroup] = [group for group in first for _ in range(group.layers)]
        others = [group for group in groups if group not in first]
        placed = sorted(
            ((number + 0.5) / group.layers, place)
            for place, group in enumerate(others)
            for number in range(group.layers)
        )
        return tuple(order + [others[place] for _, place in placed])

    @cached_property
    def stages(self) -> tuple[tuple[LayerGroup, ...], ...]:
        """The layers of each stage, all of its virtual ones together.

        Where the layers do not divide, but would with embedding and loss as one each, those count as layers.

        Raises:
            LayoutError: there are fewer layers than stages.
        """
        layout, layers = self.layout.layout, self.layers
        parts = layout.pp * self.layout.virtual_stages
        if layout.pp == 1:
            return (layers,)
        if len(layers) < layout.pp:
            raise LayoutError(
                f"training layout {self.layout}: {self.model.id} has {len(layers)} layers, fewer than pp={layout.pp}"
                f" stages; the most is pp{len(layers)}"
            )
        ends = int(len(layers) % parts != 0 and (len(layers) + 2) % parts == 0)
        padded: list[LayerGroup | None] = [*([None] * ends), *layers, *([None] * ends)]
        parts = parts if len(padded) >= parts else layout.pp
        edges = [round(len(padded) * part / parts) for part in range(parts + 1)]
        held: list[list[LayerGroup]] = [[] for _ in range(layout.pp)]
        for part, (start, end) in enumerate(itertools.pairwise(edges)):
            held[self.schedule.place(part, layout.pp)] += [layer for layer in padded[start:end] if layer is not None]
        return tuple(tuple(stage) for stage in held)

    @property
    def last_stage(self) -> int:
        """The stage with the model's last layer: the first one where the way turns round at the last device."""
        return self.schedule.place(self.layout.layout.pp * self.layout.virtual_stages - 1, self.layout.layout.pp)

    def require_whole(self) -> None:
        """Refuse a batch that does not fill its micro-batches, and a pipeline that its schedule cannot run.

        Raises:
            RidgelineError: names the nearest batches, or shapes, that do.
        """
        unit = self.layout.replicas * self.layout.micro_batch
        if self.batch % unit:
            below = self.batch // unit * unit
            near = [str(batch) for batch in (below, below + unit) if batch]
            raise RidgelineError(
                f"training: a batch of {self.batch} sequences is no multiple of dp*mb={unit}; the nearest are"
                f" {' and '.join(near)}"
            )
        if self.layout.layout.pp > 1:
            self.schedule.shape(
                stages=self.layout.layout.pp,
                micro_batches=self.micro_batches,
                virtual_stages=self.layout.virtual_stages,
            )
