"""A forge of one pull request on this machine: it keeps comments, and what it was asked."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import Json, JsonObject

_ONE = re.compile(r"/(?:comments|notes)/(\d+)$")
"""The end of the address of one comment; without a number it is that of all."""

USER = 7
"""The id of the user whose token is used."""


@dataclass
class Forge:
    """The comments of the pull request, oldest first, and the requests in their order.

    `refuses` is the status of every answer to a request that writes, when it is not 0.
    """

    comments: list[JsonObject] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    url: str = ""
    refuses: int = 0

    def add(self, body: str, kind: str = "Bot", author: int = USER) -> None:
        """Add a comment of somebody; GitHub calls the author `user`, GitLab `author`."""
        who: JsonObject = {"id": author, "type": kind}
        number = len(self.comments) + 1
        self.comments.append({"id": number, "body": body, "user": who, "author": who})

    def answer(self, method: str, address: str, body: JsonObject) -> tuple[int, Json]:
        """Return status and data, as GitHub and GitLab do."""
        self.asked.append(f"{method} {address}")
        parts = urlsplit(address)
        if parts.path.endswith("/user"):
            return 200, {"id": USER}
        if method == "GET":
            page = int(parse_qs(parts.query)["page"][0])
            return 200, [*self.comments[(page - 1) * 100 : page * 100]]
        if self.refuses:
            return self.refuses, {"message": "Resource not accessible by integration"}
        if (one := _ONE.search(parts.path)) is not None:
            self.comments[int(one[1]) - 1].update(body)
            return 200, body
        self.add(str(body["body"]))
        return 201, body


@contextmanager
def serving() -> Iterator[Forge]:
    """Give a forge that answers at its `url` until the block ends."""
    forge = Forge()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = cast("JsonObject", json.loads(self.rfile.read(length) or b"{}"))
            forge.tokens.add(self.headers["Authorization"] or self.headers["PRIVATE-TOKEN"])
            status, data = forge.answer(self.command, self.path, body)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(data).encode())

        do_GET = do_POST = do_PATCH = do_PUT = _answer  # noqa: N815 # http.server's names

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    forge.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield forge
    finally:
        server.shutdown()
        server.server_close()
