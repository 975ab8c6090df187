"""Each claim that does not reproduce has a name for a picture of all claims, and no other has."""

from __future__ import annotations

from ridgeline.boards.claim import Verdict
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.short_names import SHORT_NAMES

MOST_CHARACTERS = 30
"""A quarter of the picture's width, which claims in its corners need."""


def test_claims_that_do_not_reproduce_have_short_names() -> None:
    failing = {claim.id for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE}
    assert set(SHORT_NAMES) == failing
    assert len(set(SHORT_NAMES.values())) == len(SHORT_NAMES)
    assert max(map(len, SHORT_NAMES.values())) <= MOST_CHARACTERS
