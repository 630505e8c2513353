"""Networks written in a line a circuit: name, A site, Z site, Gbit/s, then what it rides on, its group, its latency."""

from __future__ import annotations

from decimal import Decimal

from turnup.network.circuits import Circuit, network_of
from turnup.network.spans import Span


def circuit(name, a, z, gbps, spans=None, group=None, ms=None):
    """One circuit; without ``spans`` it rides on a span of its own, with an empty text on none that is known."""
    listed = [name] if spans is None else spans.split()
    return Circuit(
        key=name,
        a_site=a,
        z_site=z,
        mbps=int(Decimal(str(gbps)) * 1000),
        latency_us=None if ms is None else int(Decimal(str(ms)) * 1000),
        spans=tuple(Span(span.casefold(), span) for span in sorted(listed)),
        group=group,
        name=name,
    )


def network(*rows, regions=None):
    """A network of rows for ``circuit``."""
    return network_of([circuit(*row) if isinstance(row, tuple) else row for row in rows], regions)


def gbps(mbps):
    """Mbit/s in Gbit/s."""
    return None if mbps is None else Decimal(mbps) / 1000
