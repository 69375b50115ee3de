"""The pepper file: made once, for its owner only."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ladder.store.errors import PepperError
from ladder.store.pepper import load


def test_a_pepper_is_made_once_and_kept(tmp_path: Path) -> None:
    """32 bytes in a file of mode 0600; the folder is made, too, and nothing else is left in it."""
    path = tmp_path / "state" / "pepper"
    pepper = load(path)
    assert (len(pepper), stat.S_IMODE(path.stat().st_mode)) == (32, 0o600)
    assert load(path) == pepper
    assert [file.name for file in path.parent.iterdir()] == ["pepper"]


def test_processes_that_start_together_agree(tmp_path: Path) -> None:
    """Whoever is first, all have the same."""
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _: load(tmp_path / "pepper"), range(8)))) == 1


@pytest.mark.parametrize("mode", [pytest.param(0o640, id="group"), pytest.param(0o604, id="others")])
def test_a_pepper_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    """It may be known already: a person must decide."""
    path = tmp_path / "pepper"
    load(path)
    path.chmod(mode)
    with pytest.raises(PepperError) as refused:
        load(path)
    assert refused.value.reason == "PEPPER_EXPOSED"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("ab", id="short"),
        pytest.param("x" * 64, id="no hex"),
        pytest.param("é" * 64, id="no ASCII"),
    ],
)
def test_a_file_without_a_pepper_is_refused(tmp_path: Path, text: str) -> None:
    """Half a pepper is none."""
    path = tmp_path / "pepper"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(PepperError) as refused:
        load(path)
    assert refused.value.reason == "PEPPER_MALFORMED"
