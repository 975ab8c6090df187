"""Write ``docs/json.md``: every field that ``--json`` prints, from printed documents and the records behind them.

``uv run python bench/json_page.py`` prints the page, ``--write`` puts it into ``docs``. What a field means is read from
the docstring of its record, else from the glossary, else from ``json_fields``; one that none of them knows is an error.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import re
import shlex
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from json_fields.all_fields import ENDS, EXAMPLES, NAMED, RECORDS, WORDS
from json_fields.files import COMPARED, LOADS, RECORDED, STORED, STUDIED
from json_fields.measure import predicted_bench

from ridgeline.cli import blackboard, commands, lab_reversible
from ridgeline.cli.output import json_text
from ridgeline.estimator.memory import Memory
from ridgeline.glossary import GLOSSARY
from ridgeline.laboratory.reversible import Comparison, Inversion, OfForm
from ridgeline.planner.outcome import Energy
from ridgeline.specs.correction import Correction
from ridgeline.specs.efficiency import Efficiency
from ridgeline.specs.engine import Engine
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.verbs import sweep
from ridgeline.web.exported import Exported

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "json.md"


WHOLE: dict[str, type[Any]] = {
    "layout": Layout,
    "prefill_layout": Layout,
    "memory": Memory,
    "energy": Energy,
    "correction": Correction,
    "engine": Engine,
    "efficiency": Efficiency,
    "model_record": Model,
    "machine_record": Machine,
}
"""Records that are printed as they are, wherever they stand: their fields are listed once, or in the code."""

LISTED = ("layout", "memory", "energy", "correction")
"""Of these, those that the page lists at its end."""


HEAD = """# What `--json` prints

<!-- Written by bench/json_page.py from documents and records; do not edit. -->

Every command prints one JSON document on standard output with `--json`, and nothing else there; what is said to people
goes to standard error. Numbers are in base units, and what is not finite is null. `usd_per_h`, `days` and `kwh` alone
are in the units that they name: programs rely on these names. `inputs` repeats what was asked and what was resolved, so
that a result can be had again. Exit codes: 0; 1 where nothing serves, or memory does not hold what is estimated (`plan`
and `estimate` print their document all the same, the others one of `inputs.arguments` and `unserved`, the reason); 2
for what is refused; 74 where the output cannot be written; 130 after an interrupt.

`[]` are the elements of a list, `*` the values of an object whose keys are names.
"""

TYPES = {bool: "true or false", int: "integer", float: "number", str: "text", dict: "object", list: "list"}
ANNOTATED = {"bool": "true or false", "int": "integer", "float": "number", "Numeric": "number", "str": "text"}
RATIOS = {"expect:ratio"}
"""Fields without a unit, of whose name another record has one with a unit."""
UNITS = {
    "days": "days",
    "kwh": "kWh",
    "s": "s",
    "bytes": "bytes",
    "flop": "FLOP",
    "usd": "$",
    "w": "W",
    "tokens": "tokens",
    "requests": "requests",
}


@dataclass
class Field:
    """One line of the page."""

    place: str
    types: set[str] = field(default_factory=set)
    is_null: bool = False


def main() -> None:
    """Print the page, or write it."""
    text = page()
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def page() -> str:
    """The page as it should be."""
    parts: list[str] = []
    for command in EXAMPLES:
        found: dict[str, Field] = {}
        for document in documents(command):
            for place, value in walk(command, document, ""):
                kept = found.setdefault(place, Field(place))
                kept.is_null |= value is None
                kept.types |= set() if value is None else {TYPES[type(value)]}
        # What only a later example has stands beside its kin.
        seen = {place: number for number, place in enumerate(found)}
        parents = {place: [place[:end] for end in dots(place)] for place in found}
        ordered = sorted(found, key=lambda place: [seen.get(one, 0) for one in parents[place]])
        parts.append(section(f"`{command}`", [row(command, found[place]) for place in ordered]))
    parts += [section(WHOLE[name].__name__, [record_row(WHOLE[name], one) for one in fields(name)]) for name in LISTED]
    return "\n".join([HEAD, index(parts), *parts])


def index(sections: list[str]) -> str:
    """Links to the sections, in their order."""
    titles = [one.partition("\n")[0].removeprefix("## ") for one in sections]
    links = (f"[{title}](#{title.strip('`').lower().replace(' ', '-')})" for title in titles)
    return textwrap.fill(", ".join(links), 120, break_long_words=False, break_on_hyphens=False) + "\n"


def dots(place: str) -> Iterator[int]:
    """Where the places above a place end, and it itself."""
    yield from (found.start() for found in re.finditer(r"(\[\])?\.", place))
    yield len(place)


def section(title: str, rows: list[tuple[str, ...]]) -> str:
    """A heading and its table."""
    lines = [" | ".join(cells) for cells in (("field", "type", "unit", "meaning"), ("---",) * 4, *rows)]
    return f"## {title}\n\n" + "".join(f"| {line} |\n" for line in lines)


@functools.cache
def documents(command: str) -> tuple[dict[str, Any], ...]:
    """What the command prints, for each of its examples."""
    return tuple(_documents(command))


def _documents(command: str) -> Iterator[dict[str, Any]]:
    if command == "blackboard":
        yield json.loads(json_text(blackboard.document(0, "http://127.0.0.1:8265/", no_browser=True)))
        exported: dict[str, Any] = {
            one.name: 1 if one.name.endswith("bytes") else "" for one in dataclasses.fields(Exported)
        }
        yield json.loads(json_text(blackboard.export_document(Path("site"), "", Exported(**exported), no_python=False)))
    if command == "lab reversible":  # which needs JAX
        yield json.loads(json_text(lab_reversible.document(REVERSIBLE_INPUTS, _filled(Comparison))))
    with tempfile.TemporaryDirectory() as folder:
        (example,) = re.findall(
            r"```csv\n(.*?)```", (ROOT / "docs" / "cases.md").read_text(encoding="utf-8"), re.DOTALL
        )
        texts = {"CASES": example, "MODELS": "model\n", "LOADS": LOADS}
        named = {name: str(Path(folder) / f"{name}.csv") for name in texts}
        for name, text in texts.items():
            Path(named[name]).write_text(text, encoding="utf-8")
        named |= {"EXAMPLES": str(ROOT / "docs" / "example_cases.csv"), "OWN": str(Path(folder) / "own")}
        named |= {"PICTURE": str(Path(folder) / "picture.svg")}
        named |= {"OUT": str(Path(folder) / "out.jsonl"), "RECORDED": str(Path(folder) / "recorded")}
        named["STORED"] = str(Path(folder) / "storage.toml")
        Path(named["STORED"]).write_text(STORED, encoding="utf-8")
        named["COMPARED"] = str(Path(folder) / "compared.toml")
        Path(named["COMPARED"]).write_text(COMPARED, encoding="utf-8")
        named |= {name: str(Path(folder) / name.lower()) for name in ("MEASURED", "MEASURED_CASES")}
        named |= {"STUDIED": str(Path(folder) / "studied.toml"), "SWEPT": str(Path(folder) / "swept")}
        named["SWEPT_OWN"] = f"{named['SWEPT']} by own kernels"
        Path(named["STUDIED"]).write_text(STUDIED, encoding="utf-8")
        if command == "query":
            sweep(named["STUDIED"], named["SWEPT"])
        for name, text in RECORDED.items():
            path = Path(named["RECORDED"]) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if command != "calibrate" and any("OWN" in line for line in EXAMPLES[command]):
            for name, text in _own_numbers().items():
                path = Path(named["OWN"]) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
        for line in EXAMPLES[command]:
            yield json.loads(_printed(line, named, folder))


def _printed(line: str, named: Mapping[str, str], folder: str) -> str:
    words = [named.get(word, word) for word in shlex.split(line)]
    with predicted_bench():  # for measure, in place of a GPU
        result = CliRunner(env={"XDG_DATA_HOME": folder}).invoke(commands, [*words, "--json"])
    if not result.stdout:
        raise SystemExit(f"{line}: {result.stderr or result.exception!r}")
    return result.stdout


@functools.cache  # which many commands are run with
def _own_numbers() -> dict[str, str]:
    """Files that the first example of ``calibrate`` writes, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        named = {name: str(Path(folder) / name.lower()) for name in ("OWN", "MODELS")}
        Path(named["MODELS"]).write_text("model\n", encoding="utf-8")
        named["EXAMPLES"] = str(ROOT / "docs" / "example_cases.csv")
        _printed(EXAMPLES["calibrate"][0], named, folder)
        return {path.name: path.read_text(encoding="utf-8") for path in Path(named["OWN"]).iterdir()}


REVERSIBLE_INPUTS = {
    "layers": [4, 16],
    "width": 32,
    "heads": 4,
    "sequence_tokens": 32,
    "batch_sequences": 16,
    "steps": 150,
    "seed": 0,
}


def _filled(record: type[Any]) -> Any:  # noqa: ANN401  of that type
    """A record with something in each of its fields."""
    of = {"str": "", "float": 1.0, "int": 1, "tuple[OfForm, ...]": (OfForm,), "tuple[Inversion, ...]": (Inversion,)}
    made = {}
    for name, annotation in annotated(record).items():
        value = of.get(annotation.removesuffix(" | None"), (1,))
        made[name] = tuple(_filled(one) for one in value) if isinstance(value, tuple) and value[0] != 1 else value
    return record(**made)


def walk(command: str, value: Any, place: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  any JSON value
    """Every place of a document with a value at it."""
    if place and not place.endswith("[]"):
        yield place, value
    leaf = place.rpartition(".")[2].removesuffix("[]")
    if f"{command}:{place}" in ENDS or leaf in WHOLE:
        return
    if isinstance(value, dict):
        is_named = f"{command}:{place}" in NAMED
        for name, held in value.items():
            yield from walk(command, held, ".".join(filter(None, (place, "*" if is_named else name))))
    elif isinstance(value, list):
        for held in value:
            if isinstance(held, dict):
                yield from walk(command, held, f"{place}[]")


def row(command: str, one: Field) -> tuple[str, ...]:
    """A field's cells."""
    base, _, leaf = one.place.rpartition(".")
    owners = RECORDS.get(f"{command}:{base}", ())
    owner = next((record for record in owners if leaf in annotated(record)), None)
    types, is_null = set(one.types), one.is_null
    if owner is not None:
        annotation = annotated(owner).get(leaf, "")
        is_null |= "None" in annotation
        types |= {ANNOTATED[part] for part in annotation.split(" | ") if not types and part in ANNOTATED}
    types -= {"integer"} if "number" in types else set()
    if not types:
        raise SystemExit(f"{command}: {one.place} is null in every example; add one to EXAMPLES where it is not")
    said = meaning(command, one.place, owners)
    if leaf in WHOLE and "object" in types:
        record = WHOLE[leaf]
        where = "below" if leaf.endswith(LISTED) else f"in `{record.__module__.replace('.', '/')}.py`"
        said += f"; fields of `{record.__name__}`, {where}"
    kind = " or ".join(sorted(types)) + (" or null" if is_null else "")
    is_number = bool(types & {"integer", "number"})
    named = base.rpartition(".")[2] if leaf == "*" else leaf
    has_unit = is_number and f"{command}:{one.place}" not in RATIOS
    return f"`{one.place}`", kind, unit(named) if has_unit else "", said.replace("|", "\\|")


def meaning(command: str, place: str, owners: tuple[type[Any], ...]) -> str:
    """What is said of a field: at its place, by its record, of its name, or in the glossary."""
    parts = place.split(".")
    leaf = parts[-1]
    ends = [f"{command}:{place}", *(".".join(parts[start:]) for start in range(len(parts) - 1))]
    at_place = next((WORDS[end] for end in ends if end in WORDS), None)
    by_record = next((described(owner)[leaf] for owner in owners if leaf in described(owner)), None)
    by_glossary = GLOSSARY[leaf].meaning if leaf in GLOSSARY else None
    said = at_place or by_record or WORDS.get(leaf) or by_glossary
    if said is None:
        raise SystemExit(f"{command}: nothing says what {place} means; say it where its record is, or in WORDS")
    return said


def described(record: type[Any]) -> dict[str, str]:
    """What a record's docstring says of its attributes."""
    text = inspect.cleandoc(record.__doc__ or "")  # Python 3.13 has done so already
    found: dict[str, str] = {}
    for name, words in re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", text, re.MULTILINE):
        said = re.sub(r"(?<!\.)\.$", "", " ".join(words.split()).replace("``", "`"))
        found[name] = re.sub(r"\bNone\b", "null", said)
    return found


def annotated(record: type[Any]) -> dict[str, str]:
    """How a record's fields are annotated; files' models are seen by what they print."""
    return {one.name: str(one.type) for one in dataclasses.fields(record)} if dataclasses.is_dataclass(record) else {}


def fields(name: str) -> list[str]:
    """Names of a record's fields."""
    return [one.name for one in dataclasses.fields(WHOLE[name])]


def record_row(record: type[Any], name: str) -> tuple[str, ...]:
    """The cells of a record's field."""
    annotation = annotated(record)[name]
    kind = " or ".join(ANNOTATED.get(part, "null") for part in annotation.split(" | "))
    return f"`{name}`", kind, unit(name), described(record)[name]


def unit(name: str) -> str:
    """The unit that a name says, or the glossary."""
    if name in GLOSSARY:
        return GLOSSARY[name].unit
    above, *below = name.split("_per_")
    if above.endswith("chip_s"):
        top = "chip-s"
    else:
        top = UNITS.get(above.rpartition("_")[2], "")
    return "/".join([top, *(UNITS.get(part, part.replace("_", " ")) for part in below)]) if top else ""


if __name__ == "__main__":
    main()
