from django.urls import path

from league.statistics.views import comparison, statistics

urlpatterns = [
    path("players/<int:pk>/statistics/<slug:game>", statistics.statistics, name="player-statistics"),
    path("players/<int:pk>/compare", comparison.choose_opponent, name="compare"),
    path("players/<int:pk>/compare/<int:other>", comparison.compare_players, name="compare-with"),
]
