"""How a round and a game ended."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from lastcard.result import GameResult, RoundResult
from lastcard.story import WHY, story
from workers.local.person.faces import line, players, row, sorted_hand, told


def round_end(result: RoundResult) -> Iterator[Text]:
    """Yield the lines that show the end of a round: what happened last, all hands, and the points."""
    seen = result.history
    names = players(seen.seat, seen.entrants, len(result.places))
    yield Text()
    for sentence in story(seen.events(seen.told), names):
        yield line("  ", told(sentence))
    yield Text(f"The round is over: {WHY[result.ending]}.", "bold")
    for seat in sorted(range(len(names)), key=lambda seat: result.places[seat]):
        held = line(", held ", row(sorted_hand(result.hands[seat]))) if result.hands[seat] else Text(", held nothing")
        yield line(f"  place {result.places[seat]}  {names[seat]}, {result.points[seat]} points", held)


def game_end(result: GameResult) -> Iterator[Text]:
    """Yield the lines that show the end of a game."""
    names = players(result.seat, result.entrants, len(result.places))
    ranked = sorted(zip(result.places, names, result.points, strict=True))
    told = ", ".join(f"{place}. {name} ({points} points)" for place, name, points in ranked)
    yield Text(f"The game is over: {told}", "bold")
