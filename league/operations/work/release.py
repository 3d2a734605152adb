"""Which release of the program runs, as `make release` wrote it; read once, when the process starts."""

from __future__ import annotations

import tomllib
from typing import Final

from django.conf import settings

VERSION: Final[str] = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
