"""A training job: what is trained, on what, laid out and run how."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.feed_forward import expert_params
from ridgeline.estimator.kernels import RESIDUAL
from ridgeline.estimator.parameters import layer_matrices
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.fidelity import MEASURED, Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import uniform_precision
from ridgeline.specs.trainer import Trainer
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.recipe import Recipe
from ridgeline.training.schedules import Schedule
from ridgeline.training.schedules.interleaved import INTERLEAVED
from ridgeline.training.schedules.one_forward_one_backward import ONE_FORWARD_ONE_BACKWARD

__all__ = ["TrainingJob"]

FORMATS = {"tensor": "fp8", "delayed": "fp8", "row": "fp8_row", "block": "fp8_row", "mx": "mxfp8"}
"""Formats of operands by how they are scaled."""


@lru_cache(maxsize=256)
def _order(groups: tuple[tuple[int, bool], ...]) -> tuple[int, ...]:
    """Layers from the first to the last, by their group: dense ones first where some are routed, else mixed evenly.

    Args:
        groups: of each, its layers, and whether they are routed.
    """
    any_routed = any(routed for _, routed in groups)
    first = [place for place, (_, routed) in enumerate(groups) if any_routed and not routed]
    mixed = sorted(
        ((number + 0.5) / count, place)
        for place, (count, _) in enumerate(groups)
        if place not in first
        for number in range(count)
    )
    return (*(place for place in first for _ in range(groups[place][0])), *(place for _, place in mixed))


@lru_cache(maxsize=4096)
def _staged(
    layers: tuple[int, ...], stages: int, virtual_stages: int, place: Callable[[int, int], int]
) -> tuple[tuple[int, ...], ...]:
    """Layers by stage: their parts in turn, each on the stage where ``place`` puts it."""
    parts = stages * virtual_stages
    ends = int(stages > 1 and len(layers) % parts != 0 and (len(layers) + 2) % parts == 0)
    padded: list[int | None] = [*([None] * ends), *layers, *([None] * ends)]
    parts = parts if len(padded) >= parts else stages
    edges = [round(len(padded) * part / parts) for part in range(parts + 1)]
    held: list[list[int]] = [[] for _ in range(stages)]
    for part, (start, end) in enumerate(itertools.pairwise(edges)):
        held[place(part, stages)] += [layer for layer in padded[start:end] if layer is not None]
    return tuple(tuple(stage) for stage in held)


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
        schedule: how stages take turns; None for 1F1B, interleaved where stages hold several parts of the layers.
        fidelity: resolution of the model of time.
    """

    model: Model
    machine: Machine
    layout: TrainingLayout
    recipe: Recipe
    trainer: Trainer
    sequence_tokens: int
    batch: int
    schedule: Schedule | None = None
    fidelity: Fidelity = MEASURED

    @property
    def pipeline(self) -> Schedule:
        """How its stages take turns."""
        usual = INTERLEAVED if self.layout.virtual_stages > 1 else ONE_FORWARD_ONE_BACKWARD
        return self.schedule or usual

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

    @property
    def hides_sends(self) -> bool:
        """Whether stages work while they hand on: unless it is said, where they hold several parts of the layers."""
        said = self.recipe.hides_sends
        return self.layout.virtual_stages > 1 if said is None else said

    @cached_property
    def deployment(self) -> Deployment:
        """A replica's forward pass as serving would run it, in the recipe's formats."""
        compute = FORMATS.get(self.recipe.scaling, self.recipe.compute)
        layout = Layout(tp=self.layout.layout.tp, cp=self.layout.layout.cp)
        precision = uniform_precision(compute, kv="bf16")
        return deploy(self.model, self.machine, layout, fidelity=self.fidelity, precision=precision)

    @cached_property
    def layers(self) -> tuple[int, ...]:
        """All layers from the first to the last, each as the place of its group in the model."""
        groups = self.model.groups
        return _order(tuple((group.layers, isinstance(group.feed_forward, RoutedExperts)) for group in groups))

    @cached_property
    def stages(self) -> tuple[tuple[int, ...], ...]:
        """The layers of each stage, all of its virtual ones together.

        Where the layers do not divide, but would with embedding and loss as one each, those count as layers.

        Raises:
            LayoutError: there are fewer layers than stages.
        """
        stages, layers = self.layout.layout.pp, len(self.layers)
        if layers < stages:
            raise LayoutError(
                f"training layout {self.layout}: {self.model.id} has {layers} layers, fewer than pp={stages} stages;"
                f" the most is pp{layers}"
            )
        return _staged(self.layers, stages, self.layout.virtual_stages, self.pipeline.place)

    @cached_property
    def layer_params(self) -> tuple[tuple[float, float], ...]:
        """Parameters of a layer of each group on a chip: dense ones, norms among them, and routed experts."""
        layout, hidden, found = self.layout, self.model.hidden, []
        for group in self.model.groups:
            block, matrices = group.feed_forward, layer_matrices(group, hidden)
            dense = sum(matrix.params * float(matrix.share(layout.layout.tp)) for matrix in matrices) + 2 * hidden
            routed = block.experts * expert_params(block, hidden) if isinstance(block, RoutedExperts) else 0
            found.append((dense, routed / (layout.ep * layout.expert_tp)))
        return tuple(found)

    @cached_property
    def stage_params(self) -> tuple[tuple[float, float], ...]:
        """The same of all layers of each stage, with embedding and head."""
        vocabulary = self.model.vocab * self.model.hidden / self.layout.layout.tp
        found = []
        for stage, layers in enumerate(self.stages):
            held = [(self.layer_params[place], count) for place, count in Counter(layers).items()]
            ends = (stage == 0) + (stage == self.last_stage)
            ends = min(ends, 1) if self.model.tied_embeddings else ends
            dense = sum(count * params for (params, _), count in held) + ends * vocabulary
            found.append((dense, sum(count * params for (_, params), count in held)))
        return tuple(found)

    @property
    def last_stage(self) -> int:
        """The stage with the model's last layer: the first one where the way turns round at the last device."""
        return self.pipeline.place(self.layout.layout.pp * self.layout.virtual_stages - 1, self.layout.layout.pp)

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
            self.pipeline.shape(
                stages=self.layout.layout.pp,
                micro_batches=self.micro_batches,
                virtual_stages=self.layout.virtual_stages,
            )
