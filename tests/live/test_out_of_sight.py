"""Nobody who prints an object of a running referee, or a traceback with its locals, reads what is secret."""

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import structlog
from rich.console import Console
from rich.traceback import Traceback

from ladder.store import Store, hosting
from lastcard import Bot, Option, Turn
from lastcard.secret import Secret
from referee.hosting.hosted import Inflight, Mail
from referee.match import MatchPlay
from referee.rules.cards import format_cards
from referee.rules.round import Round
from tests.fixtures_store import PEPPER
from tests.live.house import House, house, plan, progressed
from tests.live.peer import Peer
from tests.patience import PATIENCE_S
from tests.sight import bare, printed, shapes

MATCH = "s.1.1.0"


@pytest.fixture(autouse=True)
def _long_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a beat last for as long as looking at everything may take, in which the referee stands still."""
    monkeypatch.setattr(hosting, "BEAT_MS", 1000 * int(PATIENCE_S))


@asynccontextmanager
async def playing(store: Store, folder: Path) -> AsyncIterator[tuple[House, MatchPlay]]:
    """Run a match of two bots of which one answers nothing: its cards are in its hand, and asked about."""
    async with house(store, folder, drain_s=0.1) as home, Peer.open(home, "mute") as mute:
        ann = await home.join("ann", Slow())
        await home.plan(plan(MATCH, ann, mute.bot, meetings=2))
        await progressed(store, MATCH, 4)
        yield home, home.referee.host.matches[MATCH].play


class Slow(Bot):
    """Plays the first option."""

    def choose(self, turn: Turn) -> Option:
        """Return the first option."""
        return turn.options[0]


def secrets_of(home: House, play: MatchPlay) -> dict[str, bytes]:
    """Return everything that this referee hides: seed, key of the deals, pepper, tokens."""
    tokens = {f"token of {name}": token.split("_", 2)[2].encode() for name, token in home.tokens.items()}
    key = play._key
    assert isinstance(key, Secret)
    return {"seed": play.seed.reveal(), "key": key.reveal(), "pepper": PEPPER} | tokens


def hands_of(play: MatchPlay) -> dict[str, set[str]]:
    """Return the hands of the rounds in play as they might be printed."""
    found = {}
    for table in play.tables.values():
        for seat, hand in enumerate(table.round.hands):
            if len(set(hand)) >= 4:
                text = format_cards(hand)
                ways = {form for cards in (hand, sorted(hand)) for form in shapes(bytes(cards))}
                found[f"hand {table.index}/{seat}"] = {*ways, str(text)}
    return found


async def test_no_object_of_a_referee_shows_a_secret_and_none_holds_it_bare(store: Store, tmp_path: Path) -> None:
    """Whatever hangs on it while a match runs: seeds, keys, pepper and tokens are hidden; no `repr` has a hand."""
    async with playing(store, tmp_path) as (home, play):
        secrets, hands = secrets_of(home, play), hands_of(play)
        assert len(secrets) == 5
        assert hands
        assert bare(home.referee, secrets) == set()
        assert printed(home.referee, {name: shapes(secret) for name, secret in secrets.items()} | hands) == set()
        mail = Mail(next(iter(home.referee.roster.sessions)), b"\x07cards", 1), Inflight(b"\x07cards", "1-2-x", 2, [])
        assert "cards" not in repr(mail)


async def test_the_search_finds_what_stands_in_the_open(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each secret, and of a hand: a search that finds nothing proves nothing."""
    async with playing(store, tmp_path) as (home, play):
        secrets, hands = secrets_of(home, play), hands_of(play)
        round_ = next(iter(play.tables.values())).round
        home.referee.planted = [secret.hex() for secret in secrets.values()]  # type: ignore[attr-defined]
        assert bare(home.referee, secrets) == set(secrets)
        monkeypatch.setattr(type(round_), "__repr__", _with_hands)
        assert {name.partition(" in ")[2] for name in printed(home.referee, hands)} == {type(round_).__name__}


def _with_hands(played: Round) -> str:
    return f"{type(played).__name__}({played.hands!r})"


@pytest.mark.parametrize("form", ["rich", "structlog"])
async def test_a_traceback_with_locals_shows_no_secret(store: Store, tmp_path: Path, form: str) -> None:
    """Of an error deep in a match: frames hold the match, its seed and the source of its chance."""
    async with playing(store, tmp_path) as (home, play):
        secrets = {name: shapes(secret) for name, secret in secrets_of(home, play).items()}
        text = told(play, form)
    assert "Secret(***)" in text, text
    assert "ZeroDivisionError" in text
    assert {name for name, forms in secrets.items() if any(shown in text for shown in forms)} == set()


def told(play: MatchPlay, form: str) -> str:
    """Return how an error in the middle of dealing is told, with all locals."""
    seed, host = play.seed, {"match": play, "seed": play.seed, "said": f"{play.seed}"}
    try:
        assert host["seed"] is seed
        play.spec.deal_of(1 // 0, seed)
    except ZeroDivisionError as error:
        if form == "rich":
            out = io.StringIO()
            Console(file=out, width=200).print(Traceback.from_exception(type(error), error, None, show_locals=True))
            trace = error.__traceback__
            Console(file=out, width=200).print(
                Traceback.from_exception(type(error), error, trace, show_locals=True, locals_max_string=10_000)
            )
            return out.getvalue()
        shown = structlog.tracebacks.ExceptionDictTransformer(show_locals=True, locals_max_string=10_000)
        return repr(shown((type(error), error, error.__traceback__)))
    raise AssertionError
