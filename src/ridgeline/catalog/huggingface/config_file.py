"""A configuration file: its keys under their many names, which of them were used, and their lines."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.model_types import ModelType, model_type, why_refused
from ridgeline.glossary import GLOSSARY

__all__ = ["Config"]

Kind = TypeVar("Kind")

TOWERS = ("thinker_config", "text_config", "llm_config", "language_config")
"""Keys under which a multi-tower model has its language model; one may lie inside another."""

PARTS = ("attn_config", "ffn_config")
"""Keys of objects whose contents belong to the language model like any other key."""

PREDICTION_LAYERS = ("num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers")
"""Keys with the number of prediction layers."""
MOST_DIGITS = 60
"""Maximum digits of a whole number; some files have 10**30 for "no limit"."""

MOST_SHOWN = 16
"""Digits of a number that a refusal repeats."""
MOST_NAMED = 8
"""Maximum number of keys that a refusal names; a very different model has dozens of unknown ones."""


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without repeated keys, of which the last would win silently."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key!r} stands twice in one object; keep one")
        found[key] = value
    return found


def _whole_number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"has a number of {len(digits):,} digits, which is no size of a model")
    return int(digits)


class Config:
    """A configuration that remembers which of its keys were used, and their lines in the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._text = path.read_text(encoding="utf-8-sig")
            whole = json.loads(self._text, object_pairs_hook=_without_repeats, parse_int=_whole_number)
        except OSError as error:
            raise CatalogError(f"{path}: cannot be read: {error.strerror}") from None
        except RecursionError:
            raise CatalogError(f"{path}: is nested too deeply to be a configuration") from None
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            raise CatalogError(f"{path}: is not JSON: {error}") from None
        except ValueError as error:
            raise CatalogError(f"{path}: {error}") from None
        if not isinstance(whole, dict):
            raise CatalogError(f"{path}: is no configuration: its top is not an object")
        given, tower = dict(whole), whole
        while inner := next((tower[key] for key in TOWERS if isinstance(tower.get(key), dict)), None):
            given, tower = {**given, **inner}, inner
        for part in PARTS:
            given = {**given[part], **given} if isinstance(given.get(part), dict) else given
        self.has_other_towers = tower is not whole
        self.model_type = str(given.get("model_type") or "")
        self._refuse(whole)
        self.type: ModelType = model_type(self.model_type) or ModelType()
        self.is_known_type = model_type(self.model_type) is not None
        defaults = {**self.type.defaults, **(self.type.tower_defaults if self.has_other_towers else {})}
        # As in the library's own classes: what a file leaves out has the default, what it says is null has none.
        self._defaults = {key: value for key, value in defaults.items() if key not in given}
        self.values: dict[str, Any] = {**given, **self._defaults}
        self._used: set[str] = set()

    def _refuse(self, whole: dict[str, Any]) -> None:
        """Refuse a model that is no decoder, or that has layers which are not modelled, before its keys are misread."""
        for name in (self.model_type, str(whole.get("model_type"))):
            if why := why_refused(name):
                raise self.fault("model_type", f"{name!r} {why}")
        if whole.get("is_encoder_decoder") is True:
            raise self.fault("is_encoder_decoder", "is true: decoders alone are modelled, without attention across")

    def place(self, key: str) -> str:
        """File and line of a key."""
        for number, line in enumerate(self._text.splitlines(), start=1):
            if f'"{key}"' in line:
                return f"{self.path}:{number}: {key}"
        return f"{self.path}: {key}"

    def fault(self, key: str, what: str) -> CatalogError:
        """An error about a key."""
        return CatalogError(f"{self.place(key)}: {what}")

    def key(self, *names: str) -> str | None:
        """The first of ``names`` that has a value."""
        return next((name for name in names if self.values.get(name) is not None), None)

    def get(self, *names: str) -> Any:  # noqa: ANN401  any JSON value
        """The value under the first of ``names`` that has one; None where none has. All of them count as used."""
        self._used.update(names)
        found = self.key(*names)
        return None if found is None else self.values[found]

    def assumed(self) -> dict[str, Any]:
        """Values that were used from the defaults of the model type, not from the file."""
        return {key: value for key, value in sorted(self._defaults.items()) if key in self._used}

    def whole(self, *names: str, default: int | None = None, quantity: str = "") -> int:
        """A whole number under one of ``names``, in the glossary's range of a quantity.

        Raises:
            CatalogError: the value is missing without a default, no whole number, or out of range.
        """
        value = self.get(*names)
        if value is None:
            if default is None:
                strange = "" if self.is_known_type else f"; model type {self.model_type!r} is not known here"
                raise CatalogError(f"{self.path}: has none of {', '.join(names)}; a model needs one{strange}")
            return default
        if isinstance(value, list) and len(value) > 1 and value.count(value[0]) == len(value):
            value = value[0]  # one a layer, all alike
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or value != int(value) or value < 0:
            raise self.fault(self.key(*names) or names[0], f"{value!r} is not a whole number from 0 up")
        limits = GLOSSARY.get(quantity)
        if limits is not None and not limits.low <= value <= limits.high:
            found = self.key(*names) or names[0]
            met = value if len(str(value)) <= MOST_SHOWN else f"{value:.3g}"
            raise self.fault(found, f"{met} is outside [{limits.low:g}, {limits.high:g}] ({limits.meaning})")
        return int(value)

    def per_layer(self, name: str, layers: int) -> list[Any] | None:
        """A list with one item per layer, those of prediction layers at its end dropped; None where there is none."""
        value = self.get(name)
        if value is None:
            return None
        if not isinstance(value, list):
            raise self.fault(name, f"{value!r} is not a list with one item a layer")
        if len(value) < layers:
            raise self.fault(name, f"has {len(value)} items for {layers} layers; each layer needs one")
        predicted = self.predicted_layers()
        if len(value) > layers + predicted:
            also = f" and {predicted} that predict" if predicted else ""
            raise self.fault(name, f"has {len(value):,} items for {layers} layers{also}; leave the others out")
        return value[:layers]

    def named(self, name: Any, kinds: Mapping[Any, Kind], key: str = "layer_types") -> Kind:  # noqa: ANN401  a JSON value
        """Kind that a name in a list stands for.

        Raises:
            CatalogError: the name is none of those that are modelled.
        """
        if not isinstance(name, (str, int)) or name not in kinds:
            raise self.fault(key, f"{name!r} is not a kind that is modelled here; {', '.join(map(str, kinds))} are")
        return kinds[name]

    def predicted_layers(self) -> int:
        """Number of prediction layers after the others."""
        return self.whole(*PREDICTION_LAYERS, default=0)

    def flag(self, name: str) -> bool | None:
        """Boolean value of a key; None where it is missing."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.fault(name, f"{value!r} is neither true nor false")
        return value

    def meant(self, key: str) -> str:
        """Hint at the known key that an unknown one may be a misspelling of."""
        near = difflib.get_close_matches(key, self._used, n=1, cutoff=0.85)
        return f" (did you mean {near[0]}?)" if near else ""

    def unknown(self) -> list[str]:
        """Keys with a value that were not used, in the order of the file."""
        return [
            key
            for key, value in self.values.items()
            if key not in self._used and value not in (None, False, 0, "", [], {})
        ]

    def refusal(self, unknown: Sequence[str]) -> CatalogError:
        """Error for keys with an unknown effect."""
        first, *others = unknown
        more = len(others) + 1 - MOST_NAMED
        named = [f"{self.place(key).removeprefix(f'{self.path}:')}" for key in others[: MOST_NAMED - 1]]
        return self.fault(
            first,
            f"Ridgeline does not know what this changes{self.meant(first)}"
            + (f", nor {', '.join(named)}" if named else "")
            + (f" and {more} more" if more > 0 else "")
            + "; --ignore-unknown (in Python ignore_unknown=True) ignores such keys and says so in every"
            " output, and a .toml file can describe what a configuration cannot",
        )
