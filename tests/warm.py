"""Has the processes of a run share what a fresh clone costs: one prepares a test file, the others find it done.

pytest rewrites the assertions of a file before it first runs it, which takes longer than all else until tests begin,
and keeps the outcome beside the file. Processes that begin together would all rewrite every file, each for itself.
"""

import contextlib
import importlib
from pathlib import Path

import pytest

from tests import cost


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import the share of this process first; whatever cannot be imported is reported by whom it is collected."""
    given = getattr(session.config, "workerinput", None)
    if given is None:
        return
    number = int(given["workerid"].removeprefix("gw"))
    for file in to_read(session.config)[number :: given["workercount"]]:
        with contextlib.suppress(Exception, pytest.skip.Exception, pytest.fail.Exception):
            importlib.import_module(".".join(file.relative_to(session.config.rootpath).with_suffix("").parts))


def to_read(config: pytest.Config) -> list[Path]:
    """Return the test files of a run, the largest first."""
    named = [config.invocation_params.dir / name.partition("::")[0] for name in config.args]
    files = {file for place in named for file in ([place] if place.is_file() else place.rglob("test_*.py"))}
    own = [
        file for file in files if file.is_relative_to(config.rootpath) and not cost.pytest_ignore_collect(file, config)
    ]
    return sorted(own, key=lambda file: (-file.stat().st_size, file))
