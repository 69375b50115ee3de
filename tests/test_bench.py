"""`./dev bench`: what it is asked for is there, or it says what is."""

from __future__ import annotations

import json

import pytest

from bench.__main__ import NAMES, ids, main


@pytest.mark.parametrize("name", NAMES)
def test_a_row_that_is_not_there_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2 before anything is measured, with all that there are."""
    with pytest.raises(SystemExit) as ended:
        main([name, "--only", "no_such_row"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert f"there is no row no_such_row; {name} has {', '.join(ids(name, every_game=False))}" in said


def test_one_row_alone_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing else is on stdout."""
    assert main(["tournament", "--only", "plan_1000", "--repeats", "1", "--json"]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)["rows"]] == ["plan_1000"]
