"""The commands of this room: words -> (one line of help, "module:attribute")."""

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "serve referee": ("Run a referee: bots dial in, games are played", "referee.cli:serve"),
    "bot check": ("See how a bot takes what may happen to it", "referee.check.cli:check"),
    "formats list": ("List the formats", "referee.formats.format_cli:list_formats"),
    "formats show": ("Show a format with all its options", "referee.formats.format_cli:show_format"),
}
