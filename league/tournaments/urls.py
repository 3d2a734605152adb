"""Tournaments: announcement, registration by visitors, the desk's list."""

from django.urls import path

from league.tournaments.views import desk, play, prize_desk, prizes, registration, results, tournaments

urlpatterns = [
    path("clubs/<slug:slug>/tournaments", tournaments.club_tournaments, name="tournaments"),
    path("clubs/<slug:slug>/tournaments/create", tournaments.create, name="tournament-create"),
    path("tournaments/<int:pk>/", tournaments.tournament, name="tournament"),
    path("tournaments/<int:pk>/edit", tournaments.edit, name="tournament-edit"),
    path("tournaments/<int:pk>/open", tournaments.open_registration, name="tournament-open"),
    path("tournaments/<int:pk>/close", tournaments.close_registration, name="tournament-close"),
    path("tournaments/<int:pk>/cancel", tournaments.cancel, name="tournament-cancel"),
    path("tournaments/<int:pk>/register", registration.register, name="tournament-register"),
    path("tournaments/<int:pk>/desk", desk.desk, name="tournament-desk"),
    path("tournaments/<int:pk>/desk/add", desk.add, name="unit-add"),
    path("tournaments/<int:pk>/desk/paper", desk.paper, name="unit-paper"),
    path("tournaments/<int:pk>/units.csv", desk.unit_file, {"extension": "csv"}, name="tournament-desk-csv"),
    path("tournaments/<int:pk>/units.xlsx", desk.unit_file, {"extension": "xlsx"}, name="tournament-desk-xlsx"),
    path("tournaments/<int:pk>/bring-in", desk.bring_in, name="units-bring-in"),
    path("tournaments/<int:pk>/play", play.play, name="tournament-play"),
    path("tournaments/<int:pk>/start", play.start, name="tournament-start"),
    path("tournaments/<int:pk>/check-in", play.check_in, name="tournament-check-in"),
    path("tournaments/<int:pk>/draw", play.draw_round, name="tournament-draw"),
    path("tournaments/<int:pk>/draw/by-hand", play.draw_by_hand, name="tournament-draw-by-hand"),
    path("tournaments/<int:pk>/clock", play.clock, name="tournament-clock"),
    path("tournaments/<int:pk>/finish", play.finish, name="tournament-finish"),
    path("tournaments/<int:pk>/resume", play.resume, name="tournament-resume"),
    path("tournaments/<int:pk>/ranking", results.tournament_ranking, name="tournament-ranking"),
    path("tournaments/<int:pk>/ranking/paper", results.ranking_paper, name="tournament-ranking-paper"),
    path("tournaments/<int:pk>/ranking.csv", results.ranking_file, {"extension": "csv"}, name="tournament-ranking-csv"),
    path(
        "tournaments/<int:pk>/ranking.xlsx", results.ranking_file, {"extension": "xlsx"}, name="tournament-ranking-xlsx"
    ),
    path("tournament-rounds/<int:pk>/accept", play.accept_round, name="tournament-round-accept"),
    path("tournament-rounds/<int:pk>/take-back", play.take_back_round, name="tournament-round-take-back"),
    path("tournament-rounds/<int:pk>/paper", results.round_paper, name="tournament-round-paper"),
    path("tournament-rounds/<int:pk>/results", results.round_results, name="tournament-results"),
    path("units/<int:pk>/check-out", play.check_out, name="unit-check-out"),
    path("units/<int:pk>/leave", play.leave, name="unit-leave"),
    path("units/<int:pk>/edit", desk.edit, name="unit-edit"),
    path("units/<int:pk>/paid", desk.pay, name="unit-paid"),
    path("units/<int:pk>/cancel", desk.cancel, name="unit-cancel"),
    path("units/<int:pk>/approve", desk.approve, name="unit-approve"),
    path("units/<int:pk>/promote", desk.promote, name="unit-promote"),
    path("units/<int:pk>/pair", desk.pair, name="unit-pair"),
    path("units/<int:pk>/prize", prize_desk.hand_over, name="unit-prize"),
    path("tournaments/<int:pk>/prizes", prizes.tournament_prizes, name="tournament-prizes"),
    path("tournaments/<int:pk>/prizes/edit", prizes.edit, name="tournament-prizes-edit"),
    path("tournaments/<int:pk>/prizes/categories", prizes.categories, name="tournament-prize-categories"),
    path("tournaments/<int:pk>/prizes/desk", prize_desk.desk, name="tournament-prize-desk"),
    path("tournaments/<int:pk>/prizes/lot", prize_desk.draw_lot, name="tournament-prize-lot"),
    path("tournaments/<int:pk>/prizes/print", prize_desk.print_receipts, name="tournament-prize-print"),
    path("tournaments/<int:pk>/prizes/receipts", prize_desk.receipts, name="tournament-prize-receipts"),
    path("tournaments/<int:pk>/prizes/paper", prize_desk.wall_paper, name="tournament-prize-paper"),
    path("tournaments/<int:pk>/prizes/announcer", prize_desk.announcer_paper, name="tournament-prize-announcer"),
    path("tournaments/<int:pk>/prizes/slips", prize_desk.slips, name="tournament-prize-slips"),
    path("tournaments/<int:pk>/prizes.csv", prize_desk.prize_file, {"extension": "csv"}, name="tournament-prizes-csv"),
    path(
        "tournaments/<int:pk>/prizes.xlsx", prize_desk.prize_file, {"extension": "xlsx"}, name="tournament-prizes-xlsx"
    ),
    path("registrations/<str:token>", registration.registration, name="registration"),
]
