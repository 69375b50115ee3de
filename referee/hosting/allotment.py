"""Rounds of several formats in processes of a bot, each of which offers some of them: what still fits beside what."""

from collections.abc import Mapping, Sequence

Process = tuple[frozenset[str], int]
"""What it offers, and how many more rounds it takes."""


def spare(format_name: str, processes: Sequence[Process], promised: Mapping[str, int]) -> int:
    """Return how many more rounds of a format fit; below 0: so many too few.

    Whatever processes they are among which all those are that offer the format: what is promised and can be played by
    none but these has to fit into them, too. By Hall's theorem that suffices. `promised` rounds sit nowhere yet; where
    no process offers their format, any may come to.
    """
    own = _offering(format_name, processes)
    everywhere = (1 << len(processes)) - 1
    places = {name: _offering(name, processes) or everywhere for name in promised}
    groups = {own}
    for place in set(places.values()):
        groups |= {group | place for group in groups}
    return min(_free(group, processes) - _bound(group, places, promised) for group in groups)


def fits(processes: Sequence[Process], promised: Mapping[str, int]) -> bool:
    """Return whether all that is promised fits."""
    return all(spare(name, processes, promised) >= 0 for name in promised)


def _offering(format_name: str, processes: Sequence[Process]) -> int:
    """Return a bit for each process that offers a format."""
    return sum(1 << place for place, (offered, _) in enumerate(processes) if format_name in offered)


def _free(group: int, processes: Sequence[Process]) -> int:
    return sum(max(0, free) for place, (_, free) in enumerate(processes) if group >> place & 1)


def _bound(group: int, places: Mapping[str, int], promised: Mapping[str, int]) -> int:
    """Return the rounds that only this group can play."""
    return sum(rounds for name, rounds in promised.items() if not places[name] & ~group)
