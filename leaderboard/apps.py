from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    """The public side: reads what other rooms wrote, keeps nothing of its own."""

    name = "leaderboard"
    default_auto_field = "django.db.models.BigAutoField"
