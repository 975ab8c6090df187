"""How engines cut layers into pipeline stages, by their own code and its tests.

vLLM: ``get_pp_indices`` and ``test_uneven_auto_partition`` (tests/distributed/test_pipeline_partition.py, commit
2758bed7fb). The others have no test of it; their cuts are worked out by hand from what their code says of the layers
that are left over: SGLang, ``get_pp_indices``, "the last N partitions will have one extra layer"; TensorRT-LLM,
``Mapping.pp_layers``, "first n ranks get one extra layer"; FasterTransformer, ``isValidLayerParallelId``, the quotient
rounded up; vLLM 0.6, ``get_pp_indices``, "the last partition will have the remaining layers".
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from ridgeline.catalog.engines import engine_ids, load_engine
from ridgeline.estimator.stage_cuts import engine_cut, layer_counts

VLLM_TESTS = {
    (2, 2): [(0, 1), (1, 2)],
    (3, 2): [(0, 2), (2, 3)],
    (3, 3): [(0, 1), (1, 2), (2, 3)],
    (4, 3): [(0, 1), (1, 3), (3, 4)],
    (5, 3): [(0, 2), (2, 4), (4, 5)],
}


@pytest.mark.parametrize(("layers", "stages"), VLLM_TESTS)
def test_vllm_keeps_spare_layers_from_its_last_stage(layers: int, stages: int) -> None:
    found = engine_cut(load_engine("vllm").spare_layers, layers=layers, stages=stages)
    assert list(pairwise(found)) == VLLM_TESTS[layers, stages]


@pytest.mark.parametrize(
    ("engine", "counts"),
    [
        ("vllm", (5, 6, 6, 5)),
        ("vllm-v0", (5, 5, 5, 7)),
        ("sglang", (5, 5, 6, 6)),
        ("sglang-waves", (5, 5, 6, 6)),
        ("tensorrt-llm", (6, 6, 5, 5)),
        ("fastertransformer", (6, 6, 6, 4)),
    ],
)
def test_engines_put_the_layers_left_over_where_their_code_says(engine: str, counts: tuple[int, ...]) -> None:
    """22 layers over four stages."""
    assert engine in engine_ids()
    assert layer_counts(engine_cut(load_engine(engine).spare_layers, layers=22, stages=4)) == counts
