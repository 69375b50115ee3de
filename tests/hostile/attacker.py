"""Attackers in a process of their own: `python -m tests.hostile.attacker`, told on stdin what to do.

Every attack is made over and over, by several at once. Its checks are those of an idle referee; where one does not hold
under load that is counted, for what it costs others is what is asked here. A line on stdout says how many were made.
"""

import asyncio
import json
import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import grpc

from bench.peers import pin
from ladder.store import Store
from ladder.store.pepper import load
from referee import descriptors
from tests.hostile.attacks import QUICK, SLOW
from tests.hostile.stranger import Attack
from tests.hostile.target import Target
from tests.live.process import Process

PREPARED: Final = frozenset({"many_versions", "operators_token", "revoked_while_connected"})
"""They need somebody who may write to the ledger, whose load is not theirs."""
ATTACKS: Final[dict[str, Attack]] = {
    attack.__name__: attack for attack in (*QUICK, *SLOW) if attack.__name__ not in PREPARED
}
POLITENESS: Final = 19
"""Strangers have machines of their own; here they get what the honest leave of this core."""


@dataclass
class Crew(Target):
    """Attackers with a token each, which they use again and again; some attacks need one that is used up.

    Eight of them have 10,000 sockets, which is more than a referee takes.
    """

    crew: str = ""
    count: int = 1
    sockets: int = 1_250
    _made: int = 0
    _counted: int = 0

    def metric(self, name: str) -> float:
        """Return one more each time: no stranger reads the metrics, and reading them costs the referee."""
        del name
        self._counted += 1
        return self._counted

    def fresh(self, name: str = "mallory") -> str:
        """Return the token of the next attacker."""
        if name != "mallory":
            return super().fresh(name)
        self._made += 1
        return self.token(f"{self.crew}-{self._made % self.count}")


async def attack_on(target: Target, attack: Attack, count: int, seconds: float) -> tuple[int, int]:
    """Return how often an attack was made, and how often a check of it did not hold."""
    made = odd = 0

    async def again_and_again() -> None:
        nonlocal made, odd
        while True:
            try:
                await attack(target)
            except (AssertionError, ValueError, EOFError, OSError, grpc.RpcError):  # TimeoutError is an OSError
                odd += 1
            made += 1
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(again_and_again()) for _ in range(count)]
    _, unfinished = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in unfinished:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    return made, odd


def main(words: dict[str, Any]) -> None:
    """Attack for `seconds`; what the attackers' own bots would tell on the way nobody reads."""
    logging.getLogger("lastcard").setLevel(logging.CRITICAL)
    referee = SimpleNamespace(play=words["play"], metrics=words["metrics"], process=SimpleNamespace(pid=words["pid"]))
    folder = Path(words["folder"])
    with Store.open(words["store"], role="test", pepper=load(folder / "pepper"), allow_volatile=True) as store:
        crew = words["crew"]
        named = {"crew": crew, "honest_name": f"{crew}-dupe", "count": words["count"]}
        target = Crew(store, cast("Process", referee), folder, **named)
        made, odd = asyncio.run(attack_on(target, ATTACKS[words["attack"]], words["count"], words["seconds"]))
    print(json.dumps({"made": made, "odd": odd}))


if __name__ == "__main__":
    pin(1)
    descriptors.allow()
    os.nice(POLITENESS)
    main(json.loads(sys.stdin.readline()))
