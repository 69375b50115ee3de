"""Reference ratings, as tests read them."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "ratings"


def reference(name: str) -> dict[str, Any]:
    """The content of a reference file."""
    content: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return content
