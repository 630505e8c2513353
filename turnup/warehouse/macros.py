"""SQL macros that models share: weeks as days, figures and long lists, words of verdicts and states, names compared.

A circuit is active under the words of carriers and of the clouds.
Device names compare in short form: ``leaf-1.example.net`` and ``leaf-1(SERIAL)`` are ``leaf-1``, an address stays
what it is. Of ports ``Ethernet1/1`` is ``e1/1``. Persons compare without what follows a comma or a bracket:
``Arun Mehta, VP Infrastructure`` is ``arun mehta``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.identity import PLACEHOLDER_PATTERN, PLACEHOLDER_SERIALS
from turnup.warehouse.connection import literal

if TYPE_CHECKING:
    import duckdb

_MACROS = """
CREATE OR REPLACE TEMP MACRO monday(label) AS strptime(label || '-1', '%G-W%V-%u')::DATE;
CREATE OR REPLACE TEMP MACRO figure(v) AS
    CASE WHEN v IS NULL THEN NULL
         WHEN contains(printf('%.3f', v::DOUBLE), '.') THEN rtrim(rtrim(printf('%.3f', v::DOUBLE), '0'), '.')
    END;
CREATE OR REPLACE TEMP MACRO pieces(v) AS rtrim(rtrim(v::DECIMAL(18, 3)::VARCHAR, '0'), '.');
CREATE OR REPLACE TEMP MACRO first_names(names) AS
    array_to_string(names[1:8], ', ')
    || CASE WHEN len(names) > 8 THEN ' and ' || (len(names) - 8) || ' more' ELSE '' END;
CREATE OR REPLACE TEMP MACRO verdict_of(rank) AS
    ['pass', 'warn', 'not_evaluated', 'tool_error', 'conflict', 'fail'][rank + 1];
CREATE OR REPLACE TEMP MACRO person_key(v) AS
    lower(regexp_replace(trim(regexp_replace(v, '\\s*[,;(<].*$', '')), '\\s+', ' ', 'g'));
CREATE OR REPLACE TEMP MACRO plain_name(v) AS regexp_replace(v, '\\s*\\([^()]*\\)$', '');
CREATE OR REPLACE TEMP MACRO short_name(v) AS
    CASE WHEN regexp_matches(plain_name(v), '^[^.:]*[a-z][^.:]*\\.') THEN split_part(plain_name(v), '.', 1)
         ELSE plain_name(v) END;
CREATE OR REPLACE TEMP MACRO circuit_is_active(v) AS
    translate(lower(trim(v)), ' -', '__')
        IN ('active', 'provisioned', 'up', 'available', 'in_service', 'enabled', 'os_active', 'live', 'operational');
CREATE OR REPLACE TEMP MACRO port_name(v) AS
    regexp_replace(regexp_replace(regexp_replace(v, '^(?:gigabitethernet|gi)\\s*([0-9])', 'gi\\1'),
        '^(?:tengigabitethernet|tengige|te)\\s*([0-9])', 'te\\1'), '^(?:ethernet|eth|e)\\s*([0-9])', 'e\\1');
"""

_SERIALS = f"""
CREATE OR REPLACE TEMP MACRO names_nothing(v) AS
    v = '' OR v IN ({", ".join(map(literal, sorted(PLACEHOLDER_SERIALS)))})
        OR regexp_matches(v, {literal(PLACEHOLDER_PATTERN)}) OR contains(v, 'to be filled');
CREATE OR REPLACE TEMP MACRO serial_list(v) AS
    CASE WHEN v IS NULL OR names_nothing(lower(nfc_normalize(trim(v)))) THEN []
         ELSE list_filter(list_transform(regexp_split_to_array(v, '[;,\\s]+'), lambda s: lower(nfc_normalize(trim(s)))),
             lambda s: NOT names_nothing(s)) END;
"""
"""Serial numbers of a cell as a list in normal form; what firmware and people write for "not captured" is none."""


def write_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Make the macros for this connection."""
    con.execute(_MACROS)
    con.execute(_SERIALS)
