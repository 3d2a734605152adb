"""How much each page needs, for a small club as for a large one: exactly so many queries, and few bytes."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import uuid4

import pghistory
import pytest
import time_machine
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from league.actions import contests as contests_actions
from league.actions import deals as deals_actions
from league.actions import evenings as evenings_actions
from league.actions import registrations, season_closing, tournament_presets, tournaments, webhooks
from league.actions import rules_drafts as rules_drafts_actions
from league.actions import teams as teams_actions
from league.actions.registrations import PlayerEntry, Registration
from league.evenings.views.live import fragments
from league.models import Attendance, Club, Deal, Evening, Rest, Round, Run, Season, Table, Webhook, table_codes
from league.models.evening import AttendanceRole, EveningState
from league.models.notification import NotificationKind
from league.models.rights import Role
from league.models.round import RestKind
from league.notifications.work import unsubscribe_links
from league.notifications.work.unsubscribe_links import UnsubscribeLink
from league.people.queries.invitation_links import Invitation, sign_invitation
from league.recompute.work import runs
from league.standings.rules import StandingsRules
from league.tournaments.queries import registration_links
from players.accounts import renew_calendar_key
from players.models import Player, User
from tests.build import (
    NOW,
    TAKE,
    a_club,
    a_club_game,
    a_club_unit,
    a_deal,
    a_drawn_round,
    a_member,
    a_player,
    a_running_tournament,
    a_season,
    a_table,
    a_tournament,
    a_tournament_in_finals,
    a_unit,
    a_webhook,
    an_evening,
    an_invitation,
    settle,
    sign_in,
    some_prizes,
    watched,
)
from tests.readers import user_of
from tests.test_access import ROWS, a_club_import, a_mark, an_import, view_name

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("budgets")]  # two worlds, built once each

Place = dict[str, object]

WIRE = 15 * 1024  # bytes of a page, compressed

# What every page asks for first when its reader is signed in.
SIGNED_IN = ["the session", "the user with his player"]
# What each page asks for then: one query each, in order. "role" is what the reader may do in the club.
# What is read as arrays (players/columns.py) goes by COPY, which is not counted: tables of a player, a season's seats.
PAGES = {
    "/": "version, "
    "memberships with their clubs, running seasons with the reader's place, evenings to come and the last ones, "
    "ratings with their history, rankings, contests, the reader's seat",
    "/clubs/": "version, number of clubs, a page of them, their next evenings",
    "/clubs/found": "",
    "/clubs/from-a-file": "",
    "/privacy": "",
    "/calendar": "the reader's clubs",
    "/letters": "the reader's choices, whether he records anywhere",
    "/letters/stop/{stop}": "the reader, his choices",
    "/calendar/{calendar_key}.ics": "whose calendar, the clubs, their evenings, their tournaments",
    "/clubs/{club}/calendar.ics": "club, its evenings, its tournaments",
    "/clubs/{club}/results.atom": "club, its evenings, their rankings, its tournaments",
    "/clubs/{club}/embed": "club, role, tournaments, seasons",
    "/clubs/{club}/tournaments": "club, role, number of tournaments, a page of them, invitations",
    "/clubs/{club}/tournaments/create": "club, role, earlier tournaments, own presets",
    "/tournaments/{tournament}/": "tournament with its club, role, counts, units, players, invitations",
    "/clubs/{club}/picture.png": "club, open seasons, next evening, mark",
    "/seasons/{season}/picture.png": "season with its club, number of players, podium, mark",
    "/seasons/{season}/standings/{player}/picture.png": "season with its club, standing, mark",
    "/tournaments/{tournament}/picture.png": "tournament with its club, mark",
    "/tournaments/{tournament}/calendar.ics": "tournament with its club and number of changes",
    "/tournaments/{tournament}/edit": "tournament with its club, whether units are registered, role",
    "/tournaments/{tournament}/cancel": "tournament with its club, role, counts",
    "/tournaments/{tournament}/preset": "tournament with its club, role",
    "/tournament-presets/{tournament_preset}": "preset with its club, role",
    "/embed/tournaments/{tournament}": "tournament with its club, counts, units, players",
    "/embed/tournaments/{tournament}.json": "tournament with its club, counts",
    "/tournaments/{tournament}/register": "tournament with its club, role, own player, clubs, counts",
    "/tournaments/{tournament}/desk": "tournament with its club, role, units, players, counts",
    "/tournaments/{tournament}/desk/add": "tournament with its club, role, clubs, members, earlier names",
    "/tournaments/{tournament}/desk/paper": "tournament with its club, role, units, players",
    "/tournaments/{tournament}/units.csv": "tournament with its club, units, players",
    "/tournaments/{tournament}/units.xlsx": "tournament with its club, units, players",
    "/tournaments/{tournament}/bring-in": "tournament with its club, role",
    "/tournaments/{running}/play": "tournament with its club, role, counts, evening with its season, attendances, "
    "units, players, rounds, rests, tables, seats, forfeits",
    "/tournaments/{in_finals}/play": "tournament with its club, role, counts, evening with its season, attendances, "
    "units, players, rounds, rests, tables, seats, forfeits, finals, seeds, units, players, games with their tables, "
    "seats, forfeits",
    "/tournaments/{running}/check-in": "tournament with its club, role, expected units, players, waiting units, "
    "evening with its season, attendances, units, players, seats, rounds",
    "/tournaments/{running}/draw/by-hand": "tournament with its club, role, evening with its season, attendances, "
    "attendances, units, players, rounds, rests, tables, seats, forfeits",
    "/tournaments/{running}/ranking": "version, tournament with its club, role, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits, finals",
    "/tournaments/{running}/ranking/paper": "tournament with its club, role, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/tournaments/{running}/ranking.csv": "tournament with its club, role, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/tournaments/{running}/ranking.xlsx": "tournament with its club, role, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/tournaments/{running}/teams.csv": "tournament with its club, role, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/tournaments/{running}/teams.xlsx": "tournament with its club, role, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/tournaments/{running}/clubs.csv": "tournament with its club, role, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/tournaments/{running}/clubs.xlsx": "tournament with its club, role, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/tournaments/{tournament}/clubs": "tournament with its club, role, clubs that take part, clubs to invite",
    "/tournament-clubs/{invitation}/": "invitation with its clubs, role, members, counts, named units, own units, "
    "players",
    "/club-units/{club_unit}/edit": "unit, players, invitation with its clubs, role, members",
    "/tournaments/{in_finals}/finals": "tournament with its club, role, evening with its season, finals, seeds, units, "
    "players, games with their tables, seats, forfeits",
    "/tournaments/{running}/finals/start": "tournament with its club, role, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/tournaments/{in_finals}/finals/paper": "tournament with its club, role, evening with its season, finals, seeds, "
    "units, players, games with their tables, seats, forfeits",
    "/tournaments/{in_finals}/finals/screen": "tournament with its club, role, evening with its season, finals, seeds, "
    "units, players, games with their tables, seats, forfeits",
    "/tournament-rounds/{tournament_round}/results": "round with its evening and tournament, role, "
    "attendances, units, players, rounds, rests, tables, seats, forfeits",
    "/tournament-rounds/{tournament_round}/paper": "round with its evening and tournament, role, attendances, "
    "units, players, rounds, rests, tables, seats, forfeits",
    "/tournaments/{running}/prizes": "tournament with its club, role, prizes",
    "/tournaments/{running}/prizes/edit": "tournament with its club, role, prizes, plan, units, players, "
    "number of units, categories",
    "/tournaments/{running}/prizes/categories": "tournament with its club, role, categories, marks, units, players",
    "/tournaments/{running}/prizes/desk": "tournament with its club, role, prizes, evening with its season, "
    "attendances, units, players, rounds, seats with tables, rests, forfeits, finals, categories of units, plan, "
    "lots, receipts, "
    "lots, units, players",
    "/tournaments/{running}/prizes/receipts": "tournament with its club, role, prizes, evening with its season, "
    "attendances, units, players, rounds, seats with tables, rests, forfeits, finals, categories of units, plan, "
    "lots, receipts",
    "/tournaments/{running}/prizes/paper": "tournament with its club, role, prizes",
    "/tournaments/{running}/prizes/announcer": "tournament with its club, role, prizes, evening with its season, "
    "attendances, units, players, rounds, seats with tables, rests, forfeits, finals, categories of units, plan, "
    "lots, receipts",
    "/tournaments/{running}/prizes/slips": "tournament with its club, role, prizes, evening with its season, "
    "attendances, units, players, rounds, seats with tables, rests, forfeits, finals, categories of units, plan, "
    "lots, receipts",
    "/tournaments/{running}/prizes.csv": "tournament with its club, prizes, evening with its season, "
    "attendances, units, players, rounds, seats with tables, rests, forfeits, finals, categories of units, plan, "
    "lots, receipts",
    "/tournaments/{running}/prizes.xlsx": "tournament with its club, prizes, evening with its season, "
    "attendances, units, players, rounds, seats with tables, rests, forfeits, finals, categories of units, plan, "
    "lots, receipts",
    "/units/{unit}/edit": "unit with its tournament and club, players, role, clubs, members, earlier names",
    "/registrations/{registration}": "unit with its tournament and club, players, role, whether the tournament is seen",
    "/embed/seasons/{season}": "season with its club, standings",
    "/embed/seasons/{season}.json": "season with its club, standings",
    "/embed/clubs/{club}": "club, evenings",
    "/embed/clubs/{club}.json": "club, evenings",
    "/clubs/{club}/": "version, "
    "club with the reader's role, seasons, evenings, ranking of the last one, the reader's seat, who is here tonight, "
    "tonight's tables, first places, next tournaments, invitations",
    "/clubs/{club}/settings": "club, role",
    "/clubs/{club}/audit?since=2026-01-01&until=2027-12-31": "club, number of lines, a page of them, their entries",
    "/clubs/{club}/audit.csv?since=2026-01-01&until=2027-12-31": "club, lines, their entries",
    "/clubs/{club}/audit.xlsx?since=2026-01-01&until=2027-12-31": "club, lines, their entries",
    "/audit?since=2026-01-01&until=2027-12-31": "number of lines, a page of them, their entries",
    "/audit.csv?since=2026-01-01&until=2027-12-31": "lines, their entries",
    "/audit.xlsx?since=2026-01-01&until=2027-12-31": "lines, their entries",
    "/clubs/{club}/year?of=2026": "version, "
    "club with the reader's role and its first and last evening, evenings, rankings, "
    "new members, records, ratings",
    "/clubs/{club}/file": "club, role",
    "/clubs/{club}/delete": "club, role",
    "/clubs/{club}/look": "club, role",
    "/clubs/{club}/games": "club, role, its games",
    "/clubs/{club}/games?preset=jass": "club, role, its games",
    "/club-games/{club_game}": "game with its club, is a total written, role, has it a season",
    "/clubs/{club}/webhooks": "club, role, its addresses",
    "/webhooks/{webhook}": "address with its club, role, its last messages",
    "/webhooks/{webhook}/secret": "address with its club, role",
    "/webhooks/{webhook}/delete": "address with its club, role",
    "/clubs/{club}/mark/{mark}": "the picture",
    "/colours/1f3f6e.css": "",
    "/clubs/{club}/members": "club, role, number of people, a page of them, logins to agree to",
    "/clubs/{club}/members/add": "club",
    "/clubs/{club}/members/bring-in": "club",
    "/clubs/{club}/members/invite": "club, invitations of the day, members, whether the reader's address is confirmed",
    "/clubs/{club}/second-factor": "club, role, whether the reader has one, those who record with their factors",
    "/clubs/{club}/committee": "club, memberships with their players and logins",
    "/clubs/{club}/members/{membership}/edit": "club, membership with its player, clubs of the player that are not the "
    "reader's",
    "/clubs/{club}/members/{membership}/end": "club, membership with its player",
    "/clubs/{club}/members/{membership}/invite": "club, membership with its player, whether the reader's "
    "address is confirmed",
    "/clubs/{club}/invitation": "club",
    "/clubs/{club}/runs": "club, number of runs, a page of them",
    "/runs/{run}/": "run, the reader's clubs, how many moved where, which due evenings are theirs, seasons with their "
    "clubs, the first who moved on each board",
    "/runs/{run}/?board={season}": "run, the reader's clubs, how many moved where, which due evenings are theirs, "
    "number of those who moved, a page of them, the season with its club, the first who moved",
    "/join/{token}": "club, who invites, the reader's player, his role",
    "/clubs/{club}/seasons/found": "club, its own games",
    "/clubs/{club}/seasons/found?game=totals-{club_game}": "club, its own games, the last season of the game",
    "/clubs/{club}/seasons/found?game=tarot": "club, the last season of the game",
    "/seasons/{season}/": "version, season with its club, season with its history, number of standings, "
    "evenings, their rankings, a page of standings, adjustments for the race, its players",
    "/seasons/{season}/?on={past}": "version, season with its club, season with its history, adjustments, "
    "players' names, evenings, their rankings",
    "/seasons/{season}/standings.csv?on={past}": "season with its club, evenings, adjustments, players' names",
    "/seasons/{season}/standings.csv": "season with its club, evenings, standings",
    "/seasons/{season}/standings.xlsx": "season with its club, evenings, standings",
    "/seasons/{season}/standings/paper": "season with its club, role, evenings, standings",
    "/seasons/{season}/standings/{player}": "version, "
    "season with its club, standing with its player, evenings of the season, evenings, number ranked, "
    "adjustments, above, below, level, role, what waits",
    "/seasons/{season}/close": "season with its club, adjustments, evenings, incomplete tables, unchecked deals, "
    "contests, what waits, players' names, role",
    "/seasons/{finished}/honours": "version, "
    "season with its club and what the reader may see of it, the first three, evenings, adjustments for the race, "
    "its players, champions of all years, records, who has most, biggest jump",
    "/seasons/{finished}/final-table": "season with its club, role, standings, what was kept, evenings",
    "/clubs/{club}/hall-of-fame": "version, club with the reader's role, seasons, champions, winners of tournaments, "
    "records, who has most, biggest jump",
    "/seasons/{season}/records": "version, "
    "season with its club and what the reader may see of it, records, who has most, "
    "biggest jump",
    "/seasons/{finished}/reopen": "season with its club, what was kept, role",
    "/seasons/{finished}/": "version, "
    "season with its club, season with its history, number of standings, evenings, "
    "their rankings, a page of standings, adjustments for the race, its players",
    "/seasons/{season}/rules": "season with its club, role, is a total written, is a deal recorded, "
    "evenings from which house rules may change, changes of them",
    "/seasons/{season}/standings-rules": "season with its club, evenings, role, other seasons, drafts",
    "/seasons/{season}/standings-rules.json": "season with its club",
    "/seasons/{season}/drafts": "season with its club, drafts, seasons that were played, role, "
    "adjustments, by the first draft, by the second, names",
    "/seasons/{season}/drafts?house-half_point_short=void": "season with its club, drafts, seasons that were played, "
    "role, seats, deals, rests, adjustments, by the first draft, by the second, by other house rules, names",
    "/seasons/{season}/evenings/plan-many": "season with its club, role",
    "/seasons/{season}/copy": "season with its club, evenings, names of the club's seasons",
    "/seasons/{season}/bring-in": "season with its club, lists that wait",
    "/seasons/{season}/bring-in/deals": "season with its club, lists that wait",
    "/bring-in/{import}": "job, season with its club, role",
    "/clubs/import/{club_import}": "job",
    "/seasons/{season}/adjustments": "season with its club, the club's people, adjustments",
    "/seasons/{season}/evenings/plan": "season with its club, role",
    "/evenings/{closed}/": "version, evening with its season and club, evening with its jump, ranking, rounds, "
    "seats, deals, the closest table",
    "/evenings/{evening}/": "version, evening with its season and club, evening with its jump, ranking, rounds, seats, "
    "the viewer's seat, incomplete tables",
    "/evenings/{evening}/ranking.csv": "evening with its season and club, ranking",
    "/evenings/{evening}/ranking.xlsx": "evening with its season and club, ranking",
    "/evenings/{evening}/deals.csv": "evening with its season and club, tables, seats, deals, scores",
    "/evenings/{evening}/deals.xlsx": "evening with its season and club, tables, seats, deals, scores",
    "/evenings/{evening}/picture.png": "evening with its season and club, mark",
    "/evenings/{evening}/card.png": "evening with its season and club, mark",
    "/evenings/{evening}/edit": "evening with its season and club, role",
    "/evenings/{evening}/close": "evening with its season and club, rounds, tables, seats, rests, who is there, "
    "unchecked deals, contests, planned rounds, role",
    "/clubs/{club}/contests": "club, role, contests",
    "/evenings/{evening}/contests": "evening with its season and club, role, contests",
    "/evenings/{evening}/projector": "evening with its season and club, role",
    "/live/{live}": "right, evening with its season and club, rounds, tables, seats, rests, ranking, new deals, "
    "their scores",
    "/screen/{screen_code}": "open evenings with their seasons and clubs, rounds, tables, seats, rests, ranking, "
    "new deals, their scores",
    "/live/{live}/screen.html": "right, evening with its season and club, rounds, tables, seats, rests, ranking, "
    "new deals, their scores",
    "/live/{live}/evening.html": "right, evening with its season and club, ranking, rounds, seats",
    "/evenings/{evening}/hall": "evening with its season and club, rounds, role",
    "/evenings/{evening}/cancel": "evening with its season and club, role",
    "/evenings/{closed}/reopen": "evening with its season and club, role",
    "/evenings/{evening}/players": "evening with its season and club, role, next round, who is found, who of them is "
    "there, sums",
    "/attendances/{attendance}/edit": "attendance with its player, evening with its season and club, role, next round",
    "/attendances/{attendance}/name": "attendance with its player, evening with its season and club, role, next round",
    "/clubs/{club}/members/{membership}/merge": "club, membership with its player, merges, people",
    "/clubs/{club}/apart": "club, role, pairs, people, people again for the other field",
    "/evenings/{evening}/draw": "evening with its season and club, rounds, tables, seats, rests, who is there, who is "
    "kept apart, who came as a pair, teams, who met, odd tables, rests before, role, names",
    "/rounds/{round}/sheets": "round with its evening and club, tables, seats, role",
    "/rounds/{round}/poster": "round with its evening and club, tables, seats, who rests, role",
    "/seasons/{season}/teams": "season with its club, role, teams, members, standings of members",
    "/seasons/{season}/teams/add": "season with its club, role, people",
    "/teams/{team}/": "team with its season and club, role, teams, members, standings of members, evenings",
    "/teams/{team}/edit": "team with its season and club, members, role, people",
    "/rounds/{round}/catch-up": "round with its evening and club, rests, role",
    "/evenings/{evening}/attendance-list": "evening with its season and club, role, who is there",
    "/seasons/{season}/sheet": "season with its club, role",
    "/rounds/{round}/swap": "round with its evening and club, tables, seats, who rests, role",
    "/evenings/{evening}/seating": "evening with its season and club, rounds, tables, seats, role, number present",
    "/evenings/{evening}/tables/add": "evening with its season and club, last round, this round, who sits in it, "
    "who is present, who else is in the club, role",
    "/evenings/{evening}/sheets": "evening with its season and club, rounds, tables, seats, rests, deals, contests, "
    "the deals' facts, role",
    "/evenings/{closed}/errata": "evening with its season and club, when it was closed, tables, seats' history, "
    "players' names, deals' history, reopenings, role",
    "/tables/{table}/swap": "table with its club, seats, tables of its size, their seats, role",
    "/tables/{table}/": "table with its club, role, seats, deals, scores, the next sheet, voided deals",
    "/tables/{table}/seats": "table with its club, seats, who sits elsewhere, who is present, who else is in the club, "
    "role",
    "/tables/{table}/totals": "table with its club, seats, role",
    "/tables/{table}/grid": "table with its club, seats, seats of the sheet, deals, scores, role, the next sheet",
    "/tables/{table}/deals/record": "table with its club, seats, role",
    "/at/{at}": "table with its club, seats, seats of the sheet, deals, scores",
    "/deals/{deal}/": "deal with its table, seats, history, who wrote it, role, contests",
    "/deals/{deal}/contest": "deal with its table, is the reader a member, role, seats",
    "/contests/{contest}/answer": "contest with its deal, deal with its table, role, seats",
    "/deals/{deal}/revise": "deal with its table, seats, role",
    "/deals/{deal}/consequences": "deal with its table, the table's points, ranking, "
    "trial begins, door "
    "begins, whose table, calendar held, table held, deal, deal voided, scores gone, later ones moved up, seats, sums, "
    "points written, table written, rests, audit entry, door ends, the table's points, ranking, "
    "trial taken back, "
    "trial ends, who moves, role",
    "/deals/{deal}/void": "deal with its table, seats, role",
    "/players/{player}/": "version, player, clubs, evenings with their seasons, results of a page of them, "
    "current places, tournaments, ratings with their history",
    "/players/{player}/statistics/tarot": "version, player, seasons, counters, names, everybody's counters",
    "/players/{player}/compare?q=Given": "player, who is found",
    "/players/{player}/compare/{other}": "version, "
    "both players, their standings with seasons and clubs, counters, "
    "rankings, ratings",
    "/players/{player}/?season={season}": "version, player, clubs, evenings with their seasons, their results, "
    "ratings with their history, adjustments, what the standings say",
    "/players/{player}/ratings/tarot": "version, player, the last run of the game, number of dates, a page of them",
    "/players/{player}/ratings/tarot/{rated}": "version, "
    "player, this date and the one before, its evenings, their tables, "
    "rating rules, what everyone held before, tables that the reader may see, names",
    "/api": "",
    "/tokens": "whether a club is there to write in, tokens, clubs",
    "/api/v1/openapi.json": "",
    "/api/v1/clubs": "number of clubs, a page of them",
    "/api/v1/clubs/{club}": "club, tonight's evenings, next evening",
    "/api/v1/clubs/{club}/seasons": "club, number of seasons, a page of them",
    "/api/v1/clubs/{club}/members": "club, number of people, a page of them",
    "/api/v1/clubs/{club}/hall-of-fame": "club, seasons, champions, biggest jump, records, who has most, "
    "winners of tournaments",
    "/api/v1/seasons/{season}": "season with its club, evenings",
    "/api/v1/seasons/{season}/standings": "season with its club, number of standings, a page of them",
    "/api/v1/seasons/{season}/standings?on={past}": "season with its club, adjustments, players' names",
    "/api/v1/seasons/{season}/standings/{player}": "season with its club, standing with its player, evenings, "
    "number ranked, adjustments, above, below, level",
    "/api/v1/seasons/{season}/evenings": "season with its club, number of evenings, a page of them",
    "/api/v1/seasons/{finished}/honours": "season with its club, biggest jump, records, who has most, the first three",
    "/api/v1/tournaments": "number of tournaments, a page of them, units, winners",
    "/api/v1/tournaments/{tournament}": "tournament with its club, units, winners",
    "/api/v1/tournaments/{running}/teams": "tournament with its club, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/api/v1/tournaments/{running}/clubs": "tournament with its club, evening with its season, attendances, "
    "units, players, rounds, seats with tables, rests, forfeits",
    "/api/v1/evenings/{evening}": "evening with its season and club, rounds, tables, seats, rests",
    "/api/v1/evenings/{evening}/ranking": "evening with its season and club, ranking",
    "/api/v1/evenings/{evening}/rounds/1/tables": "evening with its season and club, round, number of tables, "
    "a page of them, seats",
    "/api/v1/tables/{table}": "table with its club, seats, deals, scores",
    "/api/v1/deals/{deal}": "deal with its table, seats, contests, history, who wrote it",
    "/api/v1/players/{player}": "player, clubs, current places, ratings",
    "/api/v1/players/{player}/results": "player, number of evenings, a page of them, their results",
    "/api/v1/players/{player}/tournaments": "player, number of tournaments, a page of them",
    "/api/v1/players/{player}/ratings/tarot": "player, number of dates, a page of them",
    "/api/v1/players/{player}/statistics/tarot": "player, seasons, counters, names, everybody's counters",
    "/api/v1/games": "",
    "/api/v1/games/tarot/leaderboard": "number of ratings, a page of them",
    "/api/v1/games/tarot/leaderboard?on={past}": "number of ratings, a page of them",
    "/api/v1/games/tarot/records": "seasons, records, who has most",
    "/healthz": "last good run and first run, latest checks, failed runs, savepoint, little memory, a write, release",
    "/livez": "one",
    "/app.webmanifest": "",
    "/service-worker.js": "",
    "/offline": "",
    "/looks": "",
    "/jobs": "number of jobs, a page of them",
    "/watch": "number of runs, last run, latest checks, failed runs, savepoint, little memory, a write, release, "
    "missing sheets, evenings, what waits, jobs, letters that could not go out, letters, unsent ones, "
    "second factor, a page of runs",
    "/games/": "",
    "/games/tarot/rules": "",
    "/games/tarot/calculator": "",
    "/games/tarot/records": "version, whom the reader knows by another name, seasons, records, who has most",
    "/games/tarot/leaderboard": "version, "
    "number of ratings, what waits, the last run of the game, a page of them, clubs",
    "/games/tarot/leaderboard?on={past}": "version, number of ratings, a page of them, clubs",
    "/games/tarot/leaderboard.csv": "ratings",
    "/games/tarot/leaderboard.xlsx": "ratings",
    "/games/tarot/rating-rules": "the rules chosen",
    "/games/tarot/rating-rules?try=1": "the rules chosen, number of tables, the newest ones' seats",
}
ROOT_PAGES = ("/audit", "/jobs", "/watch", "/looks", "/games/tarot/rating-rules")  # for the installation's admin alone


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much there is of everything: evenings a season, tables a round, deals a table."""

    seasons: int
    evenings: int
    tables: int
    deals: int
    players: int


SIZES = {
    "small": Size(seasons=1, evenings=2, tables=1, deals=4, players=6),
    "large": Size(seasons=3, evenings=6, tables=5, deals=6, players=40),
}


@pytest.fixture(scope="module")
def that_evening() -> Iterator[None]:
    """Ratings that nobody added to for long leave the leaderboard, and with them a query."""
    with time_machine.travel(NOW):
        yield


@pytest.fixture(scope="module", params=[pytest.param("small", marks=pytest.mark.faults), "large"])
def club(
    request: pytest.FixtureRequest, that_evening: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[Place, str]]:
    """What stands for each {word} in an address, and the session of the club's admin."""
    with django_db_blocker.unblock(), transaction.atomic():
        grown_club = a_grown_club(SIZES[request.param])
        settle()
        yield grown_club
        transaction.set_rollback(True)


def a_grown_club(size: Size) -> tuple[Place, str]:
    """Return a club whose seasons have closed evenings; the first season's last evening is open."""
    club = a_club(table_entry=True, public=True)
    admin = a_member(club, Role.ADMIN)
    players = [admin, *(a_member(club, login=False) for _ in range(size.players - 1))]
    seasons = [a_season(club, end_number=1) for _ in range(size.seasons)]
    for season in seasons[1:]:
        play(season, 0, players, size)
    evenings = [play(seasons[0], number, players, size) for number in range(size.evenings)]
    closed, evening = evenings[0], evenings[-1]
    for season in seasons:
        an_evening(season, EveningState.PLANNED, NOW.date() + timedelta(days=7))
    for open_evening in (*evenings[:-1], *Evening.objects.filter(season__in=seasons[1:]).in_progress()):
        evenings_actions.close(open_evening.pk, now=NOW)
    finished = a_season(club, end_number=1)
    for number in range(size.evenings):
        evenings_actions.close(play(finished, number, players, replace(size, tables=1, deals=1)).pk, now=NOW)
    season_closing.close(finished.pk, now=NOW)
    run, *_rest = [runs.run(Run.Trigger.NIGHT, now=NOW, everything=True) for _ in range(size.evenings)]
    table = evening.rounds.get(number=1).tables.get(number=1)
    client = sign_in(Client(), admin)
    tournament = a_tournament(club, places=size.players)
    units = [a_unit(tournament, names_public=True) for _ in range(size.players)]
    invitation = an_invitation(club, places=size.players)
    club_units = [a_club_unit(invitation) for _ in range(size.players)]
    for _ in range(size.players):
        tournaments.invite_club(tournament.pk, a_club(public=True))
    running = a_running_tournament(club, units=size.players)
    some_prizes(running)
    for _ in range(size.players):
        registrations.register_at_desk(running.pk, Registration([PlayerEntry("Ann"), PlayerEntry("Bob")]), now=NOW)
    pairs = [players[first : first + 2] for first in range(0, len(players) - 1, 2)]
    teams = [
        teams_actions.store_team(seasons[0].pk, f"Team {number}", [player.pk for player in pair])
        for number, pair in enumerate(pairs)
    ]
    return {
        "team": teams[0].pk,
        "tournament": tournament.pk,
        "running": running.pk,
        "in_finals": a_tournament_in_finals(club, units=min(size.players, 12)).pk,
        "tournament_round": a_drawn_round(running).pk,
        "tournament_preset": tournament_presets.save_preset(tournament, "As last year").pk,
        "invitation": invitation.pk,
        "club_unit": club_units[0].pk,
        "unit": units[0].pk,
        "registration": registration_links.registration_token(units[0]),
        "club": club.slug,
        "club_game": a_club_game(club).pk,
        "webhook": with_messages(club, size).pk,
        "mark": a_mark(club),
        "import": an_import(seasons[0]),
        "club_import": a_club_import(club),
        "membership": club.memberships.get(player=players[-1]).pk,
        "run": run.pk,
        "calendar_key": renew_calendar_key(user_of(admin)),
        "stop": unsubscribe_links.sign_link(UnsubscribeLink(user_of(admin).pk, NotificationKind.PLANNED)),
        "token": sign_invitation(Invitation(club=club.pk, key=club.invite_key, invited_by=admin.pk)),
        "season": drafted(seasons[0]).pk,
        "finished": finished.pk,
        "closed": closed.pk,
        "live": fragments.sign_live_token(watched(evening)),
        "screen_code": fragments.hall_screen_code(evening.pk, evening.entry_key),
        "evening": evening.pk,
        "table": table.pk,
        "at": table_codes.code_of_table(Table.objects.with_club().get(pk=table.pk)),
        "round": table.round_id,
        "attendance": evening.attendances.all()[0].pk,
        "deal": (deal := corrected(table.dealt.get(number=1), admin, size)).pk,
        "contest": contested(deal, players[: size.evenings]),
        "player": players[1].pk,
        "other": players[2].pk,
        "rated": players[1].rating_steps.latest("date").date,
        "past": closed.date,
    }, client.cookies[settings.SESSION_COOKIE_NAME].value


def play(season: Season, number: int, players: list[Player], size: Size) -> Evening:
    """Return an open evening: one round of tables with their deals, and a second one with a table that lacks them."""
    evening = an_evening(season, on=NOW.date() - timedelta(days=7 * (size.evenings - number)))
    shift = number * 4 % len(players)
    seated = iter([*players[shift:], *players[:shift]])
    for _ in range(size.tables):
        table = a_table(evening, [next(seated) for _ in range(4)])
        for _ in range(size.deals):
            a_deal(table)
    later = Round.objects.create(evening=evening, number=2)
    for _ in range(size.tables):
        guest = a_player()
        a_table(evening, [guest, a_player(), a_player()], round_number=2)
        Attendance.objects.filter(evening=evening, player=guest).update(standing=AttendanceRole.GUEST)
        Rest.objects.create(round=later, player=next(seated), kind=RestKind.EXEMPT)
    return evening


def with_messages(club: Club, size: Size) -> Webhook:
    """Return one of the club's addresses, with as many messages as there are evenings."""
    hooks = [a_webhook(club, f"https://club.example/{number}") for number in range(size.seasons)]
    for _ in range(size.evenings):
        webhooks.send_test(hooks[0], now=NOW)
    return hooks[0]


def drafted(season: Season) -> Season:
    """Return the season with two drafts of other rules."""
    for name in ("Sum", "All"):
        rules_drafts_actions.save_draft(season.pk, name, StandingsRules())
    return season


def contested(deal: Deal, players: list[Player]) -> int:
    """Return one of the deal's contests: each player has raised one."""
    raised = [contests_actions.record_contest(deal.pk, player_id=player.pk, reason="34", now=NOW) for player in players]
    return int(raised[0].pk)


def corrected(deal: Deal, writer: Player, size: Size) -> Deal:
    """Return the deal after as many revisions as there are evenings, with another deal of its table voided."""
    with pghistory.context(user=writer.user_id):
        for _ in range(size.evenings):
            deal = deals_actions.revise(deal.pk, TAKE, client_key=uuid4(), seen_version=deal.version, now=NOW)
        for second_deal in deal.table.dealt.exclude(pk=deal.pk)[: size.deals - 1]:
            deals_actions.void(second_deal.pk, client_key=uuid4(), seen_version=second_deal.version, now=NOW)
    return deal


@pytest.mark.parametrize("address", PAGES)
def test_a_page_needs_its_queries_and_no_more(
    club: tuple[Place, str], address: str, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    places, session = club
    client.cookies[settings.SESSION_COOKIE_NAME] = session
    if address.startswith(ROOT_PAGES):
        client.force_login(User.objects.create_superuser("root@club.example"))
        cache.clear()
    # A viewer of the screen is not identified.
    signed_in = [] if address.startswith(("/live/", "/screen/", "/healthz", "/livez")) else SIGNED_IN
    budget = signed_in + [query for query in PAGES[address].split(", ") if query]
    with django_assert_num_queries(len(budget)):
        response = client.get(address.format(**places), headers={"accept-encoding": "gzip"})
    assert response.status_code == 200
    if response.headers["Content-Type"].startswith("text/html"):
        compressed = "Content-Encoding" in response.headers
        assert compressed or len(response.content) < 200 or address.startswith(("/live/", "/screen/"))  # a proxy may
        assert len(response.content if compressed else gzip.compress(response.content)) <= WIRE


def test_every_page_has_its_budget() -> None:
    ours = {
        row.address
        for row in ROWS
        if row.method == "GET"
        and not row.address.startswith(("/account/", "/repairs/"))
        and set(row.expected.values()) != {"404"}  # no page at all
        and "302" not in row.expected.values()  # it leads on to one
    }
    assert {view_name(address) for address in PAGES} == {view_name(address) for address in ours}
