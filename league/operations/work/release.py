"""The release of the running program, as `make release` wrote it; read once per process."""

from __future__ import annotations

import tomllib
from typing import Final

from django.conf import settings

VERSION: Final[str] = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
