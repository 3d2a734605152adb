"""The page of a game's rules: RULES.md as HTML, and the examples of examples.toml with the engine's explanations.

Both are in the viewer's language if the folder has a translation. RULES.fr.md is the whole text; examples.fr.toml has
only titles and texts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from scoring.entry import filled_fields
from scoring.game import Game
from scoring.phrases import Explanation, explain

_SOURCE = re.compile(r"\s*\((?:document )?(00\d[^()]*)\)")  # "(001, 2.4 and 3)"
_DECISION = re.compile(
    r"\*\*D[eé]cision(?:\s?:\*\*|\*\* \((?P<clauses>[^)]*)\))"
)  # "**Decision:** …", "**Decision** (B3.2). …"
_CLAUSE = re.compile(r"(?:\*\*)?([A-Z]\d+(?:\.\d+)*)\b")  # "B1 The cards", "**B1.1** Trumps: …"
TOP_HEADING_LEVEL = 2  # the page's own h1 is above
LANGUAGES = ("fr",)  # languages, other than English, of the rules and examples of every game


class RulesText(NamedTuple):
    """RULES.md as safe HTML (HTML in the Markdown is escaped). `sections` are (HTML id, title) of its sections.

    Sources and decisions of the clauses are in <details> elements.
    """

    html: str
    sections: tuple[tuple[str, str], ...]


class Example(NamedTuple):
    """A worked example: a deal, the points that the source document gives for it, and the engine's explanation.

    `facts` and `house_rules` are (label, value as text). `earlier` has short descriptions of the table's previous
    deals.
    """

    title: str
    text: str
    earlier: list[str]
    facts: list[tuple[str, str]]
    house_rules: list[tuple[str, str]]
    points: Sequence[int]
    explanation: Explanation


def rules(folder: Path) -> RulesText:
    """Return RULES.md of a game's folder as HTML, in the viewer's language.

    The HTML id of a clause is its number, so that explanations of deals can link to it.
    """
    return _render_rules(_localised_path(folder / "RULES.md"), get_language())


def _localised_path(path: Path) -> Path:
    language = (get_language() or "en").partition("-")[0]
    translated = path.with_suffix(f".{language}{path.suffix}")
    return translated if translated.exists() else path


@cache
def _render_rules(path: Path, _language: str | None) -> RulesText:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(path.read_text(encoding="utf-8"))
    _shift_headings(tokens)
    _set_clause_ids(tokens)
    _style_tables(tokens)
    tokens = list(_fold_decisions(markdown, tokens))
    sections = tuple(
        (str(token.attrGet("id")), tokens[index + 1].content)
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == f"h{TOP_HEADING_LEVEL}" and token.attrGet("id")
    )
    return RulesText(markdown.renderer.render(tokens, markdown.options, {}), sections)


def _shift_headings(tokens: Sequence[Token]) -> None:
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    highest = min((int(token.tag[1]) for token in headings), default=TOP_HEADING_LEVEL)
    for token in headings:
        token.tag = f"h{min(int(token.tag[1]) + TOP_HEADING_LEVEL - highest, 6)}"


def _set_clause_ids(tokens: Sequence[Token]) -> None:
    clauses = set()
    for index, token in enumerate(tokens):
        clause = _CLAUSE.match(token.content) if token.type == "inline" else None
        if clause is None or clause[1] in clauses or tokens[index - 1].type not in ("heading_open", "paragraph_open"):
            continue
        clauses.add(clause[1])
        # The paragraphs of a tight list are not rendered, its items are.
        tokens[index - 2 if tokens[index - 1].hidden else index - 1].attrSet("id", clause[1])


def _style_tables(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("class", "text-nowrap")
            token.attrSet("tabindex", "0")  # a wide table scrolls, also by keyboard
        # Alignment as a class: the content policy allows no style attribute.
        elif token.type in ("th_open", "td_open") and "right" in str(token.attrs.pop("style", "")):
            token.attrSet("class", "num")


def _fold_decisions(markdown: MarkdownIt, tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens with each decision in a <details> element. A decision is the text from “**Decision**” to the
    end of its paragraph: the reason for a rule where the source document is silent or contradicts itself.

    References to source documents, such as “(001, 2.4)”, are removed from the clauses and listed at the end.
    """
    sources, details = [], ""
    is_decision_only = False  # the paragraph has only a decision
    for index, token in enumerate(tokens):
        if token.type == "paragraph_open" and _DECISION.match(tokens[index + 1].content):
            is_decision_only = True
            continue
        if token.type == "inline" and token.content:
            decision = _DECISION.search(token.content)
            rule = token.content[: decision.start()].rstrip() if decision else token.content
            details = _details(markdown, token.content[decision.start() :], decision["clauses"]) if decision else ""
            if clause := _CLAUSE.match(rule):
                sources += [(clause[1], source) for source in _SOURCE.findall(rule)]
                rule = _SOURCE.sub("", rule)
            token.children = markdown.parseInline(rule)[0].children
        if not is_decision_only:
            yield token
        if token.type == "paragraph_close" and details:
            yield Token("html_block", "", 0, content=details)
            details, is_decision_only = "", False
    if sources:
        rows = "".join(f"<li>{clause}: {escape(source)}</li>" for clause, source in sources)
        title = _("In which document each rule stands")
        yield Token("html_block", "", 0, content=f"<details><summary>{title}</summary><ul>{rows}</ul></details>\n")


def _details(markdown: MarkdownIt, reason: str, clauses: str | None) -> str:
    """Return a decision as a <details> element. `reason` is its text; `clauses` are the clauses that it names in
    brackets, or None: “**Decision** (B3.2). …”.
    """
    title = f"{_('Why')} ({clauses})" if clauses else _("Why")
    return f'<details class="why"><summary>{title}</summary>{markdown.renderInline(reason)}</details>\n'


def examples(game: Game) -> list[Example]:
    path = game.folder / "examples.toml"
    texts = _raw_examples(_localised_path(path))
    return [_example(game, {**raw, **text}) for raw, text in zip(_raw_examples(path), texts, strict=True)]


@cache
def _raw_examples(path: Path) -> tuple[Mapping[str, Any], ...]:
    return tuple(tomllib.loads(path.read_text(encoding="utf-8"))["example"])


def _example(game: Game, raw: Mapping[str, Any]) -> Example:
    names = numbered_players(raw["seats"])
    options, earlier = raw.get("options", {}), raw.get("earlier", [])
    return Example(
        title=raw["title"],
        text=raw["text"],
        earlier=[game.summary(deal, names) for deal in game.rules.read_earlier(raw["seats"], earlier)],
        facts=filled_fields(game.deal_form(names, facts=raw["facts"])),
        house_rules=filled_fields(game.house_rules_form(initial=options)) if options else [],
        points=raw["points"],
        explanation=explain(game, raw["facts"], names, options, earlier, last=raw.get("last", False)),
    )


def numbered_players(seats: int) -> list[str]:
    return [_("Player %(number)s") % {"number": number} for number in range(1, seats + 1)]
