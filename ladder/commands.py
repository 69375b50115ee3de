"""The commands of this room: words -> (one line of help, "module:attribute")."""

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "bot register": ("Register a bot and print its token, once", "ladder.terminal.bot_cli:register"),
    "bot list": ("List registered bots", "ladder.terminal.bot_cli:list_bots"),
    "bot show": ("Show a bot and its versions", "ladder.terminal.bot_cli:show"),
    "bot log": ("Show what became of a bot's matches, and its faults", "ladder.terminal.log_cli:log"),
    "bot token": ("Get a new token for your bot, with its present one", "ladder.terminal.bot_cli:token"),
    "bot rotate": ("Give a bot a new token; operators only", "ladder.terminal.bot_cli:rotate"),
    "bot revoke": ("End all tokens of a bot; operators only", "ladder.terminal.bot_cli:revoke"),
    "bot link": ("Have owners count as one where cards are shared; operators only", "ladder.terminal.bot_cli:link"),
    "bot vouch": ("Say that a bot's owner is who it says; operators only", "ladder.terminal.bot_cli:vouch"),
    "bot retire": ("Take a bot out of play; operators only", "ladder.terminal.bot_cli:retire"),
    "operator new": ("Make a token for an organiser or operator; operators only", "ladder.terminal.operators_cli:new"),
    "operator list": ("List the tokens of operators; operators only", "ladder.terminal.operators_cli:list_operators"),
    "operator revoke": ("End an operator's token; operators only", "ladder.terminal.operators_cli:revoke"),
    "game watch": ("Follow a match move by move while it is played", "ladder.terminal.watch_cli:watch"),
    "top": ("Watch the whole system: referees, queues, tournaments", "ladder.terminal.top_cli:top"),
    "ladder show": ("Show the standings of a format", "ladder.terminal.ladder_cli:show"),
    "ladder history": ("Show what changed ratings, newest last; operators only", "ladder.terminal.ladder_cli:history"),
    "ladder rebuild": (
        "Compute ratings anew from the log and compare; operators only",
        "ladder.terminal.ladder_cli:rebuild",
    ),
    "audit list": (
        "List who did what, when and why; operators only",
        "ladder.terminal.audit_cli:list_deeds",
    ),
    "ladder audit": ("Check ladders against the ledger; operators only", "ladder.terminal.ladder_cli:audit"),
}
