"""A stand-in for a process of the house: says READY, writes down that it was told to stop, ends as it is told to.

`dummy.py NAME JOURNAL [--ready JSON] [--silent] [--exit CODE] [--deaf] [--child] [--once FILE]`
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("journal", type=Path)
    parser.add_argument("--ready", default="{}", help="what its READY line says")
    parser.add_argument("--silent", action="store_true", help="never says READY")
    parser.add_argument("--deaf", action="store_true", help="does not end on SIGTERM")
    parser.add_argument("--child", action="store_true", help="has a child that ignores every polite signal")
    parser.add_argument("--exit", type=int, help="ends with this code at once")
    parser.add_argument("--last", default="", help="words before it ends")
    parser.add_argument("--once", type=Path, help="ends by --exit only while this file is missing")
    args = parser.parse_args()

    def write(word: str) -> None:
        with args.journal.open("a", encoding="utf-8") as file:
            file.write(f"{args.name} {word} {os.getpid()}\n")

    def stop(_number: int, _frame: FrameType | None) -> None:
        write("stop")
        if not args.deaf:
            sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    write("start")
    if args.child:
        code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); signal.pause()"
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        with args.journal.open("a", encoding="utf-8") as file:
            file.write(f"{args.name} child {child.pid}\n")
    if args.exit is not None and not (args.once and args.once.exists()):
        if args.once:
            args.once.touch()
            print(f"READY {args.ready}", flush=True)
        print(args.last, file=sys.stderr, flush=True)
        return int(args.exit)
    if not args.silent:
        print(f"READY {args.ready}", flush=True)
    while True:
        signal.pause()


if __name__ == "__main__":
    sys.exit(main())
