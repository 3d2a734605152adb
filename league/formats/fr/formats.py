"""French: 20 novembre 2026 à 16 h 38."""

TIME_FORMAT = "G\u00a0\\h\u00a0i"
DATETIME_FORMAT = f"j F Y \\à {TIME_FORMAT}"
