"""Run by Pyodide when a site is exported: answer once, see what was imported, and write that compiled into one archive.

What lies in ``/tree`` goes into ``/archive.zip`` whole; of the standard library what was imported meanwhile.
"""

import ast
import json
import marshal
import sys
import zipfile
from importlib import util
from pathlib import Path
from types import CodeType

TREE, ARCHIVE = Path("/tree"), Path("/archive.zip")
FIRST_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of every file in an archive, so that the same sources give the same archive."""


def _answer() -> None:
    """Ask for each kind of answer, each board's pictures, and each kind of refusal."""
    # From here on modules are in place.
    from ridgeline.boards.lecture import BOARDS, EXERCISES  # noqa: PLC0415
    from ridgeline.web.worker.reply import keep, reply  # noqa: PLC0415

    for board in BOARDS:
        for fields in ({}, {board.controls[0].name: "half"}):
            reply(f"boards/{board.name}/views", json.dumps(fields))
    reply(f"boards/{BOARDS[0].name}", json.dumps({"model": "llama-3.1-70b"}))
    for exercise in EXERCISES:
        reply(f"exercises/{exercise.id}", json.dumps({"answer": "1"}))
    keep(b"{")
    keep(json.dumps(LLAMA).encode())


LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "hidden_act": "silu",
    "torch_dtype": "bfloat16",
}
"""Smallest configuration of a model."""


def _undocumented(source: bytes) -> ast.Module:
    """Module without docstrings; classes keep a dot, since dataclasses would write a text anew."""
    module = ast.parse(source)
    for node in ast.walk(module):
        match node:
            case ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str()) as said), *_]):
                said.value = "."
            case (
                ast.Module(body=[ast.Expr(value=ast.Constant(value=str()) as said), *_])
                | ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str()) as said), *_])
            ):
                said.value = ""
    return module


def _unlined(code: CodeType) -> CodeType:
    """Code without its line table, which takes as much room as all the rest."""
    wide, rest = divmod(len(code.co_code) // INSTRUCTION_BYTES, LONGEST_ENTRY)
    lines = bytes([NO_LINE | LONGEST_ENTRY - 1]) * wide + (bytes([NO_LINE | rest - 1]) if rest else b"")
    inner = tuple(_unlined(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_linetable=lines, co_consts=inner)


INSTRUCTION_BYTES = 2
LONGEST_ENTRY = 8
"""Most instructions that one entry of a line table covers."""
NO_LINE = 0b11111000
"""Entry of a line table for no line, with the number of instructions less one in its last bits."""


def _compiled(place: str, source: bytes) -> bytes:
    code = _unlined(compile(_undocumented(source), place, "exec", dont_inherit=True, optimize=0))
    # No source beside it is asked whether it has changed.
    return util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


def _standard_modules(archive: str) -> dict[str, bytes]:
    """Sources of what was imported from the standard library, by place in its archive."""
    found = {}
    with zipfile.ZipFile(archive) as held:
        names = set(held.namelist())
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None) or ""
            place = file.removeprefix(f"{archive}/")
            if file != place and place in names:
                found[place] = held.read(place)
    return found


def main() -> None:
    """Write the archive."""
    sys.path.insert(0, str(TREE))
    library = next(path for path in sys.path if path.endswith(".zip"))
    _answer()
    sources = _standard_modules(library)
    for path in TREE.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            sources[path.relative_to(TREE).as_posix()] = path.read_bytes()
    with zipfile.ZipFile(ARCHIVE, "w") as archive:
        for place, content in sorted(sources.items()):
            is_source = place.endswith(".py")
            name = f"{place}c" if is_source else place
            archive.writestr(zipfile.ZipInfo(name, FIRST_DATE), _compiled(place, content) if is_source else content)


if __name__ == "__main__":
    main()
