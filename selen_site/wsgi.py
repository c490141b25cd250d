"""Entry point of the web server; refuses to serve in an unsafe production mode."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "selen_site.settings")
application = get_wsgi_application()

from selen_site.production import refuse_unsafe  # noqa: E402 (settings are read by now)

refuse_unsafe()
