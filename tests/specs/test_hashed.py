"""Hashes that are computed once are those of the value, and stay in their process."""

from __future__ import annotations

import copy
import dataclasses
import pickle

from ridgeline.catalog import load_machine, load_model
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model

RECORDS: tuple[Model | Machine, ...] = (load_model("deepseek-v3"), load_machine("h200-sxm"))


def test_equal_records_hash_alike_and_one_of_another_name_differs() -> None:
    for record in RECORDS:
        again = dataclasses.replace(record)
        assert again is not record
        assert hash(record) == hash(again) == hash(record)
        assert len({record, again, dataclasses.replace(record, id="another")}) == 2


def test_a_copy_takes_no_hash_along_since_words_hash_otherwise_in_another_process() -> None:
    for record in RECORDS:
        known = hash(record)
        assert hasattr(record, "_hash")
        for again in (pickle.loads(pickle.dumps(record)), copy.copy(record), copy.deepcopy(record)):  # noqa: S301
            assert not hasattr(again, "_hash")
            assert hash(again) == known
