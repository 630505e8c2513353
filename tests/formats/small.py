"""A small contract for files written by tests."""

from __future__ import annotations

from collections.abc import Sequence

from expectations.contract import Column, Contract


def contract_of(
    columns: Sequence[str],
    *,
    required: Sequence[str] = (),
    ids: Sequence[str] = (),
    synonyms: dict[str, tuple[str, ...]] | None = None,
    name: str = "parts",
) -> Contract:
    """A contract of text columns; those in ``ids`` are identifiers."""
    made = tuple(
        Column(
            name=column,
            type="id" if column in ids else "text",
            required=column in required,
            description="",
            unit=None,
            values=(),
            minimum=None,
            maximum=None,
            default=None,
            fallback=None,
            synonyms=(synonyms or {}).get(column, ()),
            example=None,
        )
        for column in columns
    )
    return Contract(name, name, "1", "", (columns[0],), False, made, (), 0, "")


PARTS = contract_of(
    ("part", "qty", "site", "note"), required=("part", "qty"), ids=("part",), synonyms={"qty": ("Quantity", "Pieces")}
)
"""A dataset of parts; part and qty are required, part is an identifier."""
