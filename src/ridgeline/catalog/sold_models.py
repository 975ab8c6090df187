"""Models of the catalog behind the names under which hosts sell them."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, FactFile
from ridgeline.catalog.models import model_ids

__all__ = ["sold_model"]


class SoldAs(FactFile):
    """Names that the catalog does not have, and its own."""

    names: tuple[str, ...]
    model: str
    source: str
    date: dt.date
    note: str = ""


class SoldModels(FactFile):
    """The contents of ``sold_models.toml``."""

    sold: tuple[SoldAs, ...]


def sold_model(listing: str) -> str | None:
    """Catalog id of the model that a listing sells; None where the catalog has none of that name.

    Hosts append to a name, such as "instruct" or "turbo", and prepend only the owner. A further number would make it
    another model.

    >>> sold_model("together/meta-llama/Llama-3.3-70B-Instruct-Turbo"), sold_model("fireworks/glm-5p2")
    ('llama-3.1-70b', 'glm-5.2')
    >>> sold_model("deepseek/deepseek-v3.1-terminus") is None, sold_model("anthropic/claude-opus-5-5") is None
    (True, True)
    """
    written = listing.rpartition("/")[2].partition(":")[0].lower()
    written = re.sub(r"(?<=\d)p(?=\d)", ".", written).removeprefix("meta-").replace("_", "-")
    found = [name for name in _names() if _is_prefix(name, written)]
    return _names()[max(found, key=len)] if found else None


def _is_prefix(name: str, written: str) -> bool:
    """Whether a name stands at the beginning, and is not followed by a number of its own."""
    rest = written.removeprefix(name)
    return written.startswith(name) and re.match(r"(-\D.*|-\d{4,}.*)?\Z", rest) is not None


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Catalog ids by known names."""
    others = read_toml(CATALOG / "sold_models.toml", SoldModels).sold
    return {one: one for one in model_ids()} | {name: one.model for one in others for name in one.names}
