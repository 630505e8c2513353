"""The error that a command prints as it is. It stands alone: to print it no configuration need be read."""

from __future__ import annotations


class ConfigurationError(Exception):
    """A configuration file that cannot be used; the message names file, line, key, found and allowed."""
