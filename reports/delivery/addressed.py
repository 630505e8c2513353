"""The message of one recipient, made from the message that was issued with the week's files."""

from __future__ import annotations

import email
import email.policy
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, formataddr

from reports.delivery.journal import Message

_WIRE = email.policy.SMTP.clone(cte_type="7bit")


@dataclass(frozen=True)
class Said:
    """What a channel is told: a title and plain text."""

    title: str
    text: str


def addressed(issued: bytes, sender: str, message: Message, now: datetime) -> bytes:
    """The issued message with sender, recipient, date and an id that is always the same for the same message."""
    mail = _parsed(issued)
    for name in ("From", "To", "Cc", "Bcc", "Date", "Message-ID"):
        del mail[name]
    mail["From"] = sender
    mail["To"] = formataddr((_plain(message.name), message.to))
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = f"<{message.version}.{message.report}.{message.key}@{sender.rpartition('@')[2]}>"
    return mail.as_bytes(policy=_WIRE)


def said(issued: bytes) -> Said:
    """Subject and plain text of the issued message."""
    mail = _parsed(issued)
    body = mail.get_body(("plain",))
    return Said(str(mail["Subject"] or ""), body.get_content() if body else "")


def notice(subject: str, text: str) -> bytes:
    """A plain message to the operator."""
    mail = EmailMessage(policy=_WIRE)
    mail["Subject"] = _plain(subject)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    return mail.as_bytes()


def _parsed(issued: bytes) -> EmailMessage:
    return email.message_from_bytes(issued, policy=_WIRE)


def _plain(text: str) -> str:
    """A header is one line: what breaks lines in it could begin another header."""
    return " ".join(text.split())
