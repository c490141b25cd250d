"""The real site behind a real gunicorn, with the death of a scenario in wait."""

from selen_site.wsgi import application
from tests.kill_matrix.play import arm_part

arm_part("web")

__all__ = ["application"]
