"""YAML with line numbers: what a person wrote, and where, so that an error can name file, line and key.

Belongs here: composing YAML and turning validation errors into sentences. Does not: what any key means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from turnup.configuration_error import ConfigurationError as ConfigurationError
from turnup.expected_values import expected

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic_core import ErrorDetails

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TRIED = re.compile(r"constrained-\w+|literal\[.*\]|int|str|float|bool|decimal")
_BARE_BOOLEANS = frozenset({"yes", "no", "on", "off", "y", "n"})


Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class YamlDocument:
    """A parsed YAML file with the line (1-based) of every key path."""

    path: Path
    data: Any
    lines: dict[tuple[str | int, ...], int]

    def line_of(self, location: tuple[str | int, ...]) -> int:
        """Return the line of a key path, or of its nearest known parent."""
        for end in range(len(location), -1, -1):
            if location[:end] in self.lines:
                return self.lines[location[:end]]
        return 1


def load_yaml(path: Path) -> YamlDocument:
    """Read one YAML file; duplicate keys and bare yes/no words are refused, for YAML would change them silently.

    Raises:
        ConfigurationError: the file is missing, is not YAML, repeats a key or uses a bare boolean word.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror}); expected a YAML file") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is not UTF-8 text (byte {error.start}); save it as UTF-8") from error
    try:
        node = yaml.compose(text, Loader=_Loader)
        lines: dict[tuple[str | int, ...], int] = {(): 1}
        if node is not None:
            _collect_lines(node, (), lines, path)
        return YamlDocument(path, yaml.load(text, Loader=_Loader), lines)  # noqa: S506 - a safe loader
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigurationError(f"{path}, line {line}: not valid YAML: {error.problem}") from error
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise ConfigurationError(f"{path}, line {line}: not valid YAML: a character that is not allowed") from error
    except RecursionError as error:
        raise ConfigurationError(f"{path}: not valid YAML: it refers to itself") from error
    except ValueError as error:  # such as the date 2026-02-30, which the YAML reader would make
        raise ConfigurationError(f"{path}: not valid YAML: {error}; put the value into quotes") from error


def _collect_lines(node: Any, at: tuple[str | int, ...], lines: dict[tuple[str | int, ...], int], path: Path) -> None:
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            key, line = key_node.value, key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise ConfigurationError(f"{path}, line {line}: a key must be one word, not a list or a mapping")
            if (*at, key) in lines:
                first = lines[(*at, key)]
                raise ConfigurationError(f"{path}, line {line}: key '{key}' stands here again (first at line {first})")
            lines[(*at, key)] = line
            _collect_lines(value_node, (*at, key), lines, path)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            lines[(*at, index)] = item.start_mark.line + 1
            _collect_lines(item, (*at, index), lines, path)
    elif not node.style and str(node.value).lower() in _BARE_BOOLEANS:
        line = node.start_mark.line + 1
        raise ConfigurationError(
            f"{path}, line {line}, key '{_dotted(at)}': found the bare word {node.value}, which YAML reads as true or "
            f'false; write true, false or "{node.value}"'
        )


def _dotted(location: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in location)


def sentences_of(error: ValidationError) -> list[tuple[tuple[str | int, ...], str]]:
    """Each fault of a pydantic error: the place of its key, and what was found and what is allowed."""
    found: dict[tuple[str | int, ...], tuple[str, list[str]]] = {}
    every = error.errors(include_url=False)
    for fault in every:
        place = fault["loc"]
        if fault["type"] == "too_short" and any(one["loc"][: len(place)] == place != one["loc"] for one in every):
            continue  # a list whose items are at fault is not short of items
        given = "" if fault["type"] in {"missing", "extra_forbidden"} else f"found {fault['input']!r}; "
        # A key that takes one of several kinds has a fault for each of them.
        found.setdefault(_key_of(place, every), (given, []))[1].append(_reason(fault))
    return [(place, given + _joined(reasons)) for place, (given, reasons) in found.items()]


def _key_of(place: tuple[str | int, ...], every: list[ErrorDetails]) -> tuple[str | int, ...]:
    """The place without what pydantic adds to it: the kind of value that it tried, or that it is the key itself."""
    if place and place[-1] == "[key]":
        return place[:-1]
    beside = [fault["loc"] for fault in every if fault["loc"][:-1] == place[:-1]]
    tried = len(beside) > 1 and all(_TRIED.fullmatch(str(one[-1])) for one in beside if one)
    return place[:-1] if tried else place


def _joined(reasons: list[str]) -> str:
    head = "expected "
    if not all(reason.startswith(head) for reason in reasons):
        return "; ".join(dict.fromkeys(reasons))
    return head + " or ".join(dict.fromkeys(reason.removeprefix(head) for reason in reasons))


def explain_validation(document: YamlDocument, error: ValidationError) -> str:
    """Turn a pydantic error into one sentence per fault: file, line, key, found, allowed."""
    return "\n".join(
        f"{document.path}, line {document.line_of(place)}, key '{_dotted(place)}': {sentence}"
        for place, sentence in sentences_of(error)
    )


def in_words(error: ValidationError) -> str:
    """The faults of settings that stand in no file: key, found, allowed."""
    return "; ".join(f"{f'{_dotted(place)}: ' if place else ''}{words}" for place, words in sentences_of(error))


def _reason(fault: ErrorDetails) -> str:
    kind = fault["type"]
    if kind == "extra_forbidden":
        return "this key is not known here; check the spelling or remove it"
    if kind == "missing":
        return "this key is required and is missing"
    words = expected(kind, fault.get("ctx", {}))
    if words is not None:
        return f"expected {words}"
    message = fault["msg"].removeprefix("Value error, ")
    return message[0].lower() + message[1:]


def load_model(path: Path, model: type[Model], keys: str) -> Model:
    """Read one YAML file as a configuration model; ``keys`` names some of its keys, for a file that holds none.

    Raises:
        ConfigurationError: with file, line, key, what was found and what is allowed.
    """
    document = load_yaml(path)
    if not isinstance(document.data, dict):
        raise ConfigurationError(f"{path}, line 1: expected keys such as {keys}")
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        raise ConfigurationError(explain_validation(document, error)) from error
