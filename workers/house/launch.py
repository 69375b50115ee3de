"""Start a program that cannot outlive the process that started it.

Run as a file, by path, with an isolated interpreter: `python -I -S launch.py PARENT PROGRAM ARG…`. It asks the kernel
for SIGKILL when the parent ends (Linux), makes sure that the parent is still there, and becomes the program. A wrapper
does this, and not a hook between fork and exec, because the supervisor has threads and an open gRPC channel: those do
not survive code that runs in a forked copy of them.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""Number of the request in `prctl(2)`."""


def die_with_parent() -> None:
    """Ask for SIGKILL when the parent ends; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main(argv: list[str]) -> int:
    """Become the program; returns 127 when there is none and 1 when the parent has ended already."""
    parent, program = int(argv[1]), argv[2:]
    die_with_parent()
    if os.getppid() != parent:
        return 1
    try:
        os.execvp(program[0], program)  # noqa: S606 (no shell is wanted)
    except OSError as error:
        sys.stderr.write(f"cannot start {program[0]}: {error.strerror}\n")
        return 127


if __name__ == "__main__":
    sys.exit(main(sys.argv))
