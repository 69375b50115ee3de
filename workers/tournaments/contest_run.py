"""Has a contest played, follows it to its decision, and ends it. Broken off anywhere, it may be done again."""

from __future__ import annotations

import secrets
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, TypeVar

from ladder.corrections import correction_for
from ladder.errors import NotReachableError, RequestError, UnknownNameError, WrongStateError
from ladder.extent import listed, waiting_for
from ladder.rpc.dial import Dial
from lastcard.console import counted
from lastcard.errors import ExitCode, InputError, LastcardError
from lastcard.pace import Backoff
from workers.local.trial import BATCH, Heading
from workers.local.trial_view import USED_UP, TrialView
from workers.tournaments.client import TournamentClient
from workers.tournaments.contest import BROKEN, ENOUGH, MOST_MEETINGS, Contest, by_contest
from workers.tournaments.life import State, Verb
from workers.tournaments.rights import MOST_MATCHES
from workers.tournaments.tournament_status import Proposal, TournamentStatus

__all__ = ["ContestRun"]

POLL_S: Final = 1.0
PAGE: Final = 100
"""Matches that are asked for at once."""
PATIENCE_S: Final = 60.0
"""So long a ladder that was there is asked again: where somebody restarts it, that takes seconds."""
FAREWELL_S: Final = 2.0
"""So long whoever breaks off waits for the pause at most."""
_CHANCE: Final = secrets.SystemRandom()

Answer = TypeVar("Answer")


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
        self._spec = contest.spec
        self._as_json = as_json
        self._most = most
        self.count = contest.begin(most)
        self.status: TournamentStatus | None = None
        self._next = ""
        """What it waits for, as far as the matches say."""
        self.asked = False
        """Whether the tournament was asked for, and not refused."""
        self._fate = ""
        """What is known to become of the tournament when this is broken off."""

    def play(self) -> None:
        """Have it played until it is decided, or nothing more will be played; says how to go on where it is broken off.

        Raises:
            RequestError: the ladder refuses it, or does not answer.
            InputError: luck cannot be taken out of these games.
        """
        try:
            with Dial.of() as dial:
                self._play(TournamentClient(dial))
        except NotReachableError as error:
            if self.asked:
                self._break_off()
                raise
            message = f"{error}; {BROKEN} 0 meetings; to go on: {self._command()}"
            raise NotReachableError(error.reason, message, field=error.field, value=error.value) from error
        except BaseException:
            if self.asked:  # else nothing was begun
                self._break_off()
            raise

    def _play(self, client: TournamentClient) -> None:
        self._look_back(client)
        self._look_ahead(client)
        self._begin(client)
        with TrialView(sys.stderr, self.contest.bounds, self.count.comparison, quiet=self._as_json) as view:
            while self._patiently(view, lambda: self._take(client)):
                view.show(self.count.comparison, self._waits())
                time.sleep(POLL_S)
            self._patiently(view, lambda: self._end(client))

    def _patiently(self, view: TrialView, ask: Callable[[], Answer]) -> Answer:
        """Do what asks the ladder, again and again while that cannot be reached, up to an end."""
        backoff, until = Backoff(), 0.0
        while True:
            try:
                return ask()
            except NotReachableError as error:
                now = time.monotonic()
                until = until or now + PATIENCE_S
                if now >= until:
                    raise
                view.show(self.count.comparison, f"{error}; it is asked again for {until - now:.0f} s")
            time.sleep(min(backoff.next(_CHANCE.random()), until - now))

    def _look_back(self, client: TournamentClient) -> None:
        """Refuse to go on with what is there and is judged by something else."""
        contest, judged = self.contest, self.contest.judged
        try:
            there = client.get(contest.name).spec
        except UnknownNameError:  # it is to be created
            return
        asks = there.sprt
        if asks == judged or there.bots != contest.spec.bots:  # creating it refuses those of others
            return
        if asks is None and contest.name == contest.usual_name:  # of a version that kept it in the name alone
            self._spec = replace(contest.spec, sprt=None)
            return
        name = contest.name
        if asks is None:
            says = f"tournament {name} does not say what sprt asks of it, so nobody can go on with it"
            right = "choose another --name, or leave --name out"
        else:
            says = f"tournament {name} is judged by {asks.words}, and asked is {judged.words}"
            right = f"ask with {asks.options}, choose another --name, or leave --name out"
        field = "luck" if asks is not None and asks.bounds == judged.bounds else "bounds"
        allowed = () if asks is None else (asks.options,)
        raise InputError("OTHER_QUESTION", f"{says}: {right}", field=field, value=judged.options, allowed=allowed)

    def _look_ahead(self, client: TournamentClient) -> None:
        """Refuse what would be created in vain."""
        contest = self.contest
        try:
            proposal = client.proposal(self._spec)
        except NotReachableError:
            raise
        except RequestError:  # creating it is refused as well, and says what is wrong with whom
            return
        if contest.luck:
            _check_luck(proposal, contest.format)
        if absent := proposal.not_offering:
            does = "is connected and does" if len(absent) == 1 else "are connected and do"
            fresh = "" if proposal.format == contest.format else "; or compare on other deals: --deals fresh"
            message = (
                f"{listed(absent)} {does} not offer {proposal.format}: add {proposal.format!r} to the `formats` of the "
                f"bot and start it again{fresh}"
            )
            raise InputError("NOT_OFFERED", message, field="format", value=proposal.format)

    def _begin(self, client: TournamentClient) -> None:
        self.asked = True
        try:
            created = client.create(self._spec)
        except NotReachableError:  # it may be there all the same
            raise
        except RequestError as error:
            self.asked = False
            if error.reason != "UNTRUSTED":
                raise
            message = (
                f"{self.contest.deals} deals are for two versions of one bot, two bots of one owner, or house bots; "
                "--deals fresh is for any two that you may enter"
            )
            raise InputError(error.reason, message, field="deals", value=self.contest.deals) from None
        self.status = created.status
        if not self._as_json:
            found = self._found(client, created.status) if created.existed else self._follows("is created")
            sys.stderr.writelines(f"lastcard: {sentence}\n" for sentence in (found, *created.warnings))

    def _found(self, client: TournamentClient, status: TournamentStatus) -> str:
        """Say how a tournament is that was there already, and whether it goes on."""
        if status.state.over:
            why = f", {status.reason}" if status.reason else ""
            return f"tournament {self.contest.name} is {status.state}{why}"
        if not self._counted(client) and self.count.used_up:
            return f"tournament {self.contest.name} does not go on: {USED_UP.format(most=self._most)}"
        stays = status.state is State.PAUSED and not _is_ours(status)
        return self._follows("stays paused" if stays else "goes on")

    def _follows(self, how: str) -> str:
        return f"tournament {self.contest.name} {how}; `{self._command()}` follows it"

    def _take(self, client: TournamentClient) -> bool:
        """Count what has been played meanwhile; returns whether more may come, which no pause of ours is to prevent."""
        more = self._counted(client)
        if more and self.status is not None and _is_ours(self.status):
            self.status = client.turn(self.contest.name, Verb.RESUME, f"up to {counted(self._most, 'meeting')}")
        return more

    def _counted(self, client: TournamentClient) -> bool:
        """Count what has been played meanwhile, match by match in their order; returns whether more may come."""
        while not self.count.ended:
            page = client.results(self.contest.name, self.count.matches, PAGE)
            self.status, self._next = page.status, ""
            if not page.results and page.status.state.over:
                return False
            for number, result in enumerate(page.results):
                if self.count.awaits(result):
                    self._next = self.count.waits(page.results[number:])
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
        if comparison.open and self.status.state is State.PAUSED:  # whoever paused it: it is to stay as it is
            return
        if comparison.open:
            verb, reason = Verb.PAUSE, f"{ENOUGH} {counted(comparison.meetings, 'meeting')}"
        else:
            meetings, decision = counted(comparison.meetings, "meeting"), comparison.trial.decision
            verb, reason = Verb.CANCEL, f"decided after {meetings}: {decision} of {self.contest.judged}"
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
        entrants = (self.contest.new, self.contest.old)
        away, others = status.missing, status.other_versions
        missing = waiting_for(away, others, status.not_offering, entrants) if away else ""
        return "; ".join(filter(None, (missing, self._next)))

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
            f"{ENOUGH} {meetings}; {USED_UP.format(most=self._most)}, the same with a larger one goes on from here, "
            f"`lastcard tournament cancel {contest.name}` gives it up"
        )

    def complain(self) -> None:
        """Say which matches tell nothing."""
        if left := self.count.left_out:
            which = counted(len(left), "match", "matches")
            named = [f"{match} ({why})" for match, why in left.items()]
            sys.stderr.write(f"lastcard: {which} left out: {listed(named)}\n")

    def shape(self) -> dict[str, Any]:
        """Return what `--json` has beside what every comparison has."""
        state = None if self.status is None else self.status.state
        return {"seed": None, "tournament": self.contest.name, "state": state, "left_out": list(self.count.left_out)}

    @property
    def code(self) -> int:
        """The exit code."""
        return ExitCode.NEGATIVE if self.count.comparison.open else ExitCode.DONE

    def _break_off(self) -> None:
        """Say how to go on, and what becomes of the tournament meanwhile: it is paused, where the ladder takes that."""
        meetings = counted(self.count.comparison.meetings, "meeting")
        try:
            with suppress(LastcardError):  # it does not answer, or does not let us: it is said what that means
                if self.asked:
                    self._fate = self._plays_on
                    self._fate = self._paused(meetings)
        finally:  # a second Ctrl-C comes here, too
            sys.stderr.write(f"lastcard: {BROKEN} {meetings}{self._fate}; to go on: {self._command()}\n")

    def _paused(self, meetings: str) -> str:
        """Have the tournament paused; returns what it does from now on."""
        name = self.contest.name
        if self.status is not None and self.status.state.over:
            return f", tournament {name} is {self.status.state}"
        try:
            with Dial.of(call_s=FAREWELL_S / 2) as dial:  # two calls
                client = TournamentClient(dial)
                status = client.get(name)
                if status.state is not State.PAUSED:  # else the reason of whoever paused it is to stay
                    status = self._pause(client, f"{BROKEN} {meetings}")
        except WrongStateError:
            return f", tournament {name} has nothing more to play"
        if _is_ours(status):
            return f", tournament {name} is paused (`lastcard tournament cancel {name}` gives it up)"
        return f", tournament {name} stays paused; `lastcard tournament resume {name}` has it go on"

    def _pause(self, client: TournamentClient, reason: str) -> TournamentStatus:
        """Ask for the pause; until the answer is here it may come to pass, or not."""
        name, refused = self.contest.name, self._fate
        self._fate = f", whether tournament {name} is paused is not known: `lastcard tournament show {name}` says it"
        try:
            return client.turn(name, Verb.PAUSE, reason)
        except NotReachableError:
            raise
        except RequestError:
            self._fate = refused
            raise

    @property
    def _plays_on(self) -> str:
        name = self.contest.name
        sure = "" if self.status is not None else "if it was created, "
        most = counted(MOST_MATCHES, "match", "matches")
        return (
            f", {sure}tournament {name} could not be paused and plays on, up to {most} "
            f"(`lastcard tournament cancel {name}` ends it)"
        )

    def _command(self) -> str:
        asked = self.contest
        words = ["lastcard", "sprt", asked.new, asked.old, "--bounds", ",".join(asked.bounds.typed)]
        words += ["--format", asked.format, "--deals", asked.deals, *(["--luck"] if asked.luck else [])]
        words += ["--max-meetings", str(self._most), "--name", asked.name]
        return shlex.join([*words, "--json"] if self._as_json else words)


def _check_luck(proposal: Proposal, typed: str) -> None:
    """Refuse a contest that goes by scores without luck where nobody takes it out of them.

    Raises:
        InputError: nobody does, because nobody computes luck there, or because no weights are known for its rules.
    """
    if not proposal.luck:
        message = (
            "nobody computes luck at this ladder, whose processes have LASTCARD_LUCK=0, as those of a demo do: leave "
            "out --luck, or have its ladder and workers start with LASTCARD_LUCK=1 (`lastcard up` does by default)"
        )
        raise InputError("LUCK_OFF", message, field="luck", value="LASTCARD_LUCK=0", allowed=("LASTCARD_LUCK=1",))
    if correction_for(proposal.ruleset) is None:
        message = f"luck cannot be taken out of {typed}: no weights are shipped for it; leave out --luck"
        raise InputError("NO_CORRECTION", message, field="luck", value=typed)


def _is_ours(status: TournamentStatus) -> bool:
    """Return whether a tournament is paused, and by such a command."""
    return status.state is State.PAUSED and by_contest(status.reason)
