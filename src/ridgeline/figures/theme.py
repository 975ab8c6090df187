"""The colours of a picture."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DARK", "LIGHT", "THEMES", "Theme"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours that can be told apart by people who see few, and read as text on the background.

    Attributes:
        name: name on the command line.
        background: background of the whole picture.
        beyond: background of panels, and of the part of one that does not fit in memory.
        ink: titles, and the bound.
        muted: axes, captions and footers.
        compute: arithmetic and its bound.
        weights: reading of the weights.
        kv: reading keys and values.
        links: messages, and the cables and networks that they take.
        money: prices and costs.
        estimate: a layout's estimate; on boards a quantity that none of the others is about.
        away: links out of a rack, and what is handed over on them.
        also: a second quantity that none of the others is about, quiet.
        right: statements that hold, and right answers.
        wrong: statements that do not hold, and wrong answers.
        interval: around the estimate; solid, since not every program that shows an SVG knows transparency.
    """

    name: str
    background: str
    beyond: str
    ink: str
    muted: str
    compute: str
    weights: str
    kv: str
    links: str
    money: str
    estimate: str
    away: str
    also: str
    right: str
    wrong: str
    interval: str


LIGHT = Theme(
    name="light",
    background="#fbfaf6",
    beyond="#f0eee6",
    ink="#1b1d1f",
    muted="#615f5e",
    compute="#376abc",
    weights="#644b24",
    kv="#b8480d",
    links="#6a45d7",
    money="#157b4b",
    estimate="#b03d87",
    away="#005566",
    also="#30306c",
    right="#1d7a4b",
    wrong="#b3261e",
    interval="#f4e6f1",
)
DARK = Theme(
    name="dark",
    background="#17211d",
    beyond="#1f2b26",
    ink="#f2efe4",
    muted="#a6b3ae",
    compute="#88c0ff",
    weights="#d2ba86",
    kv="#f99950",
    links="#9b86ff",
    money="#94eeb2",
    estimate="#ee5f87",
    away="#65d9de",
    also="#7f9fb5",
    right="#6fd39a",
    wrong="#ff8a80",
    interval="#3c2134",
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
