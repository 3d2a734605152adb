from getpass import getpass
from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db.models import Max

from players.accounts import confirm_address, make_superuser
from players.models import User


class Command(createsuperuser.Command):
    def handle(self, *args: Any, **options: Any) -> str | None:
        """Create a superuser with a confirmed address.

        At a terminal, ask for address and password; otherwise Django reads the password from the environment.
        """
        if not options["interactive"] or not self.stdin.isatty():
            newest = User.objects.aggregate(pk=Max("pk"))["pk"] or 0
            output: str | None = super().handle(*args, **options)
            for user in User.objects.filter(pk__gt=newest, is_superuser=True):
                confirm_address(user)
            return output
        try:
            email = self._read_address(options["email"])
            make_superuser(email, self._read_password(User(email=email)))
        except KeyboardInterrupt:
            raise CommandError("Operation cancelled.") from None
        self.stdout.write("Superuser created successfully.")
        return None

    def _read_address(self, argument: str | None) -> str:
        field = User._meta.get_field("email")
        while True:
            try:
                email: str = field.clean(argument or input("E-mail address: "), None)
                if not User.objects.filter(email__iexact=email).exists():
                    return email
                self.stderr.write(
                    "That e-mail address is already taken. If the login is to look after the installation, "
                    f"leave this by Ctrl-C, and: manage.py promote {email}"
                )
            except ValidationError as error:
                self.stderr.write("\n".join(error.messages))
            argument = None

    def _read_password(self, user: User) -> str:
        while True:
            password = getpass()
            try:
                if password != getpass("Password (again): "):
                    raise ValidationError("The passwords differ.")
                validate_password(password, user)
            except ValidationError as error:
                self.stderr.write("\n".join(error.messages))
            else:
                return password
