from __future__ import annotations

import pytest

from ridgeline.boards.lecture import BOARDS
from ridgeline.web.answers import MOST_CHARACTERS, MOST_FIELDS, FieldError, UnknownPathError, answers
from ridgeline.web.facts import Dropped

DROPPED = Dropped()


def test_a_field_that_no_board_has_is_left_out_and_said() -> None:
    plain = answers("boards/latency/views", {"chips": "8"}, DROPPED)
    tracked = answers("boards/latency/views", {"chips": "8", "fbclid": "x", "utm_source": "mail"}, DROPPED)
    assert plain["ignored"] == {}
    assert list(tracked["ignored"]) == ["fbclid", "utm_source"]
    assert "no control 'fbclid'; it has active_params" in tracked["ignored"]["fbclid"]
    assert tracked | {"ignored": {}} == plain


def test_of_what_is_wrong_controls_alone_are_refused() -> None:
    with pytest.raises(FieldError, match="outside 1 to") as caught:
        answers("boards/latency/views", {"fbclid": "x", "chips": "0", "hbm_bytes_per_s": "3"}, DROPPED)
    assert set(caught.value.wrong) == {"chips", "hbm_bytes_per_s"}


def test_fields_are_few_and_short() -> None:
    assert max(len(one.controls) for one in BOARDS) < MOST_FIELDS / 2
    with pytest.raises(FieldError, match="more than"):
        answers("boards/latency/views", {f"x{number}": "1" for number in range(MOST_FIELDS + 1)}, DROPPED)
    with pytest.raises(FieldError, match="longer") as caught:
        answers("shelf", {"x" * 1000: ""}, DROPPED)
    assert caught.value.field == "x" * MOST_CHARACTERS


@pytest.mark.parametrize("path", ["", "shelves", "boards", "boards/latency/view", "boards/latency/views/0", "/shelf"])
def test_a_path_that_nothing_answers_is_said_to_be_one(path: str) -> None:
    with pytest.raises(UnknownPathError, match="is not answered"):
        answers(path, {}, DROPPED)
