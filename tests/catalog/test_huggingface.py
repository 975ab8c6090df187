from __future__ import annotations

import json
import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.any_text import any_text

from ridgeline.catalog import CatalogError, load_model, model_entry
from ridgeline.catalog.checkpoint import METHODS
from ridgeline.catalog.huggingface import import_config
from ridgeline.estimator.parameters import kv_bytes_per_token, total_params, weight_bytes
from ridgeline.extras import installing
from ridgeline.specs.attention import (
    ChunkedAttention,
    CompressedAttention,
    GroupedQueryAttention,
    IndexedSparseAttention,
    LatentAttention,
    LinearAttention,
    SlidingWindowAttention,
)
from ridgeline.specs.feed_forward import DenseFeedForward, RoutedExperts
from ridgeline.specs.model import Model

DENSE = {
    "model_type": "llama",
    "hidden_size": 1024,
    "num_hidden_layers": 8,
    "num_attention_heads": 16,
    "num_key_value_heads": 4,
    "intermediate_size": 4096,
    "vocab_size": 32000,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "rope_theta": 10000.0,
}
ROUTED = {**DENSE, "model_type": "qwen3_moe", "num_experts": 16, "num_experts_per_tok": 2, "moe_intermediate_size": 512}
LATENT = {
    **ROUTED,
    "model_type": "deepseek_v3",
    "first_k_dense_replace": 2,
    "n_shared_experts": 1,
    "q_lora_rank": 256,
    "kv_lora_rank": 128,
    "qk_nope_head_dim": 64,
    "qk_rope_head_dim": 32,
    "v_head_dim": 64,
}
WINDOWED = {**DENSE, "sliding_window": 512, "layer_types": ["sliding_attention", "full_attention"] * 4}


def imported(folder: Path, config: dict[str, Any], *, ignore_unknown: bool = False) -> Model:
    path = folder / "config.json"
    path.write_text(json.dumps(config, indent=1).replace('"LARGE"', "1" * 5000))
    return import_config(path, ignore_unknown=ignore_unknown)


def test_a_dense_model_is_counted_by_hand(tmp_path: Path) -> None:
    model = imported(tmp_path, DENSE)
    per_layer = 1024 * (1024 + 2 * 4 * 64) + 1024 * 1024 + 3 * 1024 * 4096
    assert total_params(model) == 8 * per_layer + 2 * 32000 * 1024
    assert kv_bytes_per_token(model, model.precision) == 8 * 2 * 4 * 64 * 2


def test_one_thing_has_many_names(tmp_path: Path) -> None:
    renamed = dict(ROUTED)
    renamed["n_routed_experts"] = renamed.pop("num_experts")
    renamed["experts_per_token"] = renamed.pop("num_experts_per_tok")
    assert imported(tmp_path, renamed).groups == imported(tmp_path, ROUTED).groups


def test_layers_without_experts_are_kept_apart(tmp_path: Path) -> None:
    model = imported(tmp_path, LATENT)
    dense, routed = model.groups
    assert (dense.layers, routed.layers) == (2, 6)
    assert dense.feed_forward == DenseFeedForward(ffn_hidden=4096)
    assert routed.feed_forward == RoutedExperts(experts=16, active_experts=2, expert_hidden=512, shared_hidden=512)
    assert isinstance(dense.attention, LatentAttention)


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({"mlp_only_layers": [0, 3]}, (2, 6)),
        ({"decoder_sparse_step": 2}, (4, 4)),
        ({"moe_layer_freq": [0, 0, 0, 1, 1, 1, 1, 1]}, (3, 5)),
        ({"mlp_layer_types": ["dense"] + ["sparse"] * 7}, (1, 7)),
    ],
)
def test_ways_to_say_which_layers_have_experts(
    tmp_path: Path, changes: dict[str, Any], counts: tuple[int, int]
) -> None:
    groups = imported(tmp_path, {**ROUTED, **changes}).groups
    found = {type(group.feed_forward): group.layers for group in groups}
    assert (found[DenseFeedForward], found[RoutedExperts]) == counts


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({}, {GroupedQueryAttention: 8}),
        ({"sliding_window": 512}, {SlidingWindowAttention: 8}),
        ({"sliding_window": 512, "use_sliding_window": False}, {GroupedQueryAttention: 8}),
        ({"sliding_window": 512, "sliding_window_pattern": 4}, {SlidingWindowAttention: 6, GroupedQueryAttention: 2}),
        # Families that hold a window back, use it from some layer on, or between layers that see everything.
        ({"model_type": "qwen3", "sliding_window": 512}, {GroupedQueryAttention: 8}),
        (
            {"model_type": "qwen2", "sliding_window": 512, "use_sliding_window": True, "max_window_layers": 3},
            {GroupedQueryAttention: 3, SlidingWindowAttention: 5},
        ),
        ({"model_type": "gpt_oss", "sliding_window": 512}, {SlidingWindowAttention: 4, GroupedQueryAttention: 4}),
        ({"model_type": "gemma3_text", "sliding_window": 512}, {SlidingWindowAttention: 7, GroupedQueryAttention: 1}),
        (WINDOWED, {SlidingWindowAttention: 4, GroupedQueryAttention: 4}),
        ({"model_type": "llama4_text", "attention_chunk_size": 64}, {ChunkedAttention: 6, GroupedQueryAttention: 2}),
        ({**LATENT, "index_topk": 64, "index_n_heads": 4, "index_head_dim": 32}, {IndexedSparseAttention: 8}),
        (
            {
                "linear_num_key_heads": 4,
                "linear_num_value_heads": 8,
                "linear_key_head_dim": 64,
                "linear_value_head_dim": 64,
                "linear_conv_kernel_dim": 4,
                "layer_types": ["linear_attention", "full_attention"] * 4,
            },
            {LinearAttention: 4, GroupedQueryAttention: 4},
        ),
        (
            {
                "compress_ratios": [0, 4] * 4,
                "q_lora_rank": 128,
                "o_groups": 4,
                "o_lora_rank": 64,
                "head_dim": 64,
                "sliding_window": 128,
                "index_n_heads": 4,
                "index_head_dim": 32,
                "index_topk": 16,
            },
            {CompressedAttention: 8},
        ),
    ],
)
def test_each_kind_of_attention_is_known_by_its_keys(
    tmp_path: Path, changes: dict[str, Any], kinds: dict[type, int]
) -> None:
    found: dict[type, int] = {}
    for group in imported(tmp_path, {**DENSE, **changes}).groups:
        found[type(group.attention)] = found.get(type(group.attention), 0) + group.layers
    assert found == kinds


def test_the_language_model_of_several_towers_is_taken_and_the_others_said(tmp_path: Path) -> None:
    model = imported(tmp_path, {"model_type": "both", "text_config": DENSE, "vision_config": {"depth": 3}})
    assert model.groups == imported(tmp_path, DENSE).groups
    assert "towers other than the language model" in model.unmodelled


def test_what_is_assumed_is_said(tmp_path: Path) -> None:
    silent = {key: value for key, value in DENSE.items() if key != "tie_word_embeddings"}
    assert imported(tmp_path, silent).remarks == ("tie_word_embeddings is not given: taken as false",)


def test_heads_that_are_not_given_are_all_stored_and_that_is_said(tmp_path: Path) -> None:
    silent = {key: value for key, value in DENSE.items() if key != "num_key_value_heads"}
    model = imported(tmp_path, silent)
    assert kv_bytes_per_token(model, model.precision) == 8 * 2 * 16 * 64 * 2
    assert model.remarks == (
        "num_key_value_heads is not given: each of the 16 heads is taken to keep its own keys and values",
    )
    # A type that never shares them needs no word; one that has a default of its own says which.
    assert not imported(tmp_path, {**silent, "model_type": "gpt_neox", "use_parallel_residual": True}).remarks
    (said,) = imported(tmp_path, {**silent, "model_type": "mistral", "sliding_window": None}).remarks
    assert said == "not given, and taken as model type 'mistral' has them: num_key_value_heads 8"


def test_only_the_language_model_of_several_towers_may_leave_sizes_out(tmp_path: Path) -> None:
    partial = {key: value for key, value in DENSE.items() if key != "hidden_size"}
    (said,) = imported(tmp_path, {"model_type": "both", "text_config": partial}).remarks
    assert said == "not given, and taken as model type 'llama' has them: hidden_size 4096"
    with pytest.raises(CatalogError, match="has none of hidden_size"):
        imported(tmp_path, partial)


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"model_type": "bert"}, r":2: model_type: 'bert' is an encoder: it has no decode step"),
        ({"model_type": "t5", "d_model": 512}, "'t5' is an encoder and a decoder"),
        ({**DENSE, "model_type": "own", "is_encoder_decoder": True}, "is_encoder_decoder: is true"),
        ({**DENSE, "model_type": "jamba", "attn_layer_period": 8}, "'jamba' has state-space layers"),
        ({"model_type": "mamba2", "state_size": 128}, "'mamba2' has state-space layers"),
        ({"model_type": "mllama", "text_config": DENSE}, "'mllama' has layers of attention to an image"),
        (
            {**DENSE, "model_type": "granitemoehybrid", "layer_types": ["mamba", "attention"] * 4},
            "layer_types: 'mamba' is not a kind that is modelled here",
        ),
        ({**DENSE, "use_cla": True}, "use_cla: layers that read the cache of another"),
        ({**DENSE, "model_type": "gemma3n_text"}, "embeddings for each layer"),
        ({**DENSE, "model_type": "opt", "word_embed_proj_dim": 512}, "embeddings of another width"),
        ({**DENSE, "mamba_d_state": 16}, "mamba_d_state: Ridgeline does not know"),
        ({"model_type": "flurb"}, "has none of num_hidden_layers.*; model type 'flurb' is not known here"),
    ],
)
def test_what_is_no_decoder_of_a_known_kind_is_refused_by_what_it_is(
    tmp_path: Path, config: dict[str, Any], reason: str
) -> None:
    with pytest.raises(CatalogError, match=reason):
        imported(tmp_path, config)


def test_unknown_keys_are_named_by_line_and_a_switch_lets_them_through(tmp_path: Path) -> None:
    tricks = {f"trick_{number:02}": 7 for number in range(12)}
    with pytest.raises(CatalogError) as refused:
        imported(tmp_path, {**DENSE, **tricks})
    said = str(refused.value)
    assert "config.json:12: trick_00: Ridgeline does not know" in said
    assert "nor 13: trick_01" in said
    assert "19: trick_07 and 4 more; --ignore-unknown (in Python ignore_unknown=True)" in said
    model = imported(tmp_path, {**DENSE, **tricks}, ignore_unknown=True)
    assert model.groups == imported(tmp_path, DENSE).groups
    assert model.unmodelled == ("keys of config.json that were ignored: " + ", ".join(tricks),)
    assert load_model(str(tmp_path), ignore_unknown=True) == imported(tmp_path, DENSE)
    # What is known to be no decoder, or is a contradiction, no switch lets through.
    with pytest.raises(CatalogError, match="is an encoder"):
        imported(tmp_path, {"model_type": "bert"}, ignore_unknown=True)


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    imported(tmp_path, DENSE)
    assert load_model(str(tmp_path)).layers == 8
    path = tmp_path / "config.json"
    path.write_text(path.read_text().replace('"num_hidden_layers": 8', '"num_hidden_layers": 9'))
    assert load_model(str(tmp_path)).layers == 9
    path.write_text("garbage")
    with pytest.raises(CatalogError, match="is not JSON"):
        load_model(str(tmp_path))


@pytest.mark.parametrize(
    ("quantised", "formats"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, ("fp8_block", "fp8_block", "bf16")),
        ({"quant_method": "fp8"}, ("fp8", "fp8", "bf16")),
        ({"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn"]}, ("bf16", "mxfp4", "bf16")),
        ({"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"}, ("nvfp4", "nvfp4", "fp8")),
        ({"quant_method": "fp8", "kv_cache_scheme": {"num_bits": 8, "type": "float"}}, ("fp8", "fp8", "fp8")),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "int", "group_size": 32}}},
                "ignore": ["re:.*self_attn.*", "lm_head"],
            },
            ("bf16", "int4_g32", "bf16"),
        ),
        # Weights alone are narrow: multiplied in 16 bits.
        ({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}, ("int4", "int4", "bf16")),
        ({"quant_method": "awq", "w_bit": 4, "q_group_size": 64}, ("int4_g64", "int4_g64", "bf16")),
        ({"quant_method": "gptq", "bits": 4, "group_size": 32, "desc_act": True}, ("int4_g32", "int4_g32", "bf16")),
        ({"quant_method": "gptq", "bits": 8, "group_size": 128}, ("int8_g128", "int8_g128", "bf16")),
        ({"quant_method": "gptq", "bits": 4, "group_size": -1}, ("int4_row", "int4_row", "bf16")),
        (
            {"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {"-:.*self_attn.*": {}}},
            ("bf16", "int4", "bf16"),
        ),
        (
            {"quant_method": "awq", "bits": 4, "group_size": 128, "modules_to_not_convert": ["self_attn"]},
            ("bf16", "int4", "bf16"),
        ),
        ({"quant_method": "auto-round", "bits": 4, "group_size": 128, "sym": True}, ("int4", "int4", "bf16")),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, ("int8", "int8", "bf16")),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, ("nf4", "nf4", "bf16")),
        (
            {"quant_method": "bitsandbytes", "_load_in_4bit": True, "bnb_4bit_use_double_quant": True},
            ("nf4_double", "nf4_double", "bf16"),
        ),
        ({"quant_method": "fbgemm_fp8", "modules_to_not_convert": ["model.layers.0.mlp"]}, ("fp8", "fp8", "bf16")),
        (
            {"quant_method": "modelopt", "quant_algo": "NVFP4", "exclude_modules": ["model.layers.*.self_attn*"]},
            ("bf16", "nvfp4", "bf16"),
        ),
        ({"quant_method": "modelopt", "quant_algo": "W4A16_AWQ"}, ("int4", "int4", "bf16")),
        (
            {
                "quant_method": "quark",
                "global_quant_config": {
                    "weight": {"dtype": "fp4", "qscheme": "per_group", "group_size": 32},
                    "input_tensors": {"dtype": "fp4"},
                },
                "exclude": ["re:model.layers.*self_attn.*", "lm_head"],
            },
            ("bf16", "mxfp4", "bf16"),
        ),
        (
            {"quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig", "_data": {}}}},
            ("int4", "int4", "bf16"),
        ),
        ({"quant_method": "torchao", "quant_type": "float8_weight_only"}, ("fp8", "fp8", "bf16")),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {
                    "0": {"weights": {"num_bits": 8, "type": "float", "strategy": "block", "group_size": None}}
                },
            },
            ("fp8_block", "fp8_block", "bf16"),
        ),
        # A list that names the shared experts does not name the routed ones.
        (
            {"quant_method": "mxfp4", "modules_to_not_convert": ["re:.*shared_experts.*", "re:.*self_attn.*"]},
            ("bf16", "mxfp4", "bf16"),
        ),
    ],
)
def test_checkpoints_keep_parts_in_formats_of_their_own(
    tmp_path: Path, quantised: dict[str, Any], formats: tuple[str, str, str]
) -> None:
    precision = imported(tmp_path, {**ROUTED, "quantization_config": quantised}).precision
    assert (precision.attention.weight.name, precision.experts.weight.name, precision.kv.name) == formats
    assert precision.head.weight.name == precision.router.weight.name == "bf16"


@pytest.mark.parametrize(
    ("quantised", "operand"),
    [
        ({"quant_method": "gptq", "bits": 8, "group_size": 128}, "bf16"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "bf16"),
        ({"quant_algo": "W4A8_AWQ"}, "fp8"),
        ({"quant_method": "torchao", "quant_type": "int8_weight_only"}, "bf16"),
        ({"config_groups": {"0": {"weights": {"num_bits": 8, "type": "int"}}}}, "int8"),
        ({"config_groups": {"0": {"weights": {"num_bits": 8, "type": "int"}, "input_activations": None}}}, "bf16"),
        (
            {
                "config_groups": {
                    "0": {
                        "weights": {"num_bits": 4, "type": "int", "group_size": 128},
                        "input_activations": {"num_bits": 8, "type": "float"},
                    }
                }
            },
            "fp8",
        ),
    ],
)
def test_narrow_weights_are_multiplied_in_what_the_activations_have(
    tmp_path: Path, quantised: dict[str, Any], operand: str
) -> None:
    assert imported(tmp_path, {**DENSE, "quantization_config": quantised}).precision.dense.operand.name == operand


def test_a_checkpoint_of_4_bits_has_the_size_that_its_scales_give(tmp_path: Path) -> None:
    """4.125 bits a weight of the layers: a 16-bit scale for 128; embedding and head stay in 16."""
    model = imported(tmp_path, {**DENSE, "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128}})
    ends = 2 * 32000 * 1024
    assert weight_bytes(model, model.precision) == ends * 2 + (total_params(model) - ends) * 4.125 / 8


def test_quantisation_described_in_a_file_of_its_own_is_read(tmp_path: Path) -> None:
    (tmp_path / "hf_quant_config.json").write_text(json.dumps({"quantization": {"quant_algo": "FP8"}}))
    assert imported(tmp_path, DENSE).precision.dense.weight.name == "fp8"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"num_hidden_layers": None}, "has none of num_hidden_layers"),
        ({"num_hidden_layers": "many"}, r"config\.json:4: num_hidden_layers: 'many' is not a whole number"),
        ({"num_hidden_layers": 10**9}, r"outside \[1, 10000\]"),
        ({"num_attention_heads": 0}, "at least one head"),
        ({"num_key_value_heads": 5}, "query_heads=16 is not a multiple of kv_heads=5"),
        ({"vocab_size": 10**9}, r"config\.json:8: vocab_size: 1000000000 is outside"),
        ({"hidden_size": 10**9}, r"config\.json:3: hidden_size: 1000000000 is outside \[16, 1e\+06\]"),
        ({"num_hidden_layers": "LARGE"}, "has a number of 5,000 digits, which is no size of a model"),
        ({"hidden_size": 10**59}, r"hidden_size: 1e\+59 is outside"),
        ({"layer_types": ["full_attention"]}, "has 1 items for 8 layers"),
        ({"layer_types": ["full_attention"] * 50_000}, "has 50,000 items for 8 layers; leave the others out"),
        (
            {"layer_types": ["full_attention"] * 10, "num_nextn_predict_layers": 1},
            "has 10 items for 8 layers and 1 that predict; leave the others out",
        ),
        (
            {"layer_types": ["ring_attention"] * 8},
            "'ring_attention' is not a kind that is modelled here; full_attention, attention are",
        ),
        ({"sub_quadratic_trick": 7}, r"config\.json:12: sub_quadratic_trick: Ridgeline does not know"),
        ({"quantization_config": {"quant_method": "gguf"}}, "method 'gguf' is not known; fp8, .*awq, gptq"),
        ({"quantization_config": {"quant_method": "gptq", "bits": 3, "group_size": 128}}, "weights of 3 bits"),
        ({"quantization_config": {"quant_method": "awq"}}, "weights of None bits"),
        ({"quantization_config": {"quant_method": "bitsandbytes"}}, "neither load_in_4bit nor load_in_8bit"),
        ({"quantization_config": {"quant_method": "quark"}}, "global_quant_config"),
        ({"quantization_config": {"quant_method": "torchao", "quant_type": "int1"}}, "quant_type 'int1' is not known"),
        ({"quantization_config": {"quant_method": "modelopt", "quant_algo": "MIXED"}}, "method 'mixed' is not known"),
        ({"torch_dtype": "posit16"}, "torch_dtype 'posit16' is not known"),
        ({"num_experts": 4, "num_experts_per_tok": 8}, "exceeds experts=4"),
        ({"vocab_size": True}, "True is not a whole number"),
        ({"tie_word_embeddings": "false"}, "'false' is neither true nor false"),
        ({"layer_types": "full_attention"}, "is not a list with one item a layer"),
        ({"model_type": "own", "hidden_act": "relu2"}, "not known whether its blocks are gated"),
        ({"cross_attention_layers": [3]}, "cross_attention_layers: Ridgeline does not know"),
        ({"num_key_value_head": 4}, r"did you mean num_key_value_heads\?"),
        ({**ROUTED, "first_k_dense_replace": 8}, "8 leaves none of 8 layers to the experts"),
        ({**ROUTED, "decoder_sparse_step": 0}, "0 is no step"),
        ({**ROUTED, "mlp_only_layers": [8]}, "is not a list of layers from 0 to 7"),
        ({**LATENT, "qk_head_dim": 97}, "97 is not qk_nope_head_dim"),
        (
            {
                "quantization_config": {
                    "config_groups": {
                        "0": {"weights": {"num_bits": 8, "type": "float"}},
                        "1": {"weights": {"num_bits": 4, "type": "float", "group_size": 16}},
                    }
                }
            },
            "groups in fp8, nvfp4",
        ),
    ],
)
def test_what_is_missing_contradictory_absurd_or_unknown_is_named(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(CatalogError, match=said):
        imported(tmp_path, {**DENSE, **changes})


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(DENSE)[:-1] + ', "hidden_size": 2048}')
    with pytest.raises(CatalogError, match="'hidden_size' stands twice"):
        import_config(path)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"text_config": 3}', "\x00", "{}"])
def test_what_is_no_configuration_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(text)
    with pytest.raises(CatalogError, match=r"config\.json"):
        import_config(path)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    any_text(max_size=5),
    st.lists(st.integers(-2, 200), max_size=9),
    st.dictionaries(any_text(max_size=3), st.integers(), max_size=2),
)


WIDE_RANGE = [
    one["config"]
    for one in json.loads((Path(__file__).parents[1] / "published" / "transformers_counts.json").read_text()).values()
]
SCHEMES = st.fixed_dictionaries(
    {"quant_method": st.sampled_from([*METHODS, "gguf"])},
    optional={
        "bits": st.sampled_from([2, 4, 8, "4"]),
        "group_size": st.sampled_from([-1, 32, 64, 128, [128]]),
        "config_groups": st.dictionaries(any_text(max_size=2), st.none() | st.dictionaries(any_text(), st.none())),
        "global_quant_config": st.none() | st.dictionaries(st.sampled_from(["weight", "dtype"]), any_text()),
        "quant_type": st.none() | any_text() | st.dictionaries(st.sampled_from(["default", "_type"]), any_text()),
        "dynamic": st.none() | st.dictionaries(any_text(), st.none()),
        "ignore": st.none() | st.lists(st.integers() | any_text()),
    },
)


@pytest.mark.slow
@given(base=st.sampled_from([DENSE, ROUTED, LATENT, WINDOWED, *WIDE_RANGE]), data=st.data())
@settings(max_examples=200)
def test_a_mutilated_configuration_imports_or_is_refused_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, base: dict[str, Any], data: st.DataObject
) -> None:
    keys = st.sampled_from([*base, "layer_types", "attn_config", "num_experts", "kv_lora_rank", "text_config"])
    changes = data.draw(st.dictionaries(keys, JUNK, min_size=1, max_size=3))
    scheme = data.draw(st.none() | JUNK | SCHEMES)
    folder = tmp_path_factory.mktemp("fuzz")
    try:
        model = imported(
            folder, {**base, **changes, "quantization_config": scheme}, ignore_unknown=data.draw(st.booleans())
        )
    except CatalogError as error:
        assert str(folder) in str(error)  # noqa: PT017  both outcomes are right
    else:
        assert total_params(model) > 0
        assert weight_bytes(model, model.precision) > 0


def test_a_folder_or_a_file_is_a_model_wherever_an_id_is(tmp_path: Path) -> None:
    imported(tmp_path, DENSE)
    assert load_model(str(tmp_path)) == load_model(str(tmp_path / "config.json"))
    assert model_entry(str(tmp_path)).facts is None
    assert load_model(str(tmp_path)).id == tmp_path.name


def test_the_hub_is_asked_by_its_own_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(tmp_path, DENSE)
    hub = types.ModuleType("huggingface_hub")
    asked: list[tuple[str, str]] = []

    def hf_hub_download(repository: str, file: str) -> str:
        asked.append((repository, file))
        if repository == "none/such":
            raise OSError("404: no such repository")
        return str(tmp_path / file)

    hub.hf_hub_download = hf_hub_download  # type: ignore[attr-defined]  # a stand-in for the extra
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    assert load_model("hf:org/name").hidden == 1024
    assert asked == [("org/name", "config.json")]
    with pytest.raises(CatalogError, match="404: no such repository"):
        load_model("hf:none/such")


def test_without_the_extra_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(CatalogError, match=re.escape(installing("hf"))):
        load_model("hf:org/other")


def test_every_published_configuration_imports_or_names_what_is_not_known(published_configs: Path) -> None:
    refused = {}
    for path in sorted(published_configs.glob("*_config.json")):
        try:
            model = import_config(path)
        except CatalogError as error:
            refused[path.name] = str(error)
        else:
            assert total_params(model) > 1e8, path.name
    assert set(refused) == {"moonshotai--Kimi-K3_config.json"}
    (reason,) = refused.values()
    for key in ("routed_expert_hidden_size", "linear_attn_config", "attn_res_block_size"):
        assert key in reason


@pytest.mark.parametrize(
    ("name", "kv_bytes"),
    [
        ("meta-llama--Meta-Llama-3.1-405B", 516_096),
        ("Qwen--Qwen3-235B-A22B", 192_512),
        ("deepseek-ai--DeepSeek-V3", 70_272),
        ("openai--gpt-oss-120b", 36_864),
    ],
)
def test_published_cache_sizes_are_met_to_the_byte(published_configs: Path, name: str, kv_bytes: int) -> None:
    model = import_config(published_configs / f"{name}_config.json")
    assert kv_bytes_per_token(model, model.precision) == kv_bytes


@pytest.mark.parametrize(
    ("name", "gigabytes"),
    [
        # gpt-oss model card, table 1: checkpoints of 60.8 and 12.8 GiB.
        ("openai--gpt-oss-120b", 60.8 * 2**30 / 1e9),
        ("openai--gpt-oss-20b", 12.8 * 2**30 / 1e9),
    ],
)
def test_published_checkpoints_have_their_size(published_configs: Path, name: str, gigabytes: float) -> None:
    """0.5 %: norms, biases and sinks are left out, and the card rounds to three digits."""
    model = import_config(published_configs / f"{name}_config.json")
    assert weight_bytes(model, model.precision) / 1e9 == pytest.approx(gigabytes, rel=5e-3)


def test_catalog_models_are_what_their_configurations_say(published_configs: Path) -> None:
    """Two ways to one model."""
    for model_id, name in (
        ("deepseek-v4-pro", "deepseek-ai--DeepSeek-V4-Pro"),
        ("qwen3.5-397b-a17b", "Qwen--Qwen3.5-397B-A17B"),
        ("mimo-v2-flash", "XiaomiMiMo--MiMo-V2-Flash"),
        ("kimi-k2.5", "moonshotai--Kimi-K2.5"),
    ):
        catalog, config = load_model(model_id), import_config(published_configs / f"{name}_config.json")
        assert catalog.groups == config.groups
        assert catalog.precision == config.precision
        assert catalog.tied_embeddings == config.tied_embeddings


def test_a_float32_checkpoint_is_taken_in_the_16_bits_that_engines_load_it_in(tmp_path: Path) -> None:
    wide, usual = (imported(tmp_path, DENSE | {"torch_dtype": dtype}) for dtype in ("float32", "bfloat16"))
    assert wide.precision == usual.precision
    assert any("stored in float32" in one for one in wide.caveats)
    assert not any("float32" in one for one in usual.caveats)
