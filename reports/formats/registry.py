"""Which files a report is written as, and what makes each of them from the models.

Belongs here: the one list of (report, format). Does not: how a format is made. The heavier libraries are loaded only
when their format is asked for.
"""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock

from reports.models.canonical import to_json
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from turnup.durable import replace_bytes


class UnknownFormat(ValueError):
    """A format that no report is written as; the message lists those there are."""


@dataclass(frozen=True)
class Issue:
    """Both models of a week with their pages by file name; what was made from them is made once.

    `whole` makes the governance report with all rows of all tables for the workbook, where the report has not got them.
    """

    governance: GovernanceReport
    executive: ExecutiveReport
    pages: Mapping[str, str]
    whole: Callable[[], GovernanceReport] | None = None
    _made: dict[str, Future[bytes]] = field(default_factory=dict, compare=False, repr=False)
    _one: Lock = field(default_factory=Lock, compare=False, repr=False)

    def file(self, name: str) -> bytes:
        """Return the content of `executive.pdf` and the like; who asks second waits for the first."""
        with self._one:
            first = name not in self._made
            promised = self._made.setdefault(name, Future())
        if first:
            report, _, form = name.partition(".")
            try:
                promised.set_result(RENDERERS[report, form](self))
            except BaseException as error:  # noqa: BLE001 - who waits for the file hears of it too
                promised.set_exception(error)
        return promised.result()


def _page(name: str, issue: Issue) -> bytes:
    return issue.pages[name].encode("utf-8")


def _executive_pdf(issue: Issue) -> bytes:
    from reports.formats.pdf import executive_pdf

    return executive_pdf(issue.executive)


def _governance_pdf(issue: Issue) -> bytes:
    from reports.formats.pdf import governance_pdf

    return governance_pdf(issue.governance)


def _slides(issue: Issue) -> bytes:
    from reports.formats.slides.deck import executive_pptx

    return executive_pptx(issue.executive)


def _workbook(issue: Issue) -> bytes:
    from reports.formats.xlsx import governance_xlsx

    return governance_xlsx(issue.whole() if issue.whole else issue.governance)


def _mail(issue: Issue) -> bytes:
    from reports.formats.mail import executive_eml

    return executive_eml(issue.executive, issue.file("executive.pdf"), issue.file("executive.html"))


def _working_mail(issue: Issue) -> bytes:
    from reports.formats.mail import governance_eml

    return governance_eml(issue.governance, issue.file("governance.pdf"), issue.file("governance.xlsx"))


RENDERERS: Mapping[tuple[str, str], Callable[[Issue], bytes]] = {
    ("governance", "html"): partial(_page, "governance.html"),
    ("governance", "json"): lambda issue: to_json(issue.governance).encode("utf-8"),
    ("executive", "html"): partial(_page, "executive.html"),
    ("executive", "json"): lambda issue: to_json(issue.executive).encode("utf-8"),
    ("governance", "pdf"): _governance_pdf,
    ("governance", "xlsx"): _workbook,
    ("executive", "pdf"): _executive_pdf,
    ("executive", "pptx"): _slides,
    ("executive", "eml"): _mail,
    ("governance", "eml"): _working_mail,
}
EVERY_FORMAT = tuple(dict.fromkeys(form for _, form in RENDERERS))
PAGES = ("html", "json")
"""What the other formats are made beside: the pages that a reader follows links between, and the models."""


def file_names(formats: Iterable[str]) -> list[str]:
    """Return the names of the files that some formats stand for, in a fixed order.

    Raises:
        UnknownFormat: a format is none of ours.
    """
    wanted = set(formats)
    unknown = sorted(wanted - set(EVERY_FORMAT))
    if unknown or not wanted:
        raise UnknownFormat(f"'{', '.join(unknown)}' is no format of a report; there are {', '.join(EVERY_FORMAT)}")
    return [f"{report}.{form}" for report, form in RENDERERS if form in wanted]


def write_formats(issue: Issue, out_dir: Path, formats: Iterable[str]) -> list[Path]:
    """Write the files of some formats; each appears whole or not at all. Return their paths.

    PDFs are set in processes of their own, so they run beside what is made here.
    """
    paths = [out_dir / name for name in file_names(formats)]
    with ThreadPoolExecutor(max_workers=1) as beside:
        for path in paths:
            if path.suffix == ".pdf":
                beside.submit(issue.file, path.name)
        for path in sorted(paths, key=lambda path: path.suffix == ".pdf"):
            replace_bytes(path, issue.file(path.name))
    return paths
