"""`lastcard sprt`: is the new version stronger than the old one? Plays until it knows."""

from __future__ import annotations

import os
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from lastcard.console import counted, print_json
from lastcard.errors import ExitCode, InputError
from lastcard.names import AT, BOT

if TYPE_CHECKING:
    from referee.local.arena import Mistakes
    from workers.local.trial import Comparison, Heading, Question
    from workers.local.trial_file import TrialFile
    from workers.tournaments.contest_run import ContestRun

__all__ = ["sprt"]

SAVE_S: Final = 1.0
"""What was played is kept so often; after a crash the rest is played again, alike."""
MOST_MEETINGS: Final = 50_000

_STATE_HELP: Final = (
    "Keep here what was played, its end included.  [default: a file for this very command in the state folder "
    "($LASTCARD_STATE, else ~/.local/state/lastcard), removed once it is decided]"
)


@click.command()
@click.argument("new")
@click.argument("old")
@click.option("--bounds", default="0,20", show_default=True, metavar="LOW,HIGH", help="Elo: not stronger, stronger.")
@click.option("--format", "format_name", default="uno-classic-2", show_default=True, metavar="FORMAT")
@click.option("--deals", default="mirrored", show_default=True, metavar="mirrored|fresh")
@click.option("--luck", is_flag=True, help="Go by scores with luck taken out.")
@click.option("--seed", type=int, help="Of the deals and of the bots; the same again plays the same.  [default: any]")
@click.option("--max-meetings", type=int, help=f"The end, decided or not.  [default: {MOST_MEETINGS}; all at a ladder]")
@click.option("--state", type=click.Path(dir_okay=False, path_type=Path), help=_STATE_HELP)
@click.option("--name", help="At a ladder: of the tournament.  [default: by what is asked]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def sprt(new: str, old: str, *, as_json: bool, **words: Any) -> int:  # noqa: ANN401 (click's)
    """Compare two versions of a bot until it is known whether NEW is stronger than OLD.

    Both are house bots by name, or your own as module:Class, and play in this process; or both are versions that the
    ladder knows, as mybot@3 and mybot@2, whatever they are written in: then they play where they are connected, in an
    unrated tournament of their own (LASTCARD_LADDER, and a token as for `tournament create`). They play meetings: two
    games with the seats changed, by default on one deal. After every ten meetings the chances of "LOW Elo stronger"
    and "HIGH Elo stronger" are compared; it ends as soon as one of them is 19 times as likely. Ends with 0 when that
    was decided, either way, with 1 when the meetings ran out. Broken off, the same command goes on where it was; in
    this process, without --state, it finds that in the state folder of lastcard.
    """
    from lastcard.ending import terminable

    with terminable():
        return (_at_ladder if _registered(new, old) else _here)(new, old, words, as_json=as_json)


def _registered(new: str, old: str) -> bool:
    """Return whether these are versions that a ladder knows.

    Raises:
        InputError: one of them is, and the other is not.
    """
    versions = [bot for bot in (new, old) if AT in bot]
    if len(versions) == 1:
        other = old if versions == [new] else new
        message = (
            f"{versions[0]} plays at a ladder and {other} in this process: name two versions, as my-bot@2 my-bot@1, "
            "or two that play here, as greedy or module:Class"
        )
        raise InputError("TWO_PLACES", message, field="old" if other is old else "new", value=other)
    return bool(versions)


def _at_ladder(new: str, old: str, words: dict[str, Any], *, as_json: bool) -> int:
    """Have them compared at the ladder; returns the exit code."""
    run = None
    try:
        from workers.local.trial_view import show

        run = _contest_run(new, old, words, as_json=as_json)
        run.play()
    except KeyboardInterrupt:
        if run is None or not run.asked:
            click.echo("lastcard: broken off, nothing was created", err=True)
        raise
    if as_json:
        print_json(shape(run.heading, run.count.comparison) | run.shape())
    else:
        show(run.heading, run.count.comparison, run.undecided)
    run.complain()
    return run.code


def _contest_run(new: str, old: str, words: dict[str, Any], *, as_json: bool) -> ContestRun:
    """Return what is to be played at the ladder."""
    from ladder.sprt import Bounds
    from workers.tournaments.contest import MOST_MEETINGS as MOST_AT_LADDER
    from workers.tournaments.contest import Contest
    from workers.tournaments.contest_run import ContestRun

    for option, why in (("seed", "the ladder draws its own deals"), ("state", "the ladder keeps what was played")):
        if words[option] is not None:
            message = f"--{option} is for bots in this process: {why}; leave it out"
            raise InputError("NOT_AT_LADDER", message, field=option, value=str(words[option]))
    if words["name"] == "":
        message = "--name '' is no name of a tournament; leave it out, and it is called by what is asked"
        raise InputError("BAD_NAME", message, field="name", value="")
    bounds, most, named = Bounds(*_bounds(words["bounds"])), words["max_meetings"], words["name"] or ""
    contest = Contest(new, old, words["format_name"], words["deals"], bounds, luck=words["luck"], named=named)
    return ContestRun(contest, MOST_AT_LADDER if most is None else most, as_json=as_json)


def _here(new: str, old: str, words: dict[str, Any], *, as_json: bool) -> int:
    """Compare them in this process; returns the exit code."""
    if words["name"] is not None:
        message = "--name is of a tournament at a ladder: name versions as mybot@3, or leave it out"
        raise InputError("NOT_HERE", message, field="name", value=words["name"])
    if words["max_meetings"] is None:
        words["max_meetings"] = MOST_MEETINGS
    _check(words["max_meetings"])
    asked, file = _question(new, old, words)
    anew = _anew(file)
    with file.alone():
        if anew and not as_json:
            click.echo(f"lastcard: {anew}", err=True)
        question = _seeded(asked, file, words["seed"])
        run = _Run(question, file, words["max_meetings"])
        comparison = run.play(quiet=as_json)
    _report(question, comparison, words["max_meetings"], as_json=as_json)
    run.complain()
    return ExitCode.NEGATIVE if comparison.open else ExitCode.DONE


def _check(max_meetings: int) -> None:
    from workers.local.trial import BATCH

    if max_meetings < BATCH:
        message = f"--max-meetings {max_meetings} is less than one check; allow {BATCH} or more"
        raise InputError("BAD_MEETINGS", message, field="max_meetings", value=max_meetings, allowed=(f"from {BATCH}",))


def _bounds(text: str) -> tuple[float, float]:
    """Return two numbers of Elo, as they were typed."""
    from ladder.sprt import BadBoundsError

    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise BadBoundsError(text, "two numbers of Elo with a comma between, the smaller one first, as 0,20") from None
    return low, high


def _question(new: str, old: str, words: dict[str, Any]) -> tuple[Question, TrialFile]:
    """Return the question and where it is kept; a seed that was not typed is 0 in it."""
    from ladder.sprt import Bounds
    from lastcard.state import state_folder
    from referee.bots import UnknownBotError
    from referee.bots.find import find
    from workers.local.trial import Question
    from workers.local.trial_file import TrialFile

    bounds, seed, state = Bounds(*_bounds(words["bounds"])), words["seed"], words["state"]
    sys.path.insert(0, str(Path.cwd()))
    for bot in (new, old):
        try:
            find(bot, 0)  # it is there, before anything is kept
        except UnknownBotError as error:
            if not BOT.fullmatch(bot):
                raise
            message = f"{error}; versions that the ladder knows are named with their numbers, as {bot}@2 {bot}@1"
            raise UnknownBotError(error.reason, message, field="bot", value=bot, allowed=error.allowed) from None
    asked = Question.of(new, old, words["format_name"], words["deals"], bounds, seed or 0, luck=words["luck"])
    file = TrialFile(state) if state else TrialFile.usual(state_folder(os.environ), asked.identity(), seed=seed)
    return asked, file


def _anew(file: TrialFile) -> str:
    """Say that nothing is there to go on from, where somebody may think so; else nothing."""
    folder = file.path.parent
    if file.named:
        return "" if file.is_there else f"there is no state at {file.path}: it begins anew"
    if os.environ.get("LASTCARD_STATE") and not folder.exists():  # a demo's goes with it
        return f"{folder}, which LASTCARD_STATE names, is not there: it is made, and it begins anew"
    return ""


def _seeded(asked: Question, file: TrialFile, seed: int | None) -> Question:
    """Return the question with its seed: the one that was typed, else the one that is kept, or drawn now."""
    import secrets

    if seed is None:
        kept = file.seed()
        seed = secrets.randbelow(2**32) if kept is None else kept
    return replace(asked, seed=seed)


class _Run:
    """Plays batch by batch, and keeps what was played."""

    def __init__(self, question: Question, file: TrialFile, most: int) -> None:
        from workers.local.trial_file import code_of

        self._question = question
        self._file = file
        self._most = most
        self._code = {"new": code_of(question.new), "old": code_of(question.old)}
        self._mistakes: dict[str, Mistakes] = {}

    def play(self, *, quiet: bool) -> Comparison:
        """Play until it is decided, or the meetings have run out."""
        from workers.local.trial import BATCH
        from workers.local.trial_view import TrialView

        comparison = self._file.load(self._question, self._code) or self._question.begin()
        saved = time.monotonic()
        self._save(comparison)
        with TrialView(sys.stderr, self._question.bounds, comparison, quiet=quiet) as view:
            try:
                while comparison.open and comparison.meetings + BATCH <= self._most:
                    comparison, mistakes = comparison.next_batch(self._question)
                    self._note(mistakes)
                    view.show(comparison)
                    if time.monotonic() - saved >= SAVE_S:
                        self._save(comparison)
                        saved = time.monotonic()
            except BaseException as error:  # Ctrl-C, SIGTERM, or whatever else: it goes on from here
                if not isinstance(error, InputError):  # else it is the state that cannot be written
                    self._save(comparison)
                command = self._command(as_json=quiet)
                view.say(f"broken off after {counted(comparison.meetings, 'meeting')}; to go on: {command}")
                raise
        self._close(comparison)
        return comparison

    def _close(self, comparison: Comparison) -> None:
        """Keep the end; forget it where nobody named a file and nothing is left to do."""
        if comparison.open or self._file.named:
            self._save(comparison)
        else:
            self._file.remove()

    def _save(self, comparison: Comparison) -> None:
        self._file.save(self._question, self._code, comparison)

    def _command(self, *, as_json: bool) -> str:
        asked = self._question
        words = ["lastcard", "sprt", asked.new, asked.old, "--bounds", ",".join(asked.bounds.typed)]
        words += ["--format", asked.format.name, "--deals", asked.format.deals, "--seed", str(asked.seed)]
        words += ["--luck"] if asked.correction else []
        words += ["--max-meetings", str(self._most), "--state", str(self._file.path)]
        return shlex.join([*words, "--json"] if as_json else words)

    def _note(self, mistakes: dict[str, Mistakes]) -> None:
        from referee.local.arena import Mistakes

        for bot, made in mistakes.items():
            before = self._mistakes.get(bot)
            self._mistakes[bot] = made if before is None else Mistakes(before.count + made.count, before.first)

    def complain(self) -> None:
        """Say what the bots did wrong that is no fault."""
        from workers.local.play_tables import complaint

        for bot, mistakes in self._mistakes.items():
            click.echo(complaint(bot, mistakes), err=True)


def _report(question: Question, comparison: Comparison, most: int, *, as_json: bool) -> None:
    if as_json:
        here: dict[str, Any] = {"seed": question.seed, "tournament": None, "state": None, "left_out": []}
        print_json(shape(question.heading, comparison) | here)
        return
    from workers.local.trial_view import USED_UP, show

    played = counted(comparison.meetings, "meeting")
    undecided = f"not decided after {played}; {USED_UP.format(most=most)}, a larger one goes on from here"
    show(question.heading, comparison, undecided)


def shape(heading: Heading, comparison: Comparison) -> dict[str, Any]:
    """Return what `--json` prints of a comparison, wherever it was played."""
    trial, line = comparison.trial, comparison.trial.line
    losses, ties, wins = comparison.games
    return {
        "new": heading.new,
        "old": heading.old,
        "format": heading.format,
        "deals": heading.deals,
        "bounds": [heading.bounds.elo0, heading.bounds.elo1],
        "lc_version": heading.lc_version,
        "decision": trial.decision,
        "llr": trial.llr,
        "lower": heading.bounds.lower,
        "upper": heading.bounds.upper,
        "meetings": comparison.meetings,
        "rounds": comparison.rounds,
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "pairs": list(trial.counts),
        "score": line.score,
        "raw_score": comparison.raw_score,
        "elo": line.elo,
        "ci95": line.ci95,
        "los": line.los,
        "faults": list(comparison.faults),
        "path": [[units, round(ratio, 9)] for units, ratio in trial.path],
    }
