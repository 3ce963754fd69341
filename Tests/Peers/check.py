"""Threads from independent servers: compares the store with the results of their own readers."""
import json, os, pathlib, signal, socket, subprocess, sys, tempfile, time
from html.parser import HTMLParser

import requests

# arroba needs to know its server before it is imported.
os.environ.setdefault("PDS_HOST", "localhost")
os.environ.setdefault("REPO_TOKEN", "none")
from arroba import server, storage, util
from arroba.repo import Repo
from arroba.util import Action, Write, dag_cbor_cid
import arroba.xrpc_sync
from atproto import CAR

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())
problems = []
done = 0


def expect(condition, what):
    global done
    done += 1
    if not condition:
        problems.append(what)
        print("FAILED:", what, file=sys.stderr)


def run(folder, *arguments):
    environment = dict(os.environ, THREADSITE_SHARE=str(ROOT))
    return subprocess.run([BINARY, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def stored(folder):
    """The IDs and texts of each stored conversation's posts in the order of time."""
    result = []
    for file in sorted(pathlib.Path(folder, "threads").glob("*/*/*.json")):
        posts = json.loads(file.read_text())["posts"]
        result.append([(p["id"].split("/")[-1], p["text"] if isinstance(p["text"], str) else p["text"]["text"]) for p in posts])
    return result


def differences(expected, found):
    """The differences between two threads."""
    if len(found) != 1:
        return [f"{len(found)} threads"]
    lines = [f"{a} is {b}" for a, b in zip(expected, found[0]) if a != b]
    return lines + ([f"{len(found[0])} posts of {len(expected)}"] if len(expected) != len(found[0]) else [])


class Text(HTMLParser):
    """The text that a reader sees of a post's HTML."""

    def __init__(self):
        super().__init__()
        self.text, self.hidden = "", 0

    def handle_starttag(self, tag, attributes):
        if tag == "br": self.text += "\n"
        if tag == "p" and self.text: self.text += "\n\n"

    def handle_data(self, data): self.text += data


def shown(html):
    reader = Text()
    reader.feed(html)
    reader.close()
    return reader.text


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def mastodon():
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    mock = subprocess.Popen(
        [str(pathlib.Path(sys.executable).parent / "mastodon_mock"), "serve", "--in-memory", "--port", str(port), "--domain", f"localhost:{port}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(120):
            try:
                requests.get(base + "/api/v1/instance", timeout=1)
                break
            except requests.ConnectionError: time.sleep(0.25)
        headers = {"Authorization": "Bearer mock_token"}

        def post(text, parent=None, **more):
            body = dict({"status": text, "visibility": "public"}, **more)
            if parent: body["in_reply_to_id"] = parent["id"]
            answer = requests.post(base + "/api/v1/statuses", json=body, headers=headers)
            answer.raise_for_status()
            return answer.json()

        thread = [post("1/70 Of bees <b>and</b> queries & \"quotes\" #nature https://example.org/a/very/long/path/that/is/cut")]
        for number in range(2, 71):
            more = {"visibility": "unlisted" if number % 2 else "public"}
            if number == 30: more |= {"spoiler_text": "About spiders", "sensitive": True}
            if number == 40: more |= {"poll": {"options": ["Pollen", "Nectar"], "expires_in": 3600}}
            thread.append(post(f"{number}/70 and so on\nwith a second line <{number}>", thread[-1], **more))
        post("A post by itself")
        # As an anonymous reader sees them.
        seen = [requests.get(f"{base}/api/v1/statuses/{p['id']}").json() for p in thread]
        expected = [(s["id"], shown(s["content"])) for s in seen]
        expect(not differences(expected, [expected]) and differences(expected, [expected[:-1]]), "the comparison notices a missing post")
        for number in (0, 35, 69):
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "site.yml").write_text(
                    f"title: Peers\nmedia: none\nmastodon:\n  servers:\n    - host: localhost:{port}\n      api_url: {base}/\n")
                outcome = run(folder, "add", seen[number]["url"])
                expect(outcome.returncode == 0, f"add by post {number + 1}: {outcome.stderr}")
                expect(not (d := differences(expected, stored(folder))), f"by post {number + 1}: {d}")
                built = run(folder, "build")
                expect(built.returncode == 0, f"build: {built.stderr}")
                pages = list(pathlib.Path(folder, "site/mastodon").glob("*/*/index.html"))
                expect(len(pages) == 1 and pages[0].read_text().count('id="post-') == 70, f"a page of 70 posts: {pages}")
        with tempfile.TemporaryDirectory() as folder:
            name = seen[0]["account"]["acct"]
            pathlib.Path(folder, "site.yml").write_text(
                f"title: Peers\nmedia: none\nmastodon:\n  servers:\n    - host: localhost:{port}\n      api_url: {base}/\n"
                f"sources:\n  - account: http://localhost:{port}/@{name}\n")
            outcome = run(folder, "fetch")
            expect(outcome.returncode == 0, f"fetch of an account: {outcome.stderr}")
            expect(not (d := differences(expected, stored(folder))), f"the account's threads: {d}")
    finally:
        mock.send_signal(signal.SIGTERM)
        mock.wait(10)


def bluesky():
    did = "did:web:alice.example"
    server.storage = storage.MemoryStorage()
    repo = Repo.create(
        server.storage, did, handle="alice.example", signing_key=util.new_key(seed=1), rotation_key=util.new_key(seed=2))
    expected, root, parent = [], None, None
    for number in range(1, 41):
        text = f"{number}/40 naïve 🧵 https://example.org/{number}"
        begin = len(text[: text.index("https")].encode())
        record = {
            "$type": "app.bsky.feed.post", "text": text, "langs": ["en"],
            "createdAt": f"2024-05-01T10:{number:02}:00.000Z",
            "facets": [{
                "index": {"byteStart": begin, "byteEnd": len(text.encode())},
                "features": [{"$type": "app.bsky.richtext.facet#link", "uri": f"https://example.org/{number}"}]}],
        }
        if parent: record["reply"] = {"root": root, "parent": parent}
        key = util.next_tid()
        server.storage.commit(repo, [Write(Action.CREATE, "app.bsky.feed.post", key, record)])
        repo = server.storage.load_repo(did)
        parent = {"uri": f"at://{did}/app.bsky.feed.post/{key}", "cid": dag_cbor_cid(record).encode("base32")}
        root = root or parent
        expected.append((key, text))
    car = bytes(arroba.xrpc_sync.get_repo({}, did=did, internal=True))
    posts = [b for b in CAR.from_bytes(car).blocks.values() if b.get("$type") == "app.bsky.feed.post"]
    expect(sorted(p["text"] for p in posts) == sorted(t for _, t in expected), "another reader finds the same posts in the file")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "repo.car").write_bytes(car)
        pathlib.Path(folder, "site.yml").write_text("title: Peers\n")
        outcome = run(folder, "import", "repo.car")
        expect(outcome.returncode == 0, f"import: {outcome.stderr}")
        expect(not (d := differences(expected, stored(folder))), f"the thread of the file: {d}")
        # One changed byte within a block, and a missing end: neither file is accepted.
        at = car.index("20/40".encode())
        for name, bytes_ in (("damaged", car[:at] + b"9" + car[at + 1:]), ("cut", car[:-40])):
            pathlib.Path(folder, "bad.car").write_bytes(bytes_)
            outcome = run(folder, "import", "bad.car")
            expect(outcome.returncode != 0 and outcome.stderr.strip(), f"a {name} file ends with {outcome.returncode}: {outcome.stderr}")


mastodon()
bluesky()
print(f"{done} comparisons with other servers, {len(problems)} failed")
sys.exit(1 if problems else 0)
