"""Hook of the documentation site: a link to a file outside docs/ becomes the file's name, since the site lacks it."""

from __future__ import annotations

import re
from typing import Any

OUTSIDE = re.compile(r"\[([^]]+)]\((?:\.\./)+([^)#]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, page: Any, **_arguments: Any) -> str:
    depth = page.file.src_uri.count("/")

    def replace(link: re.Match[str]) -> str:
        is_outside = link[0].count("../") > depth
        return f"{link[1]} (`{link[2]}`)" if is_outside else link[0]

    return OUTSIDE.sub(replace, markdown)
