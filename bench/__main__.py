"""`./dev bench NAME [--all] [--repeats N] [--seconds S] [--json]`."""

import argparse
import sys

from bench.rows import report

NAMES = ("engine", "referee", "tournament")


def only_crowd(only: list[str] | None) -> bool:
    """Return whether nothing is asked of the referee but what many bots, or a second one, cost it."""
    from bench import crowd, far

    return only is not None and set(only) <= {*crowd.IDS, *far.IDS}


def main() -> int:
    """Run the benchmark that the command line names."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument(
        "--repeats", type=int, default=None, help="interleaved repeats (default: 15 engine, 5 referee, 3 tournament)"
    )
    parser.add_argument("--seconds", type=float, default=None, help="seconds a cell (default: 0.2 engine, 1.5 referee)")
    parser.add_argument("--only", metavar="ID", action="append", help="only these rows")
    parser.add_argument("--all", action="store_true", help="engine: every game, without peers and floors")
    parser.add_argument("--json", action="store_true", help="rows as JSON on stdout, nothing else there")
    words = parser.parse_args()
    if words.name == "engine" and words.all:
        from bench import games

        rows = games.run(words.repeats or 5, words.seconds or 0.5, words.only)
    elif words.name == "engine":
        from bench import engine

        rows = engine.run(words.repeats or 15, words.seconds or 0.2, words.only)
    elif words.name == "tournament":
        from bench import mathematics, tournament

        rows = mathematics.run(3 * (words.repeats or 3), words.only)
        if not words.only or "tournament" in words.only:
            rows = [*tournament.run(words.repeats or 3), *rows]
    else:
        from bench import crowd, far, referee

        rows = [] if only_crowd(words.only) else referee.run(words.repeats or 5, words.seconds or 1.5, words.only)
        rows += far.run(words.repeats or 5, words.seconds or 1.5, words.only)
        rows += crowd.run(words.only)
    return report(rows, as_json=words.json)


if __name__ == "__main__":
    sys.exit(main())
