"""Any single kill at any moment: a worker ends before each of its steps in turn, and the others finish all the same.

What the dead one had in hand is lost with it: its message is not delivered again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import count
from typing import TypeAlias

import pytest

from ladder.store import Store
from ladder.store.archive import Archive
from tests.workers.killing import NEVER
from tests.workers.stories import STORIES, left, of_order, told

Left: TypeAlias = tuple[dict[str, object], tuple[object, object]]
Quiet: TypeAlias = Callable[[str], tuple[Left, list[str]]]
"""What is left of a story without a death, and its steps."""
_TENANTS = count(1)


@pytest.fixture(scope="module")
def opened(store_server: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Store]]:
    """Open stores with nothing in them, and an archive."""
    stores: list[Store] = []

    def one() -> Store:
        archive = Archive(str(tmp_path_factory.mktemp("archive")))
        url = store_server.url  # type: ignore[attr-defined]
        stores.append(
            Store.open(
                url, tenant=f"kills-{next(_TENANTS)}", role="test", archive=archive, pepper=bytes(32),
                allow_volatile=True,
            )
        )  # fmt: skip
        return stores[-1]

    yield one
    for store in stores:
        store.close()


@pytest.fixture(scope="module")
def undisturbed(opened: Callable[[], Store]) -> Quiet:
    """Tell a story without a death, once."""

    @cache
    def one(name: str) -> tuple[Left, list[str]]:
        with pytest.MonkeyPatch.context() as patched:
            staff = told(opened(), patched, name, NEVER)
        return (left(staff.house), of_order(staff.house)), staff.killer.steps

    return one


def _dies(opened: Callable[[], Store], quiet: tuple[Left, list[str]], name: str, steps: Iterable[int]) -> None:
    """Tell a story with a death at each of these steps; all that matters has to be as in a quiet run."""
    (wanted, (order, ranked)), labels = quiet
    wrong: dict[str, object] = {}
    for step in steps:
        with pytest.MonkeyPatch.context() as patched:
            staff = told(opened(), patched, name, step)
        assert staff.killer.killed
        assert staff.killer.steps == labels[:step]
        found = left(staff.house)
        differs = {part: (found[part], wanted[part]) for part in found if found[part] != wanted[part]}
        applied, follows = of_order(staff.house)
        if applied == order and follows != ranked:
            differs["ratings"] = (follows, ranked)
        if differs:
            wrong[f"before step {step}, {labels[step]}"] = differs
    assert wrong == {}


def _picked(labels: list[str], known: set[str]) -> list[int]:
    """Return the first, a middle and the last step of every kind that is not among those that are known."""
    kinds = {label: [step for step, one in enumerate(labels) if one == label] for label in labels if label not in known}
    return sorted({of_kind[at] for of_kind in kinds.values() for at in (0, len(of_kind) // 2, -1)})


@pytest.mark.parametrize(
    ("name", "label"), [("tournament", "rate: settle"), ("spoilt", "rate: spoil"), ("cancelled", "plan: stop")]
)
def test_a_worker_that_dies_half_way_changes_nothing_in_the_end(
    opened: Callable[[], Store], undisturbed: Quiet, name: str, label: str
) -> None:
    """Some of the deaths below, in every run of the tests."""
    labels = undisturbed(name)[1]
    _dies(opened, undisturbed(name), name, [labels.index(label) + 1])


@pytest.mark.sample(4)
@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", STORIES)
def test_a_worker_that_dies_at_any_kind_of_step_changes_nothing_in_the_end(
    opened: Callable[[], Store], undisturbed: Quiet, name: str
) -> None:
    """Tournaments, results, ratings, luck, weights, reports, audit, alarms and lists are those of a quiet run.

    Of each kind of step the first, a middle and the last one; what an earlier story had is not looked at again.
    """
    names = list(STORIES)
    known = {label for one in names[: names.index(name)] for label in undisturbed(one)[1]}
    _dies(opened, undisturbed(name), name, _picked(undisturbed(name)[1], known))


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", STORIES)
def test_a_worker_that_dies_at_any_step_changes_nothing_in_the_end(
    opened: Callable[[], Store], undisturbed: Quiet, name: str
) -> None:
    """All of them."""
    _dies(opened, undisturbed(name), name, range(len(undisturbed(name)[1])))
