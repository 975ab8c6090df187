"""The colours of a picture."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DARK", "LIGHT", "THEMES", "Theme"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours that can be told apart by people who see few, and read as text on the background.

    Attributes:
        name: as on the command line.
        background: of the whole picture.
        beyond: of the part of a panel that does not fit in memory.
        ink: titles, and the bound.
        muted: axes, captions and footers.
        compute: arithmetic.
        kv: reading keys and values.
        weights: reading weights.
        estimate: a layout's estimate.
        interval: around the estimate; solid, since not every program that shows an SVG knows transparency.
    """

    name: str
    background: str
    beyond: str
    ink: str
    muted: str
    compute: str
    kv: str
    weights: str
    estimate: str
    interval: str


LIGHT = Theme(
    name="light",
    background="#ffffff",
    beyond="#f1f1ee",
    ink="#16181d",
    muted="#5a5f69",
    compute="#0059b3",
    kv="#b84a00",
    weights="#6f5f3c",
    estimate="#8520ec",
    interval="#eadafc",
)
DARK = Theme(
    name="dark",
    background="#14171c",
    beyond="#20242b",
    ink="#f4f4f0",
    muted="#a7adb8",
    compute="#6db3ff",
    kv="#ff9a52",
    weights="#cdbb8a",
    estimate="#ff4fa8",
    interval="#3c2134",
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
