"""What a machine may lack that is no program: IPv6."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

NEEDS_IPV6: Final = pytest.mark.skipif(not Path("/proc/sys/net/ipv6/conf/lo").exists(), reason="no IPv6 here")
