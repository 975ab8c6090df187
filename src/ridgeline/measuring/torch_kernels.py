"""Kernels and messages as PyTorch runs them, with their tensors; the library is handed in, and not imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ridgeline.calibration.cases import Case

__all__ = ["KERNELS", "Fresh", "Operation", "message_run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A kernel with its tensors.

    Attributes:
        shared_bytes: bytes of the tensors that all copies share.
        copy_bytes: bytes of the tensors of one copy.
        runs: function from a number of copies to what runs each of them.
    """

    shared_bytes: float
    copy_bytes: float
    runs: Callable[[int], Sequence[Callable[[], object]]]


Fresh = Callable[..., Any]
"""Function from the sides of a tensor to one with random 16-bit values."""


def _gemm(torch: Any, case: Case, fresh: Fresh) -> Operation:
    rows, columns, inner = case.whole("m"), case.whole("n"), case.whole("k")
    narrow = {"fp8": torch.float8_e4m3fn, "bf16": torch.bfloat16}[case.weight_dtype]

    def runs(copies: int) -> list[Callable[[], object]]:
        inputs, weights = fresh(rows, inner).to(narrow), [fresh(columns, inner).to(narrow) for _ in range(copies)]
        if narrow == torch.bfloat16:
            return [partial(torch.nn.functional.linear, inputs, one) for one in weights]
        unit = torch.ones((), device=inputs.device)
        # PyTorch's own name of its product in 8 bits, which its later ``scaled_mm`` calls as well.
        product = torch._scaled_mm  # noqa: SLF001
        scaled = partial(product, scale_a=unit, scale_b=unit, out_dtype=torch.bfloat16)
        return [partial(scaled, inputs, one.t()) for one in weights]

    value_bytes = narrow.itemsize
    return Operation(shared_bytes=rows * inner * value_bytes, copy_bytes=columns * inner * value_bytes, runs=runs)


def _attention_decode(torch: Any, case: Case, fresh: Fresh) -> Operation:
    batch, context, width = case.whole("batch"), case.whole("context_tokens"), case.whole("head_dim")
    heads, kv_heads = case.whole("query_heads"), case.whole("kv_heads")

    def runs(copies: int) -> list[Callable[[], object]]:
        # One token of every head: query heads of one KV head that stood where tokens do would be taken for a prompt,
        # whose kernel shares out no long context among the units of a chip.
        queries = fresh(batch, heads, 1, width)
        added = fresh(2, batch, kv_heads, 1, width)

        def run(cache: Any) -> None:
            cache[:, :, :, -1:].copy_(added)
            torch.nn.functional.scaled_dot_product_attention(queries, cache[0], cache[1], enable_gqa=heads != kv_heads)

        return [partial(run, fresh(2, batch, kv_heads, context, width)) for _ in range(copies)]

    return Operation(shared_bytes=0, copy_bytes=4 * batch * kv_heads * context * width, runs=runs)


def _attention_prefill(torch: Any, case: Case, fresh: Fresh) -> Operation:
    batch, tokens, width = case.whole("batch"), case.whole("prompt_tokens"), case.whole("head_dim")
    heads, kv_heads = case.whole("query_heads"), case.whole("kv_heads")

    def runs(copies: int) -> list[Callable[[], object]]:
        def run(queries: Any, fused: Any, cache: Any) -> None:
            cache.copy_(fused)
            torch.nn.functional.scaled_dot_product_attention(
                queries, fused[0], fused[1], is_causal=True, enable_gqa=heads != kv_heads
            )

        made = [(fresh(batch, heads, tokens, width), fresh(2, batch, kv_heads, tokens, width)) for _ in range(copies)]
        return [partial(run, queries, fused, torch.empty_like(fused)) for queries, fused in made]

    return Operation(shared_bytes=0, copy_bytes=2 * batch * tokens * width * (heads + 4 * kv_heads), runs=runs)


def _elementwise(torch: Any, case: Case, fresh: Fresh) -> Operation:
    rows, width = case.whole("m"), case.whole("n")
    norm = partial(torch.nn.functional.layer_norm, normalized_shape=(width,))
    kernels: dict[str, tuple[int, Callable[..., object]]] = {
        "layernorm": (1, norm),
        "residual_add": (3, lambda first, second, out: torch.add(first, second, out=out)),
        "copy": (2, lambda first, out: out.copy_(first)),
        "read": (1, torch.sum),
    }
    tensors, kernel = kernels[str(case.attributes["op"])]

    def runs(copies: int) -> list[Callable[[], object]]:
        return [partial(kernel, *(fresh(rows, width) for _ in range(tensors))) for _ in range(copies)]

    return Operation(shared_bytes=0, copy_bytes=tensors * 2 * rows * width, runs=runs)


KERNELS: dict[str, Callable[[Any, Case, Fresh], Operation]] = {
    "gemm": _gemm,
    "attention_decode": _attention_decode,
    "attention_prefill": _attention_prefill,
    "elementwise": _elementwise,
}
"""Kernels on one chip, by kind of case."""


def message_run(torch: Any, case: Case, fresh: Fresh, group: Any) -> Callable[[], object]:
    """One message of a rank.

    Args:
        torch: library that is asked.
        case: case of a message.
        fresh: function that makes the rank's tensors.
        group: ranks of the message, as the library has them.
    """
    ranks = case.whole("ranks")
    part = max(int(case.number("message_bytes")) // (2 * ranks), 1)
    buffer = fresh(ranks * part)
    if case.kind == "all_reduce":
        return partial(torch.distributed.all_reduce, buffer, group=group)
    if case.kind == "all_gather":
        return partial(torch.distributed.all_gather_into_tensor, buffer, fresh(part), group=group)
    return partial(torch.distributed.all_to_all_single, torch.empty_like(buffer), buffer, group=group)
