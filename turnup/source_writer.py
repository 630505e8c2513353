"""A new source in ``programme.yaml``, written as a person would: below the others, everything else left as it is.

Belongs here: where in the text the entry goes. Does not: what it should say (``turnup.formats.inspection``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import ValidationError

from turnup.durable import replace_bytes
from turnup.yaml_source import ConfigurationError, in_words, load_yaml

if TYPE_CHECKING:
    from turnup.programme import Home, Programme

_DEFAULT_INDENT = 2


def source_yaml(name: str, source: dict[str, Any], notes: Sequence[str] = ()) -> str:
    """A source as a person writes it: keys in order, what is empty left out, notes as comments at the end."""
    held = {key: value for key, value in source.items() if value not in ({}, [], None, "")}
    text: str = yaml.safe_dump({name: held}, sort_keys=False, allow_unicode=True, width=1000)
    return text + "".join(f"  # {note}\n" for note in notes)


def add_source(home: Home, name: str, source: dict[str, Any], notes: Sequence[str] = ()) -> None:
    """Add a source to the programme's configuration, whole or not at all.

    Raises:
        ConfigurationError: the name is taken, the file is no valid configuration (before or with the new source), or
            its sources are written in a way that cannot be added to.
    """
    file = home.configuration
    present = home.load()
    if name in present.sources:
        raise ConfigurationError(f"{file}: a source '{name}' exists already; give another name with --name")
    text = file.read_bytes().decode("utf-8")
    ending = "\r\n" if "\r\n" in text else "\n"
    block = source_yaml(name, source, notes).replace("\n", ending)
    changed = _inserted(text, block, ending)
    _check(changed, type(present).model_validate(yaml.safe_load(text)), name, source)
    replace_bytes(file, changed.encode("utf-8"))
    load_yaml(file)


def _inserted(text: str, block: str, ending: str) -> str:
    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)  # a mapping: the file was loaded before
    found = [(key, value) for key, value in root.value if key.value == "sources"]
    if not found:
        gap = "" if not text or text.endswith("\n") else ending
        return f"{text}{gap}sources:{ending}{indent(block, ' ' * _DEFAULT_INDENT)}"
    _, value = found[0]
    if isinstance(value, yaml.MappingNode) and not value.flow_style and value.value:
        column = value.value[0][0].start_mark.column
        at = _behind_notes(text, _line_end(text, _last_leaf(value).end_mark.index), column)
        gap = "" if text[:at].endswith("\n") else ending
        return text[:at] + gap + indent(block, " " * column) + text[at:]
    if not value.value or value.tag.endswith("null"):
        at = _line_end(text, value.end_mark.index)
        rest = text[value.end_mark.index : at].strip()
        head = text[: value.start_mark.index].rstrip() + (f" {rest}" if rest else "")
        return head + ending + indent(block, " " * _DEFAULT_INDENT) + text[at:]
    line = value.start_mark.line + 1
    raise ConfigurationError(f"line {line}: sources stand in braces; write one per line, indented, to add to them")


def _last_leaf(node: Any) -> Any:
    """The node that ends last: a block's own end mark lies behind the comments that follow it."""
    while isinstance(node, (yaml.MappingNode, yaml.SequenceNode)) and node.value and not node.flow_style:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return node


def _behind_notes(text: str, at: int, column: int) -> int:
    """Behind the comments that belong to the last source: those that stand further in than its name."""
    while (line := re.match(r"( *)#.*(?:\n|$)", text[at:])) is not None and len(line.group(1)) > column:
        at += line.end()
    return at


def _line_end(text: str, index: int) -> int:
    """Behind the line that holds a position; a value that ends with its line ends there."""
    if index and text[index - 1 : index] == "\n":
        return index
    end = text.find("\n", index)
    return len(text) if end < 0 else end + 1


def _check(text: str, before: Programme, name: str, source: dict[str, Any]) -> None:
    """The text holds the old configuration and the new source, nothing else."""
    programme = type(before)
    try:
        after = programme.model_validate(yaml.safe_load(text))
        wanted = programme.model_validate(before.model_dump() | {"sources": {**before.sources, name: source}})
    except ValidationError as error:
        raise ConfigurationError(f"the proposed source cannot be used ({in_words(error)})") from error
    if after != wanted:
        raise ConfigurationError("the source cannot be added to programme.yaml by itself; paste it below the others")
