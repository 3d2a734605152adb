from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions.refusals import WrongState
from league.models import RulesDraft, Season
from league.standings.rules import StandingsRules

MAX_DRAFTS = 5  # of a season, shown side by side


@transaction.atomic
def save_draft(season_id: int, name: str, rules: StandingsRules) -> RulesDraft:
    # Locked, so that two simultaneous requests cannot exceed the limit.
    season: Season = Season.objects.select_for_update(no_key=True).get(pk=season_id)
    drafts = {draft.name: draft for draft in season.rules_drafts.all()}
    if name not in drafts and len(drafts) >= MAX_DRAFTS:
        raise WrongState(_("A season has %(most)s drafts at most. Remove one first.") % {"most": MAX_DRAFTS})
    draft: RulesDraft = drafts.get(name) or RulesDraft(season=season, name=name)
    draft.rules = rules.to_json()
    draft.save()
    return draft


def set_visible(draft: RulesDraft, *, to_members: bool) -> None:
    draft.is_shown = to_members
    draft.save(update_fields=["is_shown"])


def delete_draft(draft: RulesDraft) -> None:
    draft.delete()
