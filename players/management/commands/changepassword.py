"""`manage.py changepassword ADDRESS`: as Django's, but the address may be typed in capital or small letters."""

from typing import Any

from django.contrib.auth.management.commands import changepassword

from players.models import User


class Command(changepassword.Command):
    """Change the password of a login."""

    def handle(self, *args: Any, **options: Any) -> str | None:
        """Ask for the new password twice."""
        stored = User.objects.filter(email__iexact=options["username"] or "").first()
        options["username"] = stored.get_username() if stored else options["username"]
        answer: str | None = super().handle(*args, **options)
        return answer
