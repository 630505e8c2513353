"""A real SMTP server for tests: it keeps what it takes, and fails in the ways that are asked of it."""

import socket
import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@dataclass
class Taken:
    """Messages that were taken, and what to answer before: `refusals` by stage, used up one by one."""

    messages: list[tuple[str, bytes]] = field(default_factory=list)
    refusals: dict[str, list[str]] = field(default_factory=dict)
    lose_the_answer: bool = False

    def _answer(self, stage):
        return self.refusals[stage].pop(0) if self.refusals.get(stage) else None

    async def handle_RCPT(self, server, session, envelope, address, options):
        if answer := self._answer("rcpt"):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if answer := self._answer("data"):
            return answer
        for to in envelope.rcpt_tos:
            self.messages.append((to, envelope.content))
        if self.lose_the_answer:
            server.transport.abort()
        return "250 taken"

    def of(self, address):
        return [content for to, content in self.messages if to == address]


def opened(taken, **options):
    """The server on a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(taken, hostname="127.0.0.1", port=port, **options)
    controller.start()
    return controller


def certificate(folder, name="localhost"):
    """A fresh certificate of its own for a server; returns its file and a server's TLS context."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "mail-ca.pem", folder / "mail-key.pem"
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(public, private)
    return public, context


def only(user, password):
    """An authenticator that knows one login."""

    def check(server, session, envelope, mechanism, data):
        right = (data.login, data.password) == (user.encode(), password.encode())
        return AuthResult(success=right, handled=False)

    return check
