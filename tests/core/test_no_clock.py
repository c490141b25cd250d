"""A test on a busy machine passes and fails as on an idle one."""

import re
from pathlib import Path

from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parents[1]


def test_no_generated_example_fails_for_the_time_it_took() -> None:
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check
    own = [path.name for path in TESTS.rglob("test_*.py") if re.search(r"[( ]deadline=(?!None)\w", path.read_text())]
    assert own == []
