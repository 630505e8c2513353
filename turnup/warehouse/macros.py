"""SQL macros that models share: weeks as days, figures and long lists, words of verdicts and states, names compared.

A circuit is active under the words of carriers and of the clouds. What a scheduler does not offer is withheld for
maintenance, by a fault, by somebody (drained, cordoned, tainted, reserved), to save power, or nobody knows why.
Device names compare in short form: ``leaf-1.example.net`` and ``leaf-1(SERIAL)`` are ``leaf-1``, an address stays
what it is. Of ports ``Ethernet1/1`` is ``e1/1``, ``Port 19`` is ``19``, and ``gpu1 mlx5_0`` of gpu1 is ``mlx5_0``.
Persons compare without what follows a comma or a bracket: ``Arun Mehta, VP Infrastructure`` is ``arun mehta``.

``ber_bound`` is the upper bound of a bit error ratio at 95 % confidence: -ln(0.05) / bits when no error was counted,
which is not a measured zero (values such as 15e-255 say the same), else half the chi-square quantile of
2 (errors + 1) degrees of freedom over the bits, by Wilson and Hilferty's approximation (within 0.4 %).
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
CREATE OR REPLACE TEMP MACRO node_standing(offered, state, flags) AS
    CASE
        WHEN offered THEN 'offered'
        WHEN regexp_matches(lower(concat_ws(' ', state, flags)), 'power(ed|ing)?_(down|up|drain)|idle[~#!%]')
            AND NOT regexp_matches(lower(state), '^(down|error|fail)') THEN 'power saving'
        WHEN regexp_matches(lower(concat_ws(' ', state, flags)), 'maint|reboot_issued') THEN 'maintenance'
        WHEN regexp_matches(lower(concat_ws(' ', state, flags)), '(^|[^a-z_])(down|error|fail|failing|notready)')
            OR regexp_matches(lower(flags), 'not_responding|invalid|not-ready|unreachable|-pressure|unavailable|no-gpu')
            THEN 'fault'
        WHEN regexp_matches(lower(state), '^(unknown|future)') THEN 'unknown'
        WHEN lower(state) = 'ready' AND coalesce(flags, '') = '' THEN 'fault'
        ELSE 'withdrawn'
    END;
CREATE OR REPLACE TEMP MACRO ber_bound(ber, bits) AS
    CASE
        WHEN ber IS NULL OR bits IS NULL OR bits <= 0 THEN NULL
        WHEN ber * bits < 0.5 THEN -ln(0.05) / bits
        ELSE (ber * bits + 1) * power(1 - 1 / (9 * (ber * bits + 1)) + 1.6448536 / (3 * sqrt(ber * bits + 1)), 3) / bits
    END;
CREATE OR REPLACE TEMP MACRO ber_verdict(ber, bits, most) AS
    CASE
        WHEN ber > most AND (bits IS NULL OR ber * bits >= 0.5) THEN 'fault'
        WHEN ber_bound(ber, bits) <= most THEN 'ok'
        ELSE 'no data'
    END;
CREATE OR REPLACE TEMP MACRO worst_check(checks) AS
    CASE WHEN list_contains(checks, 'fault') THEN 'fault' WHEN list_contains(checks, 'no data') THEN 'no data'
         WHEN list_contains(checks, 'ok') THEN 'ok' ELSE 'no data' END;
CREATE OR REPLACE TEMP MACRO as_walked(place) AS
    array_to_string(list_transform(regexp_extract_all(lower(place), '[0-9]+|[^0-9]+'),
        lambda x: CASE WHEN regexp_matches(x, '^[0-9]') THEN lpad(x, 9, '0') ELSE x END), '');
CREATE OR REPLACE TEMP MACRO port_name(v) AS
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(v, '^port\\s*([0-9])', '\\1'),
        '^(?:gigabitethernet|gi)\\s*([0-9])', 'gi\\1'), '^(?:tengigabitethernet|tengige|te)\\s*([0-9])', 'te\\1'),
        '^(?:ethernet|eth|e)\\s*([0-9])', 'e\\1');
CREATE OR REPLACE TEMP MACRO port_of(device, port) AS
    port_name(CASE WHEN starts_with(port, device || ' ') THEN trim(port[len(device) + 2:]) ELSE port END);
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
