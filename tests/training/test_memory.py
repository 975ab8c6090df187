"""What chips hold, against published formulas, and what less of it takes."""

from __future__ import annotations

import dataclasses

import pytest
from tests.each import of_each
from tests.training.jobs import job

from ridgeline.catalog import load_model
from ridgeline.specs.attention import GroupedQueryAttention, LinearAttention
from ridgeline.specs.feed_forward import DenseFeedForward, NoFeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup
from ridgeline.training.activations import kept_tensors, layer_activations
from ridgeline.training.memory import stage_memory, training_memory
from ridgeline.training.recipe import OFFLOADS
from ridgeline.training.recompute import Recompute
from ridgeline.training.schedules import SCHEDULES
from ridgeline.training.step_time import step_time


@pytest.mark.parametrize(("tp", "undivided"), [(1, ",nosp"), (8, ",nosp"), (8, "")])
def test_a_layer_without_fused_attention_keeps_what_korthikanti_counts(tp: int, undivided: str) -> None:
    """sbh (34 + 5as/h), 10 + 24/t + 5as/ht, 34/t + 5as/ht: arXiv 2205.05198, table 2, of one GPT layer.

    Ours keeps queries and keys once more where positions rotate them, which GPT's were not: 4/t.
    """
    hidden, heads, tokens, batch = 12_288, 96, 2048, 2
    attention = GroupedQueryAttention(query_heads=heads, kv_heads=heads, head_dim=hidden // heads)
    block = DenseFeedForward(ffn_hidden=4 * hidden, gated=False)
    group = LayerGroup(layers=96, attention=attention, feed_forward=block)
    model = dataclasses.replace(load_model("llama-3.1-8b"), hidden=hidden, groups=(group,))
    one = job(layout=f"tp{tp},mb{batch}{undivided}", fuses_attention=False, dropout=True)
    one = dataclasses.replace(one, model=model, sequence_tokens=tokens)
    scores = 5 * heads * tokens / hidden / tp
    between = 10 if undivided else 10 / tp
    published = tokens * batch * hidden * (between + 24 / tp + scores)
    assert layer_activations(one, group).kept_bytes == pytest.approx(
        published + tokens * batch * hidden * 4 / tp, rel=0.001
    )


def test_a_layer_without_a_block_keeps_its_attention_alone() -> None:
    """Neither the block's input nor its norm; a latent width leaves experts less to keep."""
    attention = GroupedQueryAttention(query_heads=32, kv_heads=8, head_dim=128)
    narrow = RoutedExperts(experts=64, active_experts=8, expert_hidden=1024, latent_hidden=1024)
    one, kept = job(layout="dp8,ep8"), []
    for block in (NoFeedForward(), narrow, dataclasses.replace(narrow, latent_hidden=0)):
        group = LayerGroup(layers=32, attention=attention, feed_forward=block)
        of_block = dataclasses.replace(one, model=dataclasses.replace(one.model, groups=(group,)))
        kept.append(layer_activations(of_block, group).kept_bytes)
    hidden, rows = one.model.hidden, one.rows
    # Input and normed input, queries, keys and values, those rotated, the sums of scores and the output.
    assert kept[0] == pytest.approx(rows * 2 * (2 * hidden + 48 * 128 + 40 * 128 + 2 * 32 + 32 * 128))
    # Of each visit the copy that an expert reads, and of each token the sum of what they write.
    assert kept[2] - kept[1] == pytest.approx(rows * 2 * (8 * (hidden - 1024) - 1024))


def test_states_are_eighteen_bytes_a_parameter_and_zero_spreads_them() -> None:
    """Rajbhandari et al. 2019, figure 1: 18 bytes, and of N chips 6 + 12/N, 2 + 16/N, 18/N."""

    def states(zero: int) -> float:
        one = job(layout=f"dp8,zero{zero}")
        memory, (dense, _) = training_memory(one), one.stage_params[0]
        return (memory.weights_bytes + memory.gradients_bytes + memory.optimizer_bytes) / dense

    assert states(0) == pytest.approx(18)
    assert states(1) == pytest.approx(6 + 12 / 8)
    assert states(2) == pytest.approx(2 + 16 / 8)
    # With two layers' weights and one's gradients gathered.
    assert 18 / 8 < states(3) < 18 / 8 + 0.5


def test_whatever_is_computed_again_is_not_kept() -> None:
    kept = [
        training_memory(job("deepseek-v3", "pp4,dp64,ep64", recompute=Recompute.from_text(text))).activations_bytes
        for text in ("none", "selective:layernorm", "selective:layernorm+moe_act+mla_up_proj", "selective:moe", "full")
    ]
    assert kept[0] > kept[1] > kept[2] > kept[4]
    assert kept[0] > kept[3] > kept[4]


def test_reversible_layers_keep_nothing_however_many_they_are() -> None:
    """At the same work as a full recompute: Gomez et al. 2017 (arXiv 1707.04585), section 3.2."""
    reversible, full = (job(recompute=Recompute.from_text(text)) for text in ("reversible", "full"))
    assert training_memory(reversible).activations_bytes == 0
    assert training_memory(full).activations_bytes > 0
    assert step_time(reversible).step_time_s == step_time(full).step_time_s


def test_offloaded_activations_are_not_kept() -> None:
    plain = training_memory(job()).activations_bytes
    some = training_memory(job(offloads=frozenset({"attn_proj"}))).activations_bytes
    assert training_memory(job(offloads=frozenset(OFFLOADS))).activations_bytes < some < plain


def test_the_first_stage_keeps_most_and_the_last_has_the_logits() -> None:
    one = job("llama-3.1-70b", "tp8,pp4,dp2", batch=32)
    stages = [stage_memory(one, stage) for stage in range(4)]
    assert [memory.activations_bytes for memory in stages] == sorted(
        (memory.activations_bytes for memory in stages), reverse=True
    )
    assert stages[3].transient_bytes >= one.rows * one.model.vocab / 8 * 8
    assert training_memory(one) == max(stages, key=lambda memory: memory.total_bytes)


@of_each("name", SCHEDULES)
@of_each("model", ["llama-3.1-70b", "deepseek-v3"])
def test_the_fullest_stage_is_that_of_all(name: str, model: str) -> None:
    """Layers that do not divide, dense ones before routed ones, ends, and ways that turn round at the last device."""
    one = job(model, f"tp8,pp4,vpp{SCHEDULES[name].virtual_stages}", batch=64, schedule=SCHEDULES[name])
    stages = [stage_memory(one, stage) for stage in range(4)]
    assert training_memory(one) == max(stages, key=lambda memory: memory.total_bytes)


def test_schedules_keep_what_they_keep() -> None:
    def kept(name: str, layout: str) -> float:
        return training_memory(job("llama-3.1-70b", layout, batch=64, schedule=SCHEDULES[name])).activations_bytes

    assert kept("gpipe", "tp8,pp4") == pytest.approx(64 / 4 * kept("1f1b", "tp8,pp4"))
    assert kept("v-min", "tp8,pp4,vpp2") < kept("v-half", "tp8,pp4,vpp2") < kept("zb-v", "tp8,pp4,vpp2")


def test_predicted_tokens_keep_a_layer_and_logits_each_and_hold_its_states() -> None:
    one = job("deepseek-v3", "dp64,ep64", predicted_tokens=1)
    plain, ahead = training_memory(job("deepseek-v3", "dp64,ep64")), training_memory(one)
    layer = layer_activations(one, one.model.groups[-1]).kept_bytes
    # Two streams before and after their norms, and the softmax of logits in 32 bits.
    joined, logits = 4 * one.rows * one.model.hidden * 2, one.rows * one.model.vocab * 4
    assert ahead.activations_bytes - plain.activations_bytes == pytest.approx(layer + joined + logits)
    assert ahead.weights_bytes - plain.weights_bytes == pytest.approx(2 * sum(one.prediction_params))
    assert ahead.optimizer_bytes - plain.optimizer_bytes == pytest.approx(12 * one.sharded(one.prediction_params))


def test_a_mixer_keeps_what_it_projects_at_once_and_puts_out_twice() -> None:
    """Mamba-2 of Nemotron 3 Nano: gate, values, keys, queries, rates; then 64 heads of 64 before and after the norm."""
    one = job("nemotron-3-nano-30b-a3b", "dp8,ep8")
    group = next(group for group in one.model.groups if isinstance(group.attention, LinearAttention))
    names = {"queries, keys, values", "state output", "attention output"}
    kept = sum(part.kept_bytes for part in kept_tensors(one, group) if part.name in names)
    assert kept == one.rows * 2 * (2 * 4096 + 2 * 8 * 128 + 64 + 2 * 4096)
