"""`kt explore`: who may speak to its server."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest

from cli.explore.guard import HEADERS
from cli.explore.server import MAX_CONNECTIONS, listen
from kt_models import KTError
from tests.explorer import JSON, Server

PLACES = ["/", "/explore.js", "/explore.css", "/viewer.js", "/catalogue", "/events", "/jobs/1", "/jobs/1/svg"]


@pytest.mark.parametrize("path", PLACES)
def test_nothing_is_said_without_the_token(server: Server, path: str) -> None:
    cookie = f"kt-explore-{server.port}"
    for headers in ({}, {"X-Token": "wrong"}, {"X-Token": "é"}, {"Cookie": f"{cookie}=wrong"}, {"Cookie": "=;;="}):
        response = server.raw("GET", path, None, headers)
        assert response.status == 403 and b"token" in response.data and b"<" not in response.data
        assert "set-cookie" not in response.headers
    assert server.raw("GET", f"{path}?token=wrong").status == 403


def test_the_address_opens_the_page_and_sets_a_cookie_no_script_can_read(server: Server) -> None:
    response = server.raw("GET", f"/?token={server.token}")
    assert response.status == 200 and b"<title>" in response.data
    name, _, rest = response.headers["set-cookie"].partition("=")
    value, *attributes = rest.split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} == set(attributes) and value == server.token
    assert server.raw("GET", "/catalogue", None, {"Cookie": f'odd="; a b; {name}={value}'}).status == 200
    assert server.raw("GET", f"/catalogue?token={server.token}").status == 403  # The token opens the page only


def test_a_ticket_is_good_for_one_visit(server: Server) -> None:
    path = server.explorer.one_visit().partition(str(server.port))[2]
    assert server.token not in path
    assert [server.raw("GET", path).status for _ in range(2)] == [200, 403]


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:{}", "evil.example:{}", "", "[::1]:{}", "[", "a b"]
)
def test_another_name_is_refused(server: Server, host: str) -> None:
    response = server.raw("GET", "/", None, {"Host": host.format(server.port), "X-Token": server.token})
    assert response.status == 421


def test_two_names_are_refused(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as stream:
        host = f"Host: 127.0.0.1:{server.port}\r\n"
        stream.sendall(f"GET / HTTP/1.1\r\n{host}{host}X-Token: {server.token}\r\n\r\n".encode())
        assert stream.recv(100).split()[1] in (b"400", b"421")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{}", "http://[::1]:{}"]
)
def test_another_origin_is_refused(server: Server, origin: str) -> None:
    body, cookie = b'{"task": "solve", "board": "6x6"}', {"Cookie": f"kt-explore-{server.port}={server.token}"}
    theirs = {"Origin": origin.format(server.port)}
    for method, sent in (("POST", body), ("GET", None)):
        assert server.raw(method, "/jobs", sent, cookie | JSON | theirs).status == 403
    assert server.raw("POST", "/jobs", body, cookie | JSON).status == 403  # A browser always says it
    assert server.raw("GET", "/events", None, cookie | {"Sec-Fetch-Site": "same-site"}).status == 403
    assert server.raw("GET", "/", None, cookie | {"Sec-Fetch-Site": "cross-site"}).status == 403
    headers = {"Origin": f"http://localhost:{server.port}", "Content-Type": "text/plain"}
    assert server.raw("POST", "/jobs", body, cookie | headers).status == 415


def test_every_answer_tells_the_browser_what_to_keep_out(server: Server) -> None:
    for path, token in (("/", server.token), ("/", ""), ("/nowhere", server.token), ("/catalogue", server.token)):
        headers = server.raw("GET", path, None, {"X-Token": token}).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS
        assert "access-control-allow-origin" not in headers and "server" not in headers
    assert "unsafe" not in HEADERS["Content-Security-Policy"] and "*" not in HEADERS["Content-Security-Policy"]


def test_other_methods_and_addresses_are_refused(server: Server) -> None:
    token = {"X-Token": server.token}
    for path in (
        "/../etc/passwd",
        "/%2e%2e/etc/passwd",
        "/jobs/-1",
        "/jobs/1.5",
        "/jobs/9999",
        "/jobs/9999/json",
        "//",
    ):
        assert server.raw("GET", path, None, token).status == 404, path
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert 400 <= server.raw(method, "/jobs", b"", token | JSON).status < 500
    assert server.raw("GET", f"/?x={'y' * 3000}", None, token).status == 414
    assert server.raw("GET", f"/{'y' * 60_000}", None, token).status in (400, 414)
    assert server.post("/jobs/9999/stop", {})[0] == 404
    assert server.post("/jobs/1/save", {"kind": "json"})[0] == 404  # No folder was given


def test_explorer_listens_on_the_loopback_interface_only() -> None:
    listener = listen(0)
    try:
        assert listener.getsockname()[0] == "127.0.0.1" and listener.family == socket.AF_INET
        with pytest.raises(KTError, match="it is taken"):
            listen(listener.getsockname()[1])
    finally:
        listener.close()


def test_connections_that_say_nothing_keep_nobody_out(server: Server) -> None:
    """More of them than the server takes at all, held while the owner asks; and as many that ask without the token."""
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(MAX_CONNECTIONS + 8)]
    try:
        for connection in silent[::2]:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        for connection in silent[1::4]:
            with suppress(OSError):  # The oldest are closed already
                connection.sendall(f"GET /state HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        for _ in range(3):
            assert server.get("/").status == 200
    finally:
        for connection in silent:
            connection.close()
