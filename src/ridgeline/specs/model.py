"""A model: its shape and the number formats of its checkpoint."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible
from ridgeline.specs.attention import Attention
from ridgeline.specs.feed_forward import FeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.hashed import Hashed, hashed_once
from ridgeline.specs.precision import Precision

__all__ = ["LayerGroup", "Model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerGroup:
    """Layers of one kind.

    Attributes:
        layers: number of layers.
        attention: attention kind of each layer.
        feed_forward: feed-forward kind of each layer.
        is_parallel: whether attention and feed-forward read the same normed stream, and are added to it together.
    """

    layers: int
    attention: Attention
    feed_forward: FeedForward
    is_parallel: bool = False

    def __post_init__(self) -> None:
        if self.layers < 1:
            raise RidgelineError(f"LayerGroup: layers={self.layers} must be at least 1; leave the group out instead")
        if self.is_parallel and isinstance(self.feed_forward, NoFeedForward):
            raise RidgelineError("LayerGroup: is_parallel needs a feed-forward block beside attention; leave it out")


PREDICTION = "multi-token prediction"
"""Words by which a part among ``Model.unmodelled`` is a layer that predicts tokens after the next."""


@hashed_once
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Model(Hashed):
    """A decoder-only transformer. Its parameters are those of its matrices: norms and biases (0.1 %) do not count.

    Attributes:
        id: catalog id of the model.
        name: name that its makers give it.
        hidden: width of the residual stream.
        vocab: entries of the vocabulary.
        tied_embeddings: whether the output head is the input embedding's matrix.
        groups: groups of layers; their order does not give the order of layers.
        precision: number formats of the published checkpoint; what serving uses unless asked otherwise.
        eight_bits: 8-bit float format of the checkpoints that its makers publish beside it; None where unknown.
        max_context_tokens: longest context that it was trained for, tokens; None where unknown.
        trained_tokens: tokens that it was pre-trained on; None where that is not published.
        repeats_prediction: whether one multi-token-prediction layer is run again for each further token, instead of one
            layer of its own for each.
        unmodelled: parts of the published model that this record leaves out, shown in every output.
        remarks: assumptions where its source is silent, shown in every output.
        checkpoint: source from which engines load its weights: a name on the Hugging Face hub, or a folder; None where
            unknown. Not part of the value.
    """

    id: str
    name: str
    hidden: int
    vocab: int
    tied_embeddings: bool
    groups: tuple[LayerGroup, ...]
    precision: Precision
    eight_bits: str | None = None
    max_context_tokens: int | None = None
    trained_tokens: float | None = None
    repeats_prediction: bool = False
    unmodelled: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    checkpoint: str | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"Model(id={self.id!r}, ...)"

    def __post_init__(self) -> None:
        require_plausible(self)
        if not self.groups:
            raise RidgelineError(f"Model {self.id!r}: has no layers; give at least one group")

    @property
    def caveats(self) -> tuple[str, ...]:
        """Caveats shown beside every number of the model."""
        return self.caveats_beside(is_own_draft=False)

    def caveats_beside(self, *, is_own_draft: bool) -> tuple[str, ...]:
        """Caveats where its multi-token-prediction layers draft, and count as modelled, or do not."""
        left = self.unmodelled if not is_own_draft else [one for one in self.unmodelled if PREDICTION not in one]
        return (*(f"not modelled: {what}" for what in left), *self.remarks)

    @property
    def predicts_ahead(self) -> bool:
        """Whether it is published with multi-token-prediction layers, which speculation uses."""
        return any(PREDICTION in what for what in self.unmodelled)

    @property
    def is_routed(self) -> bool:
        """Whether any layer has routed experts."""
        return any(isinstance(group.feed_forward, RoutedExperts) for group in self.groups)

    @property
    def layers(self) -> int:
        """Layers of all groups."""
        return sum(group.layers for group in self.groups)
