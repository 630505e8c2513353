"""Words for constraints, kinds and states of activities as tools and people write them, and what we call them.

Belongs here: spellings. Does not: what a constraint does.
"""

from __future__ import annotations

import re

_CONSTRAINTS: dict[str, tuple[str, ...]] = {
    "start_on": ("start on", "cs_mso", "soll beginnen am"),
    "start_no_earlier": ("start no earlier than", "start on or after", "snet", "cs_msoa", "anfang nicht früher als",
                         "start not earlier than"),
    "start_no_later": ("start no later than", "start on or before", "snlt", "cs_msob", "anfang nicht später als"),
    "finish_on": ("finish on", "cs_meo"),
    "finish_no_earlier": ("finish no earlier than", "finish on or after", "fnet", "cs_meoa",
                          "ende nicht früher als"),
    "finish_no_later": ("finish no later than", "finish on or before", "fnlt", "cs_meob", "ende nicht später als"),
    "mandatory_start": ("must start on", "mandatory start", "mso", "cs_mandstart", "muss anfangen am"),
    "mandatory_finish": ("must finish on", "mandatory finish", "mfo", "cs_mandfin", "muss enden am"),
    "as_late_as_possible": ("as late as possible", "alap", "cs_alap", "so spät wie möglich"),
}  # fmt: skip
_NO_CONSTRAINT = ("as soon as possible", "asap", "none", "so früh wie möglich", "keine")
_STATES: dict[str, tuple[str, ...]] = {
    "not_started": ("not started", "not start", "tk_notstart", "planned", "future", "open", "to do", "nicht begonnen"),
    "in_progress": ("in progress", "started", "active", "tk_active", "ongoing", "on hold", "in arbeit"),
    "completed": ("completed", "complete", "done", "finished", "closed", "tk_complete", "abgeschlossen"),
}
_KINDS: dict[str, tuple[str, ...]] = {
    "task": ("task", "task dependent", "activity", "tt_task"),
    "resource_dependent": ("resource dependent", "tt_rsrc"),
    "start_milestone": ("start milestone", "tt_mile"),
    "finish_milestone": ("finish milestone", "milestone", "tt_finmile"),
    "level_of_effort": ("level of effort", "loe", "tt_loe", "hammock"),
    "summary": ("summary", "wbs summary", "tt_wbs"),
}


def _spellings(words: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {_plain(each): ours for ours, theirs in words.items() for each in (ours, *theirs)}


def _plain(text: str) -> str:
    return re.sub(r"[\s_\-]+", " ", text).strip().casefold()


_BY_WORD = {
    "constraint": _spellings(_CONSTRAINTS),
    "state": _spellings(_STATES),
    "kind": _spellings(_KINDS),
}


def constraint_of(text: str | None) -> str | None:
    """Our word for a constraint; None for none at all.

    Raises:
        ValueError: no constraint is called this.
    """
    if text is None or _plain(text) in _NO_CONSTRAINT or not text.strip():
        return None
    found = _BY_WORD["constraint"].get(_plain(text))
    if found is None:
        allowed = ", ".join(sorted(_CONSTRAINTS))
        raise ValueError(f"'{text}' is no constraint that is known; write one of {allowed}")
    return found


def state_of(text: str | None) -> str | None:
    """Our word for how far an activity is; None for a word that says something else."""
    return None if text is None else _BY_WORD["state"].get(_plain(text))


def kind_of(text: str | None) -> str | None:
    """Our word for the kind of an activity; None for a word that says something else."""
    return None if text is None else _BY_WORD["kind"].get(_plain(text))
