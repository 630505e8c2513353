"""Owners of files: persons and teams as several people spell them.

Belongs here: telling that two spellings are one owner. Does not: what is asked of them (``turnup.returns``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.identity import normal_form

if TYPE_CHECKING:
    from collections.abc import Iterable


def one_spelling(owners: Iterable[str]) -> dict[str, str]:
    """Each spelling with the first one of the same owner: those that differ only by blanks or case are one."""
    first: dict[str | None, str] = {}
    return {owner: first.setdefault(normal_form(owner), " ".join(owner.split())) for owner in owners}
