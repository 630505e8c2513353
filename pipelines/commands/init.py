"""``turnup init``: a new programme on disk."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.instance import prepare_instance
from turnup.programme import Home
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pipelines.commands.output import Output

_ROOT = Path(__file__).resolve().parents[2]
_TEMPLATE = """# The programme: its weeks, where its files come from, and its limits.
# Every key is explained in docs/programme.md.
name: {name}
time_zone: UTC            # IANA name, such as America/Chicago
first_week: 2026-W01      # the first reporting week
week:
  weekday: friday         # the week ends on this day ...
  time: "18:00"           # ... at this local time

# One entry per supplier and kind of file: what the files are called, and which dataset they become.
# turnup inspect FILE proposes an entry: put it in place of {{}}, and each further one below it.
sources: {{}}
#  site-list:
#    dataset: sites
#    files: "sites*.csv"
#    owner: Site team
#    required: true
#    max_age_days: 8

# How delivered schedules are judged: dcma, oracle (P6) or powerproject; single choices in docs/schedule-health.md.
# schedule_health:
#  preset: dcma
"""


def create_programme(folder: Path, output: Output) -> None:
    """Make the folders and write a first configuration; an existing one is never touched."""
    home = Home(folder)
    if home.configuration.exists():
        raise ConfigurationError(f"{home.configuration} exists already; choose another folder")
    make_folders(home)
    home.configuration.write_text(_TEMPLATE.format(name=_quoted(folder.resolve().name)), encoding="utf-8")
    output.document({"home": folder, "configuration": home.configuration})
    output.line(
        f"Made {folder}. Next: turnup inspect FILE proposes a source for {home.configuration}; "
        f"then drop the file into {home.inbox} and run turnup refresh --home {folder}."
    )


def _quoted(name: str) -> str:
    """A text as YAML takes it, whatever characters are in it."""
    return json.dumps(name, ensure_ascii=False)


def make_folders(home: Home) -> None:
    """Make the folders of a programme and copy the playbooks, to be edited there."""
    for folder in (home.root, home.inbox, home.store, home.out):
        folder.mkdir(parents=True, exist_ok=True)
    if not home.playbooks.exists():
        shutil.copytree(shipped_playbooks(), home.playbooks)
    prepare_instance(home)


def shipped_playbooks() -> Path:
    """The playbooks that come with turnup: in the checkout, or in the installed package."""
    checkout = _ROOT / "playbooks"
    return checkout if checkout.is_dir() else _ROOT / "turnup" / "_playbooks"
