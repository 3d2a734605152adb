from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from players.accounts import has_confirmed_address, promote_to_superuser
from players.models import User


class Command(BaseCommand):
    help = "Make a superuser of a login that exists already. Its address must be confirmed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address by which its owner signs in")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the user a superuser. Raise CommandError for an unknown or inactive user.

        Raise it also if the user's email address is not confirmed, because anybody can sign up with any address.
        """
        user = User.objects.filter(email__iexact=options["email"]).first()
        if user is None:
            raise CommandError(f"No login has the address {options['email']}: manage.py createsuperuser makes one.")
        if not user.is_active:
            raise CommandError(f"The login of {user.email} was shut, and nobody can sign in with it.")
        if not has_confirmed_address(user):
            raise CommandError(
                f"{user.email} was never confirmed, so the login may be a stranger's. Its owner confirms it first, "
                "under the pages of the account."
            )
        promote_to_superuser(user)
        self.stdout.write(
            f"{user.email} is a superuser now. Where the site speaks https, a second factor is asked for."
        )
