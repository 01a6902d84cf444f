"""`Guard`: it decides who may speak to the server, and tells the browser what to keep out.

The server listens on the loopback interface, but any program of this machine and any page in its browser can reach
that. So a request passes only with the token, which is in the address at first, and then in a cookie that no script can
read. It passes only under the server's own name (another name in `Host` is DNS rebinding), and not from the page of
another site. Browsers share the cookies of a host between its ports, so the guard checks `Origin` and `Sec-Fetch-Site`
as well.
"""

from __future__ import annotations

import secrets

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
MAX_TARGET = 2_000
"""Most bytes of a path and its query."""


class Guard:
    """ASGI middleware that passes a request on or answers it itself.

    Parameters
    ----------
    app
        The application behind the guard.
    port
        Port of the server.
    token
        The secret of every request.
    """

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._cookie = f"kt-explore-{port}"
        self._ticket = ""

    def ticket(self) -> str:
        """A token for one visit, where others can read it (a browser's command line); only the last one is valid."""
        self._ticket = secrets.token_urlsafe(32)
        return self._ticket

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # The server has no websockets.
            return
        request = Request(scope)
        known = self._by_address(request)
        status, refusal = self._refusal(request, known)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if refusal:
                    # A refused request must not take a connection from the owner's browser.
                    headers["Connection"] = "close"
                if known and not refusal:
                    headers["Set-Cookie"] = f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
            await send(message)

        if not refusal and not known and not self._by_cookie(request):
            status, refusal = 403, "this page needs the whole address that kt explore printed, with its token"
        if refusal:
            await PlainTextResponse(refusal + "\n", status)(scope, receive, answer)
        else:
            await self._app(scope, receive, answer)

    def _refusal(self, request: Request, known: bool) -> tuple[int, str]:
        """Status and words for a request that is refused whatever its token; no words if it may pass."""
        headers = request.headers
        if len(request.scope["raw_path"]) + len(request.scope["query_string"]) > MAX_TARGET:
            return 414, "the address is too long"
        if len(headers.getlist("host")) != 1 or headers["host"].lower() not in self._hosts:
            return 421, "this server has another name"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in self._hosts}:
            return 403, "another site may not ask"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not known:
            return 403, "another site may not ask"
        if request.method not in ("GET", "HEAD"):
            if origin is None and "x-token" not in headers:  # No page of another site can send this header.
                return 403, "a request that changes something names its origin"
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return 415, "only JSON is read"
        return 200, ""

    def _by_address(self, request: Request) -> bool:
        """Whether the request is for the page itself, with the token in the address; a ticket is used up."""
        token = request.query_params.get("token", "")
        if request.method != "GET" or request.scope["path"] != "/" or not token:
            return False
        if self._ticket and _same(token, self._ticket):
            self._ticket = ""
            return True
        return _same(token, self._token)

    def _by_cookie(self, request: Request) -> bool:
        token = request.headers.get("x-token") or request.cookies.get(self._cookie, "")
        return _same(token, self._token)


def _same(text: str, token: str) -> bool:
    return secrets.compare_digest(text.encode(), token.encode())
