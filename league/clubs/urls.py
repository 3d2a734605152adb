from django.urls import path

from league.clubs.views import appearance, clubs, deletion, embed, games, share_picture, year

urlpatterns = [
    path("", clubs.home, name="home"),
    path("clubs/", clubs.directory, name="clubs"),
    path("clubs/found", clubs.create_club, name="club-found"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/picture.png", share_picture.club_picture, name="club-picture"),
    path("clubs/<slug:slug>/settings", clubs.club_settings, name="club-settings"),
    path("clubs/<slug:slug>/year", year.year, name="club-year"),
    path("clubs/<slug:slug>/delete", deletion.request_deletion, name="club-delete"),
    path("clubs/<slug:slug>/keep", deletion.cancel_deletion, name="club-keep"),
    path("clubs/<slug:slug>/look", appearance.appearance, name="club-look"),
    path("clubs/<slug:slug>/games", games.games, name="club-games"),
    path("club-games/<int:pk>", games.game, name="club-game"),
    path("club-games/<int:pk>/delete", games.delete_game, name="club-game-delete"),
    path("clubs/<slug:slug>/mark/<slug:digest>", appearance.logo, name="club-mark"),
    path("colours/<slug:code>.css", appearance.colour_stylesheet, name="club-colour"),
    path("clubs/<slug:slug>/embed", embed.embed_guide, name="embed"),
    path("embed/seasons/<int:pk>", embed.standings, name="embed-standings"),
    path("embed/seasons/<int:pk>.json", embed.standings_data, name="embed-standings-json"),
    path("embed/tournaments/<int:pk>", embed.tournament, name="embed-tournament"),
    path("embed/tournaments/<int:pk>.json", embed.tournament_data, name="embed-tournament-json"),
    path("embed/clubs/<slug:slug>", embed.evenings, name="embed-evenings"),
    path("embed/clubs/<slug:slug>.json", embed.evenings_data, name="embed-evenings-json"),
]
