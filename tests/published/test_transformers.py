"""Parameters as transformers 4.57.6 counts them in the model that it builds of a configuration (on the meta device).

``transformers_counts.json`` has, for each configuration, ``params`` of the whole model, ``matrices``: those of tensors
of two and more dimensions but for biases, and ``left_out``: of these, learned positions, short convolutions and gates
of shared experts, which ``Model`` has none of. Of models with several towers the language model alone is counted.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.each import of_each

from ridgeline.catalog.huggingface import import_config
from ridgeline.estimator.parameters import kv_bytes_per_token, total_params
from ridgeline.specs.model import Model

COUNTED: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("transformers_counts.json").read_text())


def imported(folder: Path, config: dict[str, Any]) -> Model:
    path = folder / "config.json"
    path.write_text(json.dumps(config))
    return import_config(path)


@pytest.mark.parametrize("name", COUNTED)
def test_every_matrix_is_counted_as_transformers_builds_it(tmp_path: Path, name: str) -> None:
    counted = COUNTED[name]
    assert total_params(imported(tmp_path, counted["config"])) == counted["matrices"] - counted["left_out"]


@of_each("name", COUNTED)
def test_norms_and_biases_are_all_that_is_left_out(name: str) -> None:
    """1 %: learned positions are 0.6 % of gpt2; elsewhere all that is left out is below 0.4 %."""
    counted = COUNTED[name]
    assert counted["matrices"] - counted["left_out"] == pytest.approx(counted["params"], rel=0.01)


def test_the_types_that_are_counted_are_many() -> None:
    types = {one["config"].get("text_config", one["config"])["model_type"] for one in COUNTED.values()}
    assert len(types) >= 45


# Of types whose classes lie beside their checkpoints: the count that the hub shows with them.
BESIDE: dict[str, tuple[int, dict[str, Any]]] = {
    "internlm2_5-7b": (
        7_737_708_544,
        {
            "model_type": "internlm2",
            "bias": False,
            "hidden_act": "silu",
            "hidden_size": 4096,
            "intermediate_size": 14336,
            "max_position_embeddings": 32768,
            "num_attention_heads": 32,
            "num_hidden_layers": 32,
            "num_key_value_heads": 8,
            "rope_scaling": {"type": "dynamic", "factor": 2.0},
            "tie_word_embeddings": False,
            "vocab_size": 92544,
        },
    ),
    "EXAONE-3.5-7.8B": (
        7_818_448_896,
        {
            "model_type": "exaone",
            "activation_function": "silu",
            "embed_dropout": 0.0,
            "head_dim": 128,
            "hidden_size": 4096,
            "intermediate_size": 14336,
            "layer_norm_epsilon": 1e-05,
            "max_position_embeddings": 32768,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "num_layers": 32,
            "tie_word_embeddings": False,
            "vocab_size": 102400,
        },
    ),
    "Baichuan2-7B": (
        7_505_973_248,
        {
            "model_type": "baichuan",
            "hidden_act": "silu",
            "hidden_size": 4096,
            "intermediate_size": 11008,
            "max_position_embeddings": 4096,
            "model_max_length": 4096,
            "num_attention_heads": 32,
            "num_hidden_layers": 32,
            "tie_word_embeddings": False,
            "vocab_size": 125696,
            "z_loss_weight": 0,
        },
    ),
    "glm-4-9b-chat": (
        9_399_951_360,
        {
            "model_type": "chatglm",
            "add_bias_linear": False,
            "add_qkv_bias": True,
            "apply_query_key_layer_scaling": True,
            "apply_residual_connection_post_layernorm": False,
            "attention_softmax_in_fp32": True,
            "bias_dropout_fusion": True,
            "ffn_hidden_size": 13696,
            "fp32_residual_connection": False,
            "hidden_size": 4096,
            "kv_channels": 128,
            "multi_query_attention": True,
            "multi_query_group_num": 2,
            "num_attention_heads": 32,
            "num_layers": 40,
            "original_rope": True,
            "padded_vocab_size": 151552,
            "post_layer_norm": True,
            "rmsnorm": True,
            "rope_ratio": 500,
            "seq_length": 131072,
            "tie_word_embeddings": False,
            "vocab_size": 151552,
        },
    ),
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_the_hub_shows_is_met(tmp_path: Path, name: str) -> None:
    """0.01 %: norms and biases are left out."""
    params, config = BESIDE[name]
    model = imported(tmp_path, config)
    assert total_params(model) == pytest.approx(params, rel=1e-4)
    assert "peculiar" not in " ".join(model.unmodelled)


def test_one_stored_head_is_not_taken_for_as_many_as_ask(tmp_path: Path) -> None:
    """Falcon-7B's file says 71 stored heads; its ``multi_query`` makes them one."""
    model = imported(tmp_path, COUNTED["falcon-7b"]["config"])
    assert kv_bytes_per_token(model, model.precision) == 32 * 2 * 64 * 2
