"""Purchase orders, shipping notices and transport status as EDI messages (X12 and EDIFACT)."""

from turnup.formats.content import Content
from turnup.formats.edi.interchange import is_edifact, is_x12, read_edifact, read_x12
from turnup.formats.edi.messages import FEEDS, parse_messages
from turnup.formats.model import Format, RawTable, Request
from turnup.formats.profiles import Profile


def parse_x12(request: Request) -> RawTable:
    """Read an X12 file; a fault of an envelope sets aside what is in it."""
    return parse_messages(request, "x12", read_x12(request.content, request.source.encoding))


def parse_x12_by_message(request: Request) -> RawTable:
    """Read an X12 file, each transaction set judged by its own figures."""
    read = read_x12(request.content, request.source.encoding)
    return parse_messages(request, "x12_by_message", read, envelopes=False)


def parse_edifact(request: Request) -> RawTable:
    """Read an EDIFACT file; a fault of an envelope sets aside what is in it."""
    return parse_messages(request, "edifact", read_edifact(request.content, request.source.encoding))


def parse_edifact_by_message(request: Request) -> RawTable:
    """Read an EDIFACT file, each message judged by its own figures."""
    read = read_edifact(request.content, request.source.encoding)
    return parse_messages(request, "edifact_by_message", read, envelopes=False)


def _only_when_declared(content: Content) -> bool:
    return False


FORMATS: tuple[Format, ...] = (
    Format("x12", is_x12, parse_x12, feeds=FEEDS, adds_up=True),
    Format("edifact", is_edifact, parse_edifact, feeds=FEEDS, adds_up=True),
    Format("x12_by_message", _only_when_declared, parse_x12_by_message, feeds=FEEDS, adds_up=True),
    Format("edifact_by_message", _only_when_declared, parse_edifact_by_message, feeds=FEEDS, adds_up=True),
)
PROFILES: tuple[Profile, ...] = ()
