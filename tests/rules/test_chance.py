"""The deal stream `lastcard/1`, and chance that is written down."""

from collections import Counter
from hashlib import shake_256

import pytest

from referee.rules import cards, chance
from referee.rules.errors import ChanceError

SEED = bytes(range(32))
KEY = chance.deal_key(SEED, "m1", [None, bytes(range(16))])


def test_the_key_of_the_published_vector() -> None:
    """Seed 00..1f, match m1, nonces none and 00..0f give the key that is published."""
    assert KEY.reveal().hex() == "a05c5a75ce920605b2c08b9f19525619112faa578952a1468f842891d6595119"


@pytest.mark.parametrize(
    ("deck", "top"),
    [
        pytest.param(cards.uno_deck(), "Y4 YS B0 R3 G8 BV W4 R5", id="UNO"),
        pytest.param(cards.spin_deck(extra=False), "Y4 YS B0 R3* G8 BV W4 R5", id="Spin"),
        pytest.param(cards.duo_deck(extra=True), "WC Y2 Y8 B0 R3 G8 B9 W4", id="Duo"),
        pytest.param(cards.dos_deck(), "G4 G5 Y9 G1 R8 W2 B# B1", id="DOS"),
    ],
)
def test_the_decks_of_the_published_vector(deck: bytes, top: str) -> None:
    """The first deck of the vector has the published cards on top, and all cards of the deck."""
    pile = chance.StreamSource(KEY, 0, 0).round(0).deck(deck)
    assert " ".join(cards.format_cards(pile[:-9:-1])) == top
    assert cards.canonical(pile) == deck


def test_order_and_wheel_of_the_published_vector() -> None:
    """Order and wheel are streams of their own, with a counter each."""
    round_ = chance.StreamSource(KEY, 0, 0).round(0)
    assert round_.order(4, ()) == [0, 1, 2, 3]
    assert [round_.wheel() for _ in range(4)] == [3, 1, 5, 8]


def test_a_copy_goes_on_where_the_original_is() -> None:
    """A copy draws what the original will draw, and neither moves the other."""
    round_ = chance.StreamSource(KEY, 0, 0).round(0)
    round_.wheel()
    other = round_.copy()
    assert [other.wheel() for _ in range(5)] == [round_.wheel() for _ in range(5)]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(chance.StreamSource(KEY, 1, 0).round(0), id="meeting"),
        pytest.param(chance.StreamSource(KEY, 0, 1).round(0), id="deal"),
        pytest.param(chance.StreamSource(KEY, 0, 0).round(1), id="round"),
        pytest.param(chance.StreamSource(chance.deal_key(SEED, "m2"), 0, 0).round(0), id="match"),
    ],
)
def test_every_counter_gives_another_deck(other: chance.StreamChance) -> None:
    """Meeting, deal, round and match each decide the deck."""
    assert other.deck(cards.uno_deck()) != chance.StreamSource(KEY, 0, 0).round(0).deck(cards.uno_deck())


def test_shuffling_follows_the_description() -> None:
    """The fast shuffle equals the one of the description, read byte by byte."""

    def plain(items: list[int], prefix: bytes) -> list[int]:
        stream = iter(shake_256(prefix).digest(10_000))
        for i in range(len(items) - 1, 0, -1):
            byte = next(stream)
            while byte >= 256 - 256 % (i + 1):
                byte = next(stream)
            j = byte % (i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    for size in (0, 1, 2, 3, 9, 108, 112, 128, 255):
        for number in range(20):
            prefix = bytes((size, number))
            assert chance.shuffled(range(size), prefix) == plain(list(range(size)), prefix)


def test_a_shuffle_that_needs_more_bytes_takes_more_of_the_same_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """However short the first block is, the result is the same."""
    wanted = chance.shuffled(range(100), b"x")

    class Short:
        def __init__(self, prefix: bytes) -> None:
            self.stream = shake_256(prefix)

        def digest(self, length: int) -> bytes:
            return self.stream.digest(length // 8)

    monkeypatch.setattr(chance, "shake_256", Short)
    assert chance.shuffled(range(100), b"x") == wanted
    assert chance.below(b"y", 9) in range(9)


def test_shuffles_are_even() -> None:
    """Each of the 24 orders of four seats comes about equally often (chi-square, 23 degrees of freedom)."""
    counts = Counter(tuple(chance.shuffled(range(4), n.to_bytes(4, "big"))) for n in range(4800))
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 60


def test_local_play_has_its_own_seed() -> None:
    """The seed of `--seed 7` is the hash that is described."""
    assert chance.play_seed(7).hex() == "63c2ad9d5b130841eb95a1338d9b0e63965dd7b8402ae93eeeac28940f7e7ecf"


def test_scripted_chance_ends() -> None:
    """Each kind of chance that is needed but not given is an error that names it."""
    script = chance.ScriptedChance()
    for use in (
        lambda: script.deck(b""),
        lambda: script.reshuffle(b"\1\2"),
        lambda: script.order(3, (0, 1)),
        script.wheel,
        lambda: script.dealer(2),
    ):
        with pytest.raises(ChanceError) as caught:
            use()
        assert caught.value.reason == "CHANCE_ENDS"


def test_scripted_shuffles_must_be_permutations() -> None:
    """A shuffle with other cards, or an order without a seat that reacted, does not fit."""
    script = chance.ScriptedChance(reshuffles=[b"\1\3"], orders=[[0, 2], [1, 1]])
    for use in (lambda: script.reshuffle(b"\1\2"), lambda: script.order(3, (0, 1)), lambda: script.order(3, (1,))):
        with pytest.raises(ChanceError) as caught:
            use()
        assert caught.value.reason == "NOT_A_PERMUTATION"


def test_a_shuffle_of_equal_cards_uses_nothing() -> None:
    """Cards that are all equal have only one order."""
    script = chance.ScriptedChance(reshuffles=[b"\1\2"])
    assert script.reshuffle(b"\5\5") == b"\5\5"
    assert script.left == {"reshuffle": 1}
    assert script.copy().reshuffle(b"\1\2") == b"\2\1"
    assert script.left == {"reshuffle": 1}
