"""docs/architecture.md names every room, and in a room only what is there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("lastcard", "referee", "ladder", "workers")
PAGE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[tuple[list[str], list[str]]]:
    """Return the names in both cells of every row of the table below a heading."""
    lines = PAGE.partition(heading)[2].partition("\n#")[0].splitlines()
    cells = [line.split("|")[1:3] for line in lines if line.startswith("| `")]
    return [(re.findall(r"`([\w/]+)`", left), re.findall(r"`(\w+)`", right)) for left, right in cells]


ROOMS: Final = rows("### Which room holds what")


def modules_of_a_match() -> Iterator[str]:
    """Yield the modules of the table of section 3.2; a name without a folder is in that of the name before it."""
    for names, _ in rows("### 3.2"):
        folder = ""
        for name in names:
            folder = name.rpartition("/")[0] or folder
            yield str(Path(folder, name.rpartition("/")[2]))


def is_there(path: Path) -> bool:
    """Whether something is a module or a folder."""
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_every_room_has_a_row_and_every_row_a_room() -> None:
    """The four packages and their folders."""
    named = sorted(room for left, _ in ROOMS for room in left)
    folders = [folder.parent for package in PACKAGES for folder in (ROOT / package).glob("*/__init__.py")]
    assert named == sorted([*PACKAGES, *(folder.relative_to(ROOT).as_posix() for folder in folders)])


@pytest.mark.parametrize(("room", "names"), [pytest.param(left[0], right, id=left[0]) for left, right in ROOMS])
def test_what_a_row_names_is_in_its_room(room: str, names: list[str]) -> None:
    """Modules and folders."""
    assert [name for name in names if not is_there(ROOT / room / name)] == []


def test_the_modules_around_a_match_are_all_there() -> None:
    """Those of the door, of hosting and of the trunk: each in the table, and the table names no other."""
    named = sorted(modules_of_a_match())
    assert [name for name in named if not is_there(ROOT / "referee" / name)] == []
    there = {
        f"{room}/{module.stem}"
        for room in ("door", "hosting", "trunk")
        for module in (ROOT / "referee" / room).glob("*.py")
        if module.stem != "__init__"
    }
    assert there <= set(named)
