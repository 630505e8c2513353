"""Which store of rows a programme has. Does not belong here: how either of them keeps rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.warehouse.lake import LakeStore
from turnup.warehouse.parts import PartStore

if TYPE_CHECKING:
    from turnup.programme import Home, Programme
    from turnup.warehouse.batches import Store


def open_store(home: Home, programme: Programme) -> Store:
    """The store that ``programme.yaml`` asks for: its own files, or a lake that several machines share."""
    return PartStore(home.store) if programme.lake is None else LakeStore(programme.lake)
