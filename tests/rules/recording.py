"""Records of games with a seed and nonces, for tests."""

import json
from random import Random
from typing import Any

from referee.rules import record
from referee.rules.chance import StreamSource, deal_key
from referee.rules.games import resolve
from tests.rules.playing import play

SEED = bytes(range(32))
NONCES = {"a@1": None, "b@1": bytes(range(16))}


def played(preset: str = "classic", seats: int = 2, /, **options: object) -> dict[str, Any]:
    """The record of a game with a fairness block."""
    rules = resolve(preset, {"target_score": 0, **options}, seats)
    source = StreamSource(deal_key(SEED, "m1", NONCES.values()), 3, 1)
    game = record.RecordedGame(rules, source, seats - 1)
    rng = Random(21)
    while not game.over:
        play(game.round, rng)
        game.advance()
    written = game.record({"fairness": record.fairness(SEED, "m1", 3, 1, NONCES), "bots": list(NONCES)})
    return dict(json.loads(json.dumps(written)))
