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

if TYPE_CHECKING:
    from referee.local.arena import Mistakes
    from workers.local.trial import Comparison, Question
    from workers.local.trial_file import TrialFile

__all__ = ["sprt"]

SAVE_S: Final = 1.0
"""What was played is kept so often; after a crash the rest is played again, alike."""

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
@click.option("--max-meetings", default=50_000, show_default=True, type=int, help="The end, decided or not.")
@click.option("--state", type=click.Path(dir_okay=False, path_type=Path), help=_STATE_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def sprt(new: str, old: str, *, as_json: bool, **words: Any) -> int:  # noqa: ANN401 (click's)
    """Compare two versions of a bot until it is known whether NEW is stronger than OLD.

    Both are house bots by name, or your own as module:Class. They play meetings: two games with the seats changed, by
    default on one deal. After every ten meetings the chances of "LOW Elo stronger" and "HIGH Elo stronger" are
    compared; it ends as soon as one of them is 19 times as likely. Ends with 0 when that was decided, either way, with
    1 when the meetings ran out. Broken off, the same command goes on where it was; without --state it finds that in the
    state folder of lastcard.
    """
    _check(words["max_meetings"])
    asked, file = _question(new, old, words)
    with file.alone():
        question = _seeded(asked, file, words["seed"])
        run = _Run(question, file, words["max_meetings"], keep=words["state"] is not None)
        comparison = run.play(quiet=as_json)
    _report(question, comparison, as_json=as_json)
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
    from referee.bots.find import find
    from workers.local.trial import Question
    from workers.local.trial_file import TrialFile

    bounds, seed, state = Bounds(*_bounds(words["bounds"])), words["seed"], words["state"]
    sys.path.insert(0, str(Path.cwd()))
    for bot in (new, old):
        find(bot, 0)  # it is there, before anything is kept
    asked = Question.of(new, old, words["format_name"], words["deals"], bounds, seed or 0, luck=words["luck"])
    file = TrialFile(state) if state else TrialFile.usual(state_folder(os.environ), asked.identity(), seed=seed)
    return asked, file


def _seeded(asked: Question, file: TrialFile, seed: int | None) -> Question:
    """Return the question with its seed: the one that was typed, else the one that is kept, or drawn now."""
    import secrets

    if seed is None:
        kept = file.seed()
        seed = secrets.randbelow(2**32) if kept is None else kept
    return replace(asked, seed=seed)


class _Run:
    """Plays batch by batch, and keeps what was played."""

    def __init__(self, question: Question, file: TrialFile, most: int, *, keep: bool) -> None:
        from workers.local.trial_file import code_of

        self._question = question
        self._file = file
        self._most = most
        self._keep = keep
        self._code = {"new": code_of(question.new), "old": code_of(question.old)}
        self._mistakes: dict[str, Mistakes] = {}

    def play(self, *, quiet: bool) -> Comparison:
        """Play until it is decided, or the meetings have run out."""
        from workers.local.trial import BATCH
        from workers.local.trial_view import TrialView

        comparison = self._file.load(self._question, self._code) or self._question.begin()
        saved = time.monotonic()
        self._save(comparison)
        with TrialView(sys.stderr, self._question, comparison, quiet=quiet) as view:
            try:
                while comparison.open and comparison.meetings + BATCH <= self._most:
                    comparison, mistakes = comparison.next_batch(self._question)
                    self._note(mistakes)
                    view.show(comparison)
                    if time.monotonic() - saved >= SAVE_S:
                        self._save(comparison)
                        saved = time.monotonic()
            except KeyboardInterrupt:
                self._save(comparison)
                command = self._command(as_json=quiet)
                view.say(f"broken off after {counted(comparison.meetings, 'meeting')}; to go on: {command}")
                raise
        self._close(comparison)
        return comparison

    def _close(self, comparison: Comparison) -> None:
        """Keep the end; forget it where nobody named a file and nothing is left to do."""
        if comparison.open or self._keep:
            self._save(comparison)
        else:
            self._file.remove()

    def _save(self, comparison: Comparison) -> None:
        self._file.save(self._question, self._code, comparison)

    def _command(self, *, as_json: bool) -> str:
        asked = self._question
        words = ["lastcard", "sprt", asked.new, asked.old, "--bounds", f"{asked.bounds.elo0:g},{asked.bounds.elo1:g}"]
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


def _report(question: Question, comparison: Comparison, *, as_json: bool) -> None:
    if as_json:
        print_json(shape(question, comparison))
        return
    from workers.local.trial_view import show

    show(question, comparison)


def shape(question: Question, comparison: Comparison) -> dict[str, Any]:
    """Return what `--json` prints."""
    trial, line = comparison.trial, comparison.trial.line
    losses, ties, wins = comparison.games
    return {
        "new": question.new,
        "old": question.old,
        "format": question.format.name,
        "deals": question.format.deals,
        "bounds": [question.bounds.elo0, question.bounds.elo1],
        "seed": question.seed,
        "lc_version": question.correction.version if question.correction else None,
        "decision": trial.decision,
        "llr": trial.llr,
        "lower": question.bounds.lower,
        "upper": question.bounds.upper,
        "meetings": comparison.meetings,
        "rounds": comparison.rounds,
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "pairs": list(trial.counts),
        "score": line.score,
        "elo": line.elo,
        "ci95": line.ci95,
        "los": line.los,
        "faults": list(comparison.faults),
        "path": [[units, round(ratio, 9)] for units, ratio in trial.path],
    }
