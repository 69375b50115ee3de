"""What finds most faults in a second: scenarios, records and golden numbers. Run as a program, it stops at the first.

    python -m tests.mutate.quick [ROOT]

ROOT is the folder that holds `tests`; the rules are those that Python finds. Exits with 1 and a line that says
what failed.
"""

import json
import sys
from pathlib import Path
from typing import Any

from referee.rules import conformance
from referee.rules.verify import verify
from tests.rules.test_golden import golden


def lines(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def scenarios(data: Path) -> str:
    """The first scenario that fails; empty if none does."""
    for folder in (data / "conformance", data.parent / "rules" / "scenarios"):
        for path in sorted(folder.glob("*.jsonl")):
            for one in lines(path):
                if (failure := conformance.run(one)) is not None:
                    return f"scenario {one['id']}: {failure}"
    return ""


def records(data: Path) -> str:
    """The first record that is judged wrongly."""
    for number, one in enumerate(lines(data / "records" / "ok.jsonl"), 1):
        if (found := verify(one)) is not None:
            return f"record {number}: {found.message}"
    for number, one in enumerate(lines(data / "records" / "bad.jsonl"), 1):
        found = verify(one)
        if found is None or one["diverges"] not in found.message:
            return f"false record {number} ({one['diverges']})"
    return ""


def numbers(data: Path) -> str:
    """The first preset whose golden numbers differ."""
    known = json.loads((data / "golden_options.json").read_text("utf-8"))
    return next((f"golden numbers of {preset}" for preset in known if golden(preset) != known[preset]), "")


def main(argv: list[str]) -> int:
    """Look; returns 1 if something failed."""
    data = Path(argv[0] if argv else ".") / "tests" / "data"
    failure = scenarios(data) or records(data) or numbers(data)
    if failure:
        print(failure)
    return 1 if failure else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
