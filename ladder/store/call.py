"""A call of a script, ready to be sent over any connection."""

from dataclasses import dataclass

from ladder.store.scripts import Script
from lastcard.secret import Secret

Word = str | bytes | int


@dataclass(frozen=True, slots=True)
class Call:
    """One EVALSHA. The same call may be sent again after a lost reply: every script says so by `DUP`."""

    script: Script
    keys: tuple[str, ...]
    args: tuple[Word | Secret, ...]

    def words(self) -> list[Word]:
        """The command as a list of words, for a connection that does its own framing."""
        return ["EVALSHA", self.script.sha, len(self.keys), *self.keys, *map(_said, self.args)]


def _said(word: Word | Secret) -> Word:
    return word.reveal() if isinstance(word, Secret) else word
