"""What a round is worth: hands left, points, places; and the places of a game of several rounds."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from referee.rules.vocabulary import RoundEnding

Key = TypeVar("Key", int, tuple[int, ...])


class RoundEnd(NamedTuple):
    """How a round ended. Lists are by seat; `places` count from 1 and ties share.

    `left` is the value of each hand (its cards where they are counted), at its value then for a seat that left;
    `points` is what the round adds to the scores; `out` are the seats that left the match so far, in order.
    """

    ending: RoundEnding
    winner: int | None
    points: tuple[int, ...]
    left: tuple[int, ...]
    places: tuple[int, ...]
    out: tuple[int, ...]

    def as_json(self) -> dict[str, object]:
        """As scenarios and records write it."""
        return {
            "end": self.ending.name,
            "winner": self.winner,
            "points": list(self.points),
            "left": list(self.left),
            "places": list(self.places),
        }


def team_sums(values: Sequence[int], team_of: Sequence[int]) -> list[int]:
    """By seat, the sum of the values of its team."""
    sums = dict.fromkeys(team_of, 0)
    for seat, value in enumerate(values):
        sums[team_of[seat]] += value
    return [sums[team] for team in team_of]


def winner_takes(left: Sequence[int], winner: int | None, team_of: Sequence[int]) -> tuple[int, ...]:
    """The winner's team gets what the others hold (002 L83-95, 003 L24); nobody wins, nobody scores."""
    if winner is None:
        return (0,) * len(left)
    gain = sum(left)
    partners = [seat for seat, team in enumerate(team_of) if team == team_of[winner]]
    for seat in partners:
        gain -= left[seat]
    points = [0] * len(left)
    for seat in partners:
        points[seat] = gain
    return tuple(points)


def everybody_adds(left: Sequence[int], winner: int | None, team_of: Sequence[int]) -> tuple[int, ...]:
    """Every team adds what it holds, the winner's nothing (O1's alternative, 001; D 10)."""
    team = None if winner is None else team_of[winner]
    return tuple(0 if mine == team else total for mine, total in zip(team_of, team_sums(left, team_of), strict=True))


def lost_at(out: Sequence[int], team_of: Sequence[int]) -> dict[int, int]:
    """Teams all of whose seats left, with the place in `out` of the last of them (D 11)."""
    lost = {}
    for team in set(team_of):
        seats = [seat for seat, mine in enumerate(team_of) if mine == team]
        if all(seat in out for seat in seats):
            lost[team] = max(out.index(seat) for seat in seats)
    return lost


def rank(keys: Iterable[Key]) -> tuple[int, ...]:
    """Places by key, one a seat: the lowest is 1, equal keys share, and the next place counts all that are better."""
    listed = list(keys)
    ordered = sorted(listed)
    return tuple([1 + ordered.index(key) for key in listed])


def round_places(
    left: Sequence[int], winner: int | None, out: Sequence[int], team_of: Sequence[int]
) -> tuple[int, ...]:
    """The winner's team, then by value left, seats that left last, the earlier the worse (D 9)."""
    if not out and len(set(team_of)) == len(team_of):
        values = list(left)
        if winner is not None:
            values[winner] = -1
        return rank(values)
    lost = lost_at(out, team_of)
    totals = team_sums(left, team_of)
    first = None if winner is None else team_of[winner]
    return rank(
        (2, -lost[team]) if team in lost else (0, 0) if team == first else (1, total)
        for team, total in zip(team_of, totals, strict=True)
    )
