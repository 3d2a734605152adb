"""pytest plugin: `make test` draws a quarter of the examples of each property, `make test-faults` draws all.

Both name their profile by --hypothesis-profile. Without it, a test draws all. A busy machine is slow, not wrong.
"""

from hypothesis import HealthCheck, settings

ALL = 100
for name, drawn in {"all": ALL, "few": ALL // 4}.items():
    settings.register_profile(name, max_examples=drawn, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def examples(count: int) -> int:
    """Return the share of `count` that the profile draws."""
    return max(1, count * settings().max_examples // ALL)
