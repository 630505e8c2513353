"""Schedules as their tools export them: XER and PMXML of Primavera P6, XML of Microsoft Project, and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.formats.content import Content
from turnup.formats.model import Format, Request
from turnup.formats.profiles import Profile
from turnup.formats.schedule.mspdi import is_mspdi, read_mspdi
from turnup.formats.schedule.pmxml import claims_pmxml, read_pmxml
from turnup.formats.schedule.sources import from_file, from_table
from turnup.formats.schedule.tables import is_schedule_table, read_table
from turnup.formats.schedule.xer import claims_xer, read_xer
from turnup.schedule.columns import DATASETS

if TYPE_CHECKING:
    from turnup.programme import Source
    from turnup.schedule.model import Project


def _xer(request: Request) -> tuple[Project, ...]:
    return read_xer(request.content.data, request.content.name, request.source.encoding)


def _pmxml(request: Request) -> tuple[Project, ...]:
    return read_pmxml(request.content.data, request.content.name)


def _mspdi(request: Request) -> tuple[Project, ...]:
    return read_mspdi(request.content.data, request.content.name)


FORMATS: tuple[Format, ...] = (
    Format("xer", lambda content: claims_xer(content.head), from_file("xer", _xer), feeds=DATASETS),
    Format("pmxml", lambda content: claims_pmxml(content.head), from_file("pmxml", _pmxml), feeds=DATASETS),
    Format("mspdi", is_mspdi, from_file("mspdi", _mspdi), feeds=DATASETS),
    Format("schedule_table", is_schedule_table, from_table, feeds=DATASETS),
)
PROFILES: tuple[Profile, ...] = ()


def read_schedule(content: Content, source: Source | None = None) -> tuple[Project, ...]:
    """The projects of a schedule file, by its content: XER, PMXML, MSPDI, else a table of tasks.

    Args:
        content: the file.
        source: how its values are written, where that is declared; only a table needs it.

    Raises:
        FileRejected: the file is none of these, or damaged.
    """
    if claims_xer(content.head):
        return read_xer(content.data, content.name, source.encoding if source is not None else None)
    if claims_pmxml(content.head):
        return read_pmxml(content.data, content.name)
    if is_mspdi(content):
        return read_mspdi(content.data, content.name)
    return (read_table(content, source or _undeclared()).project,)


def _undeclared() -> Source:
    """A source that says nothing of its files."""
    from turnup.programme import Source

    return Source(dataset=DATASETS[0], files="*")


__all__ = ["FORMATS", "PROFILES", "read_schedule"]
