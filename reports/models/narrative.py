"""The narrative of a week: sentences by rule, each with the ids of the rows that say so."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Told:
    """A sentence from a template and the ids in the governance report that support it, the nearest first."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Narrative:
    """What changed, why, and what is asked; `more` sentences of the same kinds were left to the sections."""

    changed: tuple[Told, ...] = ()
    why: tuple[Told, ...] = ()
    asked: tuple[Told, ...] = ()
    more: int = 0


NO_NARRATIVE = Narrative()
