#!/usr/bin/env python3
"""Writes the fixtures of this folder with nostr-sdk (PyPI, MIT), an implementation of Nostr that shares no code with threadsite.

  python3 -m venv /tmp/nostr && /tmp/nostr/bin/pip install nostr-sdk==0.45.1 && /tmp/nostr/bin/python make.py

The ids are the same in each run. The signatures differ, because signing uses random numbers.

`granary.jsonl` has events of the tests of granary (https://github.com/snarfed/granary, granary/tests/test_nostr.py at 448816ee), which are in the
public domain (CC0). Their ids are granary's, and so are two signatures; the other events are signed here with the secret keys of these tests.
"""

import json
from datetime import timedelta
from pathlib import Path

from nostr_sdk import (
  Coordinate, EventBuilder, EventId, Keys, Kind, Nip19Coordinate, Nip19Event, Nip19Profile, PublicKey, RelayUrl, Tag, Timestamp,
)

HERE = Path(__file__).parent


def key(number: int) -> Keys:
  return Keys.parse(f"{number:064x}")


ADA, BOB, CARL, DORA = key(0xADA), key(0xB0B), key(0xCA71), key(0xD07A)
START = 1_760_000_000


def event(keys: Keys, kind: int, content: str, tags: list[list[str]], at: int) -> dict:
  builder = EventBuilder(Kind(kind), content).tags([Tag.parse(tag) for tag in tags]).custom_created_at(Timestamp.from_secs(at))
  return json.loads(builder.finalize(keys).as_json())


def hex_of(keys: Keys) -> str:
  return keys.public_key().to_hex()


def write(name: str, events: list) -> None:
  lines = [entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False) for entry in events]
  (HERE / name).write_text("\n".join(lines) + "\n")


def granary() -> None:
  alice, bob = (Keys.parse(secret) for secret in (
    "1fb759a121ece5e22da48cb20989813fddfc9b2896a4e0207b4ffdd9a0bd189b",
    "dadb5ed90eb04a122c5117d2f108778e21b2398952b3d1e4a0d1d8082ddc9efa"))
  now = 1_641_092_645
  other = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
  expected = [
    # The members as granary writes them.
    ("4a57c7a1dde3bfe13076db485c4f09756e54447f6389dbf6864d4139bc40a214", alice, 1, "Something to say", []),
    ("8be34ca85471dcb2306ca005182d4468eede8e3a979f84b80f1a9616e84f4c74", alice, 0, '{"name":"Alice"}', []),
    ("aff5813b667be4a7e4a4d5d3196b8987150f67331bcb9822549b5ebbe6a843ef", alice, 1, "Something to say", [["t", "foo"], ["t", "bar"]]),
    ("51c9a64dc4f00590d76fdf01af9c7e75ddb15810e8da2b0783227500447f2c37", alice, 1, "Something to say http://pic/1.png http://pic/2",
     [["imeta", "url http://pic/1.png", "alt ", "m image/png"], ["imeta", "url http://pic/2", "alt my alt text", "m image/jpeg"]]),
    ("ed8312b06730cf57793b8b354331b9fa0a85c9823ad2352865504613afb2f3af", alice, 1,
     "Something to say http://a/podcast.mp3 http://a/vidjo.mov",
     [["imeta", "url http://a/podcast.mp3", "alt ", "m audio/mpeg"], ["imeta", "url http://a/vidjo.mov", "alt ", "m video/quicktime"]]),
    ("d81d41c173115a08c1012d6ac041239f183e2afe06439a7542a323a308005e41", alice, 30023, "Something to say",
     [["d", "http://art/icle"], ["published_at", str(now)], ["title", "a thing"], ["subject", "a thing"]]),
    ("51c8b67a90beb1e02f7316f6a18054a5d4655638036913347763aa169ee28bde", alice, 1, "I hereby reply",
     [["e", other, "", "", hex_of(bob)], ["p", hex_of(bob)]]),
    (None, alice, 1,
     f"Hey nostr:{alice.public_key().to_bech32()} and nostr:nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8g2lcy6q"
     " and nostr:nevent1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gf9fkma"
     f" and {alice.public_key().to_bech32()} ok", []),
    (None, alice, 1, "I hereby reply", [["e", other, "", "reply"]]),
  ]
  signatures = {
    expected[0][0]: "65b42db33486f669fa4dff3dba2ed914dcda886d47177a747e5e574e1a87cd4da23b54350dba758ecd91d48625f5345c8516458c76bebf60b0de89d12fa76a11",
    expected[1][0]: "54173e03ea1608c1c99b40532a68c824c3e2558628286d13271277f8811d08823484d4708a299182310c2a5480aa3966772c99214531937437fc900a361288f0",
  }
  events = []
  for id, keys, kind, content, tags in expected:
    made = event(keys, kind, content, tags, now)
    assert id in (None, made["id"]), (id, made)
    made["sig"] = signatures.get(id, made["sig"])
    events.append(made)
  write("granary.jsonl", events)


def thread() -> None:
  """60 posts: 40 by Ada, each an answer to her previous one, and 20 by Bob. Ada deleted her 39th."""
  ada, bob = hex_of(ADA), hex_of(BOB)
  events = [
    event(ADA, 0, json.dumps({"name": "ada", "display_name": "Ada Tides", "about": "Tides :moon:", "picture": "https://media.example/ada.png",
                              "website": "https://ada.example/", "nip05": "ada@tides.example"}),
          [["emoji", "moon", "https://media.example/moon.png"]], START - 10),
    event(ADA, 0, json.dumps({"name": "former name"}), [], START - 20),
    event(BOB, 0, json.dumps({"name": "Bob\u202e\nRivers"}), [], START - 10),
  ]
  carl = event(CARL, 1, "The moon is 384,400 km away.", [], START - 1000)
  events.append(carl)
  posts = {}
  for number in range(40):
    root, parent = posts.get("a0"), posts.get(f"a{number - 1}")
    text, tags = f"Tide {number}.", []
    if parent is not None:
      if number < 10:
        tags = [["e", root["id"]]] + ([["e", parent["id"]]] if number > 1 else [])
      elif number % 2:
        tags = [["e", root["id"], "", "root"], ["e", parent["id"], "wss://relay.example", "reply", ada]]
      else:
        tags = [["e", parent["id"], "wss://relay.example", "reply"], ["e", carl["id"], "", "mention"], ["e", root["id"], "", "root"]]
    if number == 5:
      quoted = Nip19Event(EventId.parse(carl["id"]), CARL.public_key(), None, [RelayUrl.parse("wss://relay.example")]).to_bech32()
      text += f"\n\nnostr:{quoted}"
      tags.append(["q", carl["id"], "", hex_of(CARL)])
    if number == 10:
      text += "\n\nhttps://media.example/high.jpg\n\nHigh water."
      tags.append(["imeta", "url https://media.example/high.jpg", "m image/jpeg", "dim 1600x900", "alt The harbor at high water", "blurhash eVF$^OI:"])
    if number == 15:
      text = "https://media.example/low.webp?w=2 https://media.example/tide.mp4 " + text
    if number == 20:
      text += " :moon: :unknown:"
      tags.append(["emoji", "moon", "https://media.example/moon.png"])
    if number == 25:
      tags.append(["content-warning", "Storms"])
    if number == 30:
      text += f" Ask nostr:{BOB.public_key().to_bech32()} and #harbors at https://tides.example/a."
      tags += [["p", bob], ["t", "harbors"]]
    posts[f"a{number}"] = event(ADA, 1, text, tags, START + 60 * number)
  for number in range(20):
    parent = posts[f"a{number * 2}"]
    tags = [["e", posts["a0"]["id"], "", "root"]]
    if number:
      tags.append(["e", parent["id"], "", "reply"])
    posts[f"b{number}"] = event(BOB, 1, f"River {number}?", tags + [["p", ada]], START + 120 * number + 30)
  events += posts.values()
  events += [
    event(ADA, 5, "a mistake", [["e", posts["a38"]["id"]], ["k", "1"]], START + 10_000),
    # Bob cannot delete Ada's post.
    event(BOB, 5, "", [["e", posts["a1"]["id"]]], START + 10_000),
    event(BOB, 7, "+", [["e", posts["a1"]["id"]], ["p", ada]], START + 10_000),
    event(CARL, 6, json.dumps(posts["a0"]), [["e", posts["a0"]["id"], "wss://relay.example"], ["p", ada]], START + 10_000),
  ]
  write("thread.jsonl", events)


def kinds() -> None:
  """An article with two versions, a comment on it, a picture, and a poll with votes."""
  ada = hex_of(ADA)
  article = [["d", "on-tides"], ["title", "On tides"], ["published_at", str(START)], ["t", "tides"], ["image", "https://media.example/cover"]]
  text = (
    "# The moon\n\nTides *follow* the **moon**, as [Newton](https://newton.example/a) wrote \\*once\\*.\n\n"
    "![A harbor](https://media.example/harbor)\n\n- one\n- two * 2\n\n```\n# code https://code.example/\n```\n\n"
    f"By nostr:{ADA.public_key().to_bech32()} and snake_case_name.")
  poll = event(ADA, 1068, "High or low?", [
    ["option", "h", "High"], ["option", "l", "Low"], ["relay", "wss://relay.example"], ["polltype", "singlechoice"], ["endsAt", str(START + 5000)]],
    START + 1000)

  def vote(keys: Keys, options: list[str], at: int) -> dict:
    return event(keys, 1018, "", [["e", poll["id"]]] + [["response", option] for option in options], START + at)

  name = f"30023:{ada}:on-tides"
  events = [
    event(ADA, 30023, "A draft.", article, START),
    event(ADA, 30023, text, article, START + 100),
    event(BOB, 1111, "Well said.", [["A", name], ["K", "30023"], ["P", ada], ["a", name], ["k", "30023"], ["p", ada]], START + 200),
    event(ADA, 20, "Low water at noon", [["title", "Low water"], ["imeta", "url https://media.example/noon", "m image/jpeg", "dim 30x40", "alt Mud"]],
          START + 300),
    poll, vote(BOB, ["h"], 1100), vote(BOB, ["l"], 1200), vote(CARL, ["l", "h"], 1300), vote(DORA, ["h"], 6000), vote(DORA, ["x"], 1400),
  ]
  write("kinds.jsonl", events)


def forged() -> None:
  """Each line but the first and the last two is not what its author signed."""
  def renamed(entry: dict) -> dict:
    id = EventId.compute(PublicKey.parse(entry["pubkey"]), Timestamp.from_secs(entry["created_at"]), Kind(entry["kind"]),
                         [Tag.parse(tag) for tag in entry["tags"] if tag], entry["content"])
    return dict(entry, id=id.to_hex())

  plain = event(ADA, 1, "Plain", [], START)
  write("forged.jsonl", [
    plain, dict(plain, content="Changed"), renamed(dict(plain, content="Changed")), renamed(dict(plain, pubkey=hex_of(BOB))),
    dict(plain, pubkey=hex_of(BOB)), dict(plain, sig=event(BOB, 1, "Plain", [], START)["sig"]), dict(plain, sig=plain["sig"].upper()),
    dict(plain, created_at=plain["created_at"] + 1), dict(plain, kind=2), dict(plain, tags=[["e", plain["id"]]]),
    event(ADA, 1, "Genuine \"\\\n\r\t\b\f\u007f\u2028 é 😀 </> \u200f", [["t", "a\"b"], ["alt"]], START + 1),
    event(ADA, 1, "A control: \u0001", [], START + 2),
  ])


def references() -> None:
  relays = [RelayUrl.parse("wss://relay.example"), RelayUrl.parse("wss://other.example/path")]
  id = EventId.parse("b9f5441e45ca39179320e0031cfb18e34078673dcc3d3e3a3b3a981760aa5696")
  ada = ADA.public_key()
  write("references.jsonl", [
    {"text": ada.to_bech32(), "author": ada.to_hex()},
    {"text": Nip19Profile(ada, relays).to_bech32(), "author": ada.to_hex(), "relays": ["wss://relay.example", "wss://other.example/path"]},
    {"text": id.to_bech32(), "id": id.to_hex()},
    {"text": Nip19Event(id, ada, Kind(1), relays[:1]).to_bech32(), "id": id.to_hex(), "author": ada.to_hex(), "kind": 1, "relays": ["wss://relay.example"]},
    {"text": Nip19Event(id, None, None, []).to_bech32(), "id": id.to_hex()},
    {"text": Nip19Coordinate(Coordinate(Kind(30023), ada, "on-tides/é"), relays[:1]).to_bech32(), "author": ada.to_hex(), "kind": 30023,
     "identifier": "on-tides/é", "relays": ["wss://relay.example"]},
  ])


for make in (granary, thread, kinds, forged, references):
  make()
