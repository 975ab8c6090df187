"""A configuration's layers in order, and parts of the published model that they leave out."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ridgeline.catalog.checkpoint import checkpoint_precision
from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.huggingface.attention import HEADS, KV_HEADS, attentions, heads_of, mamba, shares_one_head
from ridgeline.catalog.huggingface.config_file import Config
from ridgeline.catalog.huggingface.feed_forward import EXPERTS, blocks, routed
from ridgeline.catalog.huggingface.harmless import CHANGES_NO_SHAPE
from ridgeline.specs.attention import Attention, GroupedQueryAttention
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, NoFeedForward
from ridgeline.specs.model import LayerGroup, Model

__all__ = ["import_config"]


def import_config(path: Path, *, ignore_unknown: bool = False) -> Model:
    """A model from a ``config.json``.

    Args:
        path: path of the configuration file.
        ignore_unknown: whether unknown keys are ignored, and named in ``Model.unmodelled``.

    Raises:
        CatalogError: a field is missing, contradictory, implausible or unknown; the message names it, with file and
            line.
    """
    config = Config(path)
    try:
        model = _model(config)
    except (ValueError, TypeError, OverflowError, AttributeError, KeyError) as error:
        if isinstance(error, CatalogError):
            raise
        raise CatalogError(f"{path}: {error}") from None
    harmless = config.type.changes_no_shape
    unknown = [key for key in config.unknown() if key not in harmless and not CHANGES_NO_SHAPE.fullmatch(key)]
    if not unknown:
        return model
    if not ignore_unknown:
        raise config.refusal(unknown)
    ignored = f"keys of {path.name} that were ignored: {', '.join(unknown)}"
    return dataclasses.replace(model, unmodelled=(*model.unmodelled, ignored))


def _model(config: Config) -> Model:
    layers = config.whole(*LAYERS)
    if not 1 <= layers <= MOST_LAYERS:
        raise config.fault(config.key(*LAYERS) or LAYERS[0], f"{layers} layers are outside [1, {MOST_LAYERS}]")
    hidden = config.whole(*HIDDEN, quantity="hidden")
    vocab = config.whole("padded_vocab_size", "vocab_size", quantity="vocab")
    if config.whole("word_embed_proj_dim", default=hidden) != hidden:
        raise config.fault(
            "word_embed_proj_dim", f"differs from {hidden}: embeddings of another width are not modelled"
        )
    parts = (_halves if config.type.is_halved else _wholes)(config, layers, hidden)
    tied, remarks = _is_tied(config)
    remarks += _on_stored_heads(config, [attention for attention, _ in parts])
    if assumed := ", ".join(f"{key} {value}" for key, value in config.assumed().items()):
        remarks.append(f"not given, and taken as model type {config.model_type!r} has them: {assumed}")
    precision, said = checkpoint_precision(config.values, config.path, layers)
    name = config.path.parent.name if config.path.name == "config.json" else config.path.stem
    return Model(
        id=name,
        name=str(config.get("_name_or_path") or name),
        hidden=hidden,
        vocab=vocab,
        tied_embeddings=tied,
        groups=_grouped(parts, is_parallel=_is_parallel(config)),
        precision=precision,
        max_context_tokens=config.whole(*CONTEXT, default=0) or None,
        unmodelled=_left_out(config),
        remarks=(*remarks, *said),
    )


LAYERS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers")
HIDDEN = ("hidden_size", "n_embd", "d_model", "n_embed")
CONTEXT = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx")
"""Names of one quantity in different families."""

MOST_LAYERS = 10_000
"""Maximum number of layers; no model has more."""


def _is_tied(config: Config) -> tuple[bool, list[str]]:
    """Whether embeddings are tied, and the assumptions behind it."""
    tied = config.flag("tie_word_embeddings")
    if tied is not None:
        return tied, []
    # Where the library's own default is true, its files leave it out.
    return config.type.tied, [] if config.type.tied else ["tie_word_embeddings is not given: taken as false"]


def _on_stored_heads(config: Config, kinds: list[Attention]) -> list[str]:
    """Assumptions about heads whose keys and values are stored."""
    grouped = any(isinstance(getattr(one, "base", one), GroupedQueryAttention) for one in kinds)
    if not grouped or config.type.one_kv_head_each or config.key(*KV_HEADS) or shares_one_head(config):
        return []
    heads = config.whole(*HEADS)
    return [f"{KV_HEADS[0]} is not given: each of the {heads} heads is taken to keep its own keys and values"]


OTHER_TOWERS = ("vision_config", "audio_config", "visual")
"""Keys of towers beside a language model whose own keys are at the top level."""


def _left_out(config: Config) -> tuple[str, ...]:
    """Parts of the published model that the record leaves out."""
    left = list(config.type.unmodelled)
    if not config.is_known_type:
        left.append(f"what is peculiar to model type {config.model_type!r}: read as a decoder of the usual form")
    if config.has_other_towers or any(isinstance(config.values.get(tower), dict) for tower in OTHER_TOWERS):
        left.append("towers other than the language model")
    predicted = config.predicted_layers()
    if predicted:
        left.append(f"{predicted} multi-token prediction layer(s), which speculative decoding uses")
    if config.get("hc_mult"):
        left.append("hyper-connections, which widen the residual stream between layers")
    if config.get("num_hash_layers"):
        left.append("routing by hash in the first layers, which have no router")
    return tuple(left)


def _wholes(config: Config, layers: int, hidden: int) -> list[tuple[Attention, FeedForward]]:
    """Layers of attention and a feed-forward block each."""
    return list(zip(attentions(config, layers, hidden), blocks(config, layers, hidden), strict=True))


def _halves(config: Config, layers: int, hidden: int) -> list[tuple[Attention, FeedForward]]:
    """Layers of a mixer (M, *) or a feed-forward block (E, -) alone, each mixer with the block behind it, if any."""
    key = config.key("hybrid_override_pattern", "layers_block_type") or "hybrid_override_pattern"
    letters = config.get("hybrid_override_pattern")
    if letters is None:
        names = config.per_layer("layers_block_type", layers) or []
        letters = "".join(config.named(name, LETTERS, key) for name in names)
    if not isinstance(letters, str) or len(letters) != layers or not re.fullmatch(r"([M*][E-]?)+", letters):
        raise config.fault(
            key, f"{letters!r} is not one of M, *, E or - for each of {layers} layers, E and - behind one of M and *"
        )
    mixers: dict[Any, Attention] = {"*": heads_of(config, hidden)}
    if "M" in letters:
        mixers["M"] = mamba(config)
    blocks: dict[Any, FeedForward] = {"": NoFeedForward()}
    if "-" in letters:
        blocks["-"] = DenseFeedForward(ffn_hidden=config.whole("intermediate_size"), gated=config.type.gated)
    if "E" in letters:
        blocks["E"] = routed(config)
    config.get("intermediate_size", "layers_block_type", *EXPERTS)  # what no layer has, and the pattern as a list
    return [(mixers[mixer], blocks[block]) for mixer, block in re.findall(r"([M*])([E-]?)", letters)]


LETTERS: dict[Any, str] = {"mamba": "M", "attention": "*", "moe": "E", "mlp": "-"}
"""Letters of ``hybrid_override_pattern`` for the layer names in ``layers_block_type``."""


def _grouped(layers: Iterable[tuple[Attention, FeedForward]], *, is_parallel: bool) -> tuple[LayerGroup, ...]:
    """Groups of equal layers, in the order in which their kinds first appear."""
    counts: dict[tuple[Attention, FeedForward], int] = {}
    for layer in layers:
        counts[layer] = counts.get(layer, 0) + 1
    return tuple(
        LayerGroup(layers=count, attention=attention, feed_forward=block, is_parallel=is_parallel)
        for (attention, block), count in counts.items()
    )


def _is_parallel(config: Config) -> bool:
    """Whether attention and feed-forward block read the same stream."""
    said = [config.flag(name) for name in ("use_parallel_residual", "parallel_attn", "use_parallel_block")]
    if config.flag("new_decoder_architecture"):
        return True
    return next((one for one in said if one is not None), config.type.parallel)
