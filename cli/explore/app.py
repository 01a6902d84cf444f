"""The server's addresses: the page and its parts, the catalogue, jobs, their events, and their files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from cli.error_messages import one_line
from cli.explore.job import TEXT_OF_FILE, Allowance
from cli.explore.job_requests import catalogue, job_of, read_body
from cli.explore.jobs import Busy, Jobs, Work
from cli.explore.opening import open_text
from cli.explore.picture import board_page
from cli.explore.save import FILE_KINDS, Folder, name_of
from drawing.page_html import SCRIPTS, script_text, web_text
from kt_models import KTError

HEARTBEAT_SECONDS = 5.0
"""Seconds between two signs of life of a stream."""
MAX_BODY_BYTES = 131_072
"""Most bytes of a request."""
MAX_UPLOAD_BYTES = 1_500_000
"""Most bytes of an opened file."""
MAX_BODY_SECONDS = 10.0
"""Most seconds until a request has arrived."""
PAGE_FILES = ("explore.html", "explore.css", "stage.js", "form.js", "numbers.js", "explore.js")
"""Files of the page. A script comes after those that it depends on."""
STYLE, SCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"


def make_app(jobs: Jobs, folder: Folder | None) -> Starlette:
    """Make the application, without its guard.

    Parameters
    ----------
    folder
        Folder for saved results; None for none.
    """

    async def choices(request: Request) -> Response:
        content = await asyncio.to_thread(catalogue, jobs.allowance)
        return JSONResponse({**content, "folder": folder is not None, "kinds": list(FILE_KINDS)})

    async def submit(request: Request) -> Response:
        data = read_body(await _body(request))
        job = await asyncio.to_thread(job_of, data, jobs.allowance)
        page = await asyncio.to_thread(lambda: board_page(job.problem().graph))
        return JSONResponse(jobs.submit(job, page).to_json(), 201)

    async def board(request: Request) -> Response:
        data = read_body(await _body(request))
        if not isinstance(data, dict) or not set(data) <= {"board", "leaper"}:
            raise KTError('expected a board as {"board": ..., "leaper": ...}')
        return JSONResponse(await asyncio.to_thread(_preview, data, jobs.allowance))

    async def opened(request: Request) -> Response:
        data = read_body(await _body(request, MAX_UPLOAD_BYTES))
        return JSONResponse(await asyncio.to_thread(open_text, data))

    async def compared(request: Request) -> Response:
        both = [_result(_work(request, name)) for name in ("number", "other")]
        text = await jobs.draw({"results": both}, "comparison")
        return Response(
            text, media_type="text/html", headers={"Content-Disposition": 'attachment; filename="compare.html"'}
        )

    async def stop(request: Request) -> Response:
        work = _work(request)
        jobs.stop(work)
        return JSONResponse(work.to_json())

    async def result(request: Request) -> Response:
        work = _work(request)
        return JSONResponse({"work": work.to_json(), "points": work.points, "page": work.page})

    async def file(request: Request) -> Response:
        work = _work(request)
        contents, kind = await made(work, request.path_params["kind"])
        place = f'attachment; filename="{name_of(work.job)}{kind.suffix}"'
        return Response(contents, media_type=kind.media, headers={"Content-Disposition": place})

    async def near(request: Request) -> Response:
        work = _work(request)
        if not work.job["near"]:
            raise HTTPException(404, "this job is near to no tour")
        name = TEXT_OF_FILE["near"]
        return Response(
            f"{work.job['near']}\n",
            media_type="text/plain",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    async def save(request: Request) -> Response:
        if folder is None:
            raise HTTPException(404, "no folder was given: kt explore --folder DIR")
        data = read_body(await _body(request))
        if not isinstance(data, dict) or set(data) != {"kind"}:
            raise KTError('expected {"kind": ...}')
        work = _work(request)
        contents, kind = await made(work, data["kind"])
        name = await asyncio.to_thread(folder.write, name_of(work.job), kind.suffix, contents)
        return JSONResponse({"name": name}, 201)

    async def made(work: Work, name: Any) -> tuple[str | bytes, Any]:
        if not isinstance(name, str) or name not in FILE_KINDS:
            raise KTError(f"kind: must be one of {', '.join(FILE_KINDS)}")
        return await FILE_KINDS[name].made(_result(work), jobs), FILE_KINDS[name]

    async def events(request: Request) -> Response:
        return StreamingResponse(_events(jobs), media_type="text/event-stream")

    def _work(request: Request, name: str = "number") -> Work:
        work = jobs.get(request.path_params[name])
        if work is None:
            raise HTTPException(404, "there is no such job")
        return work

    return Starlette(
        routes=[
            *(Route(path, _part, methods=["GET"]) for path in parts()),
            Route("/catalogue", choices, methods=["GET"]),
            Route("/board", board, methods=["POST"]),
            Route("/open", opened, methods=["POST"]),
            Route("/compare/{number:int}/{other:int}", compared, methods=["GET"]),
            Route("/events", events, methods=["GET"]),
            Route("/jobs", submit, methods=["POST"]),
            Route("/jobs/{number:int}", result, methods=["GET"]),
            Route("/jobs/{number:int}/stop", stop, methods=["POST"]),
            Route("/jobs/{number:int}/save", save, methods=["POST"]),
            Route("/jobs/{number:int}/near", near, methods=["GET"]),
            Route("/jobs/{number:int}/{kind}", file, methods=["GET"]),
        ],
        exception_handlers={KTError: _refused, HTTPException: _failed, Exception: _broken},
    )


def _preview(data: dict[str, Any], allowance: Allowance) -> dict[str, Any]:
    """The page's data of an empty board."""
    graph = job_of({**data, "task": "find"}, allowance).problem().graph
    return {"cells": graph.n, "page": board_page(graph)}


@lru_cache
def parts() -> dict[str, tuple[bytes, str]]:
    """The page's parts by address. They are read once, so that no address ever becomes a file name."""
    package = files(__package__)
    pages = {name: package.joinpath(name).read_text("utf-8") for name in PAGE_FILES}
    viewer = script_text([name for name in SCRIPTS if name != "page.js"])  # `kt draw` has its own.
    texts = {
        "/": (pages["explore.html"], "text/html; charset=utf-8"),
        "/explore.css": (pages["explore.css"], STYLE),
        "/explore.js": ("".join(pages[name] for name in PAGE_FILES if name.endswith(".js")), SCRIPT),
        "/viewer.css": (web_text("page.css"), STYLE),
        "/viewer.js": (viewer, SCRIPT),
    }
    return {path: (text.encode("utf-8"), media) for path, (text, media) in texts.items()}


async def _part(request: Request) -> Response:
    content, media = parts()[request.scope["path"]]
    return Response(content, media_type=media)


async def _events(jobs: Jobs) -> AsyncIterator[str]:
    """Server-sent events: each work after every change, with the new points of its chart and its new result.

    Every message describes a work completely, except for its chart: `from` is the number of the first point sent.
    """
    seen: dict[int, tuple[int, int, int]] = {}
    yield "retry: 1000\n\n"
    while not jobs.closed:
        for work in jobs:
            version, points, found = seen.get(work.number, (-1, 0, -1))
            if version == work.version:
                continue
            points = points if points <= len(work.points) else 0
            message: dict[str, Any] = {"work": work.to_json(), "from": points, "points": work.points[points:]}
            if work.found_count != found and not work.over:
                message["page"] = work.page
            seen[work.number] = (work.version, len(work.points), work.found_count)
            yield f"data: {json.dumps(message)}\n\n"
        if all(seen.get(work.number, (-1,))[0] == work.version for work in jobs):
            await jobs.changed(HEARTBEAT_SECONDS)
            yield ": \n\n"
    yield "event: end\ndata: {}\n\n"


async def _body(request: Request, most: int = MAX_BODY_BYTES) -> bytes:
    """Read the body of a request, unless it is too long or takes too long.

    Raises
    ------
    HTTPException
        If it does.
    """
    body = b""
    try:
        async with asyncio.timeout(MAX_BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise HTTPException(413, f"a request has at most {most:,} bytes")
    except TimeoutError:
        raise HTTPException(408, "the request took too long") from None
    except ClientDisconnect:
        raise HTTPException(400, "the request broke off") from None
    return body


def _result(work: Work) -> dict[str, Any]:
    if (result := work.result) is None:
        raise HTTPException(404, "this job has no result")
    return result


async def _refused(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": one_line(str(error))}, 429 if isinstance(error, Busy) else 400)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": one_line(f"internal error, please report it: {type(error).__name__}: {error}")}, 500)
