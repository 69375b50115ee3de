"""Possible rounds behind a turn: hidden cards are dealt anew, in keeping with what is known of them."""

from collections.abc import Iterable
from random import Random
from typing import Final

from lastcard.turn import Turn
from referee.bots.search.dice import Dice
from referee.bots.search.memory import Memory, is_known
from referee.bots.search.seeing import UNKNOWN
from referee.rules.cards import mask_of
from referee.rules.games import GAMES
from referee.rules.options import Rules
from referee.rules.round import Round
from referee.rules.setup import Setup
from referee.rules.situation import Situation
from referee.rules.uno.facts import UnoFacts
from referee.rules.vocabulary import Act, DecisionKind

CLOCKWISE: Final = 1
SOON: Final = 40  # cards of the draw pile that lie in a new order in every round; the others' order changes slowly
RECKLESS: Final = 8  # one of so many deals does not trust what others seem to lack
FAITH: Final = 6  # a bluff is held to be so many times rarer than a Wild Draw Four that had to be played
FOUR: Final = 4  # cards owed after a Wild Draw Four that answered none


class Guess:
    """Makes rounds that could be the one that a turn is about."""

    __slots__ = (
        "_accused",
        "_deals",
        "_facts",
        "_kind",
        "_memory",
        "_pool",
        "_random",
        "_reach",
        "_rules",
        "_turn",
        "_unseen",
    )

    def __init__(self, turn: Turn, rules: Rules, memory: Memory, random: Random) -> None:
        self._turn = turn
        self._rules = rules
        self._random = random
        self._kind = GAMES[rules.game]
        self._facts = self._kind.facts_of(rules)
        self._deals = 0
        self._accused = memory.before[2] if turn.view.kind == DecisionKind.RESPOND_WILD_DRAW_FOUR else -1
        self._memory = memory
        self._unseen = [hand for seat, hand in enumerate(memory.hands) if seat != turn.seat]
        self._pool = self._hidden()
        random.shuffle(self._pool)
        self._reach = sum(map(len, self._unseen)) + len(memory.loose) + SOON

    def _hidden(self) -> list[int]:
        """The cards that lie where the seat does not know of them."""
        view, memory = self._turn.view, self._memory
        deck = bytearray(self._facts.deck)
        seen: list[Iterable[int]] = [view.hand, view.row, memory.discard, memory.bottom]
        if view.kind == DecisionKind.DRAFT_PICK:
            seen.append((view.drawn,))
        hands = (*self._unseen, memory.loose)
        seen += [[mask.bit_length() - 1 for mask in hand if is_known(mask)] for hand in hands]
        for cards in seen:
            for card in cards:
                deck.remove(card)
        return list(deck)

    def deal(self) -> Round:
        """Return a round in which this seat is asked what it is asked, with other cards every time."""
        self._deals += 1
        pool, hands = self._dealt()
        while self._accused >= 0 and self._bluffed(hands) and self._random.randrange(FAITH):
            pool, hands = self._dealt()
        loose = self._cards(self._memory.loose, pool)
        return self._round(hands, loose, pool)

    def _dealt(self) -> tuple[list[int], list[bytes]]:
        """Hands by seat, and the hidden cards that are left."""
        self._mix()
        pool = self._pool.copy()
        hands = [self._cards(masks, pool) for masks in self._unseen]
        hands.insert(self._turn.seat, bytes(self._turn.view.hand))
        return pool, hands

    def _mix(self) -> None:
        """Shuffle the end of the pool, as far as it matters: the hands, and what may be drawn soon."""
        pool, random = self._pool, self._random.random
        last = len(pool) - 1
        for place in range(last, max(0, last - self._reach), -1):
            other = int(random() * (place + 1))
            pool[place], pool[other] = pool[other], pool[place]

    def _cards(self, masks: Iterable[int], pool: list[int]) -> bytes:
        """Cards from the end of the pool that these may be; where it has none that fits, any."""
        trusting = self._deals % RECKLESS > 0
        cards = bytearray()
        for mask in masks:
            if is_known(mask):
                cards.append(mask.bit_length() - 1)
            elif mask == UNKNOWN or not trusting:
                cards.append(pool.pop())
            else:
                place = len(pool) - 1
                while place and not mask >> pool[place] & 1:
                    place -= 1
                cards.append(pool.pop(place))
        return bytes(cards)

    def _round(self, hands: list[bytes], loose: bytes, pool: list[int]) -> Round:
        view, memory = self._turn.view, self._memory
        draw = bytearray(memory.bottom) + bytes(pool)
        if view.kind == DecisionKind.DRAFT_PICK:
            draw.append(view.drawn)
        setup = Setup(
            hands=tuple(hands),
            draw=bytes(draw),
            discard=loose + bytes(memory.discard),
            row=view.row,
            color=view.color,
            direction=1 if view.direction == CLOCKWISE else -1,
            dump_right=self._dump_right(),
        )
        found = Situation(
            setup=setup,
            seat=self._turn.seat,
            kind=DecisionKind(view.kind),
            turn=view.turn_seat,
            turns=memory.turns,
            dealer=memory.dealer,
            out=tuple(memory.out),
            pending=view.pending,
            drawn=view.drawn,
            bonus=view.bonus,
            accused=self._accused,
            bluff=self._bluffed(hands),
            passes=memory.passes if memory.passed == memory.turns - 1 else 0,
            called=self._facts.calls,
            singles=memory.singles,
        )
        return self._kind.resume(self._rules, Dice(self._random.getrandbits(32)), found)

    def _dump_right(self) -> int:
        """The colour that may be dumped by right, 0 if none."""
        view = self._turn.view
        place = view.option_act.rfind(Act.DUMP)
        return view.option_color[place] if place >= 0 and view.option_color else 0

    def _bluffed(self, hands: list[bytes]) -> bool:
        """Whether the seat that played a Wild Draw Four bluffed, if its hand is this one."""
        facts = self._facts
        if self._accused < 0 or self._turn.view.pending != FOUR or not isinstance(facts, UnoFacts):
            return False
        color, ok, _ = self._memory.before
        return not facts.honest(mask_of(hands[self._accused]), color, ok)
