from typing import Any

from django.contrib.auth.management.commands import changepassword

from players.models import User


class Command(changepassword.Command):
    def handle(self, *args: Any, **options: Any) -> str | None:
        user = User.objects.filter(email__iexact=options["username"] or "").first()
        options["username"] = user.get_username() if user else options["username"]
        output: str | None = super().handle(*args, **options)
        return output
