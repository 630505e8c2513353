"""NetBox's API: devices, modules, cables, racks and circuits, each kind as one JSON file of the inbox.

Everything is read before anything is written, so a pull that fails half way leaves the inbox as it was. Records are
sorted by id and nothing of the moment is written, so an unchanged NetBox gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pynetbox
import requests
from pynetbox.core.query import Request
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from turnup.connectors.settings import NetBoxConnector
from turnup.durable import canonical_json, replace_bytes

FILES: dict[str, tuple[tuple[str, str], ...]] = {
    "devices": (("devices", "dcim/devices"),),
    "modules": (("modules", "dcim/modules"),),
    "cables": (("cables", "dcim/cables"),),
    "racks": (("racks", "dcim/racks"),),
    "circuits": (("circuits", "circuits/circuits"), ("circuit_terminations", "circuits/circuit-terminations")),
}
"""Per file its groups of records, and where the API has them."""

_FILTERS = {"dcim/devices": {"exclude": "config_context"}}
_BUSY = (429, 502, 503, 504)


class PullFailed(Exception):
    """NetBox did not give all that was asked for; nothing was written. The message says what to do."""


@dataclass(frozen=True)
class PulledFile:
    """One file of the inbox: its kind, path, number of records by group, and whether its bytes are new."""

    kind: str
    path: Path
    records: dict[str, int]
    sha256: str
    changed: bool


def pull_netbox(settings: NetBoxConnector, token: str, inbox: Path) -> list[PulledFile]:
    """Read all kinds from NetBox, then write one file for each.

    Args:
        settings: where it is and how to ask.
        token: of an account that may read devices, modules, cables, racks and circuits.
        inbox: the programme's inbox.

    Raises:
        PullFailed: the token is refused, NetBox fails, is not there in time, or gives less than it announces.
    """
    session = _session(settings)
    try:
        documents = {
            kind: {group: _records(settings, session, token, place) for group, place in groups}
            for kind, groups in FILES.items()
        }
    finally:
        session.close()
    return [_write(inbox / settings.into / f"{kind}.json", kind, held) for kind, held in documents.items()]


def _write(path: Path, kind: str, groups: dict[str, list[dict[str, Any]]]) -> PulledFile:
    content = canonical_json(groups)
    changed = not path.exists() or path.read_bytes() != content
    # Equal bytes are written again too: the file's new time tells that its content was confirmed today.
    replace_bytes(path, content)
    counts = {group: len(records) for group, records in groups.items()}
    return PulledFile(kind, path, counts, sha256(content).hexdigest(), changed)


class _Patient(HTTPAdapter):
    """Waits for every answer as long as the settings say, and asks again when NetBox is busy."""

    def __init__(self, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        super().__init__(
            max_retries=Retry(
                total=2, connect=0, read=False, backoff_factor=0.2, status_forcelist=_BUSY, raise_on_status=False
            )
        )

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # type: ignore[override]
        return super().send(request, **{**options, "timeout": self.timeout_s})


def _session(settings: NetBoxConnector) -> requests.Session:
    session = requests.Session()
    for scheme in ("https://", "http://"):
        session.mount(scheme, _Patient(settings.timeout_s))
    # Without an auth of its own a session takes one from ~/.netrc, in place of the token's header.
    session.auth = lambda request: request
    session.max_redirects = 0
    return session


def _records(settings: NetBoxConnector, session: requests.Session, token: str, place: str) -> list[dict[str, Any]]:
    """All records of one kind, page by page, sorted by id."""
    found: dict[int, dict[str, Any]] = {}
    for record in _pages(settings, session, token, place):
        number = record.get("id")
        if not isinstance(number, int):
            raise PullFailed(f"{_where(settings, place)} gave a record without an id: is this a NetBox?")
        if number in found:
            raise PullFailed(f"{_where(settings, place)} changed while it was read (id {number} twice): pull again")
        found[number] = record
    return [found[number] for number in sorted(found)]


def _pages(settings: NetBoxConnector, session: requests.Session, token: str, place: str) -> Iterator[dict[str, Any]]:
    where = _where(settings, place)
    filters = {"ordering": "id", **_FILTERS.get(place, {})}
    seen = 0
    while True:
        page = Request(
            f"{settings.url}/api/{place}/", session, filters=filters, limit=settings.page_size, offset=seen, token=token
        )
        records = _asked(page, where, settings.timeout_s)
        total = getattr(page, "count", None)
        if not isinstance(total, int):
            raise PullFailed(f"{where} does not say how many records it has: is this a NetBox?")
        seen += len(records)
        yield from records
        if seen == total:
            return
        if not records or seen > total:
            raise PullFailed(f"{where} announces {total} records and gave {seen}: a page was cut; pull again")


def _asked(page: Request, where: str, timeout_s: float) -> list[dict[str, Any]]:
    """The records of one page, or PullFailed with what is wrong; the token is in no message."""
    try:
        records = list(page.get())
    except pynetbox.RequestError as error:
        raise PullFailed(f"{where} {_refusal(error.req.status_code)}") from None
    except (pynetbox.ContentError, KeyError, TypeError, AttributeError):
        raise PullFailed(f"{where} gave no whole NetBox page (cut, or not JSON of NetBox): pull again") from None
    except requests.Timeout:
        raise PullFailed(f"{where} did not answer within {timeout_s:g} s: try later, or set timeout_s") from None
    except requests.TooManyRedirects:
        raise PullFailed(f"{where} sends us elsewhere: write the address it redirects to as url") from None
    except (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError):
        raise PullFailed(f"{where} broke off in the middle of a page: pull again") from None
    except requests.exceptions.SSLError:
        raise PullFailed(f"{where} has no certificate that this machine trusts") from None
    except requests.RequestException as error:
        raise PullFailed(f"{where} cannot be reached ({type(error).__name__}): check url and network") from None
    if not all(isinstance(record, dict) for record in records):
        raise PullFailed(f"{where} gave records that are no objects: is this a NetBox?")
    return records


def _refusal(status: int) -> str:
    if status in (401, 403):
        return f"refuses the token ({status}): check token_env or token_file, and that its account may read this"
    if status == 404:
        return "does not exist (404): is url the address of a NetBox, without /api?"
    return f"failed ({status}): look into NetBox's own log, and pull again"


def _where(settings: NetBoxConnector, place: str) -> str:
    return f"{settings.url}/api/{place}/"
