#!/usr/bin/env python3
"""paint.py [--runs N] PAGE…: when a slow phone shows the largest part of pages (Largest Contentful Paint).

A page is a folder of a site and a path in it, as `site/:` or `site/:ada/a-title/`. The phone has 390 pixels, 1.6 Mbit/s, a delay of 150 ms per
request, a processor slowed to a quarter, and an empty cache; the server compresses with gzip. The runs of the pages are interleaved, so that a change
of the machine's speed affects all pages. Prints the median and the range of each page. Needs the Python packages of Tests/Browser/requirements.txt and a
Chromium, for example: .build/browser-checks/bin/python Benchmarks/paint.py site/:
"""

from __future__ import annotations

import argparse
import gzip
import mimetypes
import shutil
import statistics
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, sync_playwright

BYTES_PER_SECOND = 1.6e6 / 8
DELAY = 150
SLOWED = 4
COMPRESSED = {".html", ".css", ".js", ".json", ".xml", ".svg", ".md", ".txt", ".webmanifest"}

PAINTS = """() => new Promise(resolve => {
  const paints = { lcp: 0, element: '', fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0 }
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      paints.lcp = entry.startTime
      const { element } = entry
      paints.element = element ? element.tagName.toLowerCase() + (element.className ? '.' + element.className : '') : '?'
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  setTimeout(() => resolve(paints), 100)
})"""


def handler(folder: Path) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            file = folder / unquote(urlsplit(self.path).path).lstrip("/")
            if file.is_dir():
                file /= "index.html"
            if not file.is_file():
                self.send_error(404)
                return
            body = file.read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", mimetypes.guess_type(file.name)[0] or "application/octet-stream")
            if file.suffix in COMPRESSED:
                body = gzip.compress(body, 9, mtime=0)
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    return Handler


@contextmanager
def serving(folder: Path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(folder))
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def paints(browser: Browser, url: str) -> dict:
    """The times in milliseconds of the first and the largest paint, the largest element, and the time that styles and layout took."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=2, is_mobile=True, has_touch=True)
    try:
        page = context.new_page()
        phone = context.new_cdp_session(page)
        phone.send("Network.enable")
        phone.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": DELAY, "downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND})
        phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        phone.send("Performance.enable")
        page.goto(url, wait_until="load")
        page.wait_for_timeout(500)
        found = page.evaluate(PAINTS)
        spent = {entry["name"]: entry["value"] * 1000 for entry in phone.send("Performance.getMetrics")["metrics"] if entry["name"].endswith("Duration")}
        return {**found, "style": spent["RecalcStyleDuration"], "layout": spent["LayoutDuration"], "script": spent["ScriptDuration"]}
    finally:
        context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("pages", nargs="+", metavar="FOLDER:PATH")
    options = parser.parse_args()
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        parser.error("there is no Chromium; install chromium-headless-shell")
    with ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=program, args=["--no-sandbox"])
        urls: dict[str, str] = {}
        servers: dict[str, str] = {}
        for page in options.pages:
            folder, _, path = page.rpartition(":")
            if not Path(folder).is_dir():
                parser.error(f"there is no folder {folder!r}")
            if folder not in servers:
                servers[folder] = stack.enter_context(serving(Path(folder)))
            urls[page] = servers[folder] + path
        paints(browser, next(iter(urls.values())))
        runs: dict[str, list[dict]] = {page: [] for page in urls}
        for _ in range(options.runs):
            for page, url in urls.items():
                runs[page].append(paints(browser, url))
        for page, results in runs.items():
            lcp = [result["lcp"] for result in results]
            middle = {name: statistics.median(result[name] for result in results) for name in ("fcp", "style", "layout", "script")}
            print(
                f"{statistics.median(lcp):6.0f} ms ({min(lcp):.0f}–{max(lcp):.0f})  first {middle['fcp']:.0f}, style {middle['style']:.0f}, "
                f"layout {middle['layout']:.0f}, script {middle['script']:.0f}  {results[0]['element']}  {page}")
        browser.close()


if __name__ == "__main__":
    main()
