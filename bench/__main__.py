"""`./dev bench NAME [--all] [--repeats N] [--seconds S] [--source] [--json]`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial

from bench import build
from bench.rows import Row, report

NAMES = ("engine", "referee", "tournament")


def only_crowd(only: Sequence[str] | None) -> bool:
    """Return whether nothing is asked of the referee but what many bots, or a second one, cost it or bring."""
    from bench import crowd, far, scaling

    return only is not None and set(only) <= {*crowd.IDS, *far.IDS, *scaling.IDS}


def ids(name: str, *, every_game: bool) -> Sequence[str]:
    """Return the rows of a benchmark."""
    from bench import crowd, engine, far, games, mathematics, referee, scaling, tournament

    if name == "engine":
        return games.FORMATS if every_game else engine.IDS
    if name == "tournament":
        return (*tournament.IDS, *mathematics.ROWS)
    return (*(line.id for line in referee.LINES), *far.IDS, *scaling.IDS, *crowd.IDS)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark that the command line names; without words of the caller's own, on the compiled wheel."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument(
        "--repeats", type=int, default=None, help="interleaved repeats (default: 15 engine, 5 referee, 3 tournament)"
    )
    parser.add_argument("--seconds", type=float, default=None, help="seconds a cell (default: 0.2 engine, 1.5 referee)")
    parser.add_argument("--only", metavar="ID", action="append", help="only these rows")
    parser.add_argument("--all", action="store_true", help="engine: every game, without peers and floors")
    parser.add_argument("--source", action="store_true", help="the source as it is, without the compiled modules")
    parser.add_argument("--json", action="store_true", help="rows as JSON on stdout, nothing else there")
    words = parser.parse_args(argv)
    there = ids(words.name, every_game=words.all)
    if unknown := sorted({*(words.only or ())} - {*there}):
        parser.error(f"there is no row {unknown[0]}; {words.name} has {', '.join(there)}")
    if argv is None and not words.source and build.name() == "source":
        return build.compiled(sys.argv[1:])
    rows, status = list[Row](), 0
    for measure in parts(words, words.only):
        try:
            rows += measure()
        except Exception as error:  # noqa: BLE001 (whatever it is, the other rows say something without it)
            sys.stderr.write(f"bench: a measurement failed: {type(error).__name__}: {error}\n")
            status = 1
    return max(report(rows, as_json=words.json), status)


def parts(words: argparse.Namespace, only: Sequence[str] | None) -> list[Callable[[], Sequence[Row]]]:
    """Return what is measured, each for itself."""
    from bench import crowd, engine, far, games, mathematics, referee, scaling, tournament

    if words.name == "engine" and words.all:
        return [partial(games.run, words.repeats or 5, words.seconds or 0.5, only)]
    if words.name == "engine":
        return [partial(engine.run, words.repeats or 15, words.seconds or 0.2, only)]
    if words.name == "tournament":
        played = not only or not {*tournament.IDS}.isdisjoint(only)
        first = [partial(tournament.run, words.repeats or 3)] if played else []
        return [*first, partial(mathematics.run, 3 * (words.repeats or 3), only)]
    repeats, seconds = words.repeats or 5, words.seconds or 1.5
    alone = [] if only_crowd(only) else [partial(referee.run, repeats, seconds, only)]
    return [*alone, *(partial(one.run, repeats, seconds, only) for one in (far, scaling)), partial(crowd.run, only)]


if __name__ == "__main__":
    sys.exit(main())
