"""A stand-in for a process of the house: says READY, writes down that it was told to stop, ends as it is told to.

`dummy.py NAME JOURNAL [--ready JSON] [--silent] [--exit CODE] [--deaf] [--child] [--once FILE] [--during FILE]
[--lines N]`
"""

from __future__ import annotations

import argparse
import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType


def asked() -> argparse.Namespace:
    """Return what it is to do."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("journal", type=Path)
    parser.add_argument("--ready", default="{}", help="what its READY line says")
    parser.add_argument("--silent", action="store_true", help="never says READY")
    parser.add_argument("--deaf", action="store_true", help="does not end on SIGTERM")
    parser.add_argument("--child", action="store_true", help="has a child that ignores every polite signal")
    parser.add_argument("--exit", type=int, help="ends with this code at once")
    parser.add_argument("--last", default="", help="words before it ends")
    parser.add_argument("--lines", type=int, default=0, help="writes so many numbered lines whenever it gets SIGUSR1")
    parser.add_argument("--once", type=Path, help="ends by --exit only while this file is missing")
    parser.add_argument("--during", type=Path, help="ends by --exit only while this file is there")
    return parser.parse_args()


def noted(args: argparse.Namespace, word: str, pid: int) -> None:
    """Write into the journal."""
    with args.journal.open("a", encoding="utf-8") as file:
        file.write(f"{args.name} {word} {pid}\n")


def child_of(args: argparse.Namespace) -> None:
    """Start a child that only SIGKILL ends, and write down its number."""
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); signal.pause()"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    noted(args, "child", child.pid)


def ended(args: argparse.Namespace) -> int:
    """Say what there is to say before an end; returns the exit code."""
    if args.once:
        args.once.touch()
        print(f"READY {args.ready}", flush=True)
    print(args.last, file=sys.stderr, flush=True)
    return int(args.exit)


def main() -> int:
    args = asked()

    def write(word: str) -> None:
        noted(args, word, os.getpid())

    def stop(_number: int, _frame: FrameType | None) -> None:
        write("stop")
        if not args.deaf:
            sys.exit(0)

    def talk(_number: int, _frame: FrameType | None) -> None:
        for number in itertools.islice(numbers, args.lines):
            os.write(sys.stdout.fileno(), f"line {number}\n".encode())  # at once: `print` may write its end apart
        write("wrote")

    numbers = itertools.count()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGUSR1, talk)
    write("start")
    if args.child:
        child_of(args)
    spared = (args.once and args.once.exists()) or (args.during and not args.during.exists())
    if args.exit is not None and not spared:
        return ended(args)
    if not args.silent:
        print(f"READY {args.ready}", flush=True)
    while True:
        signal.pause()


if __name__ == "__main__":
    sys.exit(main())
