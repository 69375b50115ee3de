"""How far a referee looks down the queue of ready matches."""

from referee.hosting.window import FEW, MOST, Window

QUEUE = [f"m{number}" for number in range(2 * MOST)]


def looked(window: Window, *begun: int) -> int:
    """Look once, begin the matches in these places of the queue; return how many will be looked at next."""
    window.looked(QUEUE[: window.size], {QUEUE[place] for place in begun})
    return window.size


def test_behind_matches_that_cannot_begin_others_are_found() -> None:
    """However many they are, up to a limit."""
    window = Window()
    assert [looked(window) for _ in range(3)] == [2 * FEW, 4 * FEW, 8 * FEW]
    for _ in range(10):
        looked(window)
    assert window.size == MOST


def test_it_stays_wide_while_that_finds_something_and_narrows_then() -> None:
    """What begins far down the queue keeps it wide; what begins at its head ends that."""
    window = Window()
    looked(window)
    assert looked(window, FEW + 5) == 2 * FEW
    assert looked(window, 3) == FEW


def test_a_short_queue_is_seen_whole() -> None:
    """Where there is no more to see, nothing is widened."""
    window = Window()
    window.looked(QUEUE[: FEW - 1], ())
    assert window.size == FEW
