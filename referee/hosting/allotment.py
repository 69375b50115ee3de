"""Rounds of several formats in processes of a bot, each of which offers some of them: what still fits beside what."""

from collections.abc import Mapping, Sequence

Process = tuple[frozenset[str], int]
"""What it offers, and how many more rounds it takes."""


class Allotment:
    """What is promised of a bot, and sits nowhere yet, against the room of its processes.

    Processes that offer the same are of one kind. Whatever kinds they are among which all those are that offer a
    format: what is promised and can be played by none but these has to fit into them. By Hall's theorem that suffices.
    Where no process offers the format of what is promised, any may come to. A group of kinds is a number with a bit
    for each; of every group it is known what room it has beyond what only it can play.
    """

    __slots__ = ("_kinds", "_places", "_promised", "_short", "_slack")

    def __init__(self, processes: Sequence[Process], promised: Mapping[str, int]) -> None:
        room: dict[frozenset[str], int] = {}
        for offered, free in processes:
            room[offered] = room.get(offered, 0) + max(0, free)
        self._kinds = {offered: 1 << place for place, offered in enumerate(room)}
        self._places: dict[str, int] = {}
        self._promised = dict(promised)
        self._slack = [0]
        for free in room.values():
            self._slack += [before + free for before in self._slack]
        bound = [0] * len(self._slack)
        for name, rounds in promised.items():
            bound[self._offering(name) or len(bound) - 1] += rounds
        self._slack = [free - least for free, least in zip(self._slack, _within(bound), strict=True)]
        self._short = {group for group, slack in enumerate(self._slack) if slack <= 0}

    @property
    def fits(self) -> bool:
        """Whether all that is promised fits."""
        return all(self._slack[group] >= 0 for group in self._short)

    def spare(self, format_name: str) -> int:
        """Return how many more rounds of a format fit; below 0: so many too few."""
        own = self._offering(format_name)
        return min(slack for group, slack in enumerate(self._slack) if group & own == own)

    def takes(self, format_name: str) -> list[frozenset[str]]:
        """Return what processes offer of which any that has room may take a round, so that all the rest still fits."""
        if not self.fits:
            return []
        own, full = self._offering(format_name), 0
        kept = self._keeping(format_name, own)
        for group in self._short:
            if group & own != kept:
                full |= group
        return [offered for offered, kind in self._kinds.items() if kind & own & ~full]

    def take(self, format_name: str, offered: frozenset[str], *, room: int = 1) -> None:
        """Note that a process that offers this, and had so much room, has taken a round."""
        kind, own, slack = self._kinds[offered], self._offering(format_name), self._slack
        kept = self._keeping(format_name, own)
        for group in range(len(slack)):
            slack[group] += (group & own == kept) - (room > 0 and group & kind > 0)
        self._short = {group for group, free in enumerate(slack) if free <= 0}
        if kept >= 0:
            self._promised[format_name] -= 1

    def _keeping(self, format_name: str, own: int) -> int:
        """Return what a group has of the kinds that offer a format if it has kept room for a round of it; -1: none."""
        return own if self._promised.get(format_name, 0) > 0 else -1

    def _offering(self, format_name: str) -> int:
        """Return the kinds that offer a format."""
        found = self._places.get(format_name)
        if found is None:
            found = sum(kind for offered, kind in self._kinds.items() if format_name in offered)
            self._places[format_name] = found
        return found


def spare(format_name: str, processes: Sequence[Process], promised: Mapping[str, int]) -> int:
    """Return how many more rounds of a format fit; below 0: so many too few. `promised` rounds sit nowhere yet."""
    return Allotment(processes, promised).spare(format_name)


def fits(processes: Sequence[Process], promised: Mapping[str, int]) -> bool:
    """Return whether all that is promised fits."""
    return Allotment(processes, promised).fits


def _within(rounds: list[int]) -> list[int]:
    """Return for each group the sum over all groups within it."""
    if len(rounds) == 1:
        return rounds
    half = len(rounds) // 2
    without, only = _within(rounds[:half]), _within(rounds[half:])
    return without + [one + other for one, other in zip(without, only, strict=True)]
