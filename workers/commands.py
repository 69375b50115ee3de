"""The commands of this room: words -> (one line of help, "module:attribute")."""

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "demo": ("Run everything on this machine with house bots and a sample tournament", "workers.demo:demo"),
    "up": ("Run everything on this machine", "workers.up:up"),
    "play": ("Play meetings between bots in this process, without a server", "workers.play:play"),
    "sprt": ("Compare two versions of a bot until it is known which is stronger", "workers.sprt:sprt"),
    "doctor": ("Look at this machine: is all there?", "workers.doctor:doctor"),
    "serve worker": ("Run a worker: plans, rates and reconciles", "workers.cli:serve_worker"),
    "serve beat": ("Run a beat: says when to look", "workers.cli:serve_beat"),
    "serve ladder": ("Run the ladder: gRPC, pages, metrics", "workers.cli:serve_ladder"),
    "tournament plan": ("Say what a tournament would play", "workers.tournament_cli:plan"),
    "tournament create": ("Create a tournament", "workers.tournament_cli:create"),
    "tournament list": ("List tournaments, newest first", "workers.tournament_cli:list_tournaments"),
    "tournament show": ("Show a tournament with its standings", "workers.tournament_cli:show"),
    "tournament watch": ("Follow a tournament until it ends", "workers.tournament_cli:watch"),
    "tournament pause": ("Let running matches finish and start no more", "workers.steering_cli:pause"),
    "tournament resume": ("Go on with a paused tournament", "workers.steering_cli:resume"),
    "tournament cancel": ("End a tournament; what is not played is void", "workers.steering_cli:cancel"),
    "tournament void": ("Declare a match void, also a rated one, with a reason", "workers.steering_cli:void"),
    "tournament requeue": ("Put a parked match back, or play a void one again", "workers.steering_cli:requeue"),
    "export": ("Write all that is public of a tournament as files", "workers.export_cli:export"),
    "game export": ("Write the records of a match, or of one game", "workers.game_cli:export"),
    "game verify": ("Play records again and compare everything", "workers.game_cli:verify"),
    "game show": ("Show games move by move, with the hands", "workers.game_cli:show"),
    "game replay": ("Show the table after an act of a game", "workers.game_cli:replay"),
    "game fork": ("Write a moment of a game as a scenario", "workers.game_cli:fork"),
}
