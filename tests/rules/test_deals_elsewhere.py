"""The deal stream, derived by a program in JavaScript that shares nothing with ours (docs/fairness.md)."""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.record_file import line_of
from referee.rules import cards
from referee.rules.chance import StreamSource, deal_key
from tests.rules.playing import AVAILABLE
from tests.rules.recording import played

pytestmark = pytest.mark.needs("node")

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "bots" / "node" / "deal.mjs"
DECKS = {
    "UNO": cards.uno_deck(),
    "SPIN": cards.spin_deck(extra=False),
    "DUO": cards.duo_deck(extra=True),
    "DOS": cards.dos_deck(),
}
VECTOR = {"seed": bytes(range(32)).hex(), "match_id": "m1", "nonces": [None, bytes(range(16)).hex()]}


def derived(*asked: dict[str, Any]) -> list[dict[str, Any]]:
    """What the program derives."""
    text = "".join(f"{json.dumps(one)}\n" for one in asked)
    done = subprocess.run(["node", PROGRAM, "--derive"], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def ours(asked: dict[str, Any]) -> dict[str, Any]:
    """The same, from our own code."""
    nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in asked["nonces"]]
    key = deal_key(bytes.fromhex(asked["seed"]), asked["match_id"], nonces)
    source = StreamSource(key, asked.get("meeting", 0), asked.get("deal", 0))
    round_ = asked.get("round", 0)
    spun = source.round(round_)
    decks = {name: cards.format_cards(source.round(round_).deck(deck)[::-1]) for name, deck in DECKS.items()}
    return {
        "key": key.reveal().hex(),
        "decks": decks,
        "order": source.round(round_).order(4, ()),
        "wheel": [spun.wheel() for _ in range(4)],
        "dealer": source.round(round_).dealer(4),
    }


def test_another_language_derives_the_vector() -> None:
    """Key, decks, order and wheel as they are published."""
    (found,) = derived(VECTOR)
    assert found["key"] == "a05c5a75ce920605b2c08b9f19525619112faa578952a1468f842891d6595119"
    assert [" ".join(found["decks"][name][:8]) for name in ("UNO", "SPIN", "DUO", "DOS")] == [
        "Y4 YS B0 R3 G8 BV W4 R5",
        "Y4 YS B0 R3* G8 BV W4 R5",
        "WC Y2 Y8 B0 R3 G8 B9 W4",
        "G4 G5 Y9 G1 R8 W2 B# B1",
    ]
    assert (found["order"], found["wheel"]) == ([0, 1, 2, 3], [3, 1, 5, 8])


def test_another_language_derives_any_deal() -> None:
    """Seeds, match ids, nonces and counters at random: the same key, cards, orders, spins and dealers as here."""
    rng = Random(20)
    asked: list[dict[str, Any]] = [
        {
            "seed": rng.randbytes(32).hex(),
            "match_id": f"cup-{rng.randrange(100)}.{rng.randrange(1, 50)}.1.0",
            "nonces": [rng.choice((None, rng.randbytes(16).hex())) for _ in range(rng.randrange(2, 11))],
            "meeting": rng.choice((0, rng.randrange(16), 2**32 - 1)),
            "deal": rng.randrange(10),
            "round": rng.randrange(100),
        }
        for _ in range(200)
    ]
    assert derived(*asked) == [ours(one) for one in asked]


def test_another_language_follows_the_chance_of_records(tmp_path: Path) -> None:
    """Decks, reshuffles, orders and spins of whole games, and it sees a card that was moved."""
    records = [played(preset, rounds=2) for preset in AVAILABLE]
    records += [
        played("classic", hand_size=48),
        played("spin", spin_cards_extra=True),
        played("duo", extra_cards="REMOVED"),
    ]
    kinds = {kind for record in records for one in record["rounds"] for kind, _ in one["chance"]}
    assert kinds == {"RESHUFFLE", "ORDER", "WHEEL"}
    file = tmp_path / "games.jsonl"
    file.write_text("".join(map(line_of, records)), "utf-8")
    done = subprocess.run(["node", PROGRAM, file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{len(records)} of {len(records)} games follow from their seeds\n")
    deck = records[0]["rounds"][0]["deck"]
    deck[0], deck[1] = deck[1], deck[0]
    file.write_text(line_of(records[0]), "utf-8")
    done = subprocess.run(["node", PROGRAM, file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "game 1: round 1: the deck")
