"""French: 20 novembre 2026 à 16:38."""

DATETIME_FORMAT = r"j F Y \à H:i"
