"""Machines and models of the tests of layouts."""

from __future__ import annotations

import dataclasses

from ridgeline.catalog import load_machine, load_model

H100, MI300X, A100, TPU = (
    # Without fitted kernels: what is said here of rates and unpacking is the plain form's.
    machine.with_efficiency(dataclasses.replace(machine.efficiency, kernels=None))
    for machine in (load_machine(name) for name in ("h100-sxm", "mi300x", "a100-80-sxm", "tpu-v4"))
)
LLAMA, SMALL, PALM = (load_model(name) for name in ("llama-3.1-70b", "llama-3.1-8b", "palm-540b"))
DEEPSEEK, QWEN = load_model("deepseek-v3"), load_model("qwen3-30b-a3b")
