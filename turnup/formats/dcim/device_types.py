"""Device types in YAML, as the community's library and NetBox keep them: what a switch or server has by its type.

Capacity is counted from such entries, so they are checked too: a numbering with holes lists fewer ports than the
device has, and a file whose name disagrees with its model is found under neither.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product

import yaml
from rapidfuzz import fuzz

from turnup.formats.content import Content
from turnup.formats.decoding import decode
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, Look, RawTable, Request

_PROOF = tuple(re.compile(rf"(?m)^{name}:\s*\S") for name in ("manufacturer", "model", "slug"))
_NUMBER = re.compile(r"\d+")
_LARGEST_GRID = 4_096
_MOST_MISSING = 0.25
"""A numbering with more than this share of holes is no grid, and nothing is said about it."""

Names = list[tuple[str, int, str]]
"""Name, line and type of each port."""


def is_device_type(content: Content) -> bool:
    """Whether a text is a device type in YAML."""
    return all(proof.search(content.head_text) for proof in _PROOF)


def parse_device_type(request: Request) -> RawTable:
    """A device type feeds no dataset.

    Raises:
        FileRejected: ``device_type`` always.
    """
    message = "a device type says what a model has, not what this programme owns: it feeds no dataset"
    raise FileRejected("device_type", message, expected="a table of installs or bom")


def look_at_device_type(content: Content) -> Look:
    """Describe a device type.

    Raises:
        FileRejected: ``yaml`` with the line where it stops being YAML.
    """
    decoded = decode(content.data, None)
    try:
        root = yaml.compose(decoded.text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        row = mark.line + 1 if mark is not None else None
        told = str(error).replace("\n", " ")
        raise FileRejected("yaml", f"not valid YAML: {told}", row=row, expected="YAML") from error
    if not isinstance(root, yaml.MappingNode):
        raise FileRejected("yaml", "the document is no mapping of names to values", expected="manufacturer: ...")
    plain = {key.value: held.value for key, held in root.value if isinstance(held, yaml.ScalarNode)}
    parts = {key.value: _names(held) for key, held in root.value if isinstance(held, yaml.SequenceNode)}
    lines = decoded.text.removesuffix("\n").split("\n")
    blank = sum(not line.strip() for line in lines)
    findings = [*decoded.findings, *_name_findings(content, plain)]
    for kind, names in sorted(parts.items()):
        findings += _findings(kind, names)
    ledger = Ledger(lines=len(lines), other=len(lines) - blank, blank=blank)
    return Look(ledger, tuple(_facts(plain, parts)), tuple(findings))


def _names(held: yaml.SequenceNode) -> Names:
    found = []
    for item in held.value:
        if isinstance(item, yaml.MappingNode):
            cells = {key.value: value.value for key, value in item.value if isinstance(value, yaml.ScalarNode)}
            found.append((cells.get("name", ""), item.start_mark.line + 1, cells.get("type", "")))
    return found


def _facts(plain: dict[str, str], parts: dict[str, Names]) -> Iterator[Fact]:
    for name in ("manufacturer", "model", "part_number", "u_height"):
        if plain.get(name):
            yield Fact(name, plain[name])
    for kind, names in sorted(parts.items()):
        key = kind.replace("-", "_")
        yield Fact(key, len(names))
        types = Counter(kind_of for _, _, kind_of in names if kind_of)
        if types:
            yield Fact(f"{key}_by_type", tuple(f"{kind_of}: {times}" for kind_of, times in sorted(types.items())))
        missing = [name for _, holes in _holes(names) for name in holes]
        if missing:
            yield Fact(f"{key}_missing", tuple(missing), note="holes in the numbering")


def _findings(kind: str, names: Names) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for name, row, _ in names:
        if name in seen:
            message = f"line {row}: {name} stands in line {seen[name]} already"
            yield Finding("duplicate_port", "error", row, kind, name, message)
        seen.setdefault(name, row)
    for size, holes in _holes(names):
        message = (
            f"{kind} lists {size - len(holes)} of the {size} names that its numbering has room for; "
            f"{', '.join(holes[:10])} missing: a count of ports from this entry is wrong"
        )
        yield Finding("port_gap", "error", names[0][1], kind, ", ".join(holes[:10]), message)


def _holes(names: Names) -> list[tuple[int, list[str]]]:
    """Per pattern of numbering (``P1.0``, ``P1.1``, ...) its full size and the names that are missing from it."""
    patterns: dict[tuple[str, ...], set[tuple[int, ...]]] = {}
    for name, _, _ in names:
        patterns.setdefault(tuple(_NUMBER.split(name)), set()).add(tuple(int(n) for n in _NUMBER.findall(name)))
    found = []
    for pattern, numbers in sorted(patterns.items()):
        ranges = [range(min(column), max(column) + 1) for column in zip(*numbers, strict=True)]
        size = 1
        for one in ranges:
            size *= len(one)
        missing = size - len(numbers)
        if not ranges or size > _LARGEST_GRID or not 0 < missing <= _MOST_MISSING * size:
            continue
        holes = [held for held in product(*ranges) if held not in numbers]
        found.append((size, [_spelled(pattern, held) for held in holes]))
    return found


def _spelled(pattern: tuple[str, ...], numbers: tuple[int, ...]) -> str:
    return "".join(f"{text}{number}" for text, number in zip(pattern, numbers, strict=False)) + pattern[-1]


def _name_findings(content: Content, plain: dict[str, str]) -> Iterator[Finding]:
    """A file named almost like its model is misspelt in one of the two places."""
    stem = _key(re.sub(r"\.ya?ml$", "", content.name.rpartition("/")[2]))
    maker = _key(plain.get("manufacturer", ""))
    known = [_key(plain.get(name, "")) for name in ("model", "part_number", "slug")]
    known += [text.removeprefix(maker) for text in known]
    if stem in known or stem.removeprefix(maker) in known:
        return
    nearest = max(known, key=lambda text: fuzz.ratio(stem, text), default="")
    if fuzz.ratio(stem, nearest) >= 75:
        message = f"the file is named {content.name}, its model is {plain.get('model')}: one of the two is misspelt"
        yield Finding("name_mismatch", "warning", None, "model", plain.get("model"), message)


def _key(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
