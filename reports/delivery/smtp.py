"""Gives one message to an SMTP server, and knows at every moment whether the server may have taken it.

Belongs here: the dialogue. Does not: when to try again (``reports.delivery.sender``).
"""

from __future__ import annotations

import contextlib
import re
import smtplib
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from turnup.recipients import MailServer

_LINE_END = re.compile(rb"\r\n|\r|\n")
_LEADING_DOT = re.compile(rb"(?m)^\.")
_OK = 250
_GO_ON = 354
_PERMANENT = 500


class NotSent(Exception):
    """The message has certainly not been delivered; ``again`` says whether trying again can help."""

    def __init__(self, reason: str, *, again: bool) -> None:
        """Keep the reason and whether to try again."""
        super().__init__(reason)
        self.again = again


class Unknown(Exception):
    """The end of the message was given to the server and no answer came: it may have been delivered."""


@dataclass(frozen=True)
class Login:
    """User and password; never shown."""

    user: str
    password: str

    def __repr__(self) -> str:
        """Without the password."""
        return f"Login({self.user!r})"


def send(
    server: MailServer,
    home: Path,
    login: Login | None,
    recipient: str,
    content: bytes,
    handing_over: Callable[[], None],
) -> str:
    """Send one message to one recipient; returns the server's answer.

    Args:
        server: settings of the server.
        home: folder of the programme, which ``ca_file`` is relative to.
        login: user and password, where the server wants them.
        recipient: address of the envelope.
        content: the whole message.
        handing_over: called at the last instant at which it is certain that nothing has been delivered.

    Raises:
        NotSent: certainly not delivered.
        Unknown: perhaps delivered.
    """
    with _connected(server, home, login) as smtp:
        with _not_yet(server):
            _expect(smtp.mail(server.sender), _OK, "sender")
            _expect(smtp.rcpt(recipient), _OK, "recipient")
            _expect(smtp.docmd("DATA"), _GO_ON, "message")
            smtp.send(_on_the_wire(content))
        handing_over()
        try:
            smtp.send(b".\r\n")
            code, answer = smtp.getreply()
        except (OSError, smtplib.SMTPException) as error:
            raise Unknown(f"no answer after the end of the message: {_words(error)}") from error
        _expect((code, answer), _OK, "message")
        return f"{code} {_text(answer)}"


@contextlib.contextmanager
def _connected(server: MailServer, home: Path, login: Login | None) -> Iterator[smtplib.SMTP]:
    with _not_yet(server):
        smtp = _open(server, home)
    try:
        with _not_yet(server):
            if login is not None:
                smtp.login(login.user, login.password)
        yield smtp
    finally:
        with contextlib.suppress(OSError, smtplib.SMTPException):
            smtp.quit()
        smtp.close()


def _open(server: MailServer, home: Path) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if server.ca_file:
        context.load_verify_locations(home / server.ca_file)
    if server.security == "tls":
        smtp: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=server.timeout_s, context=context)
    else:
        smtp = smtplib.SMTP(server.host, server.port, timeout=server.timeout_s)
    try:
        smtp.ehlo()
        if server.security == "starttls":
            smtp.starttls(context=context)
            smtp.ehlo()
    except BaseException:
        smtp.close()
        raise
    return smtp


@contextlib.contextmanager
def _not_yet(server: MailServer) -> Iterator[None]:
    """What fails in here fails before anything can have been delivered."""
    try:
        yield
    except smtplib.SMTPResponseException as error:
        raise NotSent(f"{error.smtp_code} {_text(error.smtp_error)}", again=error.smtp_code < _PERMANENT) from error
    except smtplib.SMTPNotSupportedError as error:
        raise NotSent(f"{server.host}:{server.port}: {error}", again=False) from error
    except ssl.SSLCertVerificationError as error:
        raise NotSent(
            f"{server.host}:{server.port}: its certificate is not trusted ({error.verify_message})", again=False
        ) from error
    except (OSError, smtplib.SMTPException) as error:
        raise NotSent(f"{server.host}:{server.port}: {_words(error)}", again=True) from error


def _expect(reply: tuple[int, bytes], code: int, what: str) -> None:
    if reply[0] not in (code, code + 1):
        raise NotSent(f"{what} not taken: {reply[0]} {_text(reply[1])}", again=reply[0] < _PERMANENT)


def _on_the_wire(content: bytes) -> bytes:
    """Lines end in CRLF and a line's leading dot is doubled (RFC 5321, 4.5.2); the end of the message is not in it."""
    lines = _LINE_END.sub(b"\r\n", content)
    return _LEADING_DOT.sub(b"..", lines if lines.endswith(b"\r\n") else lines + b"\r\n")


def _text(answer: bytes | str) -> str:
    return " ".join((answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer).split())


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
