"""The server: a socket on the loopback interface, and uvicorn; it ends within a second or two."""

from __future__ import annotations

import asyncio
import errno
import secrets
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cli.explore.app import make_app
from cli.explore.guard import Guard
from cli.explore.job import Allowance
from cli.explore.jobs import Jobs
from cli.explore.save import Folder
from kt_models import KTError
from kt_models.errors import reason_of

LOOPBACK = "127.0.0.1"
MAX_CONNECTIONS = 64
MAX_WAITING = 16
"""Most connections without a request; a further one closes the oldest.

A program of this machine that opens connections and sends nothing must not keep the browser out."""
CLOSING_SECONDS = 1
"""Seconds to send the remaining answers when the server ends."""


def listen(port: int) -> socket.socket:
    """A socket that listens on the loopback interface only."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(MAX_CONNECTIONS)
    except OSError as error:
        listener.close()
        why = "it is taken" if error.errno == errno.EADDRINUSE else reason_of(error)
        raise KTError(f"--port {port}: {why}") from None
    return listener


def _patient_protocol() -> type[H11Protocol]:
    """HTTP for one server, with at most `MAX_WAITING` connections that have not sent a whole request."""
    waiting: dict[asyncio.BaseTransport, None] = {}  # In order of age.

    class Protocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            waiting[transport] = None
            if len(waiting) > MAX_WAITING:
                oldest = next(iter(waiting))
                del waiting[oldest]
                oldest.close()

        def handle_events(self) -> None:
            super().handle_events()
            if self.cycle is not None:
                waiting.pop(self.transport, None)

        def connection_lost(self, exc: Exception | None) -> None:
            waiting.pop(self.transport, None)
            super().connection_lost(exc)

    return Protocol


class Explorer(uvicorn.Server):
    """A session: its jobs, and the server for the browser.

    Parameters
    ----------
    listener
        A socket from `listen`.
    allowance
        The resources of each job.
    folder
        Folder for saved results; None for none.
    """

    def __init__(self, listener: socket.socket, allowance: Allowance, folder: Folder | None = None) -> None:
        port = listener.getsockname()[1]
        token = secrets.token_urlsafe(32)
        self.jobs = Jobs(allowance)
        self.address = f"http://{LOOPBACK}:{port}/"
        self.url = f"{self.address}?token={token}"
        self._listener = listener
        self._loop: asyncio.AbstractEventLoop | None = None
        self._guard = Guard(make_app(self.jobs, folder), port, token)
        super().__init__(
            uvicorn.Config(
                self._guard,
                http=_patient_protocol(),
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,  # Addresses contain the token.
                server_header=False,
                proxy_headers=False,
                limit_concurrency=MAX_CONNECTIONS,
                timeout_keep_alive=5,
                timeout_graceful_shutdown=CLOSING_SECONDS,
                h11_max_incomplete_event_size=16_384,
            )
        )

    def one_visit(self) -> str:
        """An address for a browser's command line, which others may read; it is valid for one visit."""
        return f"{self.address}?token={self._guard.ticket()}"

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams, kill the jobs, and stop the server."""
        super().handle_exit(sig, frame)
        self.end()

    def end(self) -> None:
        """End the server, from any thread."""
        self.should_exit = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.jobs.close)

    def work(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serve until a signal or `end`; call `ready` as soon as the server takes requests."""

        async def serving() -> None:
            self._loop = asyncio.get_running_loop()
            self._loop.call_soon(ready)
            try:
                await self.serve([self._listener])
            finally:
                self.jobs.close()
                self._listener.close()

        asyncio.run(serving())
