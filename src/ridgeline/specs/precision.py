"""Number formats in which each part of a model is stored and multiplied."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass
from typing import Any, cast

from ridgeline.specs.hashed import Hashed, hashed_once
from ridgeline.specs.number_format import MatmulFormat, NumberFormat, matmul_format, number_format

__all__ = ["Component", "Precision", "uniform_precision", "with_formats"]


class Component(enum.StrEnum):
    """Parts of a model to which checkpoints give formats of their own."""

    ATTENTION = "attention"
    DENSE = "dense"
    EXPERTS = "experts"
    SHARED_EXPERTS = "shared_experts"
    ROUTER = "router"
    EMBEDDING = "embedding"
    HEAD = "head"


@hashed_once
@dataclass(frozen=True, slots=True, kw_only=True)
class Precision(Hashed):
    """Formats of a model's matrices, one field for each component, and of its KV cache."""

    attention: MatmulFormat
    dense: MatmulFormat
    experts: MatmulFormat
    shared_experts: MatmulFormat
    router: MatmulFormat
    embedding: MatmulFormat
    head: MatmulFormat
    kv: NumberFormat

    def of(self, component: Component) -> MatmulFormat:
        """Formats of one component's products."""
        return cast(MatmulFormat, getattr(self, component.value))

    def replaced(self, component: Component, formats: MatmulFormat) -> Precision:
        """The precision with other formats for one component."""
        changes: dict[str, Any] = {component.value: formats}
        return dataclasses.replace(self, **changes)


_LARGE = (Component.ATTENTION, Component.DENSE, Component.EXPERTS, Component.SHARED_EXPERTS)
"""Components to which another weight format applies; routers, embeddings, heads stay, as in quantised checkpoints."""


def with_formats(
    precision: Precision, *, weights: str | None = None, operands: str | None = None, kv: str | None = None
) -> Precision:
    """``precision`` with other formats for its layers' weights, for their operands, or for the KV cache.

    Args:
        precision: precision to start from.
        weights: name of a number format for the weights of attention, dense blocks and experts.
        operands: name of the format that they are multiplied in; the usual one of the weights where left out.
        kv: name of a number format for the KV cache.

    Raises:
        RidgelineError: a format is unknown.
    """
    changed = precision
    if weights is not None or operands is not None:
        for component in _LARGE:
            now = changed.of(component)
            formats = matmul_format(weights or now.weight.name, operands or (now.operand.name if not weights else None))
            changed = changed.replaced(component, formats)
    if kv is not None:
        changed = dataclasses.replace(changed, kv=number_format(kv))
    return changed


def uniform_precision(weights: str, *, operands: str | None = None, kv: str) -> Precision:
    """Layers in one format, multiplied in ``operands`` (left out: the usual ones); router, embedding, head in bf16."""
    wide: dict[str, Any] = {component.value: matmul_format("bf16") for component in Component}
    return with_formats(Precision(**wide, kv=number_format(kv)), weights=weights, operands=operands)
