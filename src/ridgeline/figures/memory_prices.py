"""Purchase prices per gigabyte of each kind of memory, over time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ridgeline.boards.scale import LINEAR, LOGARITHMIC
from ridgeline.catalog.storage import StorageDevice
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Line, Mark, Panel, Points
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import DAY_S, JULIAN_YEAR_S

__all__ = ["memory_prices_figure"]

WHERE = (0.085, 0.19, 0.84, 0.54)
"""Left, bottom, width and height of the panel, in parts of the picture."""
BESIDE = 0.25
"""Margin of the time axis beside the first and the last price, in years."""
ROOM = 3.0
"""Factor from the dearest and the cheapest price to the ends of the upright axis."""


def memory_prices_figure(
    devices: Mapping[str, StorageDevice], *, title: str, subtitle: str, foot: str, theme: Theme
) -> Figure:
    """One panel of slide size: a dot a price, joined where a device has several; what rose says by how much.

    Args:
        devices: devices of the catalog; those without a price are left out, and those with the price of another.
        title: title of the picture.
        subtitle: dates of the prices.
        foot: sources of the prices.
        theme: colours of the picture.
    """
    bought = dict(_different(devices))
    spots = {
        key: np.array([(_year(one.date), one.value / device.capacity()) for one in device.usd])
        for key, device in bought.items()
    }
    every = np.concatenate(list(spots.values()))
    low, high = float(every[:, 0].min()) - BESIDE, float(every[:, 0].max()) + BESIDE
    colours = {key: _colour(device, theme) for key, device in bought.items()}
    several = {key: each for key, each in spots.items() if len(each) > 1}
    single = {key: each for key, each in spots.items() if len(each) == 1}
    panel = Panel(
        heading="Price of memory",
        caption="dollars a gigabyte",
        x_caption="year",
        x=np.array([low, high]),
        lines=tuple(
            Line(name="", x=each[:, 0], y=each[:, 1], colour=colours[key], bold=True) for key, each in several.items()
        ),
        marks=tuple(
            Mark(x=float(each[-1, 0]), y=float(each[-1, 1]), text=_risen(bought[key], each), colour=colours[key])
            for key, each in several.items()
        ),
        points=tuple(
            Points(name="", x=each[:, 0], y=each[:, 1], labels=(_said(bought[key], each[0, 1]),), colour=colours[key])
            for key, each in single.items()
        )
        + tuple(
            Points(
                name="",
                x=each[:-1, 0],
                y=each[:-1, 1],
                labels=tuple(_price(value) for value in each[:-1, 1]),
                colour=colours[key],
            )
            for key, each in several.items()
        ),
        show=_price,
        show_x=lambda year: format_quantity(year, "year"),
        x_scale=LINEAR,
        y_scale=LOGARITHMIC,
        x_low=low,
        top=ROOM * float(every[:, 1].max()),
        bottom=float(every[:, 1].min()) / ROOM,
    )
    with slide(theme, title=title, subtitle=subtitle, foot=foot) as pen:
        draw_panel(pen, panel, pen.figure.add_axes(WHERE))
    return pen.figure


def _different(devices: Mapping[str, StorageDevice]) -> Iterator[tuple[str, StorageDevice]]:
    """Devices with purchase prices, except those whose prices per byte are all another device's."""
    known: set[tuple[dt.date, float]] = set()
    for key, device in devices.items():
        prices = {(one.date, round(one.value / device.capacity() * 1e9, 1)) for one in device.usd}
        if not prices <= known:
            yield key, device
        known |= prices


def _year(day: dt.date) -> float:
    return day.year + (day - dt.date(day.year, 1, 1)).days * DAY_S / JULIAN_YEAR_S


def _colour(device: StorageDevice, theme: Theme) -> str:
    known = {"HBM": theme.estimate, "flash": theme.also, "disk": theme.ink}
    return known.get(device.tier, theme.muted)


def _price(usd_per_byte: float) -> str:
    return format_quantity(usd_per_byte, "usd_per_byte", 2).removesuffix("/GB")


def _said(device: StorageDevice, usd_per_byte: float) -> str:
    """Beginning of a device's name."""
    return f"{device.name.partition(' (')[0].partition(',')[0]}: {_price(usd_per_byte)}"


def _risen(device: StorageDevice, spots: NDArray[np.float64]) -> str:
    ratio = format_quantity(float(spots[-1, 1] / spots[0, 1]), "count", 2)
    return f"{device.tier}: {_price(float(spots[-1, 1]))},\n{ratio} times the first price"
