"""A supervisor with three dummies, as a program: `small_house.py FOLDER [--silent]`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from lastcard.errors import LastcardError
from tests.demo import dummy
from workers.house.interrupt import InterruptedBySignalError, run_until_signal
from workers.house.part import Part, Stage
from workers.house.supervisor import Supervisor
from workers.house.up import say, say_stopping


async def house(root: Path, *flags: str) -> None:
    def part(stage: Stage, *more: str) -> Part:
        name = stage.name.lower()
        command = (sys.executable, dummy.__file__, name, str(root / "journal"), *flags, *more)
        return Part(name, command, stage, grace_s=60.0)

    async with Supervisor(root, say) as running:
        await running.start_all(part(Stage.STORE), part(Stage.WORKER, "--child"), part(Stage.REFEREE))
        print("up", flush=True)
        await asyncio.Event().wait()


def main() -> int:
    try:
        run_until_signal(house(Path(sys.argv[1]), *sys.argv[2:]), say_stopping)
    except InterruptedBySignalError as end:
        return end.exit_code
    except LastcardError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
