"""Files that the examples name in capitals: what stands in them."""

from __future__ import annotations

__all__ = ["COMPARED", "LOADS", "RECORDED", "STORED", "STUDIED"]

LOADED = "closed_loop,llama-3.1-8b,h100-sxm,bf16,bf16,300,vllm-0.12,tpot_s,0.01"

LOADS = "\n".join(
    [
        "kind,model,machine,weight_dtype,kv_dtype,output_tokens,engine,quantity,measured,case,batch,prompt_tokens",
        *(f"{LOADED},{users} {prompt},{users},{prompt}" for users in (1, 4, 16, 64) for prompt in (200, 1000, 3000)),
    ]
)
"""A case file that tells of an engine."""

RECORDED = {
    "run.toml": (
        'model = "llama-3.1-8b"\nmachine = "h100-sxm"\nengine = "vllm-0.19.0"\ntp = 1\n[scheduler]\nmax_num_seqs = 8\n'
    ),
    "requests.csv": (
        "arrival_s,prompt_tokens,output_tokens,ttft_s,tpot_s,e2e_s,last_token_s\n"
        "0,1000,100,0.05,0.007,0.743,0.743\n0.5,2000,50,0.09,0.008,0.482,0.982\n"
    ),
}
"""A recorded run."""

STORED = """
[devices.qlc]
name           = "a QLC drive"
tier           = "flash"
link           = "PCIe"
capacity_bytes = { value = "122.88 TB" }
bytes_per_s    = { value = "7.4 GB/s" }
usd            = [{ value = "$30000" }]
"""
"""Storage devices of one's own."""

COMPARED = """
model = "llama-3.1-8b"
on = "h100-sxm"
layout = "tp1"
prompt = 1000
output = 100
rate = "8/s"
requests = 50
ttft = "1s"
"""
"""What a comparison is of."""

STUDIED = """
models = ["llama-3.1-8b"]
machines = ["h100-sxm"]
layouts = ["tp1", "tp3"]
batch = [1, 8]
context_tokens = "1k"
"""
"""A study."""
