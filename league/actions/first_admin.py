from __future__ import annotations

from django.utils.translation import gettext as _

from league.actions.advisory_locks import wait_for_lock
from league.actions.refusals import WrongState
from league.operations.queries.setup_code import has_accounts
from players.accounts import make_superuser
from players.models import User


def create_first_admin(email: str, password: str) -> User:
    """Create the first account of an installation, a superuser. Raise WrongState if an account exists."""
    with wait_for_lock("first admin"):
        if has_accounts():
            raise WrongState(_("An account exists already. Sign in with it."))
        return make_superuser(email, password)
