"""Keys of a configuration that do not change the model's shape."""

from __future__ import annotations

import re

__all__ = ["CHANGES_NO_SHAPE"]

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
"""Keys without effect on the shape for any model type; those of a single type are in ``model_types.toml``."""
