from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import click
import pytest
from tests.each import of_each

import ridgeline
from ridgeline.catalog.scaling_laws import law_ids, load_law
from ridgeline.cli import COMMANDS, commands
from ridgeline.equations import joint_sparsity, repetition, roofline, scaling, sparsity

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "ridgeline"
RESTS_ON = re.compile(r"^(Source|Derivation|Heuristic): ", re.MULTILINE)
"""What tells a reader which numbers to trust: a reference, what one can derive, a modelling choice."""

MOST_LINES = 8
"""Of an equation under its docstring: one that is longer is an algorithm, or several equations."""

LONGER = {"collectives.torus_all_gather_time_s"}
"""It goes along the axes of a torus."""

EQUATIONS = sorted(path for path in (SOURCE / "equations").glob("*.py") if path.stem != "__init__")


@of_each("name", sorted(set(ridgeline.__all__) - {"__version__"}))
def test_public_names_load_from_where_they_are_declared(name: str) -> None:
    """What type checkers read and what runs are the same object."""
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    declared = {
        alias.asname: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    assert getattr(ridgeline, name) is getattr(import_module(declared[name] or ""), name)


def test_the_version_is_that_of_the_package() -> None:
    assert ridgeline.__version__ == metadata.version("ridgeline")


def test_files_that_are_not_installed_have_no_version_and_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert ridgeline.__version__ == "unknown"


@pytest.mark.parametrize("name", [name for name in ridgeline.__all__ if name.endswith("Error")])
def test_one_class_catches_every_error(name: str) -> None:
    assert issubclass(getattr(ridgeline, name), ridgeline.RidgelineError)
    assert issubclass(ridgeline.RidgelineError, ValueError)


LONGEST_LINE = 1200
"""Of a signature with its annotations; fifteen lines of records are several times as long."""


VERBS = [ridgeline.deploy, ridgeline.plan, ridgeline.estimate, ridgeline.estimate_grid, ridgeline.validate]


@pytest.mark.parametrize("verb", VERBS)
def test_help_shows_signatures_without_the_insides_of_records(verb: Callable[..., object]) -> None:
    signature = str(inspect.signature(verb))
    assert len(signature) < LONGEST_LINE
    assert "lambda" not in signature
    assert "Engine(" not in signature
    assert repr(ridgeline.FIDELITIES["measured"]) == "Fidelity('measured')"


def test_an_unknown_public_name_lists_those_there_are() -> None:
    with pytest.raises(AttributeError, match=r"it has .*plan"):
        ridgeline.simulat  # noqa: B018  the look-up is the test


STEP = "llama-3.1-8b --on h100-sxm --layout tp1 --batch 8 --context 1k"


@pytest.mark.parametrize(
    ("line", "needless"),
    [
        ("--help", {"numpy", "pydantic", "rich", "importlib.metadata", "ridgeline.catalog", "ridgeline.specs"}),
        ("catalog machines", {"scipy", "matplotlib", "ridgeline.planner", "ridgeline.calibration"}),
        ("catalog prices", {"scipy", "matplotlib", "ridgeline.planner", "ridgeline.calibration"}),
        ("boards", {"scipy", "ridgeline.planner", "ridgeline.calibration", "ridgeline.figures", "ridgeline.verbs"}),
        (f"estimate {STEP}", {"scipy", "matplotlib", "ridgeline.planner", "ridgeline.calibration", "ridgeline.boards"}),
        (
            "plan llama-3.1-8b --on h100-sxm --chips 1 --prompt 100 --output 100",
            {"scipy", "matplotlib", "ridgeline.calibration", "ridgeline.boards"},
        ),
    ],
)
def test_a_command_imports_what_it_uses(line: str, needless: set[str]) -> None:
    """Seconds depend on the machine; what is loaded does not."""
    probe = f"""
import sys
from ridgeline.cli import main
sys.argv = ["ridgeline", *{line.split()!r}]
main()
print(*sorted({needless!r} & set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)  # noqa: S603  our own
    assert done.stderr.strip() == ""
    assert done.stdout


def test_the_help_says_what_commands_do() -> None:
    for name, short in COMMANDS.items():
        command = commands.get_command(click.Context(commands), name)
        assert command is not None
        said = set(re.findall(r"[\w']+", command.help or ""))
        assert set(re.findall(r"[\w']+", short)) <= said, name


def test_importing_the_package_loads_no_library() -> None:
    """The command line's first word waits for nothing that it does not need."""
    probe = "import ridgeline.cli, sys; print(*sorted({'numpy', 'pydantic', 'rich'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)  # noqa: S603  our own
    assert done.stdout.strip() == ""


@of_each("path", EQUATIONS, ids=lambda path: path.stem)
def test_equations_hold_to_their_shape(path: Path) -> None:
    """Numbers in, numbers out: no branch on a value, no conversion; every public function has a doctest."""
    tree = ast.parse(path.read_text())
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        assert ast.get_docstring(function), function.name
        assert ">>> " in (ast.get_docstring(function) or ""), f"{function.name} has no doctest"
        assert not function.args.args, f"{function.name} takes arguments by position"
        for node in ast.walk(function):
            assert not isinstance(node, (ast.If, ast.IfExp, ast.While)), f"{function.name} branches on a value"
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            assert called not in {"float", "int", "round", "max", "min", "abs"}, f"{function.name} calls {called}"


@of_each("path", EQUATIONS, ids=lambda path: path.stem)
def test_equations_end_with_what_they_rest_on(path: Path) -> None:
    tree = ast.parse(path.read_text())
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        text = ast.get_docstring(function) or ""
        assert len(RESTS_ON.findall(text)) == 1, f"{function.name} says not once what it rests on"
        assert RESTS_ON.match(text.split("\n\n")[-1]), f"{function.name} says what it rests on before its end"


def named(tree: ast.AST) -> set[str]:
    """What a piece of code names: variables, attributes, imports."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {one for node in nodes for one in (getattr(node, "attr", ""), getattr(node, "name", "")) if one}


def test_equations_run_in_the_product() -> None:
    """What only tests would call is no equation of the product, but something to hold it to (tests/published)."""
    functions = {
        node.name: node
        for path in EQUATIONS
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
    }
    texts = [path.read_text() for path in SOURCE.rglob("*.py") if path.parent.name != "equations"]
    words = set(re.findall(r"\w+", " ".join(text for text in texts if "equations" in text)))
    reached = found = functions.keys() & words
    while found:
        called = set().union(*(named(functions[name]) - {name} for name in found)) & functions.keys()
        found = called - reached
        reached = reached | found
    assert functions.keys() - reached == set()


@of_each("path", EQUATIONS, ids=lambda path: path.stem)
def test_equations_are_short(path: Path) -> None:
    lines = path.read_text().splitlines()
    for function in (node for node in ast.parse("\n".join(lines)).body if isinstance(node, ast.FunctionDef)):
        body = lines[function.body[1].lineno - 1 : function.end_lineno]
        code = [line for line in body if line.strip() and not line.strip().startswith("#")]
        assert len(code) <= MOST_LINES or f"{path.stem}.{function.name}" in LONGER, (
            f"{function.name}: {len(code)} lines"
        )


CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
LAYER = {room: place for place, rooms in enumerate(CONTRACTS[0]["layers"]) for room in re.findall(r"\((\w+)\)", rooms)}
"""Of each room, the topmost first."""


def test_the_contract_that_only_figures_draw_names_all_other_rooms() -> None:
    (contract,) = (one for one in CONTRACTS if one["name"] == "only figures draw")
    rooms = {f"ridgeline.{path.parent.name}" for path in SOURCE.glob("*/__init__.py")}
    assert set(contract["source_modules"]) == rooms - {"ridgeline.figures"}


def examples(path: Path) -> list[str]:
    """Lines of all doctests of a file."""
    return re.findall(r"^ *(?:>>>|\.\.\.) (.*)$", path.read_text(), re.MULTILINE)


@of_each("room", [room for room in LAYER if room != "cli"])
def test_examples_import_nothing_from_above(room: str) -> None:
    """The import linter reads no doctest. Verbs show what a person writes, by the package's own names."""
    paths = sorted((SOURCE / room).rglob("*.py")) or [SOURCE / f"{room}.py"]
    for path in paths:
        for source in examples(path):
            for other in re.findall(r"(?:from|import) ridgeline\.(\w+)", source):
                assert other == room or LAYER[other] > LAYER[room], f"{path.name}: {source}"
            assert room == "verbs" or not re.search(r"import ridgeline\b(?!\.)|from ridgeline import", source), path


def test_examples_of_laws_have_the_catalogs_coefficients() -> None:
    """Equations know no catalog, so that their examples repeat its numbers."""
    kinds = (scaling.ScalingLaw, scaling.ComputeLaw, sparsity.RoutingLaw, sparsity.GranularLaw, sparsity.SparseLaw)
    laws = {kind.__name__: kind for kind in (*kinds, joint_sparsity.JointLaw, repetition.RepeatLaw)}
    fitted = [load_law(name) for name in law_ids()]
    known = {getattr(law, field) for law in fitted for field in ("coefficients", "repetition") if hasattr(law, field)}
    written = [
        laws[kind](*map(float, numbers.split(",")))
        for path in EQUATIONS
        for source in examples(path)
        for kind, numbers in re.findall(r"(\w+Law)\(([^()]*)\)", source)
    ]
    assert len(written) > len(laws)
    assert set(written) <= known


def test_equations_trace() -> None:
    """One source serves traced values too."""
    jax = pytest.importorskip("jax", reason="jax is no dependency; without it nothing is traced")

    def step(batch: Any) -> Any:  # noqa: ANN401  a traced value
        return roofline.step_time_s(
            batch=batch,
            active_params=37e9,
            weight_bytes=671e9,
            kv_bytes_per_sequence=3e8,
            flop_per_s=3.6e17,
            hbm_bytes_per_s=5.76e14,
        )

    assert float(jax.jit(step)(64.0)) == pytest.approx(step(64.0), rel=1e-6)
    assert float(jax.grad(step)(64.0)) == pytest.approx(3e8 / 5.76e14, rel=1e-6)
