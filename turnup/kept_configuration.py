"""The configuration and playbooks that weeks were made with, kept by hash, so that a week can be made again.

Belongs here: keeping and finding them. Does not: what any key means (``turnup.programme``, ``turnup.readiness``).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pydantic import ValidationError

from turnup.durable import StoreDamaged, canonical_json, read_json, replace_bytes
from turnup.programme import Programme
from turnup.yaml_source import in_words

if TYPE_CHECKING:
    from pathlib import Path

    from turnup.programme import Home


def playbooks_hash(folder: Path) -> str:
    """Hash of the playbooks of a folder, by name and content."""
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.yaml")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def keep_configuration(home: Home, programme: Programme, inputs: dict[str, str]) -> None:
    """Keep what a week is about to be committed with.

    Raises:
        StoreDamaged: the playbooks were edited since the week was planned.
    """
    file = _programme_file(home, inputs)
    if not file.exists():
        replace_bytes(file, canonical_json(programme.lasting))
    kept = _playbooks_folder(home, inputs)
    if playbooks_hash(kept) != inputs["playbooks"]:
        for playbook in sorted(home.playbooks.glob("*.yaml")):
            replace_bytes(kept / playbook.name, playbook.read_bytes())
        if playbooks_hash(kept) != inputs["playbooks"]:
            raise StoreDamaged(f"{home.playbooks}: changed while the week was made; run the refresh again")


def kept_programme(home: Home, inputs: dict[str, str], present: Programme) -> Programme:
    """The programme that a week was made with; its rows lie where they lie now.

    Raises:
        StoreDamaged: it is gone, or this version of turnup no longer takes it.
    """
    if present.fingerprint == inputs["configuration"]:
        return present
    file = _programme_file(home, inputs)
    try:
        return Programme.model_validate(read_json(file)).model_copy(update={"lake": present.lake})
    except ValidationError as error:
        raise StoreDamaged(f"{file}: this version of turnup cannot use it: {in_words(error)}") from error


def kept_playbooks(home: Home, inputs: dict[str, str]) -> Path:
    """Folder of the playbooks that a week was made with.

    Raises:
        StoreDamaged: they are gone.
    """
    for folder in (home.playbooks, _playbooks_folder(home, inputs)):
        if playbooks_hash(folder) == inputs["playbooks"]:
            return folder
    raise StoreDamaged(f"{folder}: the playbooks of an issued week are not as kept; restore this folder from a backup")


def _playbooks_folder(home: Home, inputs: dict[str, str]) -> Path:
    return home.store / "configuration" / f"playbooks.{inputs['playbooks']}"


def _programme_file(home: Home, inputs: dict[str, str]) -> Path:
    return home.store / "configuration" / f"programme.{inputs['configuration']}.json"
