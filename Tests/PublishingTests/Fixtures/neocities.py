"""A server that answers as Neocities' API does (github.com/neocities/neocities, app/api.rb and models/site.rb).

neocities.py PORT FOLDER: the site's files are in FOLDER/now. FOLDER/faults names what goes wrong, one word a line: `cut` (the connection ends within the
second upload), `full` (the account has no room).
"""

import email.parser
import email.policy
import hashlib
import json
import os
import urllib.parse

import host
from host import FOLDER, faults

NOW = FOLDER + "/now"
VALID = """html htm txt text css js jpg jpeg jxl png apng gif svg md markdown eot ttf woff woff2 json geojson csv tsv mf ico pdf asc key pgp
xml mid midi manifest otf webapp less sass rss kml dae obj mtl scss webp avif xcf epub gltf bin webmanifest knowl atom opml rdf map gpg resolveHandle
pls yaml yml toml osdx mjs cjs ts glb py glsl sf2""".split()
uploads = 0


def files():
    for folder, _, names in os.walk(NOW):
        for name in names:
            path = os.path.join(folder, name)
            yield os.path.relpath(path, NOW), path


class Handler(host.Handler):
    def answer_json(self, status, value):
        self.answer(status, (json.dumps(value, indent=2) + "\n").encode())

    def error(self, status, kind, message):
        self.answer_json(status, {"result": "error", "error_type": kind, "message": message})

    def is_refused(self):
        if self.headers.get("Authorization") == "Bearer right-key":
            return False
        self.error(403, "invalid_auth", "invalid credentials - please check your username and password (or your api key)")
        return True

    def do_GET(self):
        if self.is_refused():
            return
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/api/list":
            entries = [{"path": "x", "is_directory": True}]
            for path, place in files():
                data = open(place, "rb").read()
                entries.append({"path": path, "is_directory": False, "size": len(data), "sha1_hash": hashlib.sha1(data).hexdigest()})
            return self.answer_json(200, {"result": "success", "files": entries})
        if url.path == "/api/download":
            path = urllib.parse.parse_qs(url.query)["path"][0]
            return self.answer(200, open(os.path.join(NOW, path), "rb").read())
        self.error(404, "not_found", "the requested api call does not exist")

    def do_POST(self):
        global uploads
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.is_refused():
            return
        with open(FOLDER + "/log", "a") as log:
            log.write(self.path + "\n")
        if self.path == "/api/upload":
            uploads += 1
            if "cut" in faults() and uploads > 1:
                return self.cut()
            if "full" in faults():
                return self.error(400, "too_large", "files are too large to fit in your space")
            head = b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n"
            message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
            parts = []
            for part in message.iter_parts():
                # As the bytes stand there: names are UTF-8.
                raw = str(part["Content-Disposition"]).encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
                name = raw.split('; name="', 1)[1].split('"', 1)[0].replace("%22", '"')
                parts.append((name, part.get_payload(decode=True)))
            assert parts and len(parts) <= 50
            for name, _ in parts:
                extension = os.path.splitext(name)[1][1:].lower()
                if "\\" in name or ".." in name:
                    return self.error(400, "invalid_filename", name + " is not a valid filename")
                if extension and extension not in VALID:
                    return self.error(400, "invalid_file_type", name + " is not an allowed file type for free sites, supporter required")
            for name, data in parts:
                place = os.path.join(NOW, name)
                os.makedirs(os.path.dirname(place), exist_ok=True)
                open(place, "wb").write(data)
            return self.answer_json(200, {"result": "success", "message": "your file(s) have been successfully uploaded"})
        if self.path == "/api/delete":
            names = urllib.parse.parse_qs(body.decode(), keep_blank_values=True)["filenames[]"]
            for name in names:
                if name == "index.html":
                    return self.error(400, "cannot_delete_index", "you cannot delete your index.html file, canceled deleting")
                if not os.path.exists(os.path.join(NOW, name)):
                    return self.error(400, "missing_files", name + " was not found on your site, canceled deleting")
            for name in names:
                os.remove(os.path.join(NOW, name))
            return self.answer_json(200, {"result": "success", "message": "file(s) have been deleted"})
        self.error(404, "not_found", "the requested api call does not exist")


host.serve(Handler)
