"""Where the peer's packages cannot be had it is left out, and the reason is told."""

import pytest

from perf import environment


@pytest.mark.slow
def test_a_peer_that_cannot_be_installed_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    python, why = environment.peer_python()
    assert python is None
    assert "cannot be installed here" in why
    assert "No matching distribution found" in why


def test_an_installed_peer_is_taken_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    pinned = environment.hashlib.sha256(environment.REQUIREMENTS.read_bytes()).hexdigest()[:12]
    (tmp_path / "turnup-perf" / f"peer-{pinned}").mkdir(parents=True)
    (tmp_path / "turnup-perf" / f"peer-{pinned}" / "installed").touch()
    assert environment.peer_python() == (tmp_path / "turnup-perf" / f"peer-{pinned}" / "bin" / "python", "")
