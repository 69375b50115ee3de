"""Those who watch matches that are hosted here: who is shown what, and when.

The beat tells once a second which matches somebody wants to see. What is new at their tables leaves like everything
that bots are told, when the log has it; it is written to the store beside the loop, and whatever becomes of that, no
match waits for it. Without anybody who watches nothing of this happens.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Final

from ladder.store.errors import StoreError
from ladder.store.live import Scene
from ladder.store.logs import logger
from ladder.store.scenes import Scenes, Shown
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Phase
from referee.hosting.show import Show

MOST_MATCHES: Final = 16
"""That are shown at once by one referee."""
WHOLE_BEATS: Final = 10
"""So often a scene is whole, that who comes late sees every table, and has never to wait for something to happen."""
MOST_WAITING: Final = 64
"""Scenes that wait for the store; further ones are lost, and the next one is whole. The last of a match never is."""
AGAIN_S: Final = 0.25
"""After so long what the store did not take is offered again."""

log = logger("referee.hosting.audience")


class Audience:
    """Shows the matches of a host to those who watch.

    Args:
        mark: has a match's effects let out when the log has what they tell.
        scenes: where they are written.
    """

    def __init__(self, host: Host, mark: Callable[[Hosted], None], scenes: Scenes) -> None:
        self._host = host
        self._mark = mark
        self._scenes = scenes
        self._shown: dict[str, Hosted] = {}
        self._spoiled: set[str] = set()
        self._waiting: list[Shown] = []
        self._ready = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "audience")
        self._beats = 0
        self._number = 0
        host.on_last = self._last

    def beat(self, watched: Sequence[str]) -> None:
        """Show what is new at the tables of those of our matches that somebody watches: of the first of them, so many.

        While games stand still nothing is: what is seen waits for the log, and would gather there without end.
        """
        if self._host.halted or not (watched or self._shown):
            return
        self._beats += 1
        ours = [hosted for match in watched if (hosted := self._host.matches.get(match)) and self._showable(hosted)]
        first, others = ours[:MOST_MATCHES], ours[MOST_MATCHES:]
        for match, hosted in list(self._shown.items()):
            gone = match not in watched or self._host.matches.get(match) is not hosted
            if gone or hosted in others or hosted.show is None:
                hosted.show = None
                del self._shown[match]
        for hosted in first:
            self._show(hosted)
        for hosted in others:
            self._refuse(hosted)

    def _showable(self, hosted: Hosted) -> bool:
        """Whether a match is played, and has no deal that is played again: such a one is shown to nobody."""
        playing = hosted.phase in (Phase.NONCES, Phase.PLAYING)
        return playing and not hosted.play.spec.sealed and hosted.id not in self._spoiled

    def _show(self, hosted: Hosted) -> None:
        if hosted.show is None:
            hosted.show = Show(hosted.play)
            self._shown[hosted.id] = hosted
        elif self._beats % WHOLE_BEATS == 0:
            hosted.show.anew = True
        scene = hosted.show.scene()
        if hosted.show.broken:
            self._spoiled.add(hosted.id)
            hosted.show = None
        elif scene is not None:
            self._leave(hosted, scene)

    def _refuse(self, hosted: Hosted) -> None:
        """Say now and then that a match cannot be shown: others are."""
        if self._beats % WHOLE_BEATS == 1:
            self._leave(hosted, Scene((), len(hosted.play.tables), hosted.play.rounds_done, busy=True))

    def _leave(self, hosted: Hosted, scene: Scene) -> None:
        """Have a scene written as soon as the log has what it tells."""
        hosted.effects.append(partial(self._release, self._numbered(hosted, scene)))
        self._mark(hosted)

    def _numbered(self, hosted: Hosted, scene: Scene) -> Shown:
        self._number += 1
        return Shown(hosted.id, hosted.epoch, self._number, scene)

    def _last(self, hosted: Hosted) -> None:
        """Show what is left of a match that ends here: the log has all of it."""
        show, hosted.show = hosted.show, None
        if show is not None:
            play = hosted.play
            scene = show.scene() or Scene((), len(play.tables), play.rounds_done)
            self._release(self._numbered(hosted, replace(scene, last=True)))

    def _release(self, shown: Shown) -> None:
        """Have a scene written: the log has what it tells."""
        if len(self._waiting) >= MOST_WAITING and not shown.scene.last:
            self._lost([shown])
            return
        self._waiting.append(shown)
        self._ready.set()

    def _lost(self, scenes: Sequence[Shown]) -> None:
        for one in scenes:
            hosted = self._shown.get(one.match)
            if hosted is not None and hosted.show is not None:
                hosted.show.anew = True

    async def run(self) -> None:
        """Write scenes to the store until cancelled.

        What it does not take is offered again, before all that came meanwhile: each scene goes on where the one before
        it ended, and nothing comes after the last one of a match.
        """
        while True:
            await self._ready.wait()
            self._ready.clear()
            scenes, self._waiting = self._waiting, []
            try:
                await asyncio.get_running_loop().run_in_executor(self._thread, partial(self._scenes.put, scenes))
            except StoreError as error:
                log.warning("scenes_wait", scenes=len(scenes), error=str(error))
                self._waiting = [*scenes, *self._waiting]
                self._ready.set()
                await asyncio.sleep(AGAIN_S)
            except Exception as bug:
                log.critical("scenes_unwritten", incident=secrets.token_hex(4), exc_info=bug)
                self._lost(scenes)
