"""Mooncake's lines: what is written is read the same, whatever the clock, and blocks of 512 share what theirs did."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ridgeline.errors import RidgelineError
from ridgeline.traces import Requests, open_trace
from ridgeline.traces.write_mooncake import write_mooncake


@st.composite
def requests(draw: st.DrawFn) -> Requests:
    """Requests with arrivals of whole nanoseconds within 30 days, the first at 0."""
    count = draw(st.integers(1, 20))
    times = sorted(draw(st.lists(st.integers(0, 30 * 86_400 * 10**9), min_size=count, max_size=count)))
    lengths = st.lists(st.integers(1, 200_000), min_size=count, max_size=count)
    blocks = st.lists(st.integers(0, 2**63 - 1), max_size=5).map(tuple)
    return Requests(
        arrivals_s=np.array([(one - times[0]) / 1e9 for one in times]),
        prompt_tokens=np.array(draw(lengths)),
        output_tokens=np.array(draw(lengths)),
        prefix_hashes=tuple(draw(st.lists(blocks, min_size=count, max_size=count))),
    )


# A time of four weeks, whose seconds are off by one where milliseconds are divided before they are rounded.
BY_A_NANOSECOND = Requests(
    arrivals_s=np.array([0, 2259701701925027 / 1e9]),
    prompt_tokens=np.ones(2, np.int64),
    output_tokens=np.ones(2, np.int64),
    prefix_hashes=((), ()),
)


@given(requests(), st.integers(1, 25))
@example(BY_A_NANOSECOND, 1)
def test_what_is_written_is_read_the_same(given_: Requests, most: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        write_mooncake(given_, path, block_tokens=512)
        found = list(open_trace(path).blocks(most))
    assert np.concatenate([one.arrivals_s for one in found]).tolist() == given_.arrivals_s.tolist()
    assert np.concatenate([one.prompt_tokens for one in found]).tolist() == given_.prompt_tokens.tolist()
    assert np.concatenate([one.output_tokens for one in found]).tolist() == given_.output_tokens.tolist()
    assert tuple(hashes for one in found for hashes in one.prefix_hashes or ()) == given_.prefix_hashes


def of_prompts(*prompts: int, hashes: tuple[tuple[int, ...], ...] | None = None) -> Requests:
    count = len(prompts)
    return Requests(
        arrivals_s=np.arange(count) / 3,
        prompt_tokens=np.array(prompts),
        output_tokens=np.ones(count, np.int64),
        prefix_hashes=hashes,
    )


def blocks_of(written: Requests, folder: Path, block_tokens: int | None) -> tuple[tuple[int, ...], ...]:
    write_mooncake(written, folder / "log", block_tokens=block_tokens)
    (found,) = open_trace(folder / "log").blocks()
    return found.prefix_hashes or ()


def test_blocks_of_16_tokens_become_blocks_of_512_that_share_as_much(tmp_path: Path) -> None:
    """Prompts share a block of 512 tokens where they share all 32 of 16 that it has."""
    shared, own = tuple(range(70)), tuple(range(1000, 1040))
    hashes = (shared[:40], shared[:64] + own, shared[:33] + own, shared[:40])
    found = blocks_of(of_prompts(*(16 * len(one) for one in hashes), hashes=hashes), tmp_path, 16)
    assert [len(one) for one in found] == [-(-len(one) // 32) for one in hashes]
    assert found[0] == found[3]
    assert found[0][0] == found[1][0] == found[2][0]
    assert len({found[0][1], found[1][1], found[2][1]}) == 3  # each goes its own way from there on


def test_prompts_without_hashes_share_nothing(tmp_path: Path) -> None:
    found = blocks_of(of_prompts(1, 512, 513, 1025), tmp_path, None)
    assert [len(one) for one in found] == [1, 1, 2, 3]
    assert len({one for hashes in found for one in hashes}) == 7


def test_blocks_that_do_not_come_together_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RidgelineError, match="blocks of 48 do not come together"):
        write_mooncake(of_prompts(48, hashes=((1,),)), tmp_path / "log", block_tokens=48)
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("kept")
    broken = of_prompts(5, 6, hashes=((1,), None))  # type: ignore[arg-type]  # breaks in the second line
    with pytest.raises(TypeError):
        write_mooncake(broken, path, block_tokens=512)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("log", "kept")]
