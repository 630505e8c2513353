"""A programme on disk with one closed week, and a mail server."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from reports.delivery.dispatch import dispatch
from reports.delivery.journal import Journal
from reports.delivery.sender import Sender
from tests.reports.delivery import post_office
from turnup.programme import Home, Programme
from turnup.warehouse.manifest import Manifest, ManifestStore

# Week 2026-W44 ends on Friday 30 October 2026, 18:00 in Dublin; it is Monday after that.
NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
FRIENDS = (
    {"name": "Ada", "email": "ada@example.net", "report": "executive"},
    {"name": "Bert", "email": "bert@example.net", "report": "governance"},
)


def issued_message(week, report):
    mail = EmailMessage()
    mail["Subject"] = f"Readiness {week}: 96 of 128"
    mail["From"] = "turnup <turnup@localhost>"
    mail.set_content(f"The {report} report of {week}.\n.\n..two dots and Žluťoučký\n")
    mail.add_alternative(f"<p>The {report} report of {week}</p>", subtype="html")
    return mail.as_bytes()


@dataclass
class House:
    """One programme, its server, and what to change of either."""

    root: Path
    port: int
    taken: object
    recipients: tuple = FRIENDS
    delivery: dict = field(default_factory=dict)
    security: str = "none"
    mail: dict = field(default_factory=dict)
    secrets: dict = field(default_factory=dict)
    now: datetime = NOW
    held: dict = field(default_factory=dict)
    pauses: list = field(default_factory=list)

    def manifest(self, week="2026-W44", ordinal=1, state="closed"):
        manifest = Manifest(week, ordinal, state, f"{ordinal:016d}", {}, (), None)
        ManifestStore(self.root / "store").create(manifest)
        return manifest

    def programme(self):
        mail = {"host": "localhost", "port": self.port, "sender": "turnup@example.org", "security": self.security,
                "timeout_s": 5, **self.mail}  # fmt: skip
        delivery = {"mail": mail, "operator": ["ops@example.net"], **self.delivery}
        return Programme.model_validate(
            {"name": "P", "time_zone": "Europe/Dublin", "recipients": self.recipients, "delivery": delivery}
        )

    def journal(self):
        return Journal(self.root / "store")

    def sender(self, programme=None, journal=None):
        settings = (programme or self.programme()).delivery
        return Sender(
            settings, self.root, journal or self.journal(), self.secrets, lambda: self.now, self.pauses.append
        )

    def round(self, journal=None):
        programme = self.programme()
        return dispatch(
            Home(self.root), programme, self.sender(programme, journal),
            lambda manifest, report: issued_message(manifest.week, report),
            lambda manifest, report: self.held.get(report, ""),
            self.now,
        )  # fmt: skip

    def later(self, **passed):
        self.now += timedelta(**passed)

    def states(self):
        return {(e.message.version, e.message.report, e.message.to): e.state for e in self.journal().entries()}


@pytest.fixture
def taken():
    return post_office.Taken()


@pytest.fixture
def house(tmp_path, taken):
    controller = post_office.opened(taken)
    yield House(tmp_path, controller.port, taken)
    controller.stop()
