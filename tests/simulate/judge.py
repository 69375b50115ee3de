"""What must hold after every run, whatever went wrong in it."""

from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Protocol

from ladder.store import Store
from ladder.store.rows import MatchPlan, MatchRow, MatchState
from lastcard.secret import Secret
from lastcard.v1 import play_pb2 as pb
from referee import formats, logbook, wire
from referee.hosting.hosted import Hosted
from referee.hosting.seats import FREE_RETURNS, Seat
from referee.logbook import ActRecord, Author, CorruptLogError, LeaveRecord, RoundRecord, TimeRecord
from referee.match import EngineMismatchError, MatchPlay
from referee.match_result import canonical
from referee.match_spec import MatchSpec
from referee.rules import view
from referee.rules.errors import IllegalAnswerError
from referee.rules.round import Round
from referee.table import Table
from referee.timing import ROUNDING_MS
from tests.simulate.bot import Bot, nonce_of
from tests.simulate.diary import Diary
from tests.simulate.invariant import Invariant
from tests.simulate.undisturbed import Course, round_id, undisturbed
from tests.simulate.world import World

STRIKES: Final = 3


class Court(Protocol):
    """What is judged: matches that were played, and what their bots saw.

    Attributes:
        ledger: where the matches and their logs are.
        bots: who played.
        plans: the matches.
        lag_ms: most that a bot pays for the way of its words, and for a delay of ours too short to be given back.
    """

    ledger: Store
    bots: list[Bot]
    plans: list[MatchPlan]
    lag_ms: int

    @property
    def voided(self) -> set[str]:
        """Matches that the operator ended."""

    def complain(self, invariant: Invariant, text: str) -> None:
        """Note that something is not as it should be."""


def judge(world: Court) -> None:
    """Look at matches that are over; what is wrong is complained of."""
    for plan in world.plans:
        _Case(world, world.ledger.matches.get(plan.id)).judge()


def witness(world: Court, matches: Iterable[str]) -> None:
    """Look at matches whose referee has just died: nobody may have seen what the log lacks."""
    for match in matches:
        _Case(world, world.ledger.matches.get(match)).witness()


def epochs(world: World) -> None:
    """Epochs strictly grow, an entry follows the one before it, and nobody writes in an epoch of another."""
    last: dict[str, tuple[int, int]] = {}
    writers: dict[tuple[str, int], str] = {}
    for write in world.server.journal:
        epoch, seq = map(int, write.entry.split("-"))
        before = last.get(write.match, (0, 0))
        opens = write.script in {"claim", "release"}
        if (epoch, seq) != ((before[0] + 1, 0) if opens else (before[0], before[1] + 1)):
            world.complain(
                Invariant.EPOCHS,
                f"{write.script} of {write.writer} wrote {write.entry} of {write.match} after {before}",
            )
        last[write.match] = (epoch, seq)
        owner = writers.setdefault((write.match, epoch), write.writer)
        if owner != write.writer:
            world.complain(
                Invariant.EPOCHS, f"{write.writer} wrote {write.entry} of {write.match} in the epoch of {owner}"
            )


class _Case:
    """One match: its row, its log, and what its bots saw of it."""

    def __init__(self, world: Court, row: MatchRow) -> None:
        self.world = world
        self.row = row
        by_version = {bot.version: bot for bot in world.bots}
        self.bots: list[Bot] = [by_version[version] for version in row.entrants]
        self.spec = MatchSpec(row.id, formats.get(row.format, deals=row.deals), row.entrants, row.meetings, row.nonces)
        self.log = world.ledger.matches.log(row.id)
        self.seed = world.ledger.matches.seed(row.id)
        self.course = Course({}, {})
        self.logged: set[tuple[str, int, int]] = set()
        self.untimed: dict[int, ActRecord] = {}
        """By game: its last answer, if nothing was said of its time yet."""

    def complain(self, invariant: Invariant, text: str) -> None:
        self.world.complain(invariant, f"{self.row.id}: {text}")

    def judge(self) -> None:
        self._ending()
        self._order()
        if self.seed is None:
            return
        if self.row.commitment != sha256(self.seed.reveal()).hexdigest():
            self.complain(Invariant.SEED, "the commitment is not of the seed")
        play = self._replay(self.seed)
        if play is None:
            return
        self._result(play)
        self._faults(play)
        self._seeds()
        steady = all(bot.steady and not bot.blamable for bot in self.bots)
        if self.row.state is MatchState.CLOSED and steady and not play.gone:  # who is gone was complained of
            self._as_undisturbed(play)

    def witness(self) -> None:
        if self.seed is not None:
            self._replay(self.seed)

    # -- how it ended

    def _ending(self) -> None:
        row = self.row
        match row.state:
            case MatchState.CLOSED:
                pass
            case MatchState.VOID if row.id in self.world.voided and row.reason == "operator":
                pass
            case MatchState.VOID if row.reason == "all_absent" and all(bot.blamable for bot in self.bots):
                pass
            case MatchState.PARKED if row.reason == "strikes" and self._barren_epochs() >= STRIKES:
                pass
            case state:
                self.complain(Invariant.ENDS, f"it ended {state} ({row.reason})")

    def _order(self) -> None:
        """Entries follow one another, and every hand-over begins an epoch."""
        before = (0, 0)
        for epoch, seq, _ in self.log:
            if (epoch, seq) not in ((before[0] + 1, 0), (before[0], before[1] + 1)):
                self.complain(Invariant.EPOCHS, f"entry {epoch}-{seq} comes after {before[0]}-{before[1]}")
            before = (epoch, seq)

    def _barren_epochs(self) -> int:
        """Return how many epochs before the last one ended without an act."""
        acts: dict[int, int] = defaultdict(int)
        for epoch, seq, _ in self.log:
            acts[epoch] = max(acts[epoch], seq)
        barren = 0
        for epoch in sorted(acts, reverse=True)[1:]:
            if acts[epoch]:
                break
            barren += 1
        return barren

    def _result(self, play: MatchPlay) -> None:
        if self.row.state is MatchState.CLOSED and canonical(play.result()) != self.row.result:
            self.complain(Invariant.FOLDS, "its log does not fold to its result")

    def _faults(self, play: MatchPlay) -> None:
        for entrant, bot in enumerate(self.bots):
            if bot.blamable:
                continue
            faults = {fault.name: n for fault, n in play.fault_kinds[entrant].items() if n}
            if faults:
                self.complain(Invariant.BLAMELESS, f"{bot.version} has the faults {faults} and did nothing wrong")
            if entrant in play.gone:
                self.complain(Invariant.BLAMELESS, f"{bot.version} forfeited ({play.gone[entrant].name}) and was there")
            nonce = play.nonces.get(entrant)
            if bot.manners.nonce == "good" and play.tables and nonce != nonce_of(bot.version, self.row.id):
                self.complain(Invariant.BLAMELESS, f"the nonce of {bot.version} is {nonce!r} and it gave a good one")

    def _seeds(self) -> None:
        for bot in self.bots:
            told = bot.diary.seeds.get(self.row.id)
            if told is not None and told != self.seed:
                self.complain(Invariant.SEED, f"{bot.version} was told another seed than the one in the store")
            committed = bot.diary.commitments.get(self.row.id)
            if committed is not None and self.seed is not None and committed != sha256(self.seed.reveal()).digest():
                self.complain(Invariant.SEED, f"{bot.version} was told another commitment than that of the seed")

    def _as_undisturbed(self, play: MatchPlay) -> None:
        assert self.seed is not None
        orders = {entrant: bot.orders for entrant, bot in enumerate(self.bots)}
        wanted = undisturbed(self.spec, self.seed, play.nonces, orders)
        if wanted.answers != self.course.answers or wanted.digests != self.course.digests:
            self.complain(Invariant.UNDISTURBED, "its games did not go as they do when nothing goes wrong")

    # -- its log, record by record, beside what the bots saw

    def _replay(self, seed: Secret) -> MatchPlay | None:
        play = MatchPlay(self.spec, seed)
        hosted = Hosted(play, "0-0-", 0, 0)
        try:
            for _, _, entry in self.log:
                for record in logbook.records(entry):
                    self._redo(hosted, record)
            self._deal_what_was_seen(play)
            for table in play.tables.values():
                self._events(table.index, round_id(self.spec, table), table.round)
        except (EngineMismatchError, IllegalAnswerError, CorruptLogError, AssertionError) as error:
            self.complain(Invariant.FOLDS, f"its log cannot be replayed: {error!r}")
            return None
        self._nothing_else(play)
        return play

    def _redo(self, hosted: Hosted, record: logbook.Record) -> None:
        play = hosted.play
        if isinstance(record, ActRecord):
            table = play.table(record.game)
            self._decisions(hosted, table)
            self._answered(table, record)
            self.untimed[record.game] = record
        elif isinstance(record, RoundRecord):
            table = play.table(record.game)
            where, finished = round_id(self.spec, table), table.round
            play.redo(record)
            self._ended(table.index, where, finished)
            self.course.digests.setdefault(record.game, []).append(record.digest)
            return
        elif isinstance(record, TimeRecord):
            self._timed(record)
        elif isinstance(record, LeaveRecord):
            for table in play.tables.values():
                self._decisions(hosted, table)
        play.redo(record)

    def _diary(self, game: int, seat: int) -> Diary:
        return self.bots[self.spec.seating(game)[seat]].diary

    def _decisions(self, hosted: Hosted, table: Table) -> None:
        """Whoever is asked now and saw the question saw this one."""
        where = round_id(self.spec, table)
        asked = table.round.asked_at, len(table.round.events) // 4
        for number in table.round.asked:
            seen = self._diary(table.index, number).decisions.get((where, number), {}).get(asked)
            if seen is not None and seen != _decision(hosted, table, number):
                self.complain(
                    Invariant.SEEN, f"seat {number} of {where} was asked {table.round.asked_at} with another view"
                )

    def _answered(self, table: Table, record: ActRecord) -> None:
        """A bot's answer in the log is one that it gave, to this question."""
        where, act = round_id(self.spec, table), table.round.asked_at
        picks = record.picks if isinstance(record.picks, tuple) else (record.picks,)
        self.course.answers.setdefault((record.game, record.seat), []).append(record.picks)
        self.logged.add((where, record.seat, act))
        told = self._diary(table.index, record.seat).acknowledged.get((where, record.seat, act))
        if told is not None and (record.author is not Author.BOT or told != (picks, record.call, record.color)):
            text = f"seat {record.seat} was told that {told} counts for {act} of {where}, and the log has {record}"
            self.complain(Invariant.KEPT, text)
        if record.author is not Author.BOT:
            return
        given = self._diary(table.index, record.seat).answers.get((where, record.seat, act), [])
        bot = self.bots[self.spec.seating(table.index)[record.seat]]
        thought_s = bot.diary.thoughts.get((where, record.seat, act), 0.0)
        carried = bot.diary.losses[where, record.seat] > FREE_RETURNS  # its clock goes on while it has no line
        if record.ms > thought_s * 1000 + self.world.lag_ms and not bot.blamable and not carried:
            self.complain(
                Invariant.BLAMELESS,
                f"seat {record.seat} pays {record.ms} ms for {act} of {where} and took {thought_s:.3f} s",
            )
        if (picks, record.call, record.color) not in given:
            self.complain(Invariant.KEPT, f"seat {record.seat} never answered {picks} to {act} of {where}")

    def _timed(self, said: TimeRecord) -> None:
        """What is said of an answer's time is said of that answer, once, and leaves room for what its bot thought."""
        act = self.untimed.pop(said.game, None)
        if act is None or act.seat != said.seat:
            self.complain(Invariant.FOLDS, f"{said} follows {act}")
        elif act.ms + said.given_back_ms + ROUNDING_MS < said.thought_ms:
            text = f"seat {said.seat} thought {said.thought_ms} ms about {said.decision} of game {said.game}"
            self.complain(Invariant.BLAMELESS, f"{text}: it pays {act.ms}, and {said.given_back_ms} are given back")

    def _ended(self, game: int, where: str, finished: Round) -> None:
        """The end of a round as the seats were told it."""
        self._events(game, where, finished)
        result = finished.result
        assert result is not None
        hands = tuple(map(bytes, map(sorted, finished.hands)))
        wanted = (int(result.ending), tuple(result.places), tuple(result.points), tuple(result.left), hands)
        for number in range(len(self.spec.entrants)):
            raw = self._diary(game, number).ends.get((where, number))
            if raw is None:
                continue
            end = pb.RoundEnd.FromString(raw)
            hands = tuple(map(bytes, map(sorted, end.hands)))
            if (int(end.ending), tuple(end.places), tuple(end.points), tuple(end.left), hands) != wanted:
                self.complain(Invariant.SEEN, f"seat {number} of {where} was told another end")

    def _events(self, game: int, where: str, current: Round) -> None:
        """What the seats saw of a round is what the log leads to."""
        for number in range(len(self.spec.entrants)):
            seen = self._diary(game, number).events.get((where, number))
            if not seen:
                continue
            columns = list(map(bytes, zip(*view.events(current, number), strict=True)))
            wrong = [event for event, column in seen.items() if event >= len(columns) or columns[event] != column]
            if wrong:
                self.complain(
                    Invariant.SEEN, f"seat {number} of {where} saw the events {wrong[:5]}, which the log lacks"
                )

    def _deal_what_was_seen(self, play: MatchPlay) -> None:
        """Deal the games that a bot saw and in which nothing was logged before the match was stopped."""
        if self.row.state is MatchState.CLOSED or play.missing_nonces:
            return
        for bot in self.bots:
            for where, _ in bot.diary.events:
                match, meeting, game, _ = where.rsplit("/", 3)
                index = int(meeting) * len(self.bots) + int(game)
                if match == self.spec.id and play.results[index] is None:
                    play.table(index)

    def _mine(self, where: str) -> bool:
        return where.startswith(f"{self.spec.id}/")

    def _nothing_else(self, play: MatchPlay) -> None:
        """Nobody saw a round that the log does not have."""
        rounds = {
            f"{self.spec.id}/{game // len(self.bots)}/{game % len(self.bots)}/{number}"
            for game in range(self.spec.games)
            for number in range(len(self.course.digests.get(game, [])) + (game in play.tables))
        }
        for bot in self.bots:
            lost = {key for key in bot.diary.acknowledged.keys() - self.logged if self._mine(key[0])}
            if lost:
                self.complain(Invariant.KEPT, f"{bot.version} was told that its answers to {sorted(lost)} count")
            for where, _ in bot.diary.events:
                if self._mine(where) and where not in rounds:
                    self.complain(Invariant.SEEN, f"{bot.version} saw {where}, which the log lacks")


def _decision(hosted: Hosted, table: Table, number: int) -> bytes:
    """Return the decision of an asked seat, encoded as a bot notes it."""
    seat = Seat(hosted, table, number, 0)
    seat.introduced = True
    seat.handle = seat.act = 1
    seat.seen = len(table.round.events) // 4
    response = pb.PlayResponse.FromString(wire.turn(seat))
    return response.turns[0].decision.SerializeToString()
