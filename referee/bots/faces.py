"""Tables by byte of a card, and of an act, that house bots look things up in."""

from typing import Final

from lastcard.faces import CARDS
from lastcard.words import ACTS, Act

NO_RANK: Final = 255
RANKS: Final = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "S", "V", "D", "W", "W4", "WC", "WX", "W2", "#")

COLOR_OF: Final = bytes(card.color.code if card.color else 0 for card in CARDS)
RANK_OF: Final = bytes(RANKS.index(card.rank) if card.rank else NO_RANK for card in CARDS)
SWIRLED: Final = bytes(card.swirled for card in CARDS)
ACT: Final[dict[Act, int]] = {act: code for code, act in enumerate(ACTS) if act is not Act.OTHER}
PLAYING: Final = frozenset({Act.PLAY, Act.STACK, Act.SHOUT})
CARDS_PLAYED: Final = bytes(2 if act is Act.PLAY_DOUBLE else act in PLAYING for act in ACTS)  # at once, by one option
