"""A visitor without JavaScript: reads a page, fills the form it finds there, sends it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx

BROWSER = {"User-Agent": "selen-demo"}


@dataclass
class Form:
    """One form of a page: where it goes and the values it already has."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)


class Forms(HTMLParser):
    """All forms of a page with their inputs; a select counts with its first or its selected option."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.options: dict[str, dict[str, str]] = {}
        self._select = self._value = ""
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = True
            self.forms.append(Form(given.get("action", "")))
        if not self._open:
            return
        fields = self.forms[-1].fields
        if tag in {"input", "button", "textarea"} and given.get("name"):
            if given.get("type") in {"checkbox", "radio"} and "checked" not in given:
                return
            fields[given["name"]] = given.get("value", "")
        elif tag == "select":
            self._select = given.get("name", "")
            self.options[self._select] = {}
        elif tag == "option" and self._select:
            self._value = given.get("value", "")
            if "selected" in given or not fields.get(self._select):
                fields[self._select] = self._value

    def handle_data(self, data: str) -> None:
        if self._select and data.strip():
            self.options[self._select][data.strip()] = self._value

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = False
        elif tag == "select":
            self._select = ""


class Visitor:
    """A session with the site."""

    def __init__(self, base_url: str) -> None:
        self.http = httpx.Client(base_url=base_url, headers=BROWSER, follow_redirects=True, timeout=60)

    def get(self, path: str) -> httpx.Response:
        """A page that must exist."""
        response = self.http.get(path)
        response.raise_for_status()
        return response

    def offers(self, page: str, having: str) -> bool:
        """Whether the page has a form with a field of this name."""
        return any(having in form.fields for form in self._forms(page)[1].forms)

    def send(
        self,
        page: str,
        having: str,
        *,
        choose: dict[str, str] | None = None,
        upload: tuple[str, bytes] | None = None,
        **values: str,
    ) -> httpx.Response:
        """Fill and send the form of `page` that has a field named `having`; `choose` names options by their label."""
        response, parser = self._forms(page)
        form = next((f for f in parser.forms if having in f.fields), None)
        if form is None:
            raise SystemExit(f"{page} has no form with the field {having!r}.")
        chosen = {name: self._option(parser, name, label) for name, label in (choose or {}).items()}
        data = {**form.fields, **chosen, **values}
        files = None
        if upload is not None:
            data.pop(having)
            files = {having: upload}
        target = str(response.url.join(form.action or str(response.url)))
        answer = self.http.post(target, data=data, files=files, headers={"Referer": str(response.url)})
        answer.raise_for_status()
        return answer

    def _forms(self, page: str) -> tuple[httpx.Response, Forms]:
        response = self.get(page)
        parser = Forms()
        parser.feed(response.text)
        return response, parser

    @staticmethod
    def _option(parser: Forms, name: str, label: str) -> str:
        for text, value in parser.options.get(name, {}).items():
            if label in text:
                return value
        raise SystemExit(f"The form offers no {name} {label!r}; it offers {list(parser.options.get(name, {}))}.")
