"""Text of any characters: hypothesis's own takes two seconds to find out which ones UTF-8 can write."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st

__all__ = ["any_text"]

any_text = partial(st.text, st.characters(exclude_categories=["Cs"]))
"""As ``st.text``, without the surrogates, which alone have no encoding."""
