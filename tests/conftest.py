"""How generated cases are tried: no example fails for the time it took, since a busy machine proves nothing."""

from hypothesis import HealthCheck, settings

settings.register_profile("no_clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no_clock")
