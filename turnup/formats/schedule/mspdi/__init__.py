"""Microsoft Project's XML (MSPDI): its calendars, tasks, links and resources as projects."""

from turnup.formats.schedule.mspdi.project import is_mspdi, read_mspdi

__all__ = ["is_mspdi", "read_mspdi"]
