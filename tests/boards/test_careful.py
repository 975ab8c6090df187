"""A careful number has one value, whether the ledger or a board says it."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import CLAIMS, board
from ridgeline.boards.lecture import fleet as deepseek
from ridgeline.boards.picture import Curves

CAREFUL = Mode.CAREFUL


def claimed(claim_id: str) -> float:
    (found,) = (claim for claim in CLAIMS if claim.id == claim_id)
    assert found.careful is not None
    return found.careful()


def drawn(name: str, *, view: int = 0, **turned: float) -> Curves:
    one = board(name)
    picture = one.views[view].compute(one.values(CAREFUL, turned))
    assert isinstance(picture, Curves)
    return picture


def y_of(picture: Curves, name: str) -> np.ndarray:
    return next(line.y for line in picture.lines if line.name.startswith(name))


def mark(picture: Curves, name: str) -> tuple[float, float]:
    return next((found.x, found.y) for found in picture.marks if found.name == name)


def test_steps() -> None:
    """A6, A11 and A25's crossover; a context of one token adds less than a part in a thousand."""
    found = drawn("latency", context_tokens=1)
    assert y_of(found, "weight fetch")[-1] == pytest.approx(claimed("A6"))  # all experts, of a full batch
    assert mark(found, "balance batch")[0] == pytest.approx(claimed("A11"), rel=1e-3)
    grown, _ = mark(drawn("latency", context_tokens=1000), "balance batch")
    assert grown == pytest.approx(claimed("A25") * claimed("A11"))


def test_the_fleets_balance_batches() -> None:
    """A26, wherever a board runs as many."""
    for name in ("context", "prefill"):
        assert board(name).values(CAREFUL)["balance_batches"] == claimed("A26") == deepseek.balance_batches()
    assert mark(drawn("tokens"), "fleet")[0] == deepseek.decode_batch()


def test_crossovers() -> None:
    """D5 and D11, on one H100."""
    assert board("prefill").values(CAREFUL)["crossover_tokens"] == pytest.approx(claimed("D5"))
    crossover, _ = mark(drawn("context", balance_batches=1e6), "crossover")
    assert crossover == pytest.approx(claimed("D5"), rel=1e-5)  # weights still take a millionth


def test_reading_over_computing() -> None:
    """D7 and D8."""
    found = drawn("prefill")
    assert mark(found, "decode")[1] == pytest.approx(claimed("D7"))
    assert mark(found, "bound by compute from here")[0] == pytest.approx(claimed("D8"))


def test_what_making_a_cache_again_costs() -> None:
    """D14 and E9: a thousand hits of so many tokens."""
    found, at = drawn("tiers"), board("tiers").values(CAREFUL)
    again = y_of(found, "compute it again")[0] / (1e3 * at["context_tokens"])
    assert again == pytest.approx(claimed("D14"))
    held = np.interp(300.0, found.x, y_of(found, "HBM")) / (1e3 * at["context_tokens"])
    assert again / held == pytest.approx(claimed("E9"), rel=1e-3)  # between two points of a straight line


def test_a_stage_over_its_hand_over() -> None:
    """B8: one layer, bytes as they are sent, a copy for each chip that a token visits."""
    assert y_of(drawn("stages"), "bytes as sent")[0] == pytest.approx(claimed("B8"))
