from django.urls import path

from league.ratings.views import games, leaderboards, rating_history, rating_rules

urlpatterns = [
    path("players/<int:pk>/ratings/<slug:game>", rating_history.rating_history, name="ratings"),
    path("players/<int:pk>/ratings/<slug:game>/<str:day>", rating_history.rating_change_page, name="rating-day"),
    path("games/", games.games, name="games"),
    path("games/<slug:slug>/rules", games.rules, name="rules"),
    path("games/<slug:slug>/calculator", games.calculator, name="calculator"),
    path("games/<slug:slug>/leaderboard", leaderboards.leaderboard, name="leaderboard"),
    path(
        "games/<slug:slug>/leaderboard.csv",
        leaderboards.leaderboard_file,
        {"extension": "csv"},
        name="leaderboard-csv",
    ),
    path(
        "games/<slug:slug>/leaderboard.xlsx",
        leaderboards.leaderboard_file,
        {"extension": "xlsx"},
        name="leaderboard-xlsx",
    ),
    path("games/<slug:slug>/rating-rules", rating_rules.rating_rules, name="rating-rules"),
]
