from league.models.api_token import ApiToken, ApiWrite
from league.models.audit_entry import AuditEntry
from league.models.check import Check
from league.models.club import Club, Membership, Separation
from league.models.club_change import ClubChange
from league.models.club_game import ClubGame
from league.models.club_mark import ClubMark
from league.models.contest import Contest
from league.models.deal import Deal
from league.models.demo_installation import DemoInstallation
from league.models.evening import Attendance, Evening, Intention
from league.models.finals import Finals, FinalsGame, FinalsUnit
from league.models.hall_copy import HallCopy
from league.models.house_rules_change import HouseRulesChange
from league.models.job import Job
from league.models.list_columns import ListColumns
from league.models.merge import Merge
from league.models.notification import Notification, NotificationChoice
from league.models.pending_recompute import PendingRecompute
from league.models.player_statistics import PlayerStatistics
from league.models.prize import Prize, PrizeCategory, PrizeCategoryMember, PrizeLot, PrizePlan, PrizeReceipt
from league.models.revocation import Revocation
from league.models.round import Rest, Round
from league.models.rules_draft import RulesDraft
from league.models.run import RankChange, Run
from league.models.score import Score
from league.models.season import Season
from league.models.season_closing import SeasonClosing
from league.models.season_record import SeasonRecord
from league.models.standing import Adjustment, Standing
from league.models.table import Seat, Table
from league.models.team import Team, TeamMember
from league.models.tournament import Forfeit, Tournament, TournamentClub, TournamentUnit, UnitPlayer
from league.models.tournament_preset import TournamentPreset
from league.models.tournament_rank import TournamentRank
from league.models.webhook import Webhook, WebhookDelivery

__all__ = [
    "Adjustment",
    "ApiToken",
    "ApiWrite",
    "Attendance",
    "AuditEntry",
    "Check",
    "Club",
    "ClubChange",
    "ClubGame",
    "ClubMark",
    "Contest",
    "Deal",
    "DemoInstallation",
    "Evening",
    "Finals",
    "FinalsGame",
    "FinalsUnit",
    "Forfeit",
    "HallCopy",
    "HouseRulesChange",
    "Intention",
    "Job",
    "ListColumns",
    "Membership",
    "Merge",
    "Notification",
    "NotificationChoice",
    "PendingRecompute",
    "PlayerStatistics",
    "Prize",
    "PrizeCategory",
    "PrizeCategoryMember",
    "PrizeLot",
    "PrizePlan",
    "PrizeReceipt",
    "RankChange",
    "Rest",
    "Revocation",
    "Round",
    "RulesDraft",
    "Run",
    "Score",
    "Season",
    "SeasonClosing",
    "SeasonRecord",
    "Seat",
    "Separation",
    "Standing",
    "Table",
    "Team",
    "TeamMember",
    "Tournament",
    "TournamentClub",
    "TournamentPreset",
    "TournamentRank",
    "TournamentUnit",
    "UnitPlayer",
    "Webhook",
    "WebhookDelivery",
]
