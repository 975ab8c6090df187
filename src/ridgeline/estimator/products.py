"""Products of a pass, fused and cut as a layout has them, and what they exchange."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ridgeline.estimator.attention import projections
from ridgeline.estimator.feed_forward import block_matrices, latent_matrices, router
from ridgeline.estimator.kernels import RESIDUAL, Matmul
from ridgeline.estimator.matrix import Cut, Matrix, fused_matmul
from ridgeline.estimator.messages import AllGather
from ridgeline.estimator.on_chip import OnChip, Operation
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import Attention
from ridgeline.specs.feed_forward import DenseFeedForward, RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.number_format import MatmulFormat
from ridgeline.specs.precision import Component

__all__ = ["Product", "attention_products", "block_products", "router_products", "run_product"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A product of a pass, without its rows and formats."""

    name: str
    columns: float
    inner: float
    inputs: float
    cut: Cut

    def matmul(self, rows: Numeric, formats: MatmulFormat) -> Matmul:
        """The product of ``rows`` rows."""
        return Matmul(rows=rows, columns=self.columns, inner=self.inner, inputs=self.inputs, format=formats)


def _product(name: str, matrices: tuple[Matrix, ...], layout: Layout, formats: MatmulFormat) -> Product:
    one = fused_matmul(matrices, rows=1, tp=layout.tp, tp_rows=layout.tp_rows, format=formats)
    return Product(
        name=name,
        columns=float(one.columns),
        inner=float(one.inner),
        inputs=float(one.inputs),
        cut=matrices[0].cut,
    )


@lru_cache(maxsize=4096)
def attention_products(
    attention: Attention, hidden: int, layout: Layout, formats: MatmulFormat, *, forms: tuple[bool, ...]
) -> tuple[tuple[Product, tuple[bool, ...]], ...]:
    """Products of a layer's attention, each with the forms whose tokens it multiplies: prompts (True) or others."""
    by_form = {is_prompt: projections(attention, hidden, is_prompt=is_prompt) for is_prompt in forms}
    fused: dict[str, tuple[Matrix, ...]] = {}
    for found in by_form.values():
        fused |= found
    out = next(reversed(by_form[forms[0]]))  # which comes after what any form has
    names = [*(name for name in fused if name != out), out]
    return tuple(
        (_product(name, fused[name], layout, formats), tuple(form for form in forms if name in by_form[form]))
        for name in names
    )


@lru_cache(maxsize=4096)
def block_products(
    block: DenseFeedForward, hidden: int, component: Component, layout: Layout, formats: MatmulFormat
) -> tuple[Product, Product]:
    """Products into a dense block and out of it."""
    up, down = block_matrices(block, hidden, component)
    return _product("up", (up,), layout, formats), _product("down", (down,), layout, formats)


@lru_cache(maxsize=4096)
def router_products(block: RoutedExperts, hidden: int, layout: Layout, formats: MatmulFormat) -> tuple[Product, ...]:
    """Products of the router, and where experts read a latent width, of the projections into it and out of it."""
    matrices = (router(block, hidden), *latent_matrices(block, hidden))
    names = ("router", "latent in", "latent out")
    return tuple(_product(name, (matrix,), layout, formats) for name, matrix in zip(names, matrices, strict=False))


def run_product(
    this: OnChip,
    product: Product,
    formats: MatmulFormat,
    repeats: int,
    prefix: str = "",
    *,
    rows: Numeric | None = None,
    is_layer: bool = True,
) -> Iterator[Operation]:
    """Operations of a product; cut in two dimensions, with all-gather of its input or reduce-scatter of its output."""
    name = prefix + product.name
    rows = this.rows if rows is None else rows
    done = Operation(name=name, repeats=repeats, kernel=product.matmul(rows, formats), is_layer=is_layer)
    if this.layout.tp_rows == 1:
        yield done
        return
    is_inner = product.cut is Cut.INNER
    across = product.inner if is_inner else product.columns
    exchange = Operation(
        name=f"{name} {'gather' if is_inner else 'partial sums'}",
        repeats=repeats,
        kernel=AllGather(buffer_bytes=rows * across * RESIDUAL.bytes_per_value, group=this.rows_group),
        is_layer=is_layer,
    )
    yield from (exchange, done) if is_inner else (done, exchange)
