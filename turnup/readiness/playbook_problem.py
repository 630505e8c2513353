"""One fault of a playbook file, and the plain data of the file as a linter walks it.

Belongs here: what every check needs to say where a fault is. Does not: any check.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnup.yaml_source import YamlDocument

Place = tuple[str | int, ...]


@dataclass(frozen=True, order=True)
class Problem:
    """One fault of a playbook file; ``key`` is the path of the key, such as ``gates.2.criteria.0.metric``."""

    file: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        """The fault as one sentence."""
        return f"{self.file}, line {self.line}, key '{self.key}': {self.message}"


def at(document: YamlDocument, place: Place, message: str) -> Problem:
    """A fault at a key, or at the nearest key above it that the file has."""
    key = ".".join(str(part) for part in place)
    return Problem(str(document.path), document.line_of(place), key, message)


def items(value: Any) -> list[tuple[int, dict[str, Any]]]:
    """The mappings of a list with their places; nothing when it is no list."""
    return (
        [(place, item) for place, item in enumerate(value) if isinstance(item, dict)] if isinstance(value, list) else []
    )


def word(value: Any) -> str:
    """A value that should be a word; empty when it is anything else."""
    return value if isinstance(value, str) else ""
