"""Fields of the documents of ``sweep`` and ``query``: what is run to see them, and what they mean."""

from __future__ import annotations

from json_fields.fields import Fields

EXAMPLES = {
    "sweep": ("sweep STUDIED --out SWEPT", "sweep STUDIED --out SWEPT_OWN --workers 1 --kernels OWN"),
    "query": ("query SWEPT", "query SWEPT 'FROM cheapest' --commands"),
}
WORDS = {
    "sweep:inputs.study": "path of the study's file",
    "sweep:inputs.text": "what it says",
    "sweep:inputs.out": "folder of the study",
    "sweep:inputs.executor": "what shards ran on",
    "sweep:inputs.workers": "processes that were asked for; null for one for each core",
    "sweep:inputs.axes": "number of values along each axis, by its name",
    "sweep:inputs.axes.*": "number of values",
    "query:axes": "number of values along each axis, by its name",
    "query:axes.*": "number of values",
    "points": "of the study",
    "sweep:rows": "of the table `study`",
    "sweep:left_out": "points without a row, the most common reason first",
    "left_out[].reason": "why they have none",
    "left_out[].points": "that have it",
    "shards": "files that the study is cut into",
    "kept_points": "that were there before",
    "sweep:wall_s": "time that the sweep took",
    "points_per_s": "that the sweep estimated each second",
    "query:inputs.folder": "of the study",
    "query:inputs.sql": "the statement; null where the study is described",
    "query:name": "of the study",
    "missing_points": "that are not there yet",
    "described": "with no statement: what each column of `study` means",
    "described.*": "what it means",
    "query:views": "with no statement: names of the views",
    "query:columns": "with a statement: names of what it gives, in order",
    "query:rows": "with a statement: one object a row, by those names",
    "query:commands": "with `--commands`: the command of each row",
}
NAMED = frozenset({"query:axes", "query:described", "sweep:inputs.axes"})
ENDS = frozenset({"query:rows[]"})
FIELDS = Fields(examples=EXAMPLES, words=WORDS, named=NAMED, ends=ENDS)
