"""What ``connectors:`` of programme.yaml may say. A secret never stands there, only where it is kept."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from turnup.strict import Strict

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class NetBoxConnector(Strict):
    """A NetBox to pull from.

    Attributes:
        url: its address, without ``/api``.
        token_env: environment variable that holds the token.
        token_file: file that holds the token, relative to the programme's folder.
        into: folder of the inbox that the files go to.
        page_size: records asked for at a time.
        timeout_s: seconds to wait for an answer.
    """

    url: str
    token_env: str | None = None
    token_file: str | None = None
    into: str = "netbox/"
    page_size: Annotated[int, Field(ge=1, le=1000)] = 500
    timeout_s: Annotated[float, Field(gt=0, le=600)] = 30.0

    @field_validator("url")
    @classmethod
    def _safe_url(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.username or parts.password:
            raise ValueError("write no user or password into the address; the token stands in a variable or a file")
        if not parts.hostname or parts.scheme not in ("http", "https"):
            raise ValueError("an address such as https://netbox.example.net is expected")
        if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            raise ValueError("over http:// the token could be read on the way; write https://")
        return value.rstrip("/").removesuffix("/api")

    @field_validator("into")
    @classmethod
    def _inside_the_inbox(cls, value: str) -> str:
        path = PurePosixPath(value)
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise ValueError("a folder inside the inbox is expected, such as netbox/")
        return value

    @model_validator(mode="after")
    def _one_place_of_the_token(self) -> NetBoxConnector:
        if (self.token_env is None) == (self.token_file is None):
            raise ValueError("say where the token is kept: either token_env or token_file")
        return self


class Connectors(Strict):
    """All systems to pull from."""

    netbox: NetBoxConnector | None = None
