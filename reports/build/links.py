"""Permalinks made sound: every id stands once, and a link without a target is text, not a dead end."""

from collections.abc import Iterable
from dataclasses import replace

from reports.models.common import Block, Paragraph, Row, Table


def unique_rows(blocks: Iterable[Block], seen: set[str]) -> tuple[Block, ...]:
    """Return the blocks with an id kept only where it first occurs; adds what it finds to `seen`."""
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Table):
            block = replace(block, rows=tuple(_claimed(row, seen) for row in block.rows))
            block = replace(block, id=_free(block.id, seen))
        elif not isinstance(block, Paragraph):
            block = replace(block, id=_free(block.id, seen))
        found.append(block)
    return tuple(found)


def _free(identity: str, seen: set[str]) -> str:
    number, free = 1, identity
    while free in seen:
        number += 1
        free = f"{identity}.{number}"
    seen.add(free)
    return free


def _claimed(row: Row, seen: set[str]) -> Row:
    if not row.id:
        return row
    if row.id in seen:
        return replace(row, id="")
    seen.add(row.id)
    return row


def live_links(blocks: Iterable[Block], targets: set[str]) -> tuple[Block, ...]:
    """Return the blocks with links to unknown targets removed from table cells."""
    return tuple(
        replace(block, rows=tuple(_live(row, targets) for row in block.rows)) if isinstance(block, Table) else block
        for block in blocks
    )


def _live(row: Row, targets: set[str]) -> Row:
    if all(not cell.link or cell.link in targets for cell in row.cells):
        return row
    cells = tuple(replace(c, link="") if c.link and c.link not in targets else c for c in row.cells)
    return replace(row, cells=cells)
