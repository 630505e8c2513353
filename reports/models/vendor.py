"""The report of one vendor, version 1."""

from dataclasses import dataclass, field

from reports.models.common import Block


@dataclass(frozen=True)
class VendorReport:
    """What one vendor may see of a week: nothing of its header but week and data date."""

    vendor: str
    file: str
    programme: str
    week: str
    cut_off_local: str
    fingerprint: str
    message: str
    blocks: tuple[Block, ...]
    report: str = field(default="vendor", init=False)
    version: str = field(default="1", init=False)
