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


def test_a_day_before_the_first_sale_is_refused_and_other_days_say_what_is_not_known() -> None:
    with pytest.raises(CatalogError, match="its first day is 2026-04-24; write --date 2026-04-24 or later"):
        quote("deepseek/deepseek-v4-pro", hour_of(dt.date(2026, 4, 23)))
    assert not quote("deepseek/deepseek-v4-pro", hour_of(dt.date(2026, 4, 24))).notes
    (old,) = quote("openai/gpt-5", hour_of(dt.date(2024, 1, 1))).notes
    assert "the oldest that is known is shown for 2024-01-01" in old
    (late,) = quote("openai/gpt-5", hour_of(dt.date(2030, 1, 1))).notes
    assert "what is known ends on 2026-11-20" in late


def test_a_retired_name_is_marked_from_the_day_after_its_last() -> None:
    last = dt.date(2026, 7, 24)
    assert not quote("deepseek/deepseek-chat", hour_of(last)).is_retired
    after = quote("deepseek/deepseek-chat", hour_of(last + dt.timedelta(days=1)))
    assert after.is_retired
    assert "V4 Flash" in after.notes[0]
    assert quote("cerebras/llama-3.3-70b").is_retired  # as genai-prices marks it


def test_names_are_found_in_any_case_and_near_ones_are_of_the_same_kind() -> None:
    assert quote("zai/glm-5").id == "zai/GLM-5"
    with pytest.raises(
        CatalogError, match="models' names begin: write one of them, such as together/meta-llama/Llama-4"
    ):
        quote("together/meta-llama")
    for asked in ("openrouter/anthropic", "openrouter/anthropic/"):
        with pytest.raises(CatalogError, match=r"; ridgeline catalog prices openrouter lists all of that provider's$"):
            quote(asked)
    with pytest.raises(CatalogError, match="ridgeline catalog prices OpenAI lists all of its models"):
        quote("OpenAI/")
    with pytest.raises(CatalogError, match="near are mistral/mistral-large"):
        quote("mistral/mistral-large-latest")
    with pytest.raises(CatalogError, match=r"(?i)near are (\S*llama-3\.1-70b[^\s,;]*(, )?){3}(;|$)"):
        quote("deepinfra/llama-3.1-70b")
    # A size that nobody asked for is no help.
    with pytest.raises(CatalogError, match="provider 'deepinfra'; ridgeline catalog prices llama lists"):
        quote("deepinfra/llama")
    with pytest.raises(CatalogError, match=r"near are .*; ridgeline catalog prices llama-3\.3-70b lists"):
        quote("llama-3.3-70b")
    with pytest.raises(CatalogError, match=r"'openai' is a provider: .* such as openai/gpt-6\.1-sol"):
        quote("openai")


def test_openais_fast_is_its_priority_tier() -> None:
    """Under an older name, at the same prices; no speed is promised."""
    assert set(quote("openai/gpt-5").modes) == {"batch", "flex", "priority"}
    assert "fast" in quote("anthropic/claude-opus-5").modes


def test_what_is_no_text_model_is_refused() -> None:
    silent = next(one for one in listings("voyageai"))
    with pytest.raises(CatalogError, match="no price of a token"):
        quote(silent)
    with pytest.raises(CatalogError, match="must be from 0 to 23"):
        hour_of(hour=24)


def test_peak_hours_begin_on_their_day_and_leave_weekends_out() -> None:
    """Twice the other hours of that day; by the library alone they held in May as well."""

    def output(model: str, day: dt.date, hour: int) -> float:
        return round(quote(f"deepseek/{model}", hour_of(day, hour)).prices.output * 1e6, 4)

    assert output("deepseek-v4-pro", dt.date(2026, 5, 1), 2) == 0.87
    assert output("deepseek-v4-pro", dt.date(2026, 8, 16), 7) == 0.87
    assert output("deepseek-v4-pro", dt.date(2026, 8, 17), 2) == 3.96
    assert output("deepseek-v4-pro", dt.date(2026, 8, 17), 4) == 1.98
    assert output("deepseek-v4-flash", dt.date(2026, 8, 20), 6) == 1.32
    assert output("deepseek-v4-flash", dt.date(2026, 11, 20), 6) == 1.2
    assert output("deepseek-v4-pro", dt.date(2026, 11, 21), 2) == 1.98  # a Saturday
