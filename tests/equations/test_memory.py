from __future__ import annotations

from ridgeline.equations import memory


def test_memory_is_full_at_no_sequence_where_weights_do_not_fit() -> None:
    assert memory.memory_full_batch(hbm_bytes=640e9, weight_bytes=671e9, kv_bytes_per_sequence=1e8) == 0
