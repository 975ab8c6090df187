"""Views of a study in SQL: the cheapest, the fastest, fronts and elasticities."""

from __future__ import annotations

from collections.abc import Sequence

from ridgeline.studies.fields import PRICE, column
from ridgeline.studies.hypothetical import Hypothetical
from ridgeline.studies.study import Study, measures_of

__all__ = ["LIMITED", "views_of"]

LIMITED = ("within", "chips_within")
"""Views that take a limit on the time of a step."""


def views_of(study: Study) -> dict[str, str]:
    """Statements that make the study's views, by their names.

    ``fitting`` has the rows that memory holds. ``cheapest`` and ``fastest`` have the best of them for each group: all
    that layouts and batches are chosen for. ``pareto`` has those that no other beats in time and cost at once, on any
    machine, and ``fronts`` those of each machine.
    ``within(limit_s)`` is ``cheapest`` under a limit on the time of a step; ``chips_within(limit_s)`` compares machines
    by what a family of models costs on them; ``elasticities`` has what one percent more of a field does.
    """
    time, cost = measures_of(study.kind)
    made = {
        "fitting": "SELECT * FROM study WHERE free_bytes >= 0",
        "cheapest": _best(study, f"{cost} IS NOT NULL", cost),
        "fastest": _best(study, "true", f"{time}, {cost}"),
        "pareto": _front(("model", *_asked(study)), time, cost),
        "fronts": _front(("model", "machine", *_asked(study)), time, cost),
    }
    views = {name: f"CREATE VIEW {name} AS {select}" for name, select in made.items()}
    within = _best(study, f"{cost} IS NOT NULL AND {time} <= limit_s", cost)
    views["within"] = f"CREATE MACRO within(limit_s) AS TABLE {within}"
    views["chips_within"] = f"CREATE MACRO chips_within(limit_s) AS TABLE {_chips(study, within)}"
    if moved := _ranged(study):
        views["elasticities"] = f"CREATE VIEW elasticities AS {_elasticities(study, moved)}"
    return views


def _machine(study: Study) -> tuple[str, ...]:
    return ("machine", "variant", *map(_named, study.machine_columns))


def _named(name: str) -> str:
    """A column of machines in SQL, of which a study's own may be a word."""
    return f'"{name}"'


def _asked(study: Study) -> tuple[str, ...]:
    """Axes of what is asked: models, workloads and formats, and of training how many chips there are."""
    chosen = {"model", "machine", "layout", "batch"}
    return tuple(axis.name for axis in study.axes if axis.name not in chosen)


def _best(study: Study, where: str, order: str) -> str:
    """SQL for the first row of each group, of those that fit into memory."""
    group = ", ".join(("model", "machine", "variant", *_asked(study)))
    return f"SELECT DISTINCT ON ({group}) * FROM fitting WHERE {where} ORDER BY {group}, {order}, point"  # noqa: S608  our own


def _front(question: Sequence[str], time: str, cost: str) -> str:
    """Rows that no other of the same question beats in time and cost at once, the fastest first."""
    asked = ", ".join(question)
    # Few columns are sorted, so that a study of any size is.
    return f"""
        SELECT * FROM fitting SEMI JOIN (
            SELECT point, {cost}, min({cost}) OVER (PARTITION BY {asked} ORDER BY {time}, {cost}, point
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS cheapest_before
            FROM fitting WHERE {cost} IS NOT NULL
            QUALIFY cheapest_before IS NULL OR {cost} < cheapest_before
        ) AS front USING (point)
        ORDER BY {asked}, {time}"""  # noqa: S608  our own names


def _chips(study: Study, within: str) -> str:
    """Machines, the cheapest for the whole family of models first: the geometric mean of what each model costs."""
    machine, asked = ", ".join(_machine(study)), ", ".join(_asked(study))
    time, cost = measures_of(study.kind)
    return f"""
        SELECT {machine}, {asked}, count(DISTINCT model) AS models, exp(avg(ln({cost}))) AS {cost},
            max({cost}) AS dearest_{cost}, exp(avg(ln({time}))) AS {time}
        FROM ({within})
        GROUP BY {machine}, {asked}
        HAVING models = {len(study.models)}
        ORDER BY {asked}, {cost}"""  # noqa: S608  our own names


def _ranged(study: Study) -> list[tuple[Hypothetical, str]]:
    """Fields of hypothetical machines with several values."""
    chips = [one for one in study.candidates if isinstance(one, Hypothetical)]
    return [(chip, column(axis.name)) for chip in chips for axis in chip.axes if axis.size > 1]


def _elasticities(study: Study, moved: Sequence[tuple[Hypothetical, str]]) -> str:
    """SQL for percent of change of each group's best for one percent more of a field, between neighbouring values."""
    time, cost = measures_of(study.kind)
    selects = []
    for chip, name in moved:
        fixed = [_named(column(axis.name)) for axis in chip.axes if column(axis.name) != name]
        alike, along = ", ".join(("model", *_asked(study), *fixed)), _named(name)
        step = f"ln(lead({{0}}) OVER alike / {{0}}) / ln(lead({along}) OVER alike / {along})"
        changes = {what: step.format(what) for what in (cost, time, PRICE)}
        told = ", ".join(f"{change} AS {what}_elasticity" for what, change in changes.items())
        selects.append(
            f"""
        SELECT model, machine, {", ".join((*_asked(study), *fixed))}, '{name}' AS field, {along} AS value,
            lead({along}) OVER alike AS next_value, {told}
        FROM cheapest WHERE machine = '{chip.name}' WINDOW alike AS (PARTITION BY {alike} ORDER BY {along})"""  # noqa: S608
        )
    return f"SELECT * FROM ({' UNION ALL BY NAME '.join(selects)}) WHERE next_value IS NOT NULL"  # noqa: S608  our own
