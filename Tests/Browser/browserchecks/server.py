"""Serves a built site on loopback like a static host: with the headers of its `_headers` file, so that the Content-Security-Policy
applies, and with 404.html for missing pages."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

# The delay of images in seconds, as on a network. An image without reserved space then moves the text.
PICTURES_LATER = 0.08
PICTURE = re.compile(r"\.(png|jpe?g|gif|webp|avif|svg|mp4|webm)$")


def read_headers(file: Path) -> list[tuple[re.Pattern[str], list[tuple[str, str]]]]:
    """The rules of a `_headers` file: a line with a path, in which * matches anything, and indented headers."""
    rules: list[tuple[re.Pattern[str], list[tuple[str, str]]]] = []
    for line in file.read_text("utf-8").splitlines() if file.is_file() else []:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            rules.append((re.compile(".*".join(map(re.escape, line.strip().split("*"))) + r"\Z"), []))
        elif rules:
            name, _, value = line.strip().partition(":")
            rules[-1][1].append((name.strip(), value.strip()))
    return rules


def headers_of(rules: list[tuple[re.Pattern[str], list[tuple[str, str]]]], path: str) -> dict[str, str]:
    """The combined headers of all rules for a path. Values of one name are joined; `! Name` removes the values of earlier rules."""
    found: dict[str, str] = {}
    for pattern, headers in rules:
        if not pattern.match(path):
            continue
        for name, value in headers:
            if name.startswith("!"):
                found.pop(name[1:].strip().lower(), None)
            else:
                key = name.lower()
                found[key] = f"{found[key]}, {value}" if key in found else value
    return found


def handler(folder: Path) -> type[SimpleHTTPRequestHandler]:
    rules = read_headers(folder / "_headers")

    class Handler(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def __init__(self, *arguments, **named):
            super().__init__(*arguments, directory=str(folder), **named)

        def do_GET(self) -> None:
            if PICTURE.search(urlsplit(self.path).path):
                time.sleep(PICTURES_LATER)
            super().do_GET()

        def end_headers(self) -> None:
            for name, value in headers_of(rules, unquote(urlsplit(self.path).path)).items():
                self.send_header(name, value)
            super().end_headers()

        def list_directory(self, path):
            self.send_error(404)

        def send_error(self, code, message=None, explain=None) -> None:
            page = folder / "404.html"
            body = page.read_bytes() if code == 404 and page.is_file() else b""
            self.send_response(code)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format, *arguments) -> None:
            pass

        def copyfile(self, source, outputfile) -> None:
            try:
                super().copyfile(source, outputfile)
            except ConnectionError:
                pass  # The browser has enough of a video, or has gone on to another page.

    return Handler


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address) -> None:
        pass  # A browser that closes a connection is not a fault of the site.


@contextmanager
def serving(folder: Path):
    """Serves a folder; yields the URL of its home page."""
    server = Server(("127.0.0.1", 0), handler(folder.resolve()))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
