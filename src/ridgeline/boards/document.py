"""A board as plain data: what the command line prints with ``--json`` and the page draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, TypeVar

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import Board, Control, Facts, Mode, Symbol, Term, Values, View
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.picture import Axis, Colour, Curves, Dots, Mark, Picture, Schematic, Sheet, Table, Timeline
from ridgeline.boards.scale import scale
from ridgeline.boards.scene import Gantt, Multiples, Racks, Scene, Trains
from ridgeline.boards.scene_document import (
    BeliefsDocument,
    GanttDocument,
    MultiplesDocument,
    RacksDocument,
    SceneDocument,
    TrainsDocument,
    beliefs_document,
    gantt_document,
    multiples_document,
    racks_document,
    scene_document,
    trains_document,
)
from ridgeline.glossary import GLOSSARY

__all__ = [
    "AxesDocument",
    "AxisDocument",
    "BeliefsViewDocument",
    "BlockDocument",
    "BoxDocument",
    "CableDocument",
    "ControlDocument",
    "CurvesDocument",
    "CurvesViewDocument",
    "DotsDocument",
    "GanttViewDocument",
    "LetterDocument",
    "LineDocument",
    "MarkDocument",
    "MultiplesViewDocument",
    "PictureDocument",
    "RacksViewDocument",
    "SchematicDocument",
    "SchematicViewDocument",
    "SheetDocument",
    "SheetViewDocument",
    "TableDocument",
    "TableViewDocument",
    "TermDocument",
    "TimelineDocument",
    "TimelineViewDocument",
    "TrainsViewDocument",
    "ViewDocument",
    "board_document",
    "control_document",
    "flat",
    "letter_document",
    "marks",
    "term_document",
    "view_document",
    "views_document",
]

Frame = tuple[float, float]
"""Ends of x that a picture is to have."""


class TermDocument(TypedDict):
    """A part of a board's formula.

    Attributes:
        tex: as in LaTeX's math mode.
        colour: of the lines that it makes; null for what joins the terms.
    """

    tex: str
    colour: Colour | None


class LetterDocument(TypedDict):
    """A letter of a formula, explained.

    Attributes:
        tex: as it stands in the formula.
        meaning: a noun phrase, with its unit where it has one.
    """

    tex: str
    meaning: str


class ControlDocument(TypedDict):
    """A number that can be turned, and where it starts in each mode.

    Attributes:
        name: the glossary's; in links and on the command line.
        label: what it is called.
        symbol: its letter; empty where it has none.
        meaning: what is said of a number of it: "4 stages".
        dimension: in which it is written.
        low: end of its range, in base units as all here.
        high: the other end.
        is_whole: whether it counts what cannot be divided.
        lecture: where it starts with the lecture's numbers.
        careful: where it starts with the catalog's; null where the model or the machine does not have it.
        lecture_origin: whose number the lecture's is.
        lecture_time_stamp: when it was said.
        hedge: how the speaker limited it.
    """

    name: str
    label: str
    symbol: str
    meaning: str
    dimension: str
    low: float
    high: float
    is_whole: bool
    lecture: float | None
    careful: float | None
    lecture_origin: NotRequired[Origin]
    lecture_time_stamp: NotRequired[str]
    hedge: NotRequired[str]


class AxisDocument(TypedDict):
    """One axis.

    Attributes:
        caption: in words, with its unit where the numbers do not carry one.
        dimension: in which its numbers are written.
        is_logarithmic: whether equal steps are equal ratios.
        ends: of what is shown, where there are lines.
        ticks: between them.
    """

    caption: str
    dimension: str
    is_logarithmic: bool
    ends: NotRequired[tuple[float, float]]
    ticks: NotRequired[list[float]]


class AxesDocument(TypedDict):
    """Both axes of a view, the same for all that is drawn in it.

    Attributes:
        x: along.
        y: upright.
    """

    x: AxisDocument
    y: AxisDocument


class LineDocument(TypedDict):
    """A line over the picture's x.

    Attributes:
        name: written where it ends.
        colour: what it is about.
        is_bold: whether it is what the board is about.
        is_floor: whether it is a bound or a level to compare with.
        y: its values.
        high: up to where they may lie; null where there is no band.
    """

    name: str
    colour: Colour
    is_bold: bool
    is_floor: bool
    y: list[float]
    high: list[float] | None


class MarkDocument(TypedDict):
    """A point on a line.

    Attributes:
        name: of what lies there.
        x: where.
        y: how high.
        line: name of the line that it lies on.
        text: written beside it.
        colour: what it is about.
        is_fixed: whether no control moves it along its line: it cannot be dragged.
    """

    name: str
    x: float
    y: float
    line: str
    text: str
    colour: Colour
    is_fixed: bool


class DotsDocument(TypedDict):
    """Things that lie on no line: models, machines, prices.

    Attributes:
        name: of all of them.
        is_named: whether that is written at the right, as a line's is.
        x: where.
        y: how high.
        labels: of each; empty for those that stay without a name.
        colour: what they are about.
    """

    name: str
    is_named: bool
    x: list[float]
    y: list[float]
    labels: list[str]
    colour: Colour


class CurvesDocument(TypedDict):
    """Lines over one x.

    Attributes:
        x: rising; empty where no line reaches what is shown.
        lines: from the back to the front.
        marks: on them.
        dots: over them.
        is_whole: whether lines are known at their points alone.
    """

    x: list[float]
    lines: list[LineDocument]
    marks: list[MarkDocument]
    dots: list[DotsDocument]
    is_whole: bool


class TableDocument(TypedDict):
    """Numbers by row and column, the darker the larger.

    Attributes:
        values: row after row.
        is_written: whether each number is written into its cell.
        text: what the table says.
        first: number of the first row and of the first column.
    """

    values: list[list[float]]
    is_written: bool
    text: str
    first: int


class BlockDocument(TypedDict):
    """What one row of a timeline does for a while.

    Attributes:
        row: which, from 0 at the top.
        start: on the axis along.
        end: the same.
        text: written into it.
        colour: what it is about.
    """

    row: int
    start: float
    end: float
    text: str
    colour: Colour


class TimelineDocument(TypedDict):
    """Who does what when; what is empty idles.

    Attributes:
        rows: names, from the top.
        blocks: none of a row over another.
        text: what it says.
    """

    rows: list[str]
    blocks: list[BlockDocument]
    text: str


class SheetDocument(TypedDict):
    """A table of words and numbers.

    Attributes:
        columns: headings, that of the rows' names first.
        rows: cells, as many as columns.
        bold: numbers of the rows that matter most.
        text: what it says.
    """

    columns: list[str]
    rows: list[list[str]]
    bold: list[int]
    text: str


class BoxDocument(TypedDict):
    """A rectangle of a schematic.

    Attributes:
        x: left edge, in the schematic's own units.
        y: upper edge, counted downwards.
        width: to the right.
        height: downwards.
        text: written inside; at the upper edge of a frame.
        colour: what it is about.
        is_frame: whether it is an outline around others.
    """

    x: float
    y: float
    width: float
    height: float
    text: str
    colour: Colour
    is_frame: bool


class CableDocument(TypedDict):
    """A straight connection of a schematic.

    Attributes:
        x: where it begins, in the schematic's own units.
        y: the same, counted downwards.
        to_x: where it ends.
        to_y: the same.
        colour: what it is about.
        text: written beside its middle.
        is_arrow: whether something moves along it, towards its end.
        is_dashed: whether it is one of several ways, or slower than the others.
        width: in points.
    """

    x: float
    y: float
    to_x: float
    to_y: float
    colour: Colour
    text: str
    is_arrow: bool
    is_dashed: bool
    width: float


class SchematicDocument(TypedDict):
    """Parts and how they are connected.

    Attributes:
        width: of the whole, in its own units.
        height: the same.
        boxes: from the back to the front.
        cables: behind the filled boxes, over the frames.
        text: what it says.
    """

    width: float
    height: float
    boxes: list[BoxDocument]
    cables: list[CableDocument]
    text: str


class _OfViews(TypedDict):
    """What views of all kinds have.

    Attributes:
        heading: what is drawn against what; empty where the board's title says it.
        axes: of the pictures of all modes.
    """

    heading: str
    axes: AxesDocument


class CurvesViewDocument(_OfViews):
    """Lines of each mode over one x.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["curves"]
    pictures: dict[Mode, CurvesDocument]


class TableViewDocument(_OfViews):
    """A table of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["table"]
    pictures: dict[Mode, TableDocument]


class TimelineViewDocument(_OfViews):
    """A timeline of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["timeline"]
    pictures: dict[Mode, TimelineDocument]


class SheetViewDocument(_OfViews):
    """A sheet of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["sheet"]
    pictures: dict[Mode, SheetDocument]


class SchematicViewDocument(_OfViews):
    """A schematic of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["schematic"]
    pictures: dict[Mode, SchematicDocument]


class TrainsViewDocument(_OfViews):
    """Trains of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["trains"]
    pictures: dict[Mode, TrainsDocument]


class RacksViewDocument(_OfViews):
    """Racks of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["racks"]
    pictures: dict[Mode, RacksDocument]


class GanttViewDocument(_OfViews):
    """Schedules of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["gantt"]
    pictures: dict[Mode, GanttDocument]


class MultiplesViewDocument(_OfViews):
    """Small drawings of each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["multiples"]
    pictures: dict[Mode, MultiplesDocument]


class BeliefsViewDocument(_OfViews):
    """What is believed in each mode.

    Attributes:
        kind: of the pictures.
        pictures: of the modes that are shown.
    """

    kind: Literal["beliefs"]
    pictures: dict[Mode, BeliefsDocument]


PictureDocument = CurvesDocument | TableDocument | TimelineDocument | SheetDocument | SchematicDocument | SceneDocument
"""What is drawn of one mode."""
ViewDocument = (
    CurvesViewDocument
    | TableViewDocument
    | TimelineViewDocument
    | SheetViewDocument
    | SchematicViewDocument
    | TrainsViewDocument
    | RacksViewDocument
    | GanttViewDocument
    | MultiplesViewDocument
    | BeliefsViewDocument
)
"""One picture of a board in the modes that are shown."""


def board_document(board: Board, values: Values, facts: Facts) -> dict[str, Any]:
    """All of a board at some values of its controls, and the points that matter on it in both modes."""
    starts = board.starts(facts)
    return {
        "title": board.title,
        "question": board.question,
        "caption": board.caption,
        "formula": [term_document(term) for term in board.formula],
        "controls": [{**control_document(control, facts), "value": values[control.name]} for control in board.controls],
        "views": [view_document(view, values) for view in board.views],
        "marks": {mode.value: marks(board, found) for mode, found in starts.items()},
        "symbols": [letter_document(one) for one in board.symbols],
    }


def view_document(view: View, values: Values) -> dict[str, Any]:
    """One picture, with the ends and the ticks of its axes where it has lines."""
    picture = view.compute(values)
    kind, document = _picture(picture)
    axes = _ruled(view, _along([picture]), [(picture, picture)]) if isinstance(picture, Curves) else _axes(view)
    return {"heading": view.heading, "axes": axes, "kind": kind, **document}


def views_document(
    board: Board, values: Mapping[Mode, Values], over: Sequence[Frame | None] | None = None
) -> list[ViewDocument]:
    """All views in the modes that are shown: of each one pair of axes, over which the lines of all modes are drawn.

    Args:
        board: whose views.
        values: of all controls, by mode.
        over: for each view the ends of x that are wanted, or None for those of its lines.
    """
    frames = over or [None] * len(board.views)
    return [_view(view, values, frame) for view, frame in zip(board.views, frames, strict=True)]


def _view(view: View, values: Mapping[Mode, Values], frame: Frame | None) -> ViewDocument:
    pictures = {mode: view.compute(at) for mode, at in values.items()}
    heading, axes = view.heading, _axes(view)
    found: ViewDocument
    match next(iter(pictures.values())):
        case Curves():
            curves = _of_kind(Curves, pictures)
            along = frame or _along(curves.values())
            drawn = {mode: one.over(*along) for mode, one in curves.items()}
            axes = _ruled(view, along, [(one, drawn[mode]) for mode, one in curves.items()])
            documents = {mode: _curves(one) for mode, one in drawn.items()}
            found = {"heading": heading, "axes": axes, "kind": "curves", "pictures": documents}
        case Table():
            tables = _each(Table, pictures, _table)
            found = {"heading": heading, "axes": axes, "kind": "table", "pictures": tables}
        case Timeline():
            timelines = _each(Timeline, pictures, _timeline)
            found = {"heading": heading, "axes": axes, "kind": "timeline", "pictures": timelines}
        case Sheet():
            sheets = _each(Sheet, pictures, _sheet)
            found = {"heading": heading, "axes": axes, "kind": "sheet", "pictures": sheets}
        case Schematic():
            schematics = _each(Schematic, pictures, _schematic)
            found = {"heading": heading, "axes": axes, "kind": "schematic", "pictures": schematics}
        case scene:
            found = _scene_view(scene, pictures, heading, axes)
    return found


def _scene_view(
    first: Scene | Beliefs, pictures: Mapping[Mode, Picture], heading: str, axes: AxesDocument
) -> ViewDocument:
    """Of the kind of the first."""
    found: ViewDocument
    match first:
        case Trains():
            trains = _each(Trains, pictures, trains_document)
            found = {"heading": heading, "axes": axes, "kind": "trains", "pictures": trains}
        case Racks():
            racks = _each(Racks, pictures, racks_document)
            found = {"heading": heading, "axes": axes, "kind": "racks", "pictures": racks}
        case Gantt():
            gantts = _each(Gantt, pictures, gantt_document)
            found = {"heading": heading, "axes": axes, "kind": "gantt", "pictures": gantts}
        case Multiples():
            multiples = _each(Multiples, pictures, multiples_document)
            found = {"heading": heading, "axes": axes, "kind": "multiples", "pictures": multiples}
        case Beliefs():
            beliefs = _each(Beliefs, pictures, beliefs_document)
            found = {"heading": heading, "axes": axes, "kind": "beliefs", "pictures": beliefs}
    return found


Kind = TypeVar("Kind", Curves, Table, Timeline, Sheet, Schematic, Trains, Racks, Gantt, Multiples, Beliefs)
Written = TypeVar("Written")


def _each(
    kind: type[Kind], pictures: Mapping[Mode, Picture], document: Callable[[Kind], Written]
) -> dict[Mode, Written]:
    """The document of each mode's picture, which are of one kind."""
    return {mode: document(one) for mode, one in _of_kind(kind, pictures).items()}


def _of_kind(kind: type[Kind], pictures: Mapping[Mode, Picture]) -> dict[Mode, Kind]:
    found = {mode: one for mode, one in pictures.items() if isinstance(one, kind)}
    if len(found) < len(pictures):
        raise TypeError(
            f"a view draws the same kind of picture in all modes, not {kind.__name__} in {list(found)} alone"
        )
    return found


def marks(board: Board, values: Values) -> list[dict[str, Any]]:
    """The points that matter, of all views: where they lie, in the units of its axes."""
    return [
        {"view": place, **_mark(mark)}
        for place, picture in enumerate(board.pictures(values))
        if isinstance(picture, Curves)
        for mark in picture.marks
    ]


def flat(name: str) -> str:
    """A name without the ends of lines that a picture needs."""
    return name.replace("\n", " ")


def term_document(term: Term) -> TermDocument:
    """A part of a formula."""
    return {"tex": term.tex, "colour": term.colour}


def letter_document(symbol: Symbol) -> LetterDocument:
    """A letter, explained."""
    return {"tex": symbol.tex, "meaning": symbol.meaning}


def control_document(control: Control, facts: Facts) -> ControlDocument:
    """What can be turned, and where it starts in each mode."""
    found: ControlDocument = {
        "name": control.name,
        "label": control.label,
        "symbol": GLOSSARY[control.name].symbol,
        "meaning": control.meaning,
        "dimension": control.dimension,
        "low": control.low,
        "high": control.high,
        "is_whole": control.is_whole,
        "lecture": control.start(Mode.LECTURE, facts),
        "careful": control.start(Mode.CAREFUL, facts),
    }
    if isinstance(control.lecture, Constant):
        found["lecture_origin"] = control.lecture.origin
        found["lecture_time_stamp"] = control.lecture.time_stamp
        found["hedge"] = control.lecture.hedge
    return found


def _axes(view: View) -> AxesDocument:
    return {"x": _axis(view.x), "y": _axis(view.y)}


def _axis(axis: Axis) -> AxisDocument:
    return {"caption": axis.caption, "dimension": axis.dimension, "is_logarithmic": axis.is_logarithmic}


def _along(found: Iterable[Curves]) -> Frame:
    """From the leftmost end of x to the rightmost."""
    lows, highs = zip(*((float(one.x[0]), float(one.x[-1])) for one in found), strict=True)
    return min(lows), max(highs)


def _ruled(view: View, along: Frame, found: Iterable[tuple[Curves, Curves]]) -> AxesDocument:
    """With ends and ticks: upright from the lowest end of all to the highest, of lines on their own and as drawn."""
    lows, highs = zip(*(own.ends(view.y, drawn) for own, drawn in found), strict=True)
    return {"x": _divided(view.x, along), "y": _divided(view.y, (min(lows), max(highs)))}


def _divided(axis: Axis, ends: Frame) -> AxisDocument:
    ticks = scale(is_logarithmic=axis.is_logarithmic, dimension=axis.dimension).ticks(*ends)
    return {**_axis(axis), "ends": ends, "ticks": ticks}


def _picture(picture: Picture) -> tuple[str, PictureDocument]:
    """Its kind, and all of it."""
    match picture:
        case Curves():
            return "curves", _curves(picture)
        case Table():
            return "table", _table(picture)
        case Timeline():
            return "timeline", _timeline(picture)
        case Sheet():
            return "sheet", _sheet(picture)
        case Schematic():
            return "schematic", _schematic(picture)
        case Trains() | Racks() | Gantt() | Multiples() | Beliefs():
            return type(picture).__name__.lower(), scene_document(picture)


def _curves(picture: Curves) -> CurvesDocument:
    return {
        "x": picture.x.tolist(),
        "lines": [
            {
                "name": flat(line.name),
                "colour": line.colour,
                "is_bold": line.is_bold,
                "is_floor": line.is_floor,
                "y": line.y.tolist(),
                "high": None if line.high is None else line.high.tolist(),
            }
            for line in picture.lines
        ],
        "marks": [_mark(mark) for mark in picture.marks],
        "dots": [_dots(one) for one in picture.dots],
        "is_whole": picture.is_whole,
    }


def _mark(mark: Mark) -> MarkDocument:
    return {
        "name": mark.name,
        "x": mark.x,
        "y": mark.y,
        "line": flat(mark.line),
        "text": mark.text,
        "colour": mark.colour,
        "is_fixed": mark.is_fixed,
    }


def _dots(dots: Dots) -> DotsDocument:
    return {
        "name": flat(dots.name),
        "is_named": dots.is_named,
        "x": dots.x.tolist(),
        "y": dots.y.tolist(),
        "labels": list(dots.labels),
        "colour": dots.colour,
    }


def _table(table: Table) -> TableDocument:
    return {
        "values": table.values.tolist(),
        "is_written": table.is_written,
        "text": table.text,
        "first": table.first,
    }


def _timeline(timeline: Timeline) -> TimelineDocument:
    return {
        "rows": list(timeline.rows),
        "blocks": [
            {"row": block.row, "start": block.start, "end": block.end, "text": block.text, "colour": block.colour}
            for block in timeline.blocks
        ],
        "text": timeline.text,
    }


def _sheet(sheet: Sheet) -> SheetDocument:
    return {
        "columns": list(sheet.columns),
        "rows": [list(row) for row in sheet.rows],
        "bold": list(sheet.bold),
        "text": sheet.text,
    }


def _schematic(schematic: Schematic) -> SchematicDocument:
    return {
        "width": schematic.width,
        "height": schematic.height,
        "boxes": [
            {
                "x": box.x,
                "y": box.y,
                "width": box.width,
                "height": box.height,
                "text": box.text,
                "colour": box.colour,
                "is_frame": box.is_frame,
            }
            for box in schematic.boxes
        ],
        "cables": [
            {
                "x": cable.x,
                "y": cable.y,
                "to_x": cable.to_x,
                "to_y": cable.to_y,
                "colour": cable.colour,
                "text": cable.text,
                "is_arrow": cable.is_arrow,
                "is_dashed": cable.is_dashed,
                "width": cable.width,
            }
            for cable in schematic.cables
        ],
        "text": schematic.text,
    }
