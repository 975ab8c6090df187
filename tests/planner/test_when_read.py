"""Parts of a result that are computed when they are first read."""

from __future__ import annotations

import pickle
from collections.abc import Mapping

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.planner import plan as search
from ridgeline.planner.elasticities import elasticities
from ridgeline.planner.left_out import left_out_note
from ridgeline.planner.when_read import MappingWhenRead, SequenceWhenRead
from ridgeline.specs.workload import Workload

WORKLOAD = Workload(prompt_tokens=1000, output_tokens=200)


def test_a_search_computes_what_is_read_of_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(*given: object, **named: object) -> Mapping[str, float]:
        calls.append("elasticities")
        return elasticities(*given, **named)  # type: ignore[arg-type]

    def noted(*given: object, **named: object) -> tuple[str, ...]:
        calls.append("left out")
        return left_out_note(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "elasticities", counted)
    monkeypatch.setattr(search, "left_out_note", noted)
    found = search.plan(deploy(load_model("llama-3.1-8b"), load_machine("h100-sxm")), WORKLOAD, chips=2)
    assert found.plans[0].tpot_s > 0
    assert not calls
    for _ in range(2):
        assert "chip_s_per_request:hbm_bytes" in found.elasticities
        assert found.notes
    assert sorted(calls) == ["elasticities", "left out"]


def test_what_is_read_equals_what_it_holds_and_is_sent_as_that() -> None:
    rows, table = SequenceWhenRead(lambda: [1.0, 2.0]), MappingWhenRead(lambda: {"tpot_s": -0.4})
    assert rows == (1.0, 2.0)
    assert rows != (1.0,)
    assert rows == SequenceWhenRead(lambda: (1.0, 2.0))
    assert hash(rows) == hash((1.0, 2.0))
    assert (rows[1], rows[:1], repr(rows)) == (2.0, (1.0,), "(1.0, 2.0)")
    assert table == {"tpot_s": -0.4}
    assert repr(table) == "{'tpot_s': -0.4}"
    for one, kept in ((rows, (1.0, 2.0)), (table, {"tpot_s": -0.4})):
        sent = pickle.loads(pickle.dumps(one))  # noqa: S301  written here
        assert (type(sent), sent) == (type(kept), kept)
