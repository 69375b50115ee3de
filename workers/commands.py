"""The commands of this room: words -> (one line of help, "module:attribute")."""

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "demo": ("Run everything on this machine with house bots and a sample tournament", "workers.house.demo:demo"),
    "up": ("Run everything on this machine", "workers.house.up:up"),
    "play": ("Play meetings between bots in this process, without a server", "workers.local.play:play"),
    "sprt": ("Compare two versions of a bot until it is known which is stronger", "workers.local.sprt:sprt"),
    "doctor": ("Look at this machine: is all there?", "workers.house.doctor:doctor"),
    "serve worker": ("Run a worker: plans, rates and reconciles", "workers.cli:serve_worker"),
    "serve beat": ("Run a beat: tells workers when to look", "workers.cli:serve_beat"),
    "serve ladder": ("Run the ladder: gRPC, pages, metrics", "workers.cli:serve_ladder"),
    "tournament plan": ("Say what a tournament would play", "workers.tournaments.tournament_cli:plan"),
    "tournament create": ("Create a tournament", "workers.tournaments.tournament_cli:create"),
    "tournament list": ("List tournaments, newest first", "workers.tournaments.tournament_cli:list_tournaments"),
    "tournament show": ("Show a tournament with its standings", "workers.tournaments.tournament_cli:show"),
    "tournament watch": ("Follow a tournament until it ends", "workers.tournaments.tournament_cli:watch"),
    "tournament pause": ("Let running matches finish and start no more", "workers.tournaments.steering_cli:pause"),
    "tournament resume": ("Go on with a paused tournament", "workers.tournaments.steering_cli:resume"),
    "tournament cancel": ("End a tournament; what is not played is void", "workers.tournaments.steering_cli:cancel"),
    "tournament void": (
        "Declare a match void, also a rated one, with a reason",
        "workers.tournaments.steering_cli:void",
    ),
    "tournament requeue": (
        "Put a parked match back, or play a void one again",
        "workers.tournaments.steering_cli:requeue",
    ),
    "export": ("Write all that is public of a tournament as files", "workers.records.export_cli:export"),
    "game export": ("Write the records of a match, or of one game", "workers.records.game_cli:export"),
    "game verify": ("Play records again and compare everything", "workers.records.game_cli:verify"),
    "game show": ("Show games move by move, with the hands", "workers.records.game_cli:show"),
    "game replay": ("Show the table after an act of a game", "workers.records.game_cli:replay"),
    "game fork": ("Write a moment of a game as a scenario", "workers.records.game_cli:fork"),
}
