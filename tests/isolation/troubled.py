"""A child whose reader gets into trouble over files that are named for it."""

import contextlib
import sys

from turnup.isolation import Reader

_CODE = """
import os, signal, sys, time
from turnup.isolation import worker

def parse(path, name, source, contract):
    from turnup.formats import parse
    import numpy, polars
    if "stumble" in name:
        raise IndexError("list index out of range")
    if "die" in name:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "eat" in name:
        held = []
        while True:
            held.append("x" * 1_000_000 + str(len(held)))
    if "hoard" in name:
        polars.Series([1]).extend_constant(2, 2_000_000_000)
    if "spin" in name:
        while True:
            pass
    if "sleep" in name:
        time.sleep(600)
    if "panic" in name:
        raise BaseException("a panic")
    if "disk" in name:
        raise OSError(5, "Input/output error")
    if "call" in name:
        import urllib.request
        urllib.request.urlopen("http://127.0.0.1:9/")
    if "run" in name:
        os.system("true")
    if "once" in name and not os.path.exists(path + ".seen"):
        open(path + ".seen", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return parse(__import__("pathlib").Path(path), name, source, contract)

worker.CALLS["parse"] = worker.told(parse)
worker.main()
"""


@contextlib.contextmanager
def troubled_reader():
    """A reader with such children."""
    reader = Reader((sys.executable, "-c", _CODE))
    try:
        yield reader
    finally:
        reader.close()
