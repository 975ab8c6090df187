"""Bytes that a chip sends for one layer, by the way in which the layer is cut, and the layer's own work."""

from __future__ import annotations

from typing import Any

from ridgeline.boards.board import Values
from ridgeline.boards.lecture.residual_stream import VALUE_BYTES
from ridgeline.equations import cuts, experts, roofline

__all__ = ["SENT", "active", "layer_s", "layer_weight_bytes", "sent_bytes", "width_that_hides"]

MATRICES = 3.0
"""Matrices of a gated expert: up, gate and down."""


def active(values: Values) -> int:
    """Experts that a token visits: no more than there are."""
    return min(int(values["active_experts"]), int(values["experts"]))


def layer_weight_bytes(values: Values, width: Any) -> Any:  # noqa: ANN401  a number or many
    """Bytes of all experts of a layer."""
    return values["experts"] * MATRICES * values["hidden"] * width * values["bytes_per_param"]


def sent_bytes(values: Values, cut: str, width: Any) -> Any:  # noqa: ANN401  a number or many
    """Bytes that one chip sends for one layer; ``width`` is that of an expert."""
    return SENT[cut](values, width)


def layer_s(values: Values, width: Any) -> Any:  # noqa: ANN401  a number or many
    """Time of a layer's experts on all chips, which read and multiply with nothing to wait for."""
    return roofline.step_time_s(
        batch=values["batch"],
        active_params=active(values) * MATRICES * values["hidden"] * width,
        weight_bytes=layer_weight_bytes(values, width),
        kv_bytes_per_sequence=0,
        flop_per_s=values["chips"] * values["flop_per_s"],
        hbm_bytes_per_s=values["chips"] * values["hbm_bytes_per_s"],
    )


def width_that_hides(values: Values, cut: str) -> float:
    """Width of an expert from which on a cut's messages take no longer than the layer's own work."""
    width = values["expert_hidden"]
    found = cuts.hidden_behind_width(
        sent_bytes=sent_bytes(values, cut, width),
        bytes_per_s=values["link_bytes_per_s"],
        layer_time_s=layer_s(values, width),
        expert_hidden=width,
    )
    return float(found)


def _data(values: Values, width: Any) -> Any:  # noqa: ANN401  a number or many
    return cuts.data_bytes(weight_bytes=layer_weight_bytes(values, width), ranks=values["chips"])


def _tensor(values: Values, _: Any) -> Any:  # noqa: ANN401  a number or many
    return cuts.tensor_bytes(
        tokens=values["batch"], hidden=values["hidden"], value_bytes=VALUE_BYTES, ranks=values["chips"]
    )


def _context(values: Values, _: Any) -> Any:  # noqa: ANN401  a number or many
    return cuts.context_bytes(
        tokens=values["batch"],
        query_values=values["attention_values"] / 2,
        result_values=values["attention_values"] / 2,
        value_bytes=VALUE_BYTES,
        ranks=values["chips"],
    )


def _expert(values: Values, _: Any) -> Any:  # noqa: ANN401  a number or many
    return cuts.expert_bytes(
        tokens=values["batch"],
        copies_per_token=experts.groups_visited(
            experts=int(values["experts"]),
            active_experts=active(values),
            groups=min(values["chips"], int(values["experts"])),
        ),
        hidden=values["hidden"],
        dispatch_bytes=values["dispatch_bytes"],
        combine_bytes=VALUE_BYTES,
        ranks=values["chips"],
    )


def _pipeline(values: Values, _: Any) -> Any:  # noqa: ANN401  a number or many
    return cuts.pipeline_bytes(
        tokens=values["batch"],
        hidden=values["hidden"],
        value_bytes=VALUE_BYTES,
        ranks=values["chips"],
        layers_per_stage=values["layers_per_stage"],
    )


SENT = {"data": _data, "tensor": _tensor, "context": _context, "expert": _expert, "pipeline": _pipeline}
"""Ways to cut a layer."""
