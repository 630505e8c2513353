"""Kernels that are kept on disk: until a file changes from which they may have taken something in."""

import importlib.util
from pathlib import Path

KERNEL = """from turnup.schedule.compiled import kernel

@kernel()
def twice(value):
    return 2 * value
"""


def stamp(folder: Path, neighbour: str) -> str:
    """Return what a kernel is kept by, in a package of its own beside another file."""
    folder.mkdir()
    (folder / "kernels.py").write_text(KERNEL, encoding="utf-8")
    (folder / "neighbour.py").write_text(neighbour, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"kernels_{folder.name}", folder / "kernels.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return str(module.twice._cache._cache_file._source_stamp)


def test_kernels_of_another_package_are_kept_until_one_of_its_files_changes(tmp_path):
    assert stamp(tmp_path / "a", "ONE = 1\n") == stamp(tmp_path / "b", "ONE = 1\n")
    assert stamp(tmp_path / "c", "ONE = 2\n") != stamp(tmp_path / "d", "ONE = 1\n")
