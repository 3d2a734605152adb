"""The forms of a rendered page, as a browser would send them: where to, and what stands in their fields."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from tests.build import PASSWORD

# What somebody types into an empty field of a type.
TYPED = {
    "date": "2026-11-06",
    "datetime-local": "2026-11-06T20:30",
    "email": "somebody@club.example",
    "number": "1",
    "password": PASSWORD,
    "textarea": "Date\tGiven name\tFamily name\tPoints\n2026-10-01\tAnna\tMartin\t12",  # a list, and a reason
    "time": "20:30",
    "url": "https://club.example/",
    "color": "#1f3f6e",
}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Control:
    """A field: its type, what stands in it, and what can be chosen."""

    name: str
    kind: str
    value: str | None = None
    offered: list[str] = field(default_factory=list)
    required: bool = False

    def sent(self, used_values: Collection[str] = ()) -> list[tuple[str, str]]:
        """Return what a browser sends of it once somebody filled in what must be: where he can, nothing of `taken`."""
        if self.value:
            return [(self.name, self.value)]
        if self.kind in ("radio", "select", "submit") and self.offered:
            options = [option for option in self.offered if option]
            return [
                (
                    self.name,
                    next((option for option in options if option not in used_values), (options or self.offered)[0]),
                )
            ]
        if self.kind in ("checkbox", "file", "radio", "select", "submit", "multiple"):
            return []
        typed = self.required or self.kind == "textarea"
        return [(self.name, TYPED.get(self.kind, "Anna") if typed else self.value or "")]


@dataclass
class PageForm:
    """A form, or an element that htmx sends as one."""

    method: str
    action: str
    controls: list[Control] = field(default_factory=list)

    @property
    def path(self) -> str:
        """Return the address without its query."""
        return urlsplit(self.action).path

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of its fields, each once."""
        return tuple(dict.fromkeys(control.name for control in self.controls))

    def sent(self) -> list[tuple[str, str]]:
        """Return what a browser sends of it; of the same choice nobody takes the same twice."""
        pairs: list[tuple[str, str]] = []
        for control in self.controls:
            used_values = {
                value
                for other_form in self.controls
                if other_form.offered == control.offered
                for value in [other_form.value]
            }
            used_values |= {value for name, value in pairs if value in control.offered}
            pairs += control.sent({value for value in used_values if value})
        return pairs


def page_forms(html: str, address: str) -> list[PageForm]:
    """Return the forms of a page; a link with a query is a form that asks for it."""
    reader = _Reader(address)
    reader.feed(html)
    reader.close()
    return [*reader.complete_forms(), *reader.links]


def sent_by(page: Any, **typed: str | list[str] | None) -> dict[str, list[str]]:
    """Return what a browser sends of the first form that a page posts to itself after this was typed.

    None sends nothing.
    """
    address = page.request["PATH_INFO"]
    form = next(
        page_form
        for page_form in page_forms(page.content.decode(), address)
        if (page_form.method, page_form.path) == ("POST", address)
    )
    sent: dict[str, list[str]] = {}
    for name, value in form.sent():
        sent.setdefault(name, []).append(value)
    lists = {name: [each] if isinstance(each, str) else each or [] for name, each in typed.items()}
    return sent | lists


class _Reader(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.links: list[PageForm] = []
        self._forms: list[PageForm] = []
        self._by_id: dict[str, PageForm] = {}
        self._elsewhere: list[tuple[str, Control]] = []  # with the id of their form
        self._open: list[tuple[str, list[PageForm]]] = []  # elements, with the forms that each begins
        self._groups: dict[tuple[int, str], Control] = {}  # radio buttons and their form
        self._select: Control | None = None
        self._moved: list[tuple[PageForm, PageForm]] = []  # the same fields to another address

    def complete_forms(self) -> Iterator[PageForm]:
        for form_id, control in self._elsewhere:
            if form_id in self._by_id:
                self._by_id[form_id].controls.append(control)
        for form in self._forms:
            yield replace(form, controls=_with_values(form.controls))
        for form, other_form in self._moved:
            yield replace(other_form, controls=_with_values([*form.controls, *other_form.controls]))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        begun = list(self._begun(tag, attributes))
        self._forms += begun
        if tag not in VOID:
            self._open.append((tag, begun))
        if "formaction" in attributes and (form := self._form(attributes)):
            self._moved.append((form, PageForm(form.method, urljoin(self.address, attributes["formaction"]))))
        if tag == "a" and "?" in attributes.get("href", ""):
            self._link(attributes["href"])
        if tag == "option" and self._select is not None:
            self._option(attributes)
        if tag in ("input", "select", "textarea", "button") and attributes.get("name") and "disabled" not in attributes:
            self._control(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = None
        if any(name == tag for name, _begun in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] == "textarea" and (forms := self._around()) and forms[0].controls:
            last = forms[0].controls[-1]
            last.value = (last.value or "") + data.removeprefix("\n")

    def _around(self) -> list[PageForm]:
        """Return the forms in which the reader is, the innermost element's first."""
        return [form for _tag, begun in reversed(self._open) for form in begun]

    def _begun(self, tag: str, attributes: dict[str, str]) -> Iterator[PageForm]:
        if tag == "form":
            method = attributes.get("method", "get").upper()
            form = PageForm(method, urljoin(self.address, attributes.get("action") or self.address))
            self._by_id[attributes.get("id", "")] = form
            yield form
        for method in ("get", "post"):
            if action := attributes.get(f"hx-{method}"):
                form = PageForm(method.upper(), urljoin(self.address, action))
                chosen = json.loads(attributes.get("hx-vals", "{}"))
                form.controls = [Control(name, "hidden", str(value)) for name, value in chosen.items()]
                if tag != "form" and (around := self._around()):  # htmx sends the form around it
                    self._moved.append((around[0], form))
                elif tag != "form":
                    yield form

    def _form(self, attributes: dict[str, str]) -> PageForm | None:
        return self._by_id.get(attributes["form"]) if "form" in attributes else next(iter(self._around()), None)

    def _control(self, tag: str, attributes: dict[str, str]) -> None:
        kind = attributes.get("type", "text").lower() if tag == "input" else {"button": "submit"}.get(tag, tag)
        kind = "multiple" if "multiple" in attributes and kind != "file" else kind
        required = "required" in attributes
        control = Control(attributes["name"], kind, attributes.get("value"), required=required)
        if kind in ("checkbox", "radio", "submit"):
            value = attributes.get("value", "on")
            control.value, control.offered = value if "checked" in attributes else None, [value]
        if tag == "select":
            self._select = control
        forms = [] if "form" in attributes else self._around()
        for form in forms:
            group = self._groups.setdefault((id(form), control.name), control)
            if kind in ("radio", "submit") and group is not control:
                group.offered += control.offered
                group.value = group.value or control.value
            else:
                form.controls.append(control)
        if "form" in attributes:
            self._elsewhere.append((attributes["form"], control))

    def _option(self, attributes: dict[str, str]) -> None:
        assert self._select is not None
        value = attributes.get("value", "")
        self._select.offered.append(value)
        if "selected" in attributes:
            self._select.value = value

    def _link(self, href: str) -> None:
        address = urlsplit(urljoin(self.address, href))
        if address.netloc == urlsplit(self.address).netloc:
            query = parse_qsl(address.query, keep_blank_values=True)
            self.links.append(PageForm("GET", address.path, [Control(name, "hidden", value) for name, value in query]))


def _with_values(controls: list[Control]) -> list[Control]:
    """Return the fields, a query's of the action apart."""
    return [control for control in controls if control.name != "csrfmiddlewaretoken"]
