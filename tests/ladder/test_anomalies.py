"""What honest bots hardly ever do is found where it is planted, and not found among honest ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

from ladder import corrected, order, surprise
from ladder.anomaly import SENTENCES, Anomaly, Calibration, Kind
from ladder.order import Course, Observed
from ladder.results import MatchResult
from ladder.scoreline import score_of
from ladder.sheets import Sheets

pytestmark = pytest.mark.slow

BOTS = tuple(f"bot-{number}@1" for number in range(8))
ELO = {bot: 25.0 * number for number, bot in enumerate(BOTS)}
Chance = Callable[[str, str], float]
SEEDS = range(20)


def honest(one: str, other: str) -> float:
    """Return the chance of one against another by their strength."""
    return score_of(ELO[one] - ELO[other])


def duel(seed: int, chance: Chance = honest, legs: int = 12, meetings: int = 4) -> list[MatchResult]:
    """Return a round robin of two at a table."""
    rng, results = Random(seed), []
    for leg in range(legs):
        for place, one in enumerate(BOTS):
            for other in BOTS[:place]:
                wins = [[rng.random() < chance(one, other) for _ in range(2)] for _ in range(meetings)]
                ranks = [[(1, 2) if won else (2, 1) for won in games] for games in wins]
                results.append(result(f"cup.{leg}.{place}.{BOTS.index(other)}", (one, other), ranks))
    return results


def result(match: str, entrants: Sequence[str], ranks: Sequence[Sequence[Sequence[int]]]) -> MatchResult:
    """Return the result of a match of which only the places matter."""
    seats = len(entrants)
    places = tuple(tuple(tuple(game) for game in games) for games in ranks)
    rounds = (sum(map(len, ranks)),) * seats
    return MatchResult(
        match, "f", "r", tuple(entrants), tuple(range(seats)), places, (0,) * seats, rounds, (0,) * seats
    )


def found_duels(results: Sequence[MatchResult]) -> list[Anomaly]:
    """Return the findings about pairs."""
    sheets = Sheets()
    return surprise.beyond(surprise.duels(corrected.fitted(BOTS, results, sheets=sheets), results, sheets))


def test_who_loses_to_one_bot_on_purpose_is_named_with_it() -> None:
    """The pair, and the bot that gains by it first; nobody else, however much the fit is bent by it."""

    def fed(one: str, other: str) -> float:
        return 0.04 if {one, other} == {BOTS[7], BOTS[2]} else honest(one, other)

    (found,) = found_duels(duel(1, fed))
    assert (found.kind, found.who) == (Kind.DUEL, (BOTS[2], BOTS[7]))
    assert found.z > surprise.LIMIT
    assert found.samples == 48


def test_no_pair_of_an_honest_field_is_named() -> None:
    """In none of twenty seasons."""
    assert [seed for seed in SEEDS if found_duels(duel(seed, legs=8))] == []


def table(seed: int, help_for: str = "", helper: str = "", legs: int = 140) -> list[MatchResult]:
    """Return matches of four; with the helper at the table the others do badly against whom it helps."""
    rng, results = Random(seed), []
    for leg in range(legs):
        four = rng.sample(BOTS, 4)
        games = []
        for _ in range(4):
            gain = {bot: 120.0 if bot == help_for and helper in four else 0.0 for bot in four}
            loss = {bot: -60.0 if bot == helper and help_for in four else 0.0 for bot in four}
            luck = {bot: ELO[bot] + gain[bot] + loss[bot] + 240 * rng.gauss(0, 1) for bot in four}
            best = sorted(four, key=lambda bot: -luck[bot])
            games.append([best.index(bot) + 1 for bot in four])
        results.append(result(f"four.{leg}", four, [games]))
    return results


def found_helpers(results: Sequence[MatchResult]) -> list[Anomaly]:
    """Return the findings about who is better beside whom."""
    sheets = Sheets()
    return surprise.beyond(surprise.helpers(corrected.fitted(BOTS, results, sheets=sheets), results, sheets))


def test_a_helper_at_a_larger_table_is_named() -> None:
    """Whom it helps scores more against third bots while it is there."""
    found = found_helpers(table(3, BOTS[3], BOTS[0], legs=900))
    assert (Kind.HELP, (BOTS[3], BOTS[0])) == (found[0].kind, found[0].who)


def test_no_honest_table_has_a_helper() -> None:
    """In none of twenty seasons."""
    assert [seed for seed in SEEDS if found_helpers(table(seed))] == []


def twins(seed: int, cheat: float = 0.0, grit: float = 0.0, both_at_once: bool = True) -> list[Observed]:
    """Return mirrored matches of the first bot.

    Args:
        seed: of chance.
        cheat: how much its chance grows in the game that ends last.
        grit: how much it is better in long games, which no cheat is.
        both_at_once: the shorter of two games ends first; else the first one does.
    """
    rng, matches = Random(seed), []
    for number in range(250):
        ranks, lengths, ends = [], [], []
        for meeting in range(4):
            long = [rng.lognormvariate(3.5, 0.4) for _ in range(2)]
            first = min((0, 1), key=lambda game: long[game]) if both_at_once else 0
            games = []
            for game in range(2):
                seat_bonus = 0.03 if game == 0 else -0.03
                more = cheat * (game != first) + grit * (long[game] > 33) - grit / 2
                won = rng.random() < 0.5 + (seat_bonus if number % 2 else -seat_bonus) + more
                games.append((1, 2) if won == bool(number % 2) else (2, 1))
            ranks.append(games)
            lengths += [round(one) for one in long]
            ends += [2 * meeting + (game != first) for game in range(2)]
        pair = (BOTS[0], BOTS[1 + number // 2 % 7])
        played = result(f"twin.{number}", pair if number % 2 else pair[::-1], ranks)
        matches.append(Observed(played, Course((0,) * 8, tuple(ends), tuple(lengths))))
    return matches


@pytest.mark.parametrize("both_at_once", [True, False], ids=["at once", "one after the other"])
def test_who_remembers_a_mirrored_deal_is_named(both_at_once: bool) -> None:
    """It wins more of the games that end last."""
    found = surprise.beyond(order.memories(twins(1, cheat=0.25, both_at_once=both_at_once)))
    assert [(one.kind, one.who) for one in found] == [(Kind.ORDER, (BOTS[0],))]
    assert found[0].effect == pytest.approx(0.25, abs=0.1)


@pytest.mark.parametrize("grit", [0.0, 0.2], ids=["even", "better in long games"])
def test_no_honest_twin_is_named(grit: float) -> None:
    """Nor who is good at long games, which end last, nor whom a seat favours."""
    assert [seed for seed in SEEDS if surprise.beyond(order.memories(twins(seed, grit=grit)))] == []


def test_without_its_length_a_game_that_ends_last_would_be_suspicious() -> None:
    """What is taken out matters: the same matches, said to be all of one length, name an honest bot."""
    blind = [replace(one, course=Course(one.course.began_ms, one.course.ended, (1,) * 8)) for one in twins(1, grit=0.3)]
    assert surprise.beyond(order.memories(blind)) != []


def boards(seed: int, heard: float = 0.0, friends: float = 0.0) -> tuple[list[MatchResult], list[Observed]]:
    """Return matches of shared deals, three tables each; every bot has an owner of its own.

    Args:
        seed: of chance.
        heard: what the first bot gains for each table that began before its own.
        friends: what it gains on deals that the last bot has, too, at another table.
    """
    rng, seen, plain = Random(seed), [], []
    for board in range(260):
        there = rng.sample(BOTS, 6)
        pairs = [tuple(there[2 * number : 2 * number + 2]) for number in range(3)]
        easy = [rng.gauss(0, 0.15) for _ in range(2)]
        for place, pair in enumerate(rng.sample(pairs, 3)):
            ranks = []
            for game in range(2):
                more = heard * place * (pair[0] == BOTS[0]) - heard * place * (pair[1] == BOTS[0])
                far = BOTS[7] in there and BOTS[7] not in pair
                more += friends * far * ((pair[0] == BOTS[0]) - (pair[1] == BOTS[0]))
                win = rng.random() < honest(*pair) + easy[game] * (1 if game == 0 else -1) + more
                ranks.append((1, 2) if win else (2, 1))
            deals = tuple(f"b{board}/{game}" for game in range(2))
            played = result(f"b.{board}.{place}", pair, [ranks])
            plain.append(played)
            course = Course((1000 + place, 2000 + place), (0, 1), (30, 30))
            seen.append(Observed(replace(played, deals=deals), course, pair))
    return plain, seen


def found_on_boards(seed: int, heard: float = 0.0, friends: float = 0.0) -> list[Anomaly]:
    """Return the findings about shared deals."""
    plain, seen = boards(seed, heard, friends)
    fitted = corrected.fitted(BOTS, plain)
    kinds = (order.rumours(fitted, seen), order.partners(fitted, seen))
    return [one for kind in kinds for one in surprise.beyond(kind)]


def test_who_hears_of_a_shared_deal_from_earlier_tables_is_named() -> None:
    """The later its table begins, the better it is."""
    found = found_on_boards(1, heard=0.14)
    assert (Kind.START, (BOTS[0],)) in [(one.kind, one.who) for one in found]


def test_owners_who_help_each_other_on_shared_deals_are_named() -> None:
    """One is better where the other has the deal, too, at another table."""
    found = found_on_boards(2, friends=0.35)
    assert (Kind.SHARED, (BOTS[0], BOTS[7])) in [(one.kind, one.who) for one in found]


@pytest.mark.thorough
def test_nobody_is_named_on_honest_boards() -> None:
    """In none of eight seasons."""
    assert [seed for seed in SEEDS[:8] if found_on_boards(seed)] == []


def calibrated(seed: int, share: float) -> Calibration | None:
    """Return the slope where luck did this part of what is taken out for it."""
    rng, luck, results = Random(seed), {}, []
    for number in range(500):
        one, other = rng.sample(BOTS, 2)
        games, taken = [], []
        for _ in range(8):
            chance = rng.gauss(0, 0.2)
            won = rng.random() < min(max(honest(one, other) + share * chance, 0), 1)
            games.append((1, 2) if won else (2, 1))
            taken.append([chance, -chance])
        results.append(result(f"c.{number}", (one, other), [games]))
        luck[f"c.{number}"] = taken
    return surprise.calibration(corrected.fitted(BOTS, results), results, luck, Sheets())


@pytest.mark.parametrize(
    ("share", "alarm", "pays"),
    [
        pytest.param(1.0, False, False, id="right"),
        pytest.param(0.5, True, False, id="too much is taken out"),
        pytest.param(1.5, False, True, id="own weights would take more out"),
    ],
)
def test_luck_that_is_taken_out_is_what_luck_did(share: float, *, alarm: bool, pays: bool) -> None:
    """A slope near one is right, well below it an alarm, above it none."""
    found = calibrated(1, share)
    assert found is not None
    assert found.slope == pytest.approx(share, abs=0.2)
    assert (found.anomaly() is not None, found.refit_pays) == (alarm, pays)
    assert surprise.calibration(corrected.fitted(BOTS, duel(1)), duel(1), {}, Sheets()) is None


def test_the_limit_rises_with_the_number_of_tests() -> None:
    """So that many bots are not suspected more often than one."""
    assert surprise.limit(1) == pytest.approx(4.0)
    assert surprise.limit(4950) == pytest.approx(5.69, abs=0.02)


def test_a_finding_is_told_in_words_and_kept_as_json() -> None:
    """Of every kind."""
    assert set(SENTENCES) == set(Kind)
    for kind in Kind:
        one = Anomaly(kind, ("ann@1", "ben@2"), 0.25, 5.5, 300)
        assert Anomaly.of(one.shape()) == one
        assert one.shape()["message"] == one.sentence()
