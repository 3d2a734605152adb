from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from league.actions.jobs import Kind, register
from league.actions.notifications import EMAIL, QUEUE
from league.notifications.work import sending

register(
    Kind(
        name=sending.NOTIFICATIONS,
        label=_("E-mails that people chose"),
        work=sending.send_pending,
        schedule=sending.schedule,
        queue=QUEUE,
        atomic=False,  # each email is claimed, sent and marked: at most once
        kept=timedelta(0),
    )
)
register(
    Kind(
        name=EMAIL,
        label=_("E-mail that is sent again"),
        work=sending.send_again,
        on_failure=sending.on_failure,
        queue=QUEUE,
        atomic=False,
        kept=timedelta(0),
    )
)
