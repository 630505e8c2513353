"""Two ends in one row: a name that stands on both gets the side's word (``Source Rack``, ``Destination Rack``)."""

from __future__ import annotations

from collections.abc import Sequence

from turnup.formats.tabular.names import clean, name_key

_SIDES = (
    ("source", "destination"),
    ("source", "target"),
    ("source", "dest"),
    ("src", "dst"),
    ("start", "end"),
    ("from", "to"),
    ("local", "remote"),
    ("side_a", "side_b"),
    ("side_a", "side_z"),
    ("a_side", "z_side"),
    ("a_end", "b_end"),
    ("a_end", "z_end"),
)


def with_sides(bases: Sequence[str], labels: Sequence[str]) -> list[str]:
    """The labels, where a name that stands twice takes the word of its side when the header tells two sides apart.

    The second side begins at the first column that bears its word; one of the two columns stands before it, the other
    behind.
    """
    keys = [name_key(base) for base in bases]
    twice = {key: [at for at, other in enumerate(keys) if other == key] for key in set(keys) if key}
    pairs = {key: at for key, at in twice.items() if len(at) == 2}
    found = _split(keys) if pairs else None
    if found is None:
        return list(labels)
    place, words = found
    named = list(labels)
    for _, (left, right) in sorted(pairs.items()):
        if left < place < right:
            new = [f"{word} {clean(bases[at])}" for word, at in zip(words, (left, right), strict=True)]
            if not {name_key(name) for name in new} & {*keys, *map(name_key, named)}:
                named[left], named[right] = new
    return named


def _split(keys: Sequence[str]) -> tuple[int, tuple[str, str]] | None:
    """Where the second side begins, and the words of both sides."""
    for first, second in _SIDES:
        at_first = next((at for at, key in enumerate(keys) if _begins(key, first)), None)
        at_second = next((at for at, key in enumerate(keys) if _begins(key, second)), None)
        if at_first is not None and at_second is not None and at_first < at_second:
            return at_second, (_title(first), _title(second))
    return None


def _begins(key: str, word: str) -> bool:
    """``source``, ``source_device`` and ``startdevice`` begin with a side's word; ``ended`` and ``total`` do not."""
    rest = key.removeprefix(word)
    return key.startswith(word) and (not rest or rest[0] == "_" or rest in _RUN_TOGETHER)


_RUN_TOGETHER = ("device", "port", "devicelocation", "node", "rack", "host", "system", "location")


def _title(word: str) -> str:
    return word.replace("_", " ").capitalize()
