"""Rounds in the middle of a game, with an account of their chance."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from referee.rules.chance import ScriptedChance
from referee.rules.games import GAMES, resolve
from referee.rules.luck.watch import account_of, watched
from referee.rules.round import Round
from referee.rules.setup import load


def placed(preset: str, state: Mapping[str, object], opts: Mapping[str, object] | None = None, **chance: Any) -> Round:  # noqa: ANN401
    """Return a watched round of this state; seats are as many as it has hands."""
    hands = state["hands"]
    assert isinstance(hands, list)
    rules = resolve(preset, opts, len(hands))
    names = GAMES[rules.game].NAMES
    piles = [bytes(names[face] for face in pile) for pile in chance.pop("reshuffle", ())]
    return load(watched(GAMES[rules.game]), rules, ScriptedChance(reshuffles=piles, **chance), state)


def exact(round_: Round, seat: int, term: str) -> Fraction:
    """Return what a seat was given of a term."""
    return account_of(round_).exact(seat, term)
