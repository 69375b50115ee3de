"""Tests that install something need an index, as whoever installs it does."""

from __future__ import annotations

import shlex
import sys
from typing import Final

import pytest

PIP: Final = (getattr(sys, "_base_executable", sys.executable), "-m", "pip", "--retries", "1")
"""The pip of the Python that made this environment."""
needs_index = pytest.mark.needs(shlex.join([*PIP, "index", "versions", "protobuf"]))
"""Skips a test, or fails it in CI, where pip finds none."""
