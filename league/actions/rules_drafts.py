"""Drafts of standings rules: kept to be tried, shown to members, thrown away. No standings follow them."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions.refusals import WrongState
from league.models import RulesDraft, Season
from league.standings.rules import StandingsRules

MOST = 5  # of a season: so many stand beside each other


@transaction.atomic
def keep(season_id: int, name: str, rules: StandingsRules) -> RulesDraft:
    """Keep rules as a draft of the season; one of that name has these rules then. Raises WrongState beyond `MOST`."""
    # Locked: two at once keep no more than there may be.
    season: Season = Season.objects.select_for_update(no_key=True).get(pk=season_id)
    drafts = {draft.name: draft for draft in season.rules_drafts.all()}
    if name not in drafts and len(drafts) >= MOST:
        raise WrongState(_("A season has %(most)s drafts at most. Remove one first.") % {"most": MOST})
    draft: RulesDraft = drafts.get(name) or RulesDraft(season=season, name=name)
    draft.rules = rules.to_json()
    draft.save()
    return draft


def show(draft: RulesDraft, *, to_members: bool) -> None:
    """Let members see the draft, or no longer."""
    draft.is_shown = to_members
    draft.save(update_fields=["is_shown"])


def remove(draft: RulesDraft) -> None:
    """Throw a draft away."""
    draft.delete()
