"""A server that answers as a PDS of the AT Protocol does (https://docs.bsky.app/docs/api), and checks records as the lexicons
site.standard.publication and site.standard.document require.

atproto.py PORT FOLDER: the records are in FOLDER/now/COLLECTION/KEY.json. FOLDER/faults names what goes wrong, one word a line: `cut` (the connection
ends at the second record), `endless` (the same page of a list again and again), `other` (the session is of another account).
"""

import datetime
import json
import os
import re
import urllib.parse

import host
from host import FOLDER, PORT, faults

NOW = FOLDER + "/now"
ACCOUNT = "did:plc:ewvi7nxzyoun6zhxrhs64oiz"
TID = re.compile(r"[2-7a-j][2-7a-z]{12}")
AT_URI = re.compile(r"at://did:[a-z]+:[A-Za-z0-9._:%-]+/[A-Za-z0-9.-]+/[A-Za-z0-9._:~-]+")
puts = 0


def text(value, most, graphemes):
    assert isinstance(value, str) and len(value.encode()) <= most, value
    # Only in ASCII is each code point a grapheme.
    assert len(value) <= graphemes or not value.isascii(), value


def moment(value):
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", value), value
    datetime.datetime.fromisoformat(value[:-1])


def color(value):
    assert set(value) == {"$type", "r", "g", "b"} and value["$type"] == "site.standard.theme.color#rgb", value
    assert all(type(value[part]) is int and 0 <= value[part] <= 255 for part in "rgb"), value


def check_publication(record):
    assert set(record) <= {"$type", "url", "name", "description", "basicTheme"}, record
    assert urllib.parse.urlsplit(record["url"]).scheme in ("http", "https") and not record["url"].endswith("/"), record["url"]
    text(record["name"], 5000, 500)
    text(record.get("description", ""), 30_000, 3000)
    theme = record.get("basicTheme")
    if theme is not None:
        assert set(theme) == {"$type", "background", "foreground", "accent", "accentForeground"}, theme
        for name in ("background", "foreground", "accent", "accentForeground"):
            color(theme[name])


def check_document(record):
    known = {"$type", "site", "title", "path", "publishedAt", "updatedAt", "description", "textContent", "tags", "bskyPostRef"}
    assert set(record) <= known, record
    assert AT_URI.fullmatch(record["site"]) or record["site"].startswith("https://"), record["site"]
    text(record["title"], 5000, 500)
    assert record["path"].startswith("/") and not record["path"].endswith("/"), record["path"]
    moment(record["publishedAt"])
    if "updatedAt" in record:
        moment(record["updatedAt"])
    text(record.get("description", ""), 30_000, 3000)
    text(record.get("textContent", ""), 1 << 20, 1 << 20)
    for tag in record.get("tags", []):
        text(tag, 1280, 128)
        assert not tag.startswith("#"), tag
    post = record.get("bskyPostRef")
    if post is not None:
        assert set(post) == {"uri", "cid"} and AT_URI.fullmatch(post["uri"]) and re.fullmatch(r"b[a-z2-7]{20,}", post["cid"]), post


CHECKS = {"site.standard.publication": check_publication, "site.standard.document": check_document}


class Handler(host.Handler):
    def reply(self, value, status=200):
        self.answer(status, json.dumps(value).encode(), Content_Type="application/json")

    def refuse(self, status, error, message):
        self.reply({"error": error, "message": message}, status)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == f"/{ACCOUNT}":
            service = {"id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": f"http://127.0.0.1:{PORT}"}
            return self.reply({"id": ACCOUNT, "service": [service]})
        if url.path != "/xrpc/com.atproto.repo.listRecords":
            return self.refuse(404, "NotFound", "no such method")
        query = dict(urllib.parse.parse_qsl(url.query))
        if query["repo"] != ACCOUNT:
            return self.refuse(400, "InvalidRequest", f"Could not find repo: {query['repo']}")
        assert 1 <= int(query["limit"]) <= 100
        folder = f"{NOW}/{query['collection']}"
        # Newest first, as a PDS lists them; the cursor is the key of the last record.
        keys = sorted((name[:-5] for name in os.listdir(folder)), reverse=True) if os.path.isdir(folder) else []
        if "endless" not in faults():
            keys = [key for key in keys if key < query.get("cursor", "~")]
        page = keys[: min(int(query["limit"]), 3)]
        records = [
            {"uri": f"at://{ACCOUNT}/{query['collection']}/{key}", "cid": "bafyreib", "value": json.load(open(f"{folder}/{key}.json"))} for key in page
        ]
        # A cursor follows even the last page.
        self.reply({"records": records, **({"cursor": page[-1]} if page else {})})

    def do_POST(self):
        global puts
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method = self.path.removeprefix("/xrpc/com.atproto.")
        if method == "server.createSession":
            if body != {"identifier": ACCOUNT, "password": "right-word"}:
                return self.refuse(401, "AuthenticationRequired", "Invalid identifier or password")
            account = "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa" if "other" in faults() else ACCOUNT
            return self.reply({"accessJwt": "token", "refreshJwt": "refresh", "handle": "ada.example", "did": account})
        if self.headers.get("Authorization") != "Bearer token":
            return self.refuse(401, "AuthMissing", "Authentication Required")
        assert body["repo"] == ACCOUNT
        place = f"{NOW}/{body['collection']}/{body['rkey']}.json"
        with open(FOLDER + "/log", "a") as log:
            log.write(f"{method} {body['collection']}/{body['rkey']}\n")
        if method == "repo.deleteRecord":
            if os.path.exists(place):
                os.remove(place)
            return self.reply({})
        assert method == "repo.putRecord", method
        puts += 1
        if "cut" in faults() and puts > 1:
            return self.cut()
        try:
            assert TID.fullmatch(body["rkey"]), body["rkey"]
            assert body["record"]["$type"] == body["collection"]
            CHECKS[body["collection"]](body["record"])
        except (AssertionError, KeyError) as error:
            return self.refuse(400, "InvalidRequest", f"Invalid record: {error}")
        os.makedirs(os.path.dirname(place), exist_ok=True)
        json.dump(body["record"], open(place, "w"))
        self.reply({"uri": f"at://{ACCOUNT}/{body['collection']}/{body['rkey']}", "cid": "bafyreib"})


host.serve(Handler)
