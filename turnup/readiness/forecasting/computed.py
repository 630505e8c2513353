"""The network of a programme with the schedules delivered for it, as one set of projects, and its dates.

Belongs here: putting nodes and files together, and which nodes have no date and why. Does not: drawing (``runs``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.nodes import Node, day_of, project_of
from turnup.schedule.network import NO_INSTANT, OUTSIDE_LOGIC, Network, compile_network
from turnup.schedule.passes import Schedule, computed
from turnup.schedule.working_time import moment_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from turnup.readiness.forecasting.plan import Making
    from turnup.schedule.model import Project


@dataclass(frozen=True)
class Bound:
    """Everything that has dates: the programme's nodes, and activities of schedule files bound to its gates.

    Attributes:
        making: facts and draft.
        files: projects of schedule files as bound to evidence.
        unknown: why an activity of a file has no usable duration, by id.
        points: shortest, likely and longest duration of an activity of a file, where it has them, by id.
    """

    making: Making
    files: tuple[Project, ...]
    unknown: Mapping[str, str]
    points: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)

    @cached_property
    def network(self) -> Network:
        """The compiled network."""
        draft = self.making.draft
        own = project_of(tuple(draft.nodes.values()), self.making.facts.as_of, self.making.holidays, draft.links)
        return compile_network((own, *self.files))

    @cached_property
    def schedule(self) -> Schedule:
        """Dates with the most likely durations, without pools and risks."""
        return computed(self.network)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Row of the network's activities by id."""
        return {identity: row for row, identity in enumerate(self.network.activities["id"].to_list())}

    @cached_property
    def file_ids(self) -> frozenset[str]:
        """Ids of the activities of delivered schedules."""
        return frozenset(identity for project in self.files for identity in project.activities["id"].to_list())

    @cached_property
    def reasons(self) -> Mapping[str, str]:
        """Why a node or activity has no date, by id: its own reason, a loop, or that of what it waits for."""
        found = {node.id: node.unknown for node in self.making.draft.nodes.values() if node.unknown} | dict(
            self.unknown
        )
        loops = {finding.message for finding in self.network.findings if finding.code == "loop"}
        ids = self.network.activities["id"].to_list()
        follow: dict[str, list[str]] = defaultdict(list)
        for project in self.network.projects:
            for pred, succ in zip(project.links["pred"].to_list(), project.links["succ"].to_list(), strict=True):
                follow[pred].append(succ)
        kinds = self.network.activities["kind"].to_list()
        for identity, kind, position in zip(ids, kinds, self.network.position.tolist(), strict=True):
            if position < 0 and loops and kind not in OUTSIDE_LOGIC:
                found.setdefault(identity, sorted(loops)[0])
        return _spread(found, follow, self._done)

    def is_done(self, identity: str) -> bool:
        """Whether a node or activity is completed."""
        return identity in self._done

    @cached_property
    def _done(self) -> frozenset[str]:
        activities = self.network.activities
        return frozenset(activities.filter(activities["status"] == "completed")["id"].to_list())

    def planned_day(self, identity: str) -> date | None:
        """The day on which a node is done when everything takes its most likely time; None where it has no date."""
        if identity in self.reasons or identity not in self.rows:
            return None
        instant = int(self.schedule.early_finish[self.rows[identity]])
        return None if instant == NO_INSTANT else day_of(moment_of(instant))

    def node(self, identity: str) -> Node | None:
        """The programme's node of this id."""
        return self.making.draft.nodes.get(identity)


def _spread(found: dict[str, str], follow: Mapping[str, list[str]], done: frozenset[str]) -> dict[str, str]:
    """Hand reasons on to all that waits; what is done waits for nothing."""
    waiting = sorted(found)
    while waiting:
        identity = waiting.pop(0)
        for after in follow.get(identity, ()):
            if after not in found and after not in done:
                found[after] = found[identity]
                waiting.append(after)
    return found
