"""A training job: model, machine, layout, and settings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import at_fidelity, deploy
from ridgeline.estimator.drafts import PREDICTION_STREAMS, last_kind
from ridgeline.estimator.feed_forward import expert_params
from ridgeline.estimator.parameters import layer_matrices
from ridgeline.estimator.placement import Group, even_fabric
from ridgeline.estimator.placement import group as group_of
from ridgeline.quantity_text import counted
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.fidelity import MEASURED, Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import uniform_precision
from ridgeline.specs.trainer import Trainer
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.recipe import Recipe
from ridgeline.training.schedules import Schedule, ScheduleError
from ridgeline.training.schedules.interleaved import INTERLEAVED
from ridgeline.training.schedules.one_forward_one_backward import ONE_FORWARD_ONE_BACKWARD
from ridgeline.training.stages import ENDS, layer_order, staged

__all__ = ["Params", "TrainingJob"]


class Params(NamedTuple):
    """Parameters on a chip.

    Attributes:
        dense: parameters of all matrices except routed experts', norms included.
        experts: parameters of routed experts.
    """

    dense: float
    experts: float


@dataclass(frozen=True, kw_only=True)
class TrainingJob:
    """One step of a training run, repeated.

    Attributes:
        model: model that is trained.
        machine: machine that it is trained on, at the job's fidelity.
        layout: layout of the run over chips.
        recipe: settings of a step.
        trainer: framework that runs it.
        sequence_tokens: tokens of a sequence.
        batch: sequences of a step, over all replicas.
        schedule: pipeline schedule; None for 1F1B, or interleaved where stages hold several parts of the layers.
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

    def __post_init__(self) -> None:
        machine, _ = at_fidelity(self.machine, IDEAL_ENGINE, self.fidelity)
        object.__setattr__(self, "machine", machine)

    @cached_property
    def fabric(self) -> tuple[FabricLevel, ...]:
        """Levels of links with domains that the run's chips fill equally."""
        return even_fabric(self.machine.fabric, self.layout.chips)

    @property
    def pipeline(self) -> Schedule:
        """Pipeline schedule of its stages."""
        usual = INTERLEAVED if self.layout.virtual_stages > 1 else ONE_FORWARD_ONE_BACKWARD
        return self.schedule or usual

    @property
    def micro_batches(self) -> int:
        """Micro-batches of a replica in a step."""
        return -(-self.batch // (self.layout.replicas * self.layout.micro_batch))

    @property
    def rows(self) -> float:
        """Tokens of a micro-batch per ``tp`` group."""
        return self.layout.micro_batch * self.sequence_tokens / self.layout.layout.cp

    @property
    def divided_rows(self) -> float:
        """Tokens of a micro-batch per chip between products."""
        return self.rows / (self.layout.layout.tp if self.layout.sequence_parallel else 1)

    @property
    def hides_sends(self) -> bool:
        """Whether stages overlap their sends with work: where not stated, if they hold several parts of the layers."""
        said = self.recipe.hides_sends
        return self.layout.virtual_stages > 1 if said is None else said

    @cached_property
    def deployment(self) -> Deployment:
        """A replica's forward pass as serving would run it, in the recipe's formats."""
        layout = Layout(tp=self.layout.layout.tp, cp=self.layout.layout.cp)
        precision = uniform_precision(self.recipe.operand_format, kv="bf16")
        return deploy(self.model, self.machine, layout, fidelity=self.fidelity, precision=precision)

    @cached_property
    def layers(self) -> tuple[int, ...]:
        """All layers from the first to the last, each as the index of its group in the model."""
        return layer_order(self.model.groups)

    @cached_property
    def stages(self) -> tuple[tuple[int, ...], ...]:
        """Layers of each stage, all of its virtual stages together.

        Raises:
            LayoutError: there are fewer layers than stages, or parts that the schedule does not support.
        """
        self._require_stages()
        return staged(self.layers, self.layout.layout.pp, self.layout.virtual_stages, self.pipeline.place)

    def _require_stages(self) -> None:
        stages, virtual = self.layout.layout.pp, self.layout.virtual_stages
        layers, pipeline = len(self.layers), self.pipeline
        if layers < stages:
            raise LayoutError(
                f"training layout {self.layout}: {self.model.id} has {layers} layers, fewer than pp={stages} stages;"
                f" the most is pp{layers}"
            )
        if stages > 1 and virtual != pipeline.virtual_stages and not pipeline.chooses_virtual_stages:
            raise LayoutError(
                f"training layout {self.layout}: stages of {pipeline.id} hold"
                f" {counted(pipeline.virtual_stages, 'part')} of the layers, not {virtual}; write"
                f" vpp{pipeline.virtual_stages}, or leave it out"
            )
        if stages * virtual > layers + ENDS:
            raise LayoutError(
                f"training layout {self.layout}: vpp={virtual} cuts the {layers} layers of {self.model.id} into"
                f" {stages * virtual} parts; the most is vpp{(layers + ENDS) // stages}"
            )

    @cached_property
    def layer_params(self) -> tuple[Params, ...]:
        """Parameters of a layer of each group on a chip."""
        layout, hidden, found = self.layout, self.model.hidden, []
        for group in self.model.groups:
            block, matrices = group.feed_forward, layer_matrices(group, hidden)
            dense = sum(matrix.params * float(matrix.share(layout.layout.tp)) for matrix in matrices) + 2 * hidden
            routed = block.experts * expert_params(block, hidden) if isinstance(block, RoutedExperts) else 0
            found.append(Params(dense, routed / (layout.ep * layout.expert_tp)))
        return tuple(found)

    @cached_property
    def stage_params(self) -> tuple[Params, ...]:
        """Parameters of each stage on a chip, with embedding and head, and with multi-token-prediction layers."""
        is_tied = self.model.tied_embeddings
        return _stage_params(
            self.stages,
            self.last_stage,
            self.layer_params,
            self.prediction_params,
            vocabulary=self.model.vocab * self.model.hidden / self.layout.layout.tp,
            is_tied=is_tied,
            looks_up_twice=bool(self.recipe.predicted_tokens) and not is_tied,
        )

    @cached_property
    def prediction_place(self) -> int:
        """Index in the model of the group that multi-token-prediction layers are like."""
        return self.model.groups.index(last_kind(self.model))

    @cached_property
    def prediction_params(self) -> Params:
        """Parameters on a chip of the multi-token-prediction layers, of the matrix before each and of its three norms.

        Source: DeepSeek-AI 2024, "DeepSeek-V3 technical report", 2.2.
        """
        one, hidden, layers = self.layer_params[self.prediction_place], self.model.hidden, self.recipe.predicted_tokens
        if self.model.repeats_prediction:
            layers = min(layers, 1)
        joined = PREDICTION_STREAMS * hidden**2 / self.layout.layout.tp + 3 * hidden
        return Params(layers * (one.dense + joined), layers * one.experts)

    @property
    def most_params(self) -> Params:
        """Parameters of the stage with most."""
        return max(self.stage_params, key=sum)

    def sharded(self, params: Params) -> float:
        """Parameters that a chip keeps of these where all are sharded over replicas."""
        return params.dense / self.layout.sharded_chips + params.experts / self.layout.sharded_expert_chips

    def group(self, *, ranks: int, stride: int = 1) -> Group:
        """Group of every ``stride``-th chip of a stage, ``ranks`` of them."""
        return group_of(self.fabric, self.layout.chips, ranks=ranks, stride=stride)

    @cached_property
    def last_stage(self) -> int:
        """Stage with the model's last layer: the first one where the way turns round at the last device."""
        return self.pipeline.place(self.layout.layout.pp * self.layout.virtual_stages - 1, self.layout.layout.pp)

    def require_whole(self) -> None:
        """Refuse a batch that does not fill its micro-batches, and micro-batches that its schedule cannot run.

        Raises:
            RidgelineError: the batch or the shape does not fit; the message names the nearest that do.
        """
        unit = self.layout.replicas * self.layout.micro_batch
        if self.batch % unit:
            below = self.batch // unit * unit
            near = [str(batch) for batch in (below, below + unit) if batch]
            raise RidgelineError(
                f"training: a batch of {self.batch} sequences is no multiple of dp*mb={unit}; the nearest"
                f" {'are' if len(near) > 1 else 'is'} {' and '.join(near)}"
            )
        if self.layout.layout.pp > 1:
            try:
                self.pipeline.shape(
                    stages=self.layout.layout.pp,
                    micro_batches=self.micro_batches,
                    virtual_stages=self.layout.virtual_stages,
                )
            except ScheduleError as error:
                raise LayoutError(
                    f"training layout {self.layout} cuts {counted(self.batch, 'sequence')} into"
                    f" {counted(self.micro_batches, 'micro-batch')} a replica; {error}"
                ) from None


@lru_cache(maxsize=4096)  # layouts of a search that differ in replicas, or recompute otherwise, hold the same
def _stage_params(
    stages: tuple[tuple[int, ...], ...],
    last_stage: int,
    layers: tuple[Params, ...],
    predicting: Params,
    *,
    vocabulary: float,
    is_tied: bool,
    looks_up_twice: bool,
) -> tuple[Params, ...]:
    """Parameters of each stage on a chip.

    Args:
        stages: layers of each stage, each as the index of its group.
        last_stage: stage with the model's last layer.
        layers: parameters of a layer of each group.
        predicting: parameters of the multi-token-prediction layers.
        vocabulary: parameters of the embedding, and as many of the head.
        is_tied: whether both are one.
        looks_up_twice: whether tokens that are predicted from are looked up in a copy of the embedding.
    """
    found = []
    for stage, places in enumerate(stages):
        held = [(layers[place], count) for place, count in Counter(places).items()]
        ends = (stage == 0) + (stage == last_stage)
        ends = min(ends, 1) if is_tied else ends
        ahead = predicting if stage == last_stage else Params(0.0, 0.0)
        if stage and stage == last_stage and looks_up_twice:
            ends += 1
        dense = sum(count * params.dense for params, count in held) + ends * vocabulary + ahead.dense
        found.append(Params(dense, sum(count * params.experts for params, count in held) + ahead.experts))
    return tuple(found)
