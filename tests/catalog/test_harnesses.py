"""What harnesses do is data: names are matched from the general to the special, and files are checked."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.harnesses import HARNESSES, HarnessFacts, HarnessFile, benchmark_of, harness_of
from ridgeline.specs.harness import Harness


def test_a_release_has_what_its_harness_has_but_for_what_it_states_itself() -> None:
    first, later = harness_of("trtllm-1.0.0"), harness_of("trtllm-1.3.0rc20")
    assert first.matrices_in_turn == later.matrices_in_turn == 5
    assert first.unserved_kinds == ("mla_decode",)
    assert later.unserved_kinds == ()
    assert harness_of("vllm-0.14.0").matrices_in_turn == 5
    assert harness_of("vllm-2024").matrices_in_turn == 1


def test_who_calls_a_library_may_stand_anywhere_in_a_name() -> None:
    assert harness_of("nccl (torch.distributed)").launches_messages_eagerly
    assert not harness_of("nccl-2.27.3").launches_messages_eagerly


def test_an_unknown_harness_is_one_of_which_nothing_is_stated() -> None:
    assert harness_of("somebody's") == harness_of("") == Harness(exchange_units=20)


def test_every_fact_is_a_field_of_the_record() -> None:
    assert {one.name for one in fields(HarnessFacts)} == set(Harness.__dataclass_fields__)


def test_a_benchmark_is_known_by_its_lengths() -> None:
    found = benchmark_of(8192.0, 1024.0)
    assert found is not None
    assert (found.name, found.least_length_fraction) == ("InferenceX", 0.8)
    assert benchmark_of(1000.0, 1000.0) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('source = "deepep"', 'source = "hearsay"', "'hearsay' is not in sources.toml"),
        ("value = 20,", "value = 0,", "greater than or equal to 1"),
        ("flushes_caches", "flushes_cache", "flushes_cache: is no key here"),
    ],
)
def test_a_file_that_is_not_of_the_form_is_refused_by_field(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "harnesses.toml"
    path.write_text(HARNESSES.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(CatalogError, match=said):
        read_toml(path, HarnessFile)
