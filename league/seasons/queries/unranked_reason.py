from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.models import Standing


def unranked_reason(record: Standing) -> str:
    if record.rank:
        return ""
    if record.guest:
        return str(_("Guest"))
    if record.missing:
        return ngettext("%(number)s evening missing", "%(number)s evenings missing", record.missing) % {
            "number": record.missing
        }
    if record.missing_partners:
        return ngettext("%(number)s partner missing", "%(number)s partners missing", record.missing_partners) % {
            "number": record.missing_partners
        }
    return str(_("No evening"))
