"""Threads from independent servers: compares the store with the results of their own readers."""
import asyncio, json, os, pathlib, signal, socket, subprocess, sys, tempfile, time
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
import nostr_sdk

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


async def nostr():
    def key(number): return nostr_sdk.Keys.parse(f"{number:064x}")

    def event(keys, kind, text, tags, at):
        builder = nostr_sdk.EventBuilder(nostr_sdk.Kind(kind), text).tags([nostr_sdk.Tag.parse(tag) for tag in tags])
        return builder.custom_created_at(nostr_sdk.Timestamp.from_secs(at)).finalize(keys)

    ada, bo, start = key(1), key(2), 1_700_000_000
    # Fewer events per response than the thread has.
    unlimited = nostr_sdk.RateLimit(max_reqs=1000, notes_per_minute=100_000)
    relay = nostr_sdk.LocalRelayBuilder().max_filter_limit(25).rate_limit(unlimited).build()
    await relay.run()
    url = await relay.url()
    client = nostr_sdk.ClientBuilder().build()
    await client.add_relay(url)
    await client.connect()

    async def publish(made):
        sent = await client.send_event(made)
        expect(not sent.failed, f"the relay takes an event: {sent}")
        return made

    async def run_async(*arguments): return await asyncio.to_thread(run, *arguments)

    quoted = await publish(event(bo, 1, "The moon pulls the sea.", [], start - 100))
    await publish(event(ada, 0, json.dumps({"name": "ada", "display_name": "Ada"}), [], start - 100))
    thread = []
    for number in range(1, 61):
        tags = []
        if thread:
            root, parent = thread[0].id().to_hex(), thread[-1].id().to_hex()
            tags = [["e", root, "", "root"]] + ([["e", parent, "", "reply"]] if parent != root else [])
        if number == 20: tags.append(["q", quoted.id().to_hex(), "", bo.public_key().to_hex()])
        # The texts contain what the canonical form of NIP-01 escapes, and what it does not.
        thread.append(await publish(event(ada, 1, f"{number}/60 naïve \U0001f9f5 \"quoted\" \\ <b>\n\nsecond line", tags, start + number)))
        if number == 30:
            answer = [["e", thread[0].id().to_hex(), "", "root"], ["e", thread[-1].id().to_hex(), "", "reply"]]
            await publish(event(bo, 1, "A reply", answer, start + 1000))
    mine = nostr_sdk.Filter().author(ada.public_key()).kind(nostr_sdk.Kind(1))
    expected = []
    while len(expected) < 60:
        until = expected[-1].created_at().as_secs() - 1 if expected else start + 2000
        page = await client.fetch_events(nostr_sdk.ReqTarget.auto([mine.until(nostr_sdk.Timestamp.from_secs(until))]))
        if not page: break
        expected += sorted(page, key=lambda e: -e.created_at().as_secs())
    expected = [(e.id().to_hex(), e.content()) for e in reversed(expected)]
    expect(len(expected) == 60, f"the other reader finds {len(expected)} posts")
    settings = f"title: Peers\nmedia: none\nnostr:\n  relays: [{url}]\n"
    for number in (0, 30, 59):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "site.yml").write_text(settings)
            outcome = await run_async(folder, "add", "nostr:" + thread[number].id().to_bech32())
            expect(outcome.returncode == 0, f"add by post {number + 1}: {outcome.stderr}")
            expect(not (d := differences(expected, stored(folder))), f"by post {number + 1}: {d}")
            built = await run_async(folder, "build")
            expect(built.returncode == 0, f"build: {built.stderr}")
    with tempfile.TemporaryDirectory() as folder:
        name = ada.public_key().to_bech32()
        pathlib.Path(folder, "site.yml").write_text(settings + f"sources:\n  - account: https://njump.me/{name}\n")
        outcome = await run_async(folder, "fetch")
        expect(outcome.returncode == 0, f"fetch of an account: {outcome.stderr}")
        expect(not (d := differences(expected, stored(folder))), f"the account's threads: {d}")
        # The relay removes a deleted post and serves the deletion.
        await publish(event(ada, 5, "", [["e", thread[59].id().to_hex()], ["k", "1"]], start + 2000))
        outcome = await run_async(folder, "fetch", "--all")
        expect(outcome.returncode == 0, f"fetch after a deletion: {outcome.stderr}")
        expect(not (d := differences(expected[:-1], stored(folder))), f"after a deletion: {d}")
    await client.shutdown()
    relay.shutdown()


mastodon()
bluesky()
asyncio.run(nostr())
print(f"{done} comparisons with other servers, {len(problems)} failed")
sys.exit(1 if problems else 0)
