"""An explorer in a thread of the tests, and requests to it over a real socket."""

from __future__ import annotations

import http.client
import json
import threading
from typing import Any

from cli.explore.job import Allowance
from cli.explore.save import Folder
from cli.explore.server import Explorer, listen
from tests.processes import PATIENCE

LIMITS = Allowance(seconds=600, memory=3 * 10**9, workers=1)
PATIENT = {"time_limit": LIMITS.seconds}
"""For jobs that have to come to their end: the 60 seconds that they have otherwise can be few on a busy machine."""
JSON = {"Content-Type": "application/json"}


class Server:
    """An explorer in a thread, and requests to it over a real socket."""

    def __init__(self, folder: Folder | None = None) -> None:
        self.explorer = Explorer(listen(0), LIMITS, folder)
        self.port = int(self.explorer.address.rpartition(":")[2].strip("/"))
        self.token = self.explorer.url.partition("token=")[2]
        ready = threading.Event()
        self.thread = threading.Thread(target=self.explorer.work, args=(ready.set,))
        self.thread.start()
        assert ready.wait(PATIENCE)

    def close(self) -> None:
        self.explorer.end()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def raw(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Any:
        """The response to exactly this request, with its body as `data`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host="Host" in (headers or {}))
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body is not None and "Content-Length" not in (headers or {}):
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            response.data = response.read()  # type: ignore[attr-defined]
            return response
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        return self.raw("GET", path, None, {"X-Token": self.token})

    def post(self, path: str, data: Any) -> tuple[int, Any]:
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        response = self.raw("POST", path, body, {"X-Token": self.token, **JSON})
        return response.status, json.loads(response.data)

    def over(self, number: int) -> dict[str, Any]:
        """The work with a number, once it is over: from the stream of events."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/events", headers={"X-Token": self.token})
            for line in connection.getresponse():
                if line.startswith(b'data: {"work"'):
                    work = json.loads(line[6:])["work"]
                    if work["number"] == number and work["state"] not in ("waiting", "running"):
                        return dict(work)
        finally:
            connection.close()
        raise AssertionError("the stream ended")
