"""What the name of a port says: the cage it is in, and the module of a chassis that holds it."""

from __future__ import annotations

import polars as pl

_LANES = r"(?i)^((?:E|Eth|Ethernet)\d+/\d+)/\d+$"
"""``E1/1/2``: chassis, cage, lane of a breakout. Only these prefixes: GigabitEthernet1/0/1 ends with its port."""
_SPLITS = r"(?i)^(swp\d+)s\d+$"
_TWINS = r"(?i)^(sw\d+)p\d+$"
"""``sw01p2``: the second port of a twin-port cage."""
_MODULE = r"(?i)^((?:blade|module|line ?card|lc|leaf|spine|slot|fpc)[ _-]?\d+)"


def cage(port: str) -> pl.Expr:
    """The cage of a port column: the ports of one breakout share it, any other port is its own."""
    text = pl.col(port).str.strip_chars()
    return pl.coalesce(text.str.extract(_LANES), text.str.extract(_SPLITS), text.str.extract(_TWINS), text)


def module(port: str) -> pl.Expr:
    """The module of a chassis in front of the port's number, or nothing."""
    return pl.col(port).str.strip_chars().str.extract(_MODULE).fill_null("")
