"""Has a contest played, follows it to its decision, and ends it. Broken off anywhere, it may be done again."""

from __future__ import annotations

import shlex
import sys
import time
from typing import Any, Final

from ladder.corrections import correction_for
from ladder.errors import NotReachableError, WrongStateError
from ladder.extent import listed, waiting_for
from ladder.rpc.dial import Dial
from lastcard.console import counted
from lastcard.errors import ExitCode, InputError
from workers.local.trial import BATCH, Heading
from workers.local.trial_view import TrialView
from workers.tournaments.client import TournamentClient
from workers.tournaments.contest import MOST_MEETINGS, Contest
from workers.tournaments.life import State, Verb
from workers.tournaments.tournament_status import TournamentStatus

__all__ = ["ContestRun"]

POLL_S: Final = 1.0
PAGE: Final = 100
"""Matches that are asked for at once."""
ENOUGH: Final = "not decided after"
"""How the reason of a pause begins that is ours: who asks for more meetings ends it."""


class ContestRun:
    """A contest at the ladder that the environment names."""

    def __init__(self, contest: Contest, most: int, *, as_json: bool) -> None:
        """`most`: meetings at which it ends, decided or not.

        Raises:
            InputError: so many cannot be played.
        """
        if not BATCH <= most <= MOST_MEETINGS:
            message = f"--max-meetings {most}: at a ladder {BATCH} to {MOST_MEETINGS}, ten a check"
            allowed = (f"{BATCH} to {MOST_MEETINGS}",)
            raise InputError("BAD_MEETINGS", message, field="max_meetings", value=most, allowed=allowed)
        self.contest = contest
        self._as_json = as_json
        self._most = most
        self.count = contest.begin(most)
        self.status: TournamentStatus | None = None

    def play(self) -> None:
        """Have it played until it is decided, or nothing more will be played; says how to go on where it is broken off.

        Raises:
            RequestError: the ladder refuses it, or does not answer.
            InputError: luck cannot be taken out of these games.
        """
        try:
            with Dial.of() as dial:
                self._play(TournamentClient(dial))
        except NotReachableError:
            self._tell_how_to_go_on()
            raise
        except BaseException:
            if self.status is not None:  # else nothing was begun
                self._tell_how_to_go_on()
            raise

    def _play(self, client: TournamentClient) -> None:
        self._begin(client)
        more = self._take(client)
        with TrialView(sys.stderr, self.contest.bounds, self.count.comparison, quiet=self._as_json) as view:
            while more:
                view.show(self.count.comparison, self._waits())
                time.sleep(POLL_S)
                more = self._take(client)
        self._end(client)

    def _begin(self, client: TournamentClient) -> None:
        created = client.create(self.contest.spec)
        self.status = created.status
        if self.contest.luck and not (created.status.luck and correction_for(created.status.ruleset)):
            if not created.status.state.over:
                client.turn(self.contest.name, Verb.CANCEL, "luck cannot be taken out of its games")
            message = f"luck cannot be taken out of {self.contest.format} at this ladder; leave out --luck"
            raise InputError("NO_CORRECTION", message, field="luck", value=self.contest.format)
        if not self._as_json:
            how = "goes on" if created.existed else "is created"
            sentences = (f"tournament {self.contest.name} {how}; `{self._command()}` follows it", *created.warnings)
            sys.stderr.writelines(f"lastcard: {sentence}\n" for sentence in sentences)
        if created.status.state is State.PAUSED and created.status.reason.startswith(ENOUGH):
            self.status = client.turn(self.contest.name, Verb.RESUME, f"up to {counted(self._most, 'meeting')}")

    def _take(self, client: TournamentClient) -> bool:
        """Count what has been played meanwhile, match by match in their order; returns whether more may come."""
        while not self.count.ended:
            page = client.results(self.contest.name, self.count.matches, PAGE)
            self.status = page.status
            if not page.results and page.status.state.over:
                return False
            for result in page.results:
                if self.count.awaits(result):
                    return True
                self.count = self.count.after(result)
                if self.count.ended:
                    return False
            if len(page.results) < PAGE:
                return True
        return False

    def _end(self, client: TournamentClient) -> None:
        """Have no more played than was needed."""
        comparison = self.count.comparison
        if self.status is None or self.status.state.over:
            return
        if comparison.open:
            verb, reason = Verb.PAUSE, f"{ENOUGH} {counted(comparison.meetings, 'meeting')}"
        else:
            meetings = counted(comparison.meetings, "meeting")
            verb, reason = Verb.CANCEL, f"decided after {meetings}: {comparison.trial.decision}"
        try:
            self.status = client.turn(self.contest.name, verb, reason)
        except WrongStateError:  # it was played to its end meanwhile
            self.status = client.get(self.contest.name)

    def _waits(self) -> str:
        """Say what keeps it from going on; nothing where that is nothing."""
        status = self.status
        if status is None:
            return ""
        if status.state is State.PAUSED:
            return f"paused; `lastcard tournament resume {self.contest.name}` has it go on"
        return waiting_for(status.missing, status.other_versions) if status.missing else ""

    # what is said

    @property
    def heading(self) -> Heading:
        """What stands above its result."""
        contest = self.contest
        return Heading(
            contest.new,
            contest.old,
            contest.format,
            contest.deals,
            self.status.ruleset if self.status else "",
            contest.bounds,
            f"tournament {contest.name}",
            self.count.lc_version or None,
        )

    @property
    def undecided(self) -> str:
        """What is said where nothing is decided."""
        contest, meetings = self.contest, counted(self.count.comparison.meetings, "meeting")
        if self.status is not None and self.status.state.over:
            why = f", {self.status.reason}" if self.status.reason else ""
            return f"{ENOUGH} {meetings}: tournament {contest.name} is {self.status.state}{why}; --name begins another"
        return (
            f"{ENOUGH} {meetings}; the same with a larger --max-meetings goes on from here, "
            f"`lastcard tournament cancel {contest.name}` gives it up"
        )

    def complain(self) -> None:
        """Say which matches tell nothing."""
        if left := self.count.left_out:
            which = counted(len(left), "match", "matches")
            sys.stderr.write(f"lastcard: {which} left out, void, by walkover or of unknown luck: {listed(left)}\n")

    def shape(self) -> dict[str, Any]:
        """Return what `--json` has beside what every comparison has."""
        state = None if self.status is None else self.status.state
        return {"seed": None, "tournament": self.contest.name, "state": state, "left_out": list(self.count.left_out)}

    @property
    def code(self) -> int:
        """The exit code."""
        return ExitCode.NEGATIVE if self.count.comparison.open else ExitCode.DONE

    def _tell_how_to_go_on(self) -> None:
        meetings = counted(self.count.comparison.meetings, "meeting")
        sys.stderr.write(f"lastcard: broken off after {meetings}; to go on: {self._command()}\n")

    def _command(self) -> str:
        asked = self.contest
        words = ["lastcard", "sprt", asked.new, asked.old, "--bounds", f"{asked.bounds.elo0:g},{asked.bounds.elo1:g}"]
        words += ["--format", asked.format, "--deals", asked.deals, *(["--luck"] if asked.luck else [])]
        words += ["--max-meetings", str(self._most), "--name", asked.name]
        return shlex.join([*words, "--json"] if self._as_json else words)
