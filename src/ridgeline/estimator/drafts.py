"""Drafts by name: the layers that each runs, and the assumptions about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from ridgeline.errors import RidgelineError
from ridgeline.estimator.precision import precision_on
from ridgeline.specs.attention import Attention, GroupedQueryAttention, LinearAttention
from ridgeline.specs.feed_forward import DenseFeedForward, RoutedExperts
from ridgeline.specs.machine import Chip
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.precision import uniform_precision
from ridgeline.specs.speculation import Draft

__all__ = ["DRAFTS", "PREDICTION_STREAMS", "draft_model", "last_kind", "named_draft"]

REDUCED_VOCAB = 32_000
"""Entries of the vocabulary that EAGLE-3 drafts choose from (``draft_vocab_size`` of the published ones)."""

HEAD_DIM, KV_HEADS = 128, 8
"""Head width and KV heads of an EAGLE-3 draft's attention, where the target model has another kind."""

PREDICTION_STREAMS = 2
"""Number of inputs joined for a multi-token-prediction layer: the stream so far, and the token's embedding."""

DSPARK_LAYERS = 3
"""Layers of a DSpark draft, stored in a checkpoint as ``mtp.0`` to ``mtp.2``."""


@lru_cache(maxsize=64)
def named_draft(name: str, model: Model) -> Draft:
    """A draft of a known kind for a model.

    Raises:
        RidgelineError: the kind is unknown.
    """
    if name not in DRAFTS:
        raise RidgelineError(f"draft {name!r} is no kind of draft; there are {', '.join(DRAFTS)}, or a model's id")
    return DRAFTS[name](model)


def draft_model(drafting: Model, model: Model, chip: Chip) -> Draft:
    """A smaller model that drafts for another one, with its own embedding, head and cache.

    Raises:
        RidgelineError: the models have different vocabularies, so that the draft's tokens are not the target's.
    """
    if abs(drafting.vocab - model.vocab) > SAME_VOCAB * model.vocab:
        raise RidgelineError(
            f"{drafting.id} has {drafting.vocab:,} tokens in its vocabulary and {model.id} {model.vocab:,}: its guesses"
            " are not tokens of the other; name a draft of the same family"
        )
    precision, _ = precision_on(drafting, chip)
    return Draft(name=drafting.id, layers=drafting, precision=precision)


SAME_VOCAB = 0.002
"""Relative difference between vocabularies of one family, from padding (Qwen2.5: 151,936 and 152,064)."""


def _mtp(model: Model) -> Draft:
    group = last_kind(model)
    said = "" if model.predicts_ahead else f"no multi-token prediction layer of {model.name} is known; "
    return Draft(
        name="mtp",
        layers=_layers(model, "mtp", group, layers=1),
        joined_streams=PREDICTION_STREAMS,
        shares_ends=True,
        assumed=f"{said}the layer is taken as one of the model's own ({_kinds(group)}), run once for each token",
    )


def _dspark(model: Model) -> Draft:
    group = last_kind(model)
    return Draft(
        name="dspark",
        layers=_layers(model, "dspark", group, layers=DSPARK_LAYERS),
        joined_streams=DSPARK_LAYERS,
        is_one_pass=True,
        shares_ends=True,
        assumed=f"its {DSPARK_LAYERS} layers are taken as the model's own ({_kinds(group)}), run once for all tokens",
    )


def _eagle3(model: Model) -> Draft:
    attention, ffn = _eagle_attention(model), _dense_width(model)
    group = LayerGroup(layers=1, attention=attention, feed_forward=DenseFeedForward(ffn_hidden=ffn))
    precision = uniform_precision("bf16", kv=model.precision.kv.name)
    layers = Model(
        id=f"{model.id}-eagle3",
        name=f"EAGLE-3 draft of {model.name}",
        hidden=model.hidden,
        vocab=min(model.vocab, REDUCED_VOCAB),
        tied_embeddings=True,  # it looks tokens up in the model's own embedding
        groups=(group,),
        precision=precision,
    )
    return Draft(
        name="eagle3",
        layers=layers,
        precision=precision,
        joined_streams=3,
        assumed=(
            f"the draft is taken as a dense layer {ffn:,} wide inside, with {attention.query_heads} heads and"
            f" {attention.kv_heads} of keys and values, in bf16, that guesses among {layers.vocab:,} tokens"
        ),
    )


def _ngram(_model: Model) -> Draft:
    return Draft(name="ngram", assumed="guesses are looked up in the text so far, which is taken to cost no time")


DRAFTS: Mapping[str, Callable[[Model], Draft]] = {"mtp": _mtp, "eagle3": _eagle3, "dspark": _dspark, "ngram": _ngram}
"""Kinds of drafts that need no other model."""


def last_kind(model: Model) -> LayerGroup:
    """Layer group that a model's own draft resembles: full attention in a hybrid, experts where it has any."""

    def order(group: LayerGroup) -> tuple[bool, bool, int]:
        keeps = not isinstance(group.attention, LinearAttention)
        return keeps, isinstance(group.feed_forward, RoutedExperts), group.layers

    return max(model.groups, key=order)


def _layers(model: Model, name: str, group: LayerGroup, *, layers: int) -> Model:
    """A model of ``layers`` layers of a kind, with another model's embedding and head."""
    return Model(
        id=f"{model.id}-{name}",
        name=f"{name} of {model.name}",
        hidden=model.hidden,
        vocab=model.vocab,
        tied_embeddings=True,
        groups=(
            LayerGroup(
                layers=layers,
                attention=group.attention,
                feed_forward=group.feed_forward,
                is_parallel=group.is_parallel,
            ),
        ),
        precision=model.precision,
    )


def _kinds(group: LayerGroup) -> str:
    return f"{type(group.attention).__name__}, {type(group.feed_forward).__name__}"


def _eagle_attention(model: Model) -> GroupedQueryAttention:
    """Attention of a draft layer: the model's own heads where they are grouped, else as many of the usual width."""
    own = last_kind(model).attention
    if isinstance(own, GroupedQueryAttention):
        return own
    heads = _query_heads(own) or model.hidden // HEAD_DIM
    return GroupedQueryAttention(query_heads=heads, kv_heads=min(KV_HEADS, heads), head_dim=HEAD_DIM)


def _query_heads(attention: Attention) -> int:
    """Query heads of an attention kind, or of its base kind; 0 where it has none."""
    own = getattr(attention, "query_heads", 0) or getattr(getattr(attention, "base", None), "query_heads", 0)
    return int(own)


def _dense_width(model: Model) -> int:
    """Inner width of a model's dense block; where it has none, the usual multiple of its hidden width."""
    widths = [one.feed_forward.ffn_hidden for one in model.groups if isinstance(one.feed_forward, DenseFeedForward)]
    return max(widths, default=USUAL_FFN * model.hidden)


USUAL_FFN = 3
"""Usual inner over hidden width of gated dense blocks."""
