"""Experts that a token reads: his 32, the published 8, and what another sparsity makes of them."""

from __future__ import annotations

import pytest
from tests.boards.reading import mark

from ridgeline.boards.board import Mode
from ridgeline.boards.companions import Account, Experts
from ridgeline.boards.lecture import CLAIMS, controls
from ridgeline.boards.lecture.batch.latency import BOARD
from ridgeline.boards.picture import Curves

PUBLISHED = 671 / 37


def drawn(mode: Mode = Mode.LECTURE, **turned: float) -> tuple[Curves, tuple[Account, ...]]:
    picture = BOARD.views[1].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    assert isinstance(picture.companion, Experts)
    assert picture.companion.experts == 256
    return picture, picture.companion.accounts


@pytest.mark.parametrize(("mode", "turned"), [(Mode.LECTURE, {"expansion": PUBLISHED}), (Mode.CAREFUL, {})])
def test_he_reads_32_of_256_and_the_published_model_8(mode: Mode, turned: dict[str, float]) -> None:
    picture, (his, theirs) = drawn(mode, **turned)
    (claim,) = (one for one in CLAIMS if one.id == "A11")
    assert his.read == claim.inputs["active_experts"].value
    # By parameters alone it comes to what the configuration of the catalog says.
    block = controls.routed_block(BOARD.facts().model)
    assert block is not None
    assert (theirs.name, theirs.read, block.experts) == ("DeepSeek-V3, published", block.active_experts, 256)
    for one, name in ((his, "his balance batch"), (theirs, "balance batch without contexts")):
        # Three digits are written.
        batch = float(one.batch_text.rpartition(" = ")[2].replace(",", ""))
        assert batch == pytest.approx(mark(picture, name)[0], rel=5e-3)


def test_at_his_own_ratio_there_is_one_account() -> None:
    _, accounts = drawn()
    assert [(one.name, one.read, one.batch_text) for one in accounts] == [("he says", 32, "300 × 8 = 2,400")]


def test_another_sparsity_lights_more_or_fewer() -> None:
    found = [drawn(expansion=ratio)[1][-1] for ratio in (2.0, 12.0, PUBLISHED, 30.0, 60.0)]
    read = [one.read for one in found]
    assert read == sorted(read, reverse=True)
    assert len(set(read)) == len(read)
    assert read[-1] == 1  # what all tokens read is more than that, and a router still chooses one
    assert found[1].name == "at sparsity 12"
