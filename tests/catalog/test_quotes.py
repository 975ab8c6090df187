from __future__ import annotations

import datetime as dt

import pytest

from ridgeline.catalog import CatalogError, quotes
from ridgeline.catalog.list_prices import list_prices
from ridgeline.catalog.quotes import hour_of, listings, price_days, quote
from ridgeline.equations.pricing import usd_per_request

NOON = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)


def test_a_step_reprices_the_whole_request() -> None:
    """As genai-prices bills it: 0.2600 and 0.5150025 dollars for one token more."""
    gemini = quote("google/gemini-2.5-pro")

    def billed(tokens: int) -> float:
        prices = gemini.at(tokens)
        return float(
            usd_per_request(
                input_tokens=tokens,
                output_tokens=1000,
                usd_per_input_token=prices.input,
                usd_per_output_token=prices.output,
            )
        )

    assert billed(200_000) == pytest.approx(0.26)
    assert billed(200_001) == pytest.approx(0.5150025)


def test_prices_have_days() -> None:
    """Opus 4.6 lost its step on 2026-03-13."""
    assert price_days("anthropic/claude-opus-4-6") == (dt.date(2026, 3, 13),)
    assert quote("anthropic/claude-opus-4-6", hour_of(dt.date(2026, 3, 12))).cliffs
    assert not quote("anthropic/claude-opus-4-6", hour_of(dt.date(2026, 3, 13))).cliffs


@pytest.mark.parametrize("listing", [one.listing for one in list_prices().values()])
def test_the_catalogs_own_list_is_the_librarys(listing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hands, one day: what the catalog's list has, the library has too, but for storage by the hour."""
    with_library = quote(listing, NOON)
    monkeypatch.setattr(quotes, "has_library", lambda: False)
    own = quote(listing, NOON)
    assert "pip install" in own.source
    assert own.cache_storage == with_library.cache_storage
    for name, usd in own.prices.given().items():
        assert with_library.prices.given()[name] == pytest.approx(usd), name
    for ours, theirs in zip(own.cliffs, with_library.cliffs, strict=False):
        assert ours.threshold_tokens == theirs.threshold_tokens
        assert ours.prices.output == pytest.approx(theirs.prices.output)


def test_facts_that_the_library_lacks_hold_from_their_day() -> None:
    flash = "google/gemini-3.8-flash"
    before, after = (quote(flash, hour_of(dt.date(year, 2, 1))).cache_storage for year in (2026, 2027))
    assert before is None
    assert after == pytest.approx(1e-6 / 3600)
    assert quote("openai/gpt-6.1-sol").modes["ultrafast"].output == pytest.approx(60e-6)


def test_what_is_no_text_model_is_refused() -> None:
    silent = next(one for one in listings("voyageai"))
    with pytest.raises(CatalogError, match="no price of a token"):
        quote(silent)
    with pytest.raises(CatalogError, match="must be from 0 to 23"):
        hour_of(hour=24)
