"""What names of bots and tournaments may look like: the same at the command line, at the ladder and in its store."""

from __future__ import annotations

import re
from typing import Final

BOT: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{1,22}[a-z0-9])")
TOURNAMENT: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])")
BOT_RULE: Final = "3 to 24 characters a-z, 0-9 and hyphens, not first or last"
TOURNAMENT_RULE: Final = "3 to 40 characters a-z, 0-9 and hyphens, not first or last"
