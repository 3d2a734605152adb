"""The API object and its OpenAPI schema."""

from __future__ import annotations

from typing import Any, Final

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from league.api.problems import MEDIA_TYPE, ProblemDetails, add_problem_handlers
from league.api.reader import Token

PROBLEMS: Final = {
    401: "The token is unknown, revoked or past its last day.",
    404: "Nothing has this address, or the user may not see it.",
    405: "The API is read only: GET and HEAD.",
    422: "A parameter does not fit the schema; `errors` names it.",
    429: "Too many requests. Retry-After has the number of seconds to wait.",
}
CONTENT: Final = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}

CURL_EXAMPLE: Final = """curl {site}/api/v1/clubs
curl -H "Authorization: Bearer league_…" {site}/api/v1/clubs"""


class ReadOnlyApi(NinjaAPI):
    """Each endpoint accepts requests with or without a token."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._schemas: dict[str, OpenAPISchema] = {}

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """Return the schema, made once for each prefix: it depends on the code alone and takes 60 ms."""
        prefix = path_prefix if path_prefix is not None else self.get_root_path(path_params or {})
        if prefix not in self._schemas:
            self._schemas[prefix] = self._make_schema(prefix)
        return self._schemas[prefix]

    def _make_schema(self, path_prefix: str) -> OpenAPISchema:
        """Add the errors that every endpoint may return."""
        schema = super().get_openapi_schema(path_prefix=path_prefix)
        schema["components"]["schemas"] |= _definitions()
        for methods in schema["paths"].values():
            for operation in methods.values():
                operation["security"] = [{}, *operation.get("security", [])]
                operation["responses"] |= {
                    status: {"description": text, "content": CONTENT} for status, text in PROBLEMS.items()
                }
        return schema


def _definitions() -> dict[str, Any]:
    definition = ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    return {**definition.pop("$defs", {}), "ProblemDetails": definition}


api = ReadOnlyApi(
    title="League manager",
    version="1",
    description="Everything that the pages of clubs show, as data. Read only.",
    urls_namespace="api",
    docs_url=None,
    auth=Token(),
)
add_problem_handlers(api)
