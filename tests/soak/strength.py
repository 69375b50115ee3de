"""How strong the house bots are: `./dev soak strength` prints the table of docs/house-bots.md, format by format.

One deal for all seatings of a meeting, so that luck of the cards counts little; intervals are by meeting. The seeds are
none that a weight of a bot was found with: what the house tunes on is below `FIRST_SEED`.
"""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Final

from referee import formats
from referee.bots.find import find
from referee.local import arena

FIRST_SEED: Final = 20_000
Z95: Final = 1.96
# Who is measured against whom, and how many games that takes: the search thinks, the others do not.
PAIRS: Final = {"careful-random": 4_000, "search-careful": 600}
LONG: Final = 20  # rounds that a game to a target takes, about


@dataclass(frozen=True, slots=True)
class Strength:
    """What a bot came to at tables with rivals of one kind.

    Attributes:
        format, bot, rival: who played what.
        games: games played.
        score: mean share of opponents that it left behind, ties half; 0.5 = as strong as they.
        half: half width of the 95 % interval of the score, by meeting.
        won: share of games that it won.
        won_half: half width of that.
        fair: what it would win if it were as strong as its rivals.
    """

    format: str
    bot: str
    rival: str
    games: int
    score: float
    half: float
    won: float
    won_half: float
    fair: float

    def __str__(self) -> str:
        """Return it as a line of the table in docs/house-bots.md."""
        cells = (
            f"`{self.format}`",
            f"`{self.bot}` - `{self.rival}`",
            f"{self.games:,}",
            f"{self.won:.1%} ± {self.won_half:.1%} ({self.fair:.0%})",
            f"{self.score:.1%} ± {self.half:.1%}",
        )
        return f"| {' | '.join(cells)} |"


def measure(name: str, bot: str, rival: str, meetings: int, seed: int) -> Strength:
    """Return how strong `bot` is at tables of the format `name` where everybody else is `rival`."""
    played = formats.get(name)
    teams = played.rules.team_of
    bots = [(text, find(text, seed)) for text in (bot, *[rival] * (played.seats - 1))]
    result = arena.play(name, bots, meetings=meetings, seed=seed, deals="mirrored")
    shares = []
    wins = []
    for match in result.matches:
        for meeting in json.loads(match.result)["meetings"]:
            games = [(game["ranks"], _opponents(game["seats"], teams)) for game in meeting["games"]]
            shares.append(sum(_behind(ranks, rivals) for ranks, rivals in games) / len(games))
            wins.append(sum(ranks[0] == 1 for ranks, _ in games) / len(games))
    (score, half), (won, won_half) = _interval(shares), _interval(wins)
    fair = 1 / len(set(teams))
    return Strength(name, bot, rival, meetings * played.seats, score, half, won, won_half, fair)


def _opponents(seats: Sequence[int], teams: Sequence[int]) -> list[int]:
    """The entrants that are not in the first one's team, given the entrant of each seat."""
    mine = teams[seats.index(0)]
    return [entrant for seat, entrant in enumerate(seats) if teams[seat] != mine]


def _behind(ranks: Sequence[int], rivals: Sequence[int]) -> float:
    return sum((ranks[rival] > ranks[0]) + 0.5 * (ranks[rival] == ranks[0]) for rival in rivals) / len(rivals)


def _interval(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, Z95 * math.sqrt(variance / len(values))


def meetings_of(name: str, games: int) -> int:
    """Return how many meetings make about so many games of one round; games to a target count as many."""
    played = formats.get(name)
    rounds = LONG if played.rules.number("target_score") else 1
    return max(2, games // (played.seats * rounds))


def main(argv: list[str]) -> int:
    """Measure and print; returns 1 if a bot that should be the stronger one is not."""
    parser = argparse.ArgumentParser("./dev soak strength", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="FORMAT", choices=formats.names(), default=formats.names())
    parser.add_argument("--pairs", nargs="+", metavar="BOT-RIVAL", default=list(PAIRS), help="such as search-careful")
    parser.add_argument("--games", type=int, help="of every line, about; by default more where bots are quick")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the deals and the bots")
    parser.add_argument("--jobs", type=int, default=1, help="lines measured at once")
    options = parser.parse_args(argv)
    lines = [(name, *pair.split("-", 1)) for pair in options.pairs for name in options.only]
    print("| format | bots | games | won (fair share) | score |\n|---|---|---|---|---|")
    weaker = []
    # Spawned: what was forked from a process that has used gRPC may never end once it looks for garbage.
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        for strength in pool.map(partial(_line, options.games, options.seed), lines):
            print(strength, flush=True)
            if strength.score + strength.half < 0.5:
                weaker.append(f"{strength.bot} is weaker than {strength.rival} in {strength.format}")
    print("\n".join(weaker) or "nobody is weaker than a simpler bot", file=sys.stderr)
    return 1 if weaker else 0


def _line(games: int | None, seed: int, line: tuple[str, str, str]) -> Strength:
    name, bot, rival = line
    wanted = games or PAIRS.get(f"{bot}-{rival}", min(PAIRS.values()))
    return measure(name, bot, rival, meetings_of(name, wanted), seed)
