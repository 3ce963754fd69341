"""A server that answers as git-pages' README.md, src/pages.go, src/extract.go and src/schema.proto say (codeberg.org/git-pages/git-pages).

git_pages.py PORT FOLDER: the one site is at /site/; what it is stands in FOLDER/now, as a reader would see it. FOLDER/faults names what goes wrong, one
word a line: `forget` (references to known files cannot be resolved, once), `cut` (the connection ends within a request), `large` (413), `problem`.
"""

import hashlib
import io
import os
import shutil
import tarfile

import host
from host import FOLDER, faults

TOKEN = "token right-token"
site = None  # path -> bytes
version = 0


def git_hash(data):
    return hashlib.sha256(b"blob %d\0" % len(data) + data).hexdigest()


def varint(number):
    out = b""
    while True:
        out += bytes([number & 127 | (128 if number > 127 else 0)])
        number >>= 7
        if not number:
            return out


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogateescape")
    return varint(number << 3 | 2) + varint(len(value)) + value


def manifest():
    out = field(2, "pages")
    folders = {""}
    for path in site:
        parts = path.split("/")[:-1]
        folders |= {"/".join(parts[: n + 1]) for n in range(len(parts))}
    for path in sorted(folders):
        out += field(4, field(1, path) + field(2, field(1, 1)))
    for path, data in sorted(site.items()):
        if path in ("_headers", "_redirects"):
            continue
        small = len(data) < 256
        entry = field(1, 2 if small else 3) + field(2, len(data)) + field(3, data if small else b"blob-name")
        entry += field(5, "text/html") + field(6, git_hash(data)) + field(7, len(data))
        out += field(4, field(1, path) + field(2, entry))
    return out + field(5, 12345) + field(10, 12345)


class Handler(host.Handler):
    def is_allowed(self):
        return self.headers.get("Forge-Authorization") == TOKEN or self.headers.get("Authorization") == "Pages right-token"

    def do_GET(self):
        if self.path != "/site/.git-pages/manifest.pb":
            return self.answer(404, b"site not found\n")
        if not self.is_allowed():
            return self.answer(401, b"unauthorized\n")
        if site is None:
            return self.answer(404, b"site not found\n")
        if "damaged" in faults():
            return self.answer(200, manifest()[:-3] + b"\xff")
        self.answer(200, manifest(), Content_Type="application/protobuf", ETag='"%d-manifest"' % version)

    def do_PUT(self):
        global site, version
        if self.path != "/site/":
            return self.answer(404)
        if not self.is_allowed():
            self.rfile.read(int(self.headers["Content-Length"]))
            return self.answer(401, b"not authorized by forge (wildcard)\n- missing permission\n")
        if "cut" in faults():
            self.rfile.read(10)
            return self.cut()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.headers["Content-Type"] == "application/x-tar+gzip"
        if "large" in faults():
            return self.answer(413, b"archive too large: 128 MB limit exceeded\n")
        known = {git_hash(data): data for path, data in (site or {}).items() if path not in ("_headers", "_redirects")}
        if "forget" in faults():
            known.pop(sorted(known)[0])
        new, missing, sent = {}, [], 0
        with tarfile.open(fileobj=io.BytesIO(body), mode="r:gz", encoding="utf-8", errors="surrogateescape") as archive:
            for member in archive:
                if member.issym():
                    assert member.linkname.startswith("/git/blobs/"), member.linkname
                    name = member.linkname.removeprefix("/git/blobs/")
                    if name in known:
                        new[member.name] = known[name]
                    else:
                        missing.append(name)
                elif member.isfile():
                    new[member.name] = archive.extractfile(member).read()
                    sent += 1
        with open(FOLDER + "/log", "a") as log:
            log.write("PUT %d %d\n" % (sent, len(missing)))
        if missing:
            if "application/vnd.git-pages.unresolved" not in self.headers.get("Accept", ""):
                return self.answer(422, b"unresolved blob references\n")
            body = "".join(name + "\n" for name in missing).encode()
            return self.answer(422, body, Content_Type="application/vnd.git-pages.unresolved")
        site, version = new or None, version + 1
        shutil.rmtree(FOLDER + "/now", ignore_errors=True)
        for path, data in new.items():
            place = os.path.join(FOLDER, "now", path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            open(place, "wb").write(data)
        problems = b"/_headers: header not allowed: Content-Security-Policy\n"
        if "problem" in faults():
            problems += b"/_redirects: rule 3: placeholders are not supported\n"
        self.answer(200, b"(archive)\n" + problems, Update_Result="replaced")


host.serve(Handler)
