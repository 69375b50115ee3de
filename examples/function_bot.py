"""A bot that is one function: it keeps its wilds for when nothing else fits."""

from lastcard import Act, Turn, run


def choose(turn: Turn):
    """Play a card of a colour if there is one, the dearest first; then a wild; draw only when nothing can be played."""
    plays = [option for option in turn.options if option.act is Act.PLAY]
    plain = [option for option in plays if not option.card.wild]
    return max(plain or plays or turn.options, key=lambda option: option.points)


if __name__ == "__main__":
    run(choose, formats=("uno-classic-2", "uno-classic-4"))
