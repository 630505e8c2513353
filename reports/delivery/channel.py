"""Tells a channel (chat and the like) through Apprise. Its address is a secret and is never shown."""

from __future__ import annotations

from collections.abc import Callable

from reports.delivery.addressed import Said
from reports.delivery.smtp import NotSent, Unknown


def notify(address: str, words: Said, handing_over: Callable[[], None]) -> str:
    """Tell one channel; returns what to note.

    Raises:
        NotSent: the address is none that can be used.
        Unknown: the channel did not confirm. The library tells a refusal from a lost answer in its log only, so that
            the words may have arrived.
    """
    from apprise import Apprise  # takes half a second, which only those with a channel should wait for

    channel = Apprise()
    if not channel.add(address):
        raise NotSent("the address in its environment variable is none that can be used", again=False)
    handing_over()
    if not channel.notify(title=words.title, body=words.text):
        raise Unknown("the channel did not confirm")
    return "told"
