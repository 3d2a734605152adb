"""Each action writes one entry of the audit log, or is listed here with the reason why it writes none or several."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.writers import SEVERAL_ENTRIES

ACTIONS: Final = Path(__file__).resolve().parent.parent / "league" / "actions"
NO_ACTION: Final = {
    "audit",
    "club_emails",
    "notifications",
    "advisory_locks",
    "pending_recomputes",
    "registration_emails",
    "refusals",
    "season_lock",
}
LOG: Final = {"log", "log_in_clubs", "log_tournament"}

# What writes no entry, or is called by actions that log.
WITHOUT: Final = {
    "account_deletion.delete_login": "shared by actions",
    "email_events.record_returned_email": "a login's own",
    "email_events.record_spam_complaint": "a login's own",
    "email_events.resume_emails": "a login's own",
    "separations.add_separation": "names two people and is shown only to those who draw",
    "separations.remove_separation": "names two people and is shown only to those who draw",
    "api_tokens.end_program_access": "a login's own; history and an email to its owner",
    "api_tokens.create_token": "a login's own; history and an email to its owner",
    "api_tokens.record_token_use": "a login's own",
    "api_tokens.revoke_token": "a login's own; history",
    "api_writes.write_once": "the action that it calls logs",
    "attendance.record_intention": "a member's own; history",
    "attendance.add_attendances": "shared by actions",
    "club_appearance.reencode_picture": "saves a picture to memory",
    "clubs.renew_invitation_key": "shared by actions",
    "evenings.store_closed": "shared by actions",
    "evenings.store_reopened": "shared by actions",
    "rests.update_rest_points": "shared by actions",
    "rounds.create_round": "shared by actions",
    "club_deletion.delete_club_if_due": "calls `delete_club`, which logs",
    "club_import.import_club_for_user": "calls `import_club`, which logs",
    "deals.score_all_deals": "shared by actions",
    "revocations.reapply_revocations": "part of a restore",
    "revocations.store_revocations": "part of a backup",
    "erasure.reapply_erasure": "part of a restore",
    "imports.delete_import_jobs": "part of the deletion of a club",
    "jobs.enqueue": "the job itself logs",
    "jobs.fail": "called by the runner, and by `cancel`, which logs",
    "result_import.remember_columns": "a help for the next import",
    "people.store_listed_people": "shared by actions",
    "player_names.choose_naming": "a person's own choice, which may hide a name",
    "player_names.apply_club_name_defaults": "shared by actions",
    "registration_retention.delete_contact_data": "part of the deletion of an account",
    "registration_retention.delete_player_registration_data": "part of erasing a person",
    "rounds.store_drawn_rounds": "a plan counts for nothing until it is accepted",
    "rules_drafts.save_draft": "a draft counts for nothing",
    "rules_drafts.delete_draft": "a draft counts for nothing",
    "webhooks.delete_old_messages": "removes old messages",
    "webhooks.drop_waiting_messages": "part of a restore",
    "webhooks.end_delivery": "the job's own",
    "webhooks.record_evening_closed": "shared by actions",
    "webhooks.record_results_published": "shared by actions",
    "webhooks.record_standings_changed": "shared by actions",
    "webhooks.retry_delivery": "logged as the retry of its job",
    "webhooks.send_test": "changes nothing; the address's page shows it",
    "rules_drafts.set_visible": "a draft counts for nothing",
    "people.rename_guest": "shared by actions",
    "season_closing.replace_player_in_frozen_standings": "shared by actions",
    "seating.store_players": "shared by actions",
    "sessions.require_second_factor_in_other_sessions": "a login's own sessions",
    "tables.update_totals": "shared by actions",
    "tournament_play.begin_round": "calls `rounds.accept`, which logs",
    "tournament_ranks.update_final_ranks": "shared by actions, and part of a run",
    "waiting_list.give_place": "shared by actions",
}
WRITES: Final = {
    "save",
    "create",
    "get_or_create",
    "update_or_create",
    "bulk_create",
    "bulk_update",
    "update",
    "delete",
}


def _functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    for path in sorted(ACTIONS.glob("*.py")):
        if path.stem not in NO_ACTION:
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.FunctionDef):
                    yield f"{path.stem}.{node.name}", node


def _called(function: ast.FunctionDef) -> list[str]:
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    return [call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls]


def _writers() -> dict[str, int]:
    """Return the public functions that write, by themselves or by functions of their module, and their calls of log."""
    bodies = dict(_functions())
    log_calls = {}
    for name, function in bodies.items():
        module, _, function_name = name.partition(".")
        called, visited = _called(function), {function_name}
        for callee in called:
            if callee.startswith("_") and callee not in visited and f"{module}.{callee}" in bodies:
                visited.add(callee)
                called += _called(bodies[f"{module}.{callee}"])
        if not function_name.startswith("_") and (WRITES | LOG).intersection(called):
            log_calls[name] = sum(callee in LOG for callee in called)
    return log_calls


def test_each_action_logs_or_is_listed_with_its_reason() -> None:
    """That none logs twice is checked by tests/writers.py, in every test."""
    logs = _writers()
    assert {name for name, number in logs.items() if not number} <= WITHOUT.keys() | SEVERAL_ENTRIES.keys()
    assert {name for name in WITHOUT if logs.get(name)} == set()
    assert WITHOUT.keys() | SEVERAL_ENTRIES.keys() <= {name for name, _function in _functions()}
