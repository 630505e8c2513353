"""A small disk: a file system in memory that this process alone sees, or a limit on files where none may be mounted.

A user namespace needs no rights of its own, but a container may forbid it; then a file that grows beyond a limit
meets an error of writing instead.
"""

from __future__ import annotations

import ctypes
import os
import resource
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_NEW_USER, _NEW_MOUNTS, _REMOUNT = 0x10000000, 0x00020000, 32
_LIBC = ctypes.CDLL(None, use_errno=True)


class NoMount(Exception):
    """This machine lets this process mount nothing."""


def mount(folder: Path, size: int) -> None:
    """Mount a disk of so many bytes for this process and its children, which must not have threads yet.

    Raises:
        NoMount: it may not.
    """
    user, group = os.getuid(), os.getgid()
    if _LIBC.unshare(_NEW_USER | _NEW_MOUNTS):
        raise NoMount(os.strerror(ctypes.get_errno()))
    try:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123 - one write, as the kernel wants it
                file.write(text)
    except OSError as error:
        raise NoMount(str(error)) from error
    _mount(folder, size, 0)


def resize(folder: Path, size: int) -> None:
    """Give a mounted disk another size."""
    _mount(folder, size, _REMOUNT)


def _mount(folder: Path, size: int, flags: int) -> None:
    options = f"size={size}".encode()
    if _LIBC.mount(b"none", os.fsencode(folder), b"tmpfs", flags, options):
        raise NoMount(os.strerror(ctypes.get_errno()))


def limit_files(size: int) -> None:
    """Let no file of this process grow beyond so many bytes; Python ignores the signal and meets the error."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
