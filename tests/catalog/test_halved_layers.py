"""Models whose layers are attention or a state alone, or a feed-forward block alone: Nemotron 3."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ridgeline.catalog import CatalogError, load_model
from ridgeline.catalog.huggingface import import_config
from ridgeline.estimator.parameters import kv_bytes_held, kv_bytes_per_token, total_params
from ridgeline.specs.model import Model

NANO = {
    "architectures": ["NemotronHForCausalLM"],
    "attention_bias": False,
    "chunk_size": 128,
    "conv_kernel": 4,
    "expand": 2,
    "head_dim": 128,
    "hidden_size": 2688,
    "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
    "intermediate_size": 1856,
    "mamba_head_dim": 64,
    "mamba_hidden_act": "silu",
    "mamba_num_heads": 64,
    "mamba_proj_bias": False,
    "mamba_ssm_cache_dtype": "float32",
    "max_position_embeddings": 262144,
    "mlp_hidden_act": "relu2",
    "model_type": "nemotron_h",
    "moe_intermediate_size": 1856,
    "moe_shared_expert_intermediate_size": 3712,
    "n_group": 1,
    "n_groups": 8,
    "n_routed_experts": 128,
    "n_shared_experts": 1,
    "norm_topk_prob": True,
    "num_attention_heads": 32,
    "num_experts_per_tok": 6,
    "num_hidden_layers": 52,
    "num_key_value_heads": 2,
    "rescale_prenorm_residual": True,
    "residual_in_fp32": False,
    "rope_theta": 10000,
    "routed_scaling_factor": 2.5,
    "ssm_state_size": 128,
    "tie_word_embeddings": False,
    "time_step_min": 0.001,
    "topk_group": 1,
    "torch_dtype": "bfloat16",
    "use_conv_bias": True,
    "use_mamba_kernels": True,
    "vocab_size": 131072,
}
"""The configuration of nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16, but for ids of tokens and what it leaves at zero."""

SUPER = {
    **NANO,
    "hidden_size": 4096,
    "hybrid_override_pattern": (
        "MEMEMEM*EMEMEMEM*EMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEM*EMEMEMEME"
    ),
    "mamba_num_heads": 128,
    "moe_intermediate_size": 2688,
    "moe_latent_size": 1024,
    "moe_shared_expert_intermediate_size": 5376,
    "mtp_hybrid_override_pattern": "*E",
    "n_routed_experts": 512,
    "num_experts_per_tok": 22,
    "num_hidden_layers": 88,
    "num_nextn_predict_layers": 1,
}

SMALL = {
    **{key: value for key, value in NANO.items() if not re.search("expert|moe|group$", key)},
    "hidden_size": 3136,
    "hybrid_override_pattern": "M-M-M-MM-M-M*-M-M*-M-M-M*-M-M-MM*-MMM-M-M-",
    "intermediate_size": 12544,
    "mamba_head_dim": 80,
    "mamba_num_heads": 96,
    "num_attention_heads": 40,
    "num_hidden_layers": 42,
    "num_key_value_heads": 8,
}


def imported(folder: Path, config: dict[str, Any]) -> Model:
    path = folder / "config.json"
    path.write_text(json.dumps(config, indent=1))
    return import_config(path)


@pytest.mark.parametrize(
    ("model_id", "config"),
    [("nemotron-3-nano-30b-a3b", NANO), ("nemotron-3-super-120b-a12b", SUPER), ("nemotron-3-nano-4b", SMALL)],
)
def test_the_catalog_has_what_the_configuration_says(tmp_path: Path, model_id: str, config: dict[str, Any]) -> None:
    """Two ways to one model."""
    catalog, read = load_model(model_id), imported(tmp_path, config)
    assert set(catalog.groups) == set(read.groups)
    assert (catalog.hidden, catalog.vocab, catalog.tied_embeddings) == (read.hidden, read.vocab, read.tied_embeddings)
    assert catalog.max_context_tokens == read.max_context_tokens
    assert catalog.precision == read.precision
    assert catalog.predicts_ahead == read.predicts_ahead


def test_a_list_of_names_is_the_same_as_a_pattern(tmp_path: Path) -> None:
    names = {"M": "mamba", "*": "attention", "E": "moe"}
    listed = {**NANO, "layers_block_type": [names[letter] for letter in str(NANO["hybrid_override_pattern"])]}
    del listed["hybrid_override_pattern"]
    assert imported(tmp_path, listed).groups == imported(tmp_path, NANO).groups


@pytest.mark.parametrize(
    "pattern",
    [
        "MEMEM*E",  # of other layers than are said
        "E" + "M" * 51,  # a block without a mixer before it
        "MEE" + "M" * 49,
        "MX" + "M" * 50,
        17,
        None,
    ],
)
def test_a_pattern_that_does_not_read_is_refused(tmp_path: Path, pattern: object) -> None:
    with pytest.raises(CatalogError, match="hybrid_override_pattern"):
        imported(tmp_path, {**NANO, "hybrid_override_pattern": pattern})


def test_parameters_and_states_are_counted_by_hand() -> None:
    model, hidden, width = load_model("nemotron-3-nano-30b-a3b"), 2688, 64 * 64
    convolved = width + 2 * 8 * 128
    mamba = hidden * (2 * width + 2 * 8 * 128 + 64) + width * hidden
    attention = hidden * (32 + 2 * 2) * 128 + 32 * 128 * hidden
    experts = 128 * hidden + 128 * 2 * hidden * 1856 + 2 * hidden * 3712
    assert total_params(model) == 2 * 131072 * hidden + 23 * mamba + 6 * attention + 23 * experts
    # 32 bits a value of a state, 16 of the three tokens that the convolution reads again; six layers have a cache.
    state = 23 * (64 * 128 * 64 * 4 + 3 * convolved * 2)
    for tokens in (1, 1000, 100_000):
        assert kv_bytes_held(model, model.precision, tokens) == state + tokens * 6 * 2 * 2 * 128 * 2
    assert kv_bytes_per_token(model, model.precision) == 6 * 2 * 2 * 128 * 2
