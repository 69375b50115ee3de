from lastcard import Bot, run

class Greedy(Bot):
    def choose(self, turn):                     # sync or async
        return max(turn.options, key=lambda option: option.points)

run(Greedy())                                   # LASTCARD_SERVER, LASTCARD_TOKEN or --server/--token-file
