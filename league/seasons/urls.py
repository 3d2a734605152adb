from django.urls import path

from league.seasons.views import adjustments, closing, honours, rules_drafts, season, setup, standing, standings_rules

urlpatterns = [
    path("clubs/<slug:slug>/seasons/found", setup.create, name="season-found"),
    path("seasons/<int:pk>/", season.season, name="season"),
    path("seasons/<int:pk>/standings.csv", season.standings_file, {"extension": "csv"}, name="season-csv"),
    path("seasons/<int:pk>/standings.xlsx", season.standings_file, {"extension": "xlsx"}, name="season-xlsx"),
    path("seasons/<int:pk>/standings/paper", season.standings_paper, name="standings-paper"),
    path("seasons/<int:pk>/standings/<int:player>", standing.standing, name="standing"),
    path("seasons/<int:pk>/honours", honours.honours, name="honours"),
    path("seasons/<int:pk>/records", honours.season_records, name="season-records"),
    path("games/<slug:slug>/records", honours.game_records, name="game-records"),
    path("seasons/<int:pk>/final-table", honours.final_table, name="final-table"),
    path("clubs/<slug:slug>/hall-of-fame", honours.hall_of_fame, name="hall-of-fame"),
    path("seasons/<int:pk>/adjustments", adjustments.adjustments, name="adjustments"),
    path("seasons/<int:pk>/adjustments/<int:adjustment>/take-back", adjustments.take_back, name="adjustment-take-back"),
    path("seasons/<int:pk>/open", season.open_season, name="season-open"),
    path("seasons/<int:pk>/rules", setup.rules, name="season-rules"),
    path("seasons/<int:pk>/copy", setup.copy, name="season-copy"),
    path("seasons/<int:pk>/discard", setup.discard, name="season-discard"),
    path("seasons/<int:pk>/standings-rules", standings_rules.standings_rules, name="standings-rules"),
    path("seasons/<int:pk>/standings-rules.json", standings_rules.file, name="standings-rules-file"),
    path("seasons/<int:pk>/drafts", rules_drafts.drafts, name="rules-drafts"),
    path("drafts/<int:pk>/show", rules_drafts.show, {"to_members": True}, name="rules-draft-show"),
    path("drafts/<int:pk>/hide", rules_drafts.show, {"to_members": False}, name="rules-draft-hide"),
    path("drafts/<int:pk>/remove", rules_drafts.remove, name="rules-draft-remove"),
    path("seasons/<int:pk>/close", closing.close, name="season-close"),
    path("seasons/<int:pk>/reopen", closing.reopen, name="season-reopen"),
]
