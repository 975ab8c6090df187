"""The figures' colours as the page has them: variables by name, in both themes."""

from __future__ import annotations

from dataclasses import fields

from ridgeline.figures.theme import DARK, LIGHT, Theme

__all__ = ["theme_css"]


def theme_css() -> str:
    """A style sheet: as the reader's system has it, unless the page says which."""
    light, dark = map(_rules, (LIGHT, DARK))
    return (
        f":root{{{light}}}"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
        f":root[data-theme=dark]{{{dark}}}"
    )


def _rules(theme: Theme) -> str:
    colours = (f"--{one.name}:{getattr(theme, one.name)};" for one in fields(theme) if one.name != "name")
    return f"color-scheme:{theme.name};{''.join(colours)}"
