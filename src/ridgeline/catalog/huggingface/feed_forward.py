"""Feed-forward block of each layer: dense, or experts in some or all of them."""

from __future__ import annotations

from ridgeline.catalog.huggingface.config_file import Config
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, RoutedExperts

__all__ = ["EXPERTS", "blocks", "routed"]

GATED_BY = {"silu", "swish", "swiglu", "gelu_pytorch_tanh", "situ", "swigluoai", None}
"""Activations that come with a gate in families that are not known to have none."""


def blocks(config: Config, layers: int, hidden: int) -> list[FeedForward]:
    """Feed-forward block of each layer."""
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
    with_experts = routed(config)
    is_routed = _routed_layers(config, layers)
    if all(is_routed):
        config.get(*width_names)  # the width of a dense block that no layer has
        return [with_experts] * layers
    dense_width = config.whole("dense_intermediate_size", "intermediate_size_mlp", "intermediate_size")
    dense = DenseFeedForward(ffn_hidden=dense_width, gated=gated)
    return [with_experts if marked else dense for marked in is_routed]


EXPERTS = ("num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts")


def routed(config: Config) -> RoutedExperts:
    """Experts of a layer that has them."""
    expert_hidden = config.whole("moe_intermediate_size", "intermediate_size", "ffn_hidden_size")
    groups, routed_groups = _routing_groups(config)
    found = RoutedExperts(
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
    return found


def _routing_groups(config: Config) -> tuple[int, int]:
    """Groups of experts that a token's choice is limited to; all of them for a greedy choice."""
    groups = config.whole("n_group", "num_expert_group", default=1) or 1
    routed = config.whole("topk_group", default=groups) or groups
    if config.get("topk_method") == "greedy":
        return 1, 1
    if routed > groups:
        raise config.fault("topk_group", f"a token cannot choose from {routed} of {groups} groups of experts (n_group)")
    return groups, routed


SHARED_EXPERTS = ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert")


def _shared_width(config: Config, expert_hidden: int) -> int:
    """Width of the shared experts that every token visits."""
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
    """Whether each layer has experts: all, except those that one of the usual keys leaves out."""
    first_dense = config.whole("first_k_dense_replace", "moe_layer_start_index", default=0)
    if first_dense >= layers:
        raise config.fault("first_k_dense_replace", f"{first_dense} leaves none of {layers} layers to the experts")
    config.get("enable_moe_block")
    steps = ("moe_layer_freq", "decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval")
    config.get(*steps)  # made into a list of names where there is one
    if isinstance(config.values.get("moe_layer_freq"), list):
        return [bool(mark) for mark in config.per_layer("moe_layer_freq", layers) or ()]
    if (names := config.per_layer("mlp_layer_types", layers)) is not None:
        return [config.named(name, {"dense": False, "sparse": True}, "mlp_layer_types") for name in names]
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
