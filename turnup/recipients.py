"""What ``recipients:`` and ``delivery:`` of programme.yaml may say: who gets which report, when, and by which way.

Belongs here: the typed settings. Does not: sending (``reports.delivery``). A secret never stands here, only the name of
the environment variable that holds it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from turnup.strict import Strict

ReportName = Literal["governance", "executive"]
Cadence = Literal["weekly", "monthly", "every_result"]
Address = Annotated[str, Field(pattern=r"^[^@\s<>,;]+@[^@\s<>,;]+$")]
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]*$"


class Recipient(Strict):
    """Who gets which report.

    Attributes:
        cadence: ``weekly``: each closed week and its restatements; ``monthly``: the last week that closes in a month,
            and its restatements; ``every_result``: also each new result of the week that is still open.
    """

    name: str
    email: Address
    report: ReportName
    cadence: Cadence = "weekly"


class Channel(Strict):
    """A chat or another channel that gets the summary of a report.

    Attributes:
        url_env: environment variable that holds the Apprise address, which is a secret.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    url_env: Annotated[str, Field(pattern=_VARIABLE)]
    report: ReportName = "executive"
    cadence: Cadence = "weekly"


class MailServer(Strict):
    """The SMTP server that takes our messages.

    Attributes:
        security: ``starttls`` (usual on port 587), ``tls`` (from the first byte, port 465), or ``none``, which is for
            a relay on this machine only.
        sender: address that the messages come from.
        user_env, password_env: environment variables of the login; both or neither.
        ca_file: certificates to trust beside the system's, relative to the programme's folder.
        timeout_s: seconds to wait for each answer.
    """

    host: Annotated[str, Field(min_length=1)]
    port: Annotated[int, Field(ge=1, le=65535)] = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    sender: Address
    user_env: Annotated[str, Field(pattern=_VARIABLE)] | None = None
    password_env: Annotated[str, Field(pattern=_VARIABLE)] | None = None
    ca_file: str | None = None
    timeout_s: Annotated[float, Field(gt=0, le=600)] = 30.0

    @model_validator(mode="after")
    def _safe(self) -> MailServer:
        if self.security == "none" and self.host not in _LOOPBACK:
            raise ValueError("without encryption only a relay on this machine is allowed; write starttls or tls")
        if (self.user_env is None) != (self.password_env is None):
            raise ValueError("a login needs both user_env and password_env")
        return self


class ReportDelivery(Strict):
    """How reports leave the house.

    Attributes:
        mail: the server; without one nothing is mailed.
        channels: chat and the like.
        operator: addresses that are told of what failed.
        operator_channels: names of channels that are told of it too.
        attempts: tries of one message within one run before the next run goes on with it.
    """

    mail: MailServer | None = None
    channels: tuple[Channel, ...] = ()
    operator: tuple[Address, ...] = ()
    operator_channels: tuple[str, ...] = ()
    attempts: Annotated[int, Field(ge=1, le=10)] = 4

    @field_validator("channels")
    @classmethod
    def _one_of_each_name(cls, value: tuple[Channel, ...]) -> tuple[Channel, ...]:
        pairs = [(channel.name, channel.report) for channel in value]
        if len(set(pairs)) != len(pairs):
            raise ValueError("a channel stands here twice for the same report")
        return value

    @model_validator(mode="after")
    def _channels_exist(self) -> ReportDelivery:
        known = {channel.name for channel in self.channels}
        unknown = sorted(set(self.operator_channels) - known)
        if unknown:
            raise ValueError(f"operator_channels: no channel '{unknown[0]}'; allowed: {', '.join(sorted(known))}")
        if self.operator and self.mail is None:
            raise ValueError("operator: there is no mail server to write to an operator with; add mail")
        return self
