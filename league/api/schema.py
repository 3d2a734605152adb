"""The API object and its OpenAPI schema."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest
from django.utils import translation
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.parser import Parser

from league.api.authentication import Token
from league.api.problems import MEDIA_TYPE, ProblemDetails, add_problem_handlers
from scoring import json_lines
from scoring.game import all_games

READ_PROBLEMS: Final = {
    401: "The token is unknown, revoked or past its last day.",
    404: "Nothing has this address, or the user may not see it.",
    405: "The address has another method: `Allow` names it.",
    422: "A parameter or a field does not fit; `errors` names it.",
    429: "Too many requests. Retry-After has the number of seconds to wait.",
}
WRITE_PROBLEMS: Final = {
    400: "The body is not JSON.",
    403: "The token lacks the scope, or its owner the right.",
    409: "Not possible in this state, or changed by another user meanwhile: `current` has the present state.",
    413: "The body is too large.",
    415: "The body is not sent as application/json.",
}
PROBLEM_CONTENT: Final = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
DEAL_BODIES: Final = ("NewDeal", "RevisedDeal")  # schemas with the facts of a deal

CURL_EXAMPLE: Final = """curl {site}/api/v1/clubs
curl -H "Authorization: Bearer league_…" {site}/api/v1/clubs"""


class StrictParser(Parser):
    """Parse JSON that PostgreSQL can store: no NaN, no duplicate key, no lone surrogate, no NUL character."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the parsed body. The API responds 400 to any exception."""
        value = json_lines.parse(request.body, ".".join)
        if rb"\u0000" in json_lines.encode(value).encode():
            raise ValueError
        return value


class LeagueApi(NinjaAPI):
    """The API. Endpoints that only read also accept requests without a token."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._schemas: dict[str, OpenAPISchema] = {}

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """Return the OpenAPI schema, created once per prefix: it takes 60 ms and depends only on the code."""
        prefix = path_prefix if path_prefix is not None else self.get_root_path(path_params or {})
        if prefix not in self._schemas:
            with translation.override("en"):
                self._schemas[prefix] = self._make_schema(prefix)
        return self._schemas[prefix]

    def _make_schema(self, path_prefix: str) -> OpenAPISchema:
        """Return the schema with the errors of every endpoint and the facts of each game."""
        schema = super().get_openapi_schema(path_prefix=path_prefix)
        components = schema["components"]["schemas"]
        components |= _problem_schemas() | (facts := _facts_of_games())
        for name in DEAL_BODIES:
            components[name]["properties"]["facts"] = {
                "anyOf": [{"$ref": f"#/components/schemas/{facts_name}"} for facts_name in facts]
            }
        for methods in schema["paths"].values():
            for method, operation in methods.items():
                problems = READ_PROBLEMS
                if method == "get":
                    operation["security"] = [{}, *operation.get("security", [])]
                else:
                    problems = READ_PROBLEMS | WRITE_PROBLEMS
                operation["responses"] |= {
                    status: {"description": text, "content": PROBLEM_CONTENT} for status, text in problems.items()
                }
        return schema


def _problem_schemas() -> dict[str, Any]:
    definition = ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    return {**definition.pop("$defs", {}), "ProblemDetails": definition}


def _facts_of_games() -> dict[str, Any]:
    """Return the JSON Schemas of the facts of deals by name, such as TarotFacts5 for tables of five players."""
    return {
        f"{game.slug.title().replace('-', '')}Facts{size}": {
            "description": f"{game.name}, {size} players at the table.",
            **game.deal_form([f"Seat {seat}" for seat in range(size)]).facts_schema(),
        }
        for game in all_games()
        for size in game.sizes
    }


api = LeagueApi(
    title="League manager",
    version="1",
    description="Everything that the pages of clubs show, as data. A token with a scope also writes.",
    urls_namespace="api",
    docs_url=None,
    auth=Token(),
    parser=StrictParser(),
)
add_problem_handlers(api)
