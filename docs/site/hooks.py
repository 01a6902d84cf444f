"""What the site has that the pages beside it have not: notebooks and proofs as pages, and the help of every command.

The proofs stand beside the code that checks them, in the room of theorems, and results and records are data of the
package. What the cells of notebooks show is recorded in their files (`docs/site/notebooks.py`). Links from pages to
files outside `docs` (they work in a checkout) become the file's name.
"""

from __future__ import annotations

import base64
import os
import re
import sys
from html import escape
from pathlib import Path
from typing import Any

import click
import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

DOCS = Path(__file__).resolve().parent.parent
ROOT = DOCS.parent
MORE = "Theory and proofs"
"""The section that takes pages which the navigation does not name."""
HELP = "<!-- kt --help -->"
PROOFS = {path: f"theory/proof-{path.parent.name.replace('_', '-')}.md" for path in ROOT.glob("theorems/**/proof.md")}
"""The proofs of theorems, and the pages that they are on the site."""
DELIVERED = ROOT / "heuristics" / "delivered"
DATA = {path: path.relative_to(DELIVERED).as_posix() for path in DELIVERED.rglob("*.json")}
"""The results and records, and where the site has them."""
BOARDS = "boards"
"""The folder of the site that has the gallery of all boards."""
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s:#]+)\)")


class Notebook(File):
    """A notebook that is a page, written where its own link leads."""

    def is_documentation_page(self) -> bool:
        return True

    @property
    def content_string(self) -> str:
        return markdown_of(Path(self.abs_src_path or ""))

    @content_string.setter
    def content_string(self, value: str) -> None:
        raise AttributeError("the page of a notebook is made from its file")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put pages that the navigation does not name at the end of a section, so that none is lost."""
    named = set(re.findall(r"[\w./-]+\.md", str(config.nav)))
    sections = {title: pages for entry in config.nav or () if isinstance(entry, dict) for title, pages in entry.items()}
    sections[MORE] += sorted({path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} - named)
    sections[MORE] += sorted(PROOFS.values())
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for file in list(files):
        if file.src_uri.endswith(".ipynb"):
            files.remove(file)
            files.append(Notebook(file.src_uri, config.docs_dir, config.site_dir, config.use_directory_urls))
    for path, uri in (PROOFS | DATA).items():
        files.append(File.generated(config, uri, abs_src_path=str(path)))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Results and records as a gallery: three pages, or all with `KT_SITE_BOARDS=all`; each is checked, in minutes."""
    from drawing.page_entries import NoBoard, read_entry
    from drawing.site import require_site, write_gallery
    from kt_models import KTError

    folder = Path(config.site_dir) / BOARDS
    paths = sorted(path for kind in ("results", "records") for path in (DELIVERED / kind).rglob("*.json"))
    entries = []
    for path in paths if os.environ.get("KT_SITE_BOARDS") == "all" else paths[-3:]:
        try:
            entries.append((read_entry(path), str(path)))
        except NoBoard:
            continue
        except KTError as error:
            raise PluginError(f"{path}: {error}") from None
    require_site(folder, force=True)
    write_gallery(folder, entries, "Results and records")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if HELP in markdown:
        markdown = markdown.replace(HELP, "\n".join(help_pages()))
    folder = Path(page.file.abs_src_path or "").parent
    return LINK.sub(lambda link: _inside(link, folder, DOCS / page.file.src_uri), markdown)


def _inside(link: re.Match[str], folder: Path, place: Path) -> str:
    """A link as it is on the site, or the name of its target where that is no page and no file below `docs`.

    Parameters
    ----------
    folder, place
        Where the page's file is, and where the page would be if all were below `docs`.
    """
    target = (folder / link[2]).resolve()
    page = DOCS / uri if (uri := (PROOFS | DATA).get(target)) else target
    if page.is_relative_to(DOCS) and not page.is_dir():
        return f"[{link[1]}]({Path(os.path.relpath(page, place.parent)).as_posix()})"
    name = target.relative_to(ROOT).as_posix()
    return link[1] if name in link[1] else f"{link[1]} (`{name}`)"


# -- the command line --------------------------------------------------------------------------------------------------


def help_pages() -> list[str]:
    """A heading and the help of `kt`, of each of its commands, and of theirs."""
    sys.path.insert(0, str(ROOT))  # The program of this checkout, installed or not
    from cli.main import main

    return list(_help(main, click.Context(main, info_name="kt", **main.context_settings), 2))


def _help(command: click.Command, context: click.Context, level: int) -> Any:
    with context:
        yield f"\n{'#' * level} {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                subcommand = command.get_command(context, name)
                assert subcommand is not None
                yield from _help(
                    subcommand, click.Context(subcommand, info_name=name, parent=context), min(level + 1, 4)
                )


# -- notebooks ---------------------------------------------------------------------------------------------------------


def markdown_of(path: Path) -> str:
    """A notebook as the text of a page, with what its cells show."""
    notebook = nbformat.read(path, as_version=4)
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        parts += [text for output in cell.outputs if (text := _rendered(output))]
    parts.append(f"*This page is a notebook: `docs/{path.relative_to(ROOT / 'docs').as_posix()}`.*")
    return "\n\n".join(parts) + "\n"


def _rendered(output: Any) -> str:
    """The richest form of an output that fits on a page."""
    data = output.get("data", {})
    if "text/html" in data:
        return f"<div>{data['text/html']}</div>"
    if "image/svg+xml" in data:
        image = base64.b64encode(data["image/svg+xml"].encode()).decode()
        return f'<img alt="drawing" style="max-width:420px" src="data:image/svg+xml;base64,{image}">'
    text = output.get("text") or data.get("text/plain") or ""
    return f'<pre style="white-space:pre-wrap">{escape(text)}</pre>' if text else ""
