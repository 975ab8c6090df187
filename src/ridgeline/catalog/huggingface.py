"""A published ``config.json`` read as a model.

A configuration names one thing in many ways and says much that changes no shape. Every key is either used, or known to
change no shape, or the import is refused by its name: a shape misread in silence would be worse than none.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from ridgeline.catalog.checkpoint import checkpoint_precision
from ridgeline.catalog.config_file import Config
from ridgeline.catalog.facts import CatalogError
from ridgeline.specs.attention import (
    Attention,
    ChunkedAttention,
    CompressedAttention,
    GroupedQueryAttention,
    IndexedSparseAttention,
    LatentAttention,
    LinearAttention,
    SlidingWindowAttention,
)
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup, Model

__all__ = ["fetch_config", "import_config"]

CHANGES_NO_SHAPE = re.compile(
    r"""
    _.*                                       # comments of whoever wrote the file
    # tokens and lengths
    | .*_token_(id|index)s? | .*_(start|end|init|newline)_id | (pad|eod|bos|eos|unk)_id | tokenizer_.* | .*vocab_size_.*
    | .*max_(position|length|sequence|seq_len|batch).* | model_max_length | min_length | seq_length | seq_len | n_ctx
    | n_positions | (original|initial)_.*context.* | image_seq_length
    # the library and the file
    | architectures | auto_map | transformers(_version|\.js_config) | (torch_)?dtype | use_bfloat16 | use_cache
    | cache_.*
    | torchscript | gradient_checkpointing | .*attn_impl(ementation)? | (use_)?flash_attn.* | name
    | unsloth.* | model_type | text_config | llm_config | language_config | thinker_config | attn_config | ffn_config
    | output_(router_logits|attentions|hidden_states|scores) | return_dict.*
    | quantization_config | compression_config | expert_dtype | pretraining_tp | ep_size | tp_size | model_parallel
    | pre_allocate_kv_cache | pad_key_length | inference_runner | validate_runner_input | for_llm_compressor
    # training
    | .*dropout.* | .*pdrop | layerdrop | init(ializer|_std|_config|_device|_method)?(_.*)? | .*loss.*
    | .*jitter.* | seq_aux
    | moe_(capacity|gate|use_aux_free|drop_tokens|random_routing_dropped_token) | uniform_expert_assignment | verbose
    # values that scale, norm, clip, bias or bend, and matrices of none of these
    | .*(eps|epsilon) | .*softcap.* | .*_scale | logits_scaling | (attention|embedding|residual)_multiplier | clip_qkv
    | scale_.* | dim_model_base | .*bias.* | .*(layer_?norm|rms_?norm|qk_?norm).* | norm_.* | .*_norm | (gemma|v)_norm.*
    | (hidden_act|hidden_activation|activation_function|.*_act|ffn_act_fn) | swiglu_(limit|alpha) | .*softmax.*
    | add_(swa|full)_attention_sink_bias | attention_value_scale | query_pre_attn_scalar | fp32_residual_connection
    | apply_query_key_layer_scaling | do_layer_norm_before | reorder_and_upcast_attn
    # positions
    | (rope|mrope|yarn|swa_rope|compress_rope)_.* | rotary.* | (use_)?(partial_)?rotary_.* | use_mrope | original_rope
    | attn_(scale|temperature|uses_sequence_id).* | floor_scale | .*alibi.* | no_rope_layers? | no_rope_layer_interval
    | .*position_(embedding|encoding)_?.* | (indexer_)?rope_interleave | use_dynamic_ntk | use_logn_attn
    | learned_pos_emb
    # how scores of experts become weights
    | topk_method | use_grouped_topk | group_limited_greedy | norm_topk_prob | scor(e|ing)_func(tion)?
    | (moe_router|routed|router)_(scaling_factor|dtype|activation_func|bias|score_function)
    | moe_(renormalize|router_scaling_factor|norm_min|normalize_expert_weights) | use_(routing|moe_router)_bias
    # prediction of several tokens, hyper-connections, linear layers
    | full_attention_interval | (num_)?(nextn|mtp).* | use_mtp | num_mtp_modules | index_share_for_mtp_iteration
    | hc_(eps|sinkhorn_iters)
    # other towers
    | .*(vision|visual|image|audio|speech|video|talker|wav|multimodal|projector|patch|pixel).* | (mm|vit|img)_.*
    | spatial_merge_size | embd_layer | downsample_ratio | ps_version | select_layer | use_thumbnail
    | template | use_(backbone|llm)_lora | pad2square | tile_tag | global_view_pos | candidate_resolutions
    | ignore_index | use_bidirectional_attention | is_composition
    # generation, and heads for other tasks
    | id2label | label2id | do_sample | num_(beams|beam_groups|return_sequences|labels|logits_to_keep) | typical_p
    | (early|length|repetition|diversity)_.* | temperature | top_[kp] | is_(decoder|encoder_decoder) | summary_.*
    | (tie_encoder|tf_legacy|problem|task|suffix|prefix|finetuning|bad_words|begin_suppress|chunk_size|remove_invalid).*
    | (suppress|forced|encoder_no|no_repeat|exponential|pruned).* | class(ifier)?_num
    """,
    re.VERBOSE,
)
"""Keys that change no shape, of whatever model type; those of one type alone stand in ``model_types.toml``."""

GATED_BY = {"silu", "swish", "swiglu", "gelu_pytorch_tanh", "situ", "swigluoai", None}
"""Activations that come with a gate in families that are not known to have none."""

Kind = TypeVar("Kind")


def fetch_config(repository: str) -> Path:
    """The configuration of ``org/name`` on the Hugging Face hub, from its cache or fetched.

    Raises:
        CatalogError: the extra is not installed, or the hub has no such configuration or is out of reach.
    """
    try:
        from huggingface_hub import hf_hub_download  # noqa: PLC0415  an extra, and slow to load
    except ImportError:
        raise CatalogError(
            f"hf:{repository} needs the extra 'hf': pip install 'ridgeline[hf]', or in a clone"
            " uv run --extra hf ridgeline ..."
        ) from None
    try:
        return Path(hf_hub_download(repository, "config.json"))
    except Exception as error:  # noqa: BLE001  the hub's errors share no base
        reason = str(error).strip().splitlines()
        raise CatalogError(
            f"hf:{repository}: the hub gave no config.json ({reason[0] if reason else type(error).__name__});"
            " give a path to the file instead"
        ) from None


def import_config(path: Path, *, ignore_unknown: bool = False) -> Model:
    """A model from a ``config.json``.

    Args:
        path: the file.
        ignore_unknown: whether keys that are not known are left out of account, and named in ``Model.unmodelled``.

    Raises:
        CatalogError: a field is missing, contradictory, absurd or not known; names it, with file and line.
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
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
CONTEXT = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx")
"""Names of one thing in different families."""

MOST_LAYERS = 10_000
"""No model has more."""


def _is_tied(config: Config) -> tuple[bool, list[str]]:
    """Whether the embedding is the head, and what was assumed."""
    tied = config.flag("tie_word_embeddings")
    if tied is not None:
        return tied, []
    # Where the library's own default is true, its files leave it out.
    return config.type.tied, [] if config.type.tied else ["tie_word_embeddings is not given: taken as false"]


def _on_stored_heads(config: Config, attentions: list[Attention]) -> list[str]:
    """What was assumed of heads whose keys and values are stored."""
    grouped = any(isinstance(getattr(one, "base", one), GroupedQueryAttention) for one in attentions)
    if not grouped or config.type.one_kv_head_each or config.key(*KV_HEADS) or _shares_one_head(config):
        return []
    heads = config.whole(*HEADS)
    return [f"{KV_HEADS[0]} is not given: each of the {heads} heads is taken to keep its own keys and values"]


OTHER_TOWERS = ("vision_config", "audio_config", "visual")
"""Keys of towers that lie beside a language model whose own keys are at the top."""


def _left_out(config: Config) -> tuple[str, ...]:
    """What the published model has that the record leaves out."""
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
    return list(zip(_attentions(config, layers, hidden), _blocks(config, layers, hidden), strict=True))


def _halves(config: Config, layers: int, hidden: int) -> list[tuple[Attention, FeedForward]]:
    """Layers of a mixer (M, *) or a feed-forward block (E, -) alone, each mixer with the block behind it, if any."""
    key = config.key("hybrid_override_pattern", "layers_block_type") or "hybrid_override_pattern"
    letters = config.get("hybrid_override_pattern")
    if letters is None:
        names = config.per_layer("layers_block_type", layers) or []
        letters = "".join(_by_name(config, name, LETTERS, key) for name in names)
    if not isinstance(letters, str) or len(letters) != layers or not re.fullmatch(r"([M*][E-]?)+", letters):
        raise config.fault(
            key, f"{letters!r} is not one of M, *, E or - for each of {layers} layers, E and - behind one of M and *"
        )
    mixers: dict[Any, Attention] = {"*": _heads(config, hidden)}
    if "M" in letters:
        mixers["M"] = _mamba(config)
    blocks: dict[Any, FeedForward] = {"": NoFeedForward()}
    if "-" in letters:
        blocks["-"] = DenseFeedForward(ffn_hidden=config.whole("intermediate_size"), gated=config.type.gated)
    if "E" in letters:
        blocks["E"] = _routed(config)
    config.get("intermediate_size", "layers_block_type", *EXPERTS)  # what no layer has, and the pattern as a list
    return [(mixers[mixer], blocks[block]) for mixer, block in re.findall(r"([M*])([E-]?)", letters)]


LETTERS: dict[Any, str] = {"mamba": "M", "attention": "*", "moe": "E", "mlp": "-"}
"""Layers of ``hybrid_override_pattern`` by their names in ``layers_block_type``."""


def _grouped(layers: Iterable[tuple[Attention, FeedForward]], *, is_parallel: bool) -> tuple[LayerGroup, ...]:
    """Layers that are alike together, in the order in which their kinds first appear."""
    counts: dict[tuple[Attention, FeedForward], int] = {}
    for layer in layers:
        counts[layer] = counts.get(layer, 0) + 1
    return tuple(
        LayerGroup(layers=count, attention=attention, feed_forward=block, is_parallel=is_parallel)
        for (attention, block), count in counts.items()
    )


# --- attention -------------------------------------------------------------------------------------------------------


def _attentions(config: Config, layers: int, hidden: int) -> list[Attention]:
    """The attention of each layer: of the kind whose key the configuration has."""
    full = _heads(config, hidden)
    if config.flag("use_cla"):
        raise config.fault("use_cla", "layers that read the cache of another are not read from a configuration")
    without_latent = config.flag("use_mla") is False
    if without_latent:
        config.get("kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")
    for key, read in KINDS_BY_KEY.items():
        if config.key(key) and not (without_latent and read is _latent):
            return read(config, layers, full)
    return _with_windows(config, layers, full)


def _heads(config: Config, hidden: int, prefix: str = "") -> GroupedQueryAttention:
    """The heads of full attention, or of another set of keys with a prefix."""

    def whole(*names: str, default: int | None = None) -> int:
        return config.whole(*(prefix + name for name in names), default=default)

    heads = whole(*HEADS)
    if heads == 0:
        raise config.fault("num_attention_heads", "a model needs at least one head")
    head_dim = whole("head_dim", "attention_head_dim", "kv_channels", default=hidden // heads)
    value_dim = whole("v_head_dim", default=head_dim)
    return GroupedQueryAttention(
        query_heads=heads,
        kv_heads=1 if _shares_one_head(config) else whole(*KV_HEADS, default=heads),
        head_dim=head_dim,
        value_head_dim=0 if value_dim == head_dim else value_dim,
        output_gate=bool(config.get("attn_output_gate", "attention_output_gate") or config.type.output_gate),
    )


KV_HEADS = ("num_key_value_heads", "num_kv_heads", "multi_query_group_num", "kv_n_heads")


def _shares_one_head(config: Config) -> bool:
    """Whether all query heads read one stored head, whatever number of them a file gives beside."""
    config.get("multi_query_attention", "attn_type", *KV_HEADS)
    if config.values.get("attn_type") == "multiquery_attention":
        return True
    multi_query, grouped = config.flag("multi_query"), config.flag("new_decoder_architecture")
    return not grouped and (config.type.one_kv_head_by_default if multi_query is None else multi_query)


def _latent(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    base = LatentAttention(
        query_heads=full.query_heads,
        query_rank=config.whole("q_lora_rank", default=0),
        kv_rank=config.whole("kv_lora_rank"),
        content_head_dim=config.whole("qk_nope_head_dim"),
        position_head_dim=config.whole("qk_rope_head_dim"),
        value_head_dim=config.whole("v_head_dim"),
    )
    said = config.whole("qk_head_dim", default=0)
    if said not in {0, base.content_head_dim + base.position_head_dim}:
        raise config.fault("qk_head_dim", f"{said} is not qk_nope_head_dim + qk_rope_head_dim")
    if not config.key("index_topk"):
        return [base] * layers
    owner = IndexedSparseAttention(
        base=base,
        index_heads=config.whole("index_n_heads"),
        index_head_dim=config.whole("index_head_dim"),
        top_k=config.whole("index_topk"),
    )
    shared = dataclasses.replace(owner, owns_index=False)
    kinds = config.per_layer("indexer_types", layers)
    if kinds is not None:
        config.get("index_topk_freq", "index_topk_pattern", "index_skip_topk_offset")  # what the list was made from
    by_name: dict[Any, Attention] = {"full": owner, "shared": shared}
    return [_by_name(config, kind, by_name, "indexer_types") for kind in kinds or ["full"] * layers]


def _compressed(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    def layer(ratio: Any) -> Attention:  # noqa: ANN401  a JSON value
        if ratio not in {0, SPARSE_RATIO, HEAVY_RATIO}:
            raise config.fault("compress_ratios", f"{ratio!r} is not 0, {SPARSE_RATIO} or {HEAVY_RATIO}")
        is_sparse = ratio == SPARSE_RATIO
        return CompressedAttention(
            query_heads=full.query_heads,
            head_dim=full.head_dim,
            query_rank=config.whole("q_lora_rank"),
            output_groups=config.whole("o_groups"),
            output_rank=config.whole("o_lora_rank"),
            window=config.whole("sliding_window"),
            ratio=int(ratio),
            overlapping=is_sparse,
            index_heads=config.whole("index_n_heads") if is_sparse else 0,
            index_head_dim=config.whole("index_head_dim") if is_sparse else 0,
            top_k=config.whole("index_topk") if is_sparse else 0,
        )

    config.get("qk_rope_head_dim")  # the part of a head with positions; its width is within head_dim
    ratios = config.per_layer("compress_ratios", layers)
    if ratios is None:
        raise config.fault("compress_ratios", "is not a list with one item a layer")
    return [layer(ratio) for ratio in ratios]


SPARSE_RATIO, HEAVY_RATIO = 4, 128
"""Tokens of an entry that overlaps with the one before and is found by an indexer, and of one that is always read."""


def _with_linear(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    """Gated delta nets between layers of full attention."""
    value_heads, value_dim = config.whole("linear_num_value_heads"), config.whole("linear_value_head_dim")
    config.get("linear_conv_kernel_dim")  # a convolution over four tokens, with hardly a parameter
    linear = LinearAttention(
        key_heads=config.whole("linear_num_key_heads"),
        value_heads=value_heads,
        key_head_dim=config.whole("linear_key_head_dim"),
        value_head_dim=value_dim,
        gate_widths=value_heads * value_dim + 2 * value_heads,  # an output gate; a decay and a rate for each head
        state_bytes_per_value=_state_bytes(config, "mamba_ssm_dtype"),
    )
    kinds = config.per_layer("layer_types", layers)
    if every := config.whole("full_attention_interval", default=config.type.full_every):
        kinds = kinds or ["linear_attention" if (layer + 1) % every else "full_attention" for layer in range(layers)]
    if kinds is None:
        raise config.fault(
            "linear_num_value_heads", "says that there are linear layers, but layer_types does not say which"
        )
    by_name: dict[Any, Attention] = {"linear_attention": linear, "full_attention": full}
    return [_by_name(config, kind, by_name) for kind in kinds]


def _mamba(config: Config) -> LinearAttention:
    """Mamba-2: B and C in groups as wide as the state; the gates are z, as wide as x, and dt of each head."""
    heads, head_dim = config.whole("mamba_num_heads"), config.whole("mamba_head_dim")
    return LinearAttention(
        key_heads=config.whole("n_groups"),
        value_heads=heads,
        key_head_dim=config.whole("ssm_state_size"),
        value_head_dim=head_dim,
        gate_widths=heads * head_dim + heads,
        delta_rule=False,
        state_bytes_per_value=_state_bytes(config, "mamba_ssm_cache_dtype"),
        convolution_tokens=config.whole("conv_kernel") - 1,
    )


def _state_bytes(config: Config, key: str) -> int:
    return 2 if config.get(key) in {"bfloat16", "float16"} else 4


def _with_lightning(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    """Lightning attention (0) between layers of full attention (1)."""
    linear = LinearAttention(
        key_heads=full.query_heads,
        value_heads=full.query_heads,
        key_head_dim=full.head_dim,
        value_head_dim=full.head_dim,
        gate_widths=full.query_heads * full.head_dim,
        delta_rule=False,
    )
    kinds = config.per_layer("attn_type_list", layers) or []
    by_name: dict[Any, Attention] = {0: linear, 1: full}
    return [_by_name(config, kind, by_name, key="attn_type_list") for kind in kinds]


def _with_index(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    """Blocks of tokens behind an indexer, in the layers that are marked."""
    sparse = config.get("sparse_attention_config")
    if not isinstance(sparse, dict):
        raise config.fault("sparse_attention_config", "is not an object")
    blocks = int(sparse["sparse_topk_blocks"]) + int(sparse.get("sparse_local_block", 0))
    indexed = IndexedSparseAttention(
        base=full,
        index_heads=int(sparse["sparse_num_index_heads"]),
        index_head_dim=int(sparse["sparse_index_dim"]),
        top_k=blocks * int(sparse["sparse_block_size"]),
    )
    marks = sparse.get("sparse_attention_freq")
    if not isinstance(marks, list) or len(marks) < layers:
        raise config.fault("sparse_attention_freq", f"does not mark each of {layers} layers")
    return [indexed if mark else full for mark in marks[:layers]]


def _with_windows(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    """Full attention, windows and chunks, by a list of names, a pattern, or for all layers alike."""
    window = config.whole("sliding_window", "sliding_window_size", "window_size", default=0)
    chunk = config.whole("attention_chunk_size", default=0)
    if (hybrid := config.per_layer("hybrid_layer_pattern", layers)) is not None:
        near = _heads(config, config.whole("hidden_size"), prefix="swa_")
        kinds: dict[Any, Attention] = {0: full, 1: SlidingWindowAttention(base=near, window=window)}
        return [_by_name(config, kind, kinds, key="hybrid_layer_pattern") for kind in hybrid]
    names = config.per_layer("layer_types", layers)
    if names is None and (marks := config.per_layer("attention_layers", layers)) is not None:
        config.get("attention_types")  # the same as a pattern
        renamed = {"global": "full_attention", "local": "sliding_attention"}
        names = [_by_name(config, mark, renamed, "attention_layers") for mark in marks]
    if names is None:
        names = _unnamed_windows(config, layers, window=window, chunk=chunk)
    config.get("use_sliding_window", "max_window_layers", "sliding_window_pattern")  # what the list was made from
    by_name: dict[Any, Attention] = dict.fromkeys(("full_attention", "attention"), _global_heads(config, full))
    if window:
        by_name["sliding_attention"] = SlidingWindowAttention(base=full, window=window)
    if chunk:
        by_name["chunked_attention"] = ChunkedAttention(base=full, window=chunk)
    return [_by_name(config, name, by_name) for name in names]


def _unnamed_windows(config: Config, layers: int, *, window: int, chunk: int) -> list[str]:
    """Names of layers' attention where no list gives them: by the marks and habits of the family."""
    if chunk:
        # Layers without rotary positions see everything: those marked 0, or every so many.
        marks = config.per_layer("no_rope_layers", layers) if config.get("no_rope_layers") else None
        every = config.whole("no_rope_layer_interval", default=4)
        whole = [not mark for mark in marks] if marks else [(layer + 1) % every == 0 for layer in range(layers)]
        return ["full_attention" if sees_all else "chunked_attention" for sees_all in whole]
    uses = config.flag("use_sliding_window")
    if not window or uses is False or (uses is None and config.type.window_if_asked):
        return ["full_attention"] * layers
    every = config.whole("sliding_window_pattern", default=config.type.full_every)
    if every:
        return ["full_attention" if (layer + 1) % every == 0 else "sliding_attention" for layer in range(layers)]
    first = config.whole("max_window_layers", default=0) if config.type.window_if_asked else 0
    return ["full_attention" if layer < first else "sliding_attention" for layer in range(layers)]


def _global_heads(config: Config, near: GroupedQueryAttention) -> GroupedQueryAttention:
    """Heads of the layers that see everything, where they differ from those with a window."""
    return dataclasses.replace(
        near,
        head_dim=config.whole("global_head_dim", default=near.head_dim),
        kv_heads=config.whole("num_global_key_value_heads", default=near.kv_heads),
        shared_key_value=bool(config.get("attention_k_eq_v")),
    )


def _by_name(config: Config, name: Any, kinds: dict[Any, Kind], key: str = "layer_types") -> Kind:  # noqa: ANN401  a JSON value
    if not isinstance(name, (str, int)) or name not in kinds:
        raise config.fault(key, f"{name!r} is not a kind that is modelled here; {', '.join(map(str, kinds))} are")
    return kinds[name]


KINDS_BY_KEY: dict[str, Callable[[Config, int, GroupedQueryAttention], list[Attention]]] = {
    "compress_ratios": _compressed,
    "kv_lora_rank": _latent,
    "linear_num_value_heads": _with_linear,
    "attn_type_list": _with_lightning,
    "sparse_attention_config": _with_index,
}
"""Keys that only one kind of attention has, and how it is read."""


# --- feed-forward ----------------------------------------------------------------------------------------------------


def _blocks(config: Config, layers: int, hidden: int) -> list[FeedForward]:
    """The feed-forward block of each layer."""
    gated = config.type.gated
    activation = config.get("hidden_act", "hidden_activation", "activation_function")
    if not config.is_known_type and activation not in GATED_BY:
        raise config.fault(
            config.key("hidden_act", "hidden_activation", "activation_function") or "hidden_act",
            f"{activation!r} in model type {config.model_type!r}: not known whether its blocks are gated",
        )
    width_names = ("intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim")
    if config.whole(*EXPERTS, default=0) <= 1:
        default = None if gated else config.whole("expansion_ratio", default=4) * hidden
        width = config.whole("shared_intermediate_size", *width_names, default=default)
        config.get(*width_names)
        return [DenseFeedForward(ffn_hidden=width, gated=gated)] * layers
    routed = _routed(config)
    is_routed = _routed_layers(config, layers)
    if all(is_routed):
        config.get(*width_names)  # the width of a dense block that no layer has
        return [routed] * layers
    dense_width = config.whole("dense_intermediate_size", "intermediate_size_mlp", "intermediate_size")
    dense = DenseFeedForward(ffn_hidden=dense_width, gated=gated)
    return [routed if marked else dense for marked in is_routed]


EXPERTS = ("num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts")


def _routed(config: Config) -> RoutedExperts:
    expert_hidden = config.whole("moe_intermediate_size", "intermediate_size", "ffn_hidden_size")
    groups, routed_groups = _routing_groups(config)
    routed = RoutedExperts(
        experts=config.whole(*EXPERTS),
        active_experts=config.whole(
            *("num_experts_per_tok", "experts_per_token", "num_experts_per_token", "top_k_experts"),
            *("moe_k", "moe_top_k", "moe_topk"),
        ),
        expert_hidden=expert_hidden,
        shared_hidden=_shared_width(config, expert_hidden),
        latent_hidden=config.whole("moe_latent_size", default=0),
        gated=config.type.gated,
        routing_groups=groups,
        routed_groups=routed_groups,
    )
    config.get("experts_per_token")
    return routed


def _is_parallel(config: Config) -> bool:
    """Whether attention and feed-forward block read the same stream."""
    said = [config.flag(name) for name in ("use_parallel_residual", "parallel_attn", "use_parallel_block")]
    if config.flag("new_decoder_architecture"):
        return True
    return next((one for one in said if one is not None), config.type.parallel)


def _routing_groups(config: Config) -> tuple[int, int]:
    """Groups of experts that a token's choice is limited to; a greedy choice is among all of them."""
    groups = config.whole("n_group", "num_expert_group", default=1) or 1
    routed = config.whole("topk_group", default=groups) or groups
    if config.get("topk_method") == "greedy":
        return 1, 1
    if routed > groups:
        raise config.fault("topk_group", f"a token cannot choose from {routed} of {groups} groups of experts (n_group)")
    return groups, routed


SHARED_EXPERTS = ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert")


def _shared_width(config: Config, expert_hidden: int) -> int:
    """Width of what every token visits besides its experts."""
    width = config.whole(
        *("shared_expert_intermediate_size", "share_expert_dim", "shared_intermediate_size"),
        "moe_shared_expert_intermediate_size",
        default=0,
    )
    count = config.whole(*SHARED_EXPERTS, default=0)
    if config.model_type == "llama4_text":
        config.get("intermediate_size_mlp")
        return expert_hidden  # one, which the configuration does not mention
    if config.model_type == "gemma4_text":
        config.get("vocab_size_per_layer_input")  # of embeddings a layer, which hidden_size_per_layer_input sizes
        return config.whole("intermediate_size")  # a dense block beside the experts
    return width or count * expert_hidden


def _routed_layers(config: Config, layers: int) -> list[bool]:
    """Which layers have experts: all, but for those that one of the usual keys leaves out."""
    first_dense = config.whole("first_k_dense_replace", "moe_layer_start_index", default=0)
    if first_dense >= layers:
        raise config.fault("first_k_dense_replace", f"{first_dense} leaves none of {layers} layers to the experts")
    config.get("enable_moe_block")
    steps = ("moe_layer_freq", "decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval")
    config.get(*steps)  # made into a list of names where there is one
    if isinstance(config.values.get("moe_layer_freq"), list):
        return [bool(mark) for mark in config.per_layer("moe_layer_freq", layers) or ()]
    if (names := config.per_layer("mlp_layer_types", layers)) is not None:
        return [_by_name(config, name, {"dense": False, "sparse": True}, "mlp_layer_types") for name in names]
    every = config.whole(*steps, default=1)
    if every == 0:
        raise config.fault(config.key(*steps) or steps[0], "0 is no step; every layer is 1")
    dense_layers = config.get("mlp_only_layers") or []
    if not isinstance(dense_layers, list) or not all(layer in range(layers) for layer in dense_layers):
        raise config.fault("mlp_only_layers", f"{dense_layers!r} is not a list of layers from 0 to {layers - 1}")
    last = config.whole("moe_layer_end_index", default=layers - 1)
    return [
        first_dense <= layer <= last and (layer + 1) % every == 0 and layer not in dense_layers
        for layer in range(layers)
    ]
