"""Hold ``estimate`` against whole steps of a model, run on this machine's GPU: how far times of kernels carry.

    ridgeline measure --to mine/
    python bench/whole_step.py --kernels mine/

A step is plain PyTorch in one CUDA graph, with random weights: a dense model of grouped-query attention, without rotary
embedding, its norms, activations and sums as kernels of their own where engines fuse some. A prefill should therefore
take somewhat longer than is predicted, and a decode step about as long.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import ridgeline
from ridgeline.catalog import load_model
from ridgeline.measuring.torch_bench import GPU, seconds_of_runs
from ridgeline.specs.attention import GroupedQueryAttention
from ridgeline.specs.feed_forward import DenseFeedForward

DECODES = ((1, 2048), (1, 32768), (16, 2048), (32, 8192), (128, 2048))
"""Sequences and context tokens of decode steps: from weights alone to more bytes of caches than of weights."""

PREFILLS = ((1, 4096), (4, 1024))
"""Sequences and prompt tokens of prefills."""

SCALE = 0.02
"""Deviation of random weights, by which no value leaves the range of 16 bits in all layers."""


class Widths(NamedTuple):
    """Numbers of a model's layers, and widths of their matrices."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head: int
    inner: int
    vocab: int


class Layer(NamedTuple):
    """Matrices of a layer, as tensors."""

    projections: Any
    output: Any
    gates: Any
    down: Any
    norm: Any


def widths(name: str) -> Widths:
    """Widths of a model of the catalog; it has to be dense, of one kind of layer and with grouped-query attention."""
    model = load_model(name)
    (group,) = model.groups
    attention, block = group.attention, group.feed_forward
    if not isinstance(attention, GroupedQueryAttention) or not isinstance(block, DenseFeedForward):
        raise SystemExit(f"{name}: give a dense model of grouped-query attention, such as llama-3.1-8b")
    return Widths(
        layers=group.layers,
        hidden=model.hidden,
        heads=attention.query_heads,
        kv_heads=attention.kv_heads,
        head=attention.head_dim,
        inner=block.ffn_hidden,
        vocab=model.vocab,
    )


class Step:
    """Weights of a model on the GPU, and its passes over them."""

    def __init__(self, torch: Any, size: Widths) -> None:
        self.torch, self.size = torch, size
        fused = (size.heads + 2 * size.kv_heads) * size.head
        self.layers = [
            Layer(
                projections=self._random(fused, size.hidden),
                output=self._random(size.hidden, size.heads * size.head),
                gates=self._random(2 * size.inner, size.hidden),
                down=self._random(size.hidden, size.inner),
                norm=self._random(size.hidden),
            )
            for _ in range(size.layers)
        ]
        self.head = self._random(size.vocab, size.hidden)

    def seconds(self, batch: int, tokens: int, *, is_decode: bool) -> float:
        """Time of a pass, s."""
        size = self.size
        caches = [self._random(2, batch, size.kv_heads, tokens, size.head) for _ in self.layers]
        rows = self._random(batch if is_decode else batch * tokens, size.hidden)
        attend = partial(self._decode if is_decode else self._prefill, batch=batch)
        time_s = seconds_of_runs(self.torch, GPU, [lambda: self._pass(rows, caches, attend, batch)])
        self.torch.cuda.empty_cache()  # a graph had memory of its own
        return time_s

    def _pass(self, rows: Any, caches: list[Any], attend: Callable[..., Any], batch: int) -> Any:
        functional, hidden = self.torch.nn.functional, (self.size.hidden,)
        for layer, cache in zip(self.layers, caches, strict=True):
            normed = functional.rms_norm(rows, hidden, layer.norm)
            rows = rows + functional.linear(attend(functional.linear(normed, layer.projections), cache), layer.output)
            normed = functional.rms_norm(rows, hidden, layer.norm)
            gate, up = functional.linear(normed, layer.gates).chunk(2, dim=-1)
            rows = rows + functional.linear(functional.silu(gate) * up, layer.down)
        return functional.linear(functional.rms_norm(rows[:batch], hidden, self.layers[-1].norm), self.head)

    def _decode(self, fused: Any, cache: Any, *, batch: int) -> Any:
        size = self.size
        queries, added = fused.split([size.heads * size.head, 2 * size.kv_heads * size.head], dim=-1)
        cache[:, :, :, -1:].copy_(added.view(batch, 2, size.kv_heads, 1, size.head).transpose(0, 1))
        found = self._attended(queries.view(batch, size.heads, 1, size.head), cache, is_causal=False)
        return found.reshape(batch, -1)

    def _prefill(self, fused: Any, cache: Any, *, batch: int) -> Any:
        size = self.size
        queries, added = fused.split([size.heads * size.head, 2 * size.kv_heads * size.head], dim=-1)
        cache.copy_(added.view(batch, -1, 2, size.kv_heads, size.head).permute(2, 0, 3, 1, 4))
        queries = queries.view(batch, -1, size.heads, size.head).transpose(1, 2)
        return self._attended(queries, cache, is_causal=True).transpose(1, 2).reshape(len(fused), -1)

    def _attended(self, queries: Any, cache: Any, *, is_causal: bool) -> Any:
        attend = self.torch.nn.functional.scaled_dot_product_attention
        return attend(
            queries, cache[0], cache[1], is_causal=is_causal, enable_gqa=self.size.heads != self.size.kv_heads
        )

    def _random(self, *shape: int) -> Any:
        return SCALE * self.torch.randn(*shape, device=GPU, dtype=self.torch.bfloat16)


def main() -> None:
    """Run and predict every step; print both, and the median distance of those that fit into memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--model", default="llama-3.1-8b", help="catalog id of a dense model with grouped-query attention"
    )
    parser.add_argument("--on", default="h100-sxm", help="catalog id of this machine")
    parser.add_argument(
        "--kernels", type=Path, help="folder that `ridgeline measure --to` wrote; else the catalog's numbers"
    )
    asked = parser.parse_args()
    import torch  # noqa: PLC0415  the user's own, which fits the machine's driver

    decodes = [ridgeline.decode(batch=batch, context_tokens=tokens) for batch, tokens in DECODES]
    prefills = [ridgeline.prefill(batch=batch, prompt_tokens=tokens) for batch, tokens in PREFILLS]
    kernels = asked.kernels and str(asked.kernels)
    found = [
        (shape, ridgeline.estimate(asked.model, asked.on, "tp1", one, engine="ideal", kernels=kernels))
        for shape, one in zip((*DECODES, *PREFILLS), (*decodes, *prefills), strict=True)
    ]
    fitting = [(shape, predicted) for shape, predicted in found if predicted.fits]
    if not fitting:
        raise SystemExit(f"{asked.model} does not fit one chip of {asked.on}: give a smaller --model")
    step = Step(torch, widths(asked.model))
    distances: list[float] = []
    print("pass     sequences  tokens  measured ms  predicted ms  80 % interval ms  predicted/measured")
    for (batch, tokens), predicted in fitting:
        is_decode = (batch, tokens) in DECODES
        measured_s = step.seconds(batch, tokens, is_decode=is_decode)
        ratio = predicted.step_time_s / measured_s
        distances.append(abs(math.log(ratio)))
        interval = f"{1e3 * predicted.low_s:.1f} - {1e3 * predicted.high_s:.1f}"
        times = f"{1e3 * measured_s:11.2f}  {1e3 * predicted.step_time_s:12.2f}  {interval:>16}"
        print(f"{'decode' if is_decode else 'prefill':7}  {batch:9}  {tokens:6,}  {times}  {ratio:.3f}")
    print(f"median of |ln(predicted/measured)|: {median(distances):.3f}")


if __name__ == "__main__":
    main()
