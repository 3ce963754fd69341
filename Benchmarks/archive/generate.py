#!/usr/bin/env python3
"""Generates an X archive with invented posts: a zip file of posts in threads, in no order, in X's format.

    generate.py FILE [--posts N] [--threads N]

A third of the posts are single posts or replies to others. The rest form threads of the author. Every post has entities, edit
information and metrics, about 1.5 kB in all. Only Python's standard library is required.
"""

import argparse
import json
import random
import time
import zipfile

WORDS = (
  "the a of to and in is it that was for on with as at by from but not or which had have are be this they we you one two "
  "water stone paper letter river morning window ladder question answer pattern corner margin shadow engine kettle harbour"
).split()


def text(rng):
  words = " ".join(rng.choice(WORDS) for _ in range(rng.randint(12, 40)))
  return words.capitalize() + rng.choice([".", "!", " &amp; so on.", " 🧵", " https://t.co/abcdefghij"])


def post(rng, number, answers=None, author="7"):
  body = text(rng)
  seconds = 1262304000 + number * 600
  id = str(1300000000000000000 + number * 1000003)
  entities = {"user_mentions": [], "urls": [], "symbols": [], "hashtags": []}
  if "https://" in body:
    start = body.index("https://")
    entities["urls"].append({
      "url": "https://t.co/abcdefghij", "expanded_url": f"https://example.org/{number}",
      "display_url": f"example.org/{number}", "indices": [str(start), str(start + 23)]})
  value = {
    "edit_info": {"initial": {"editTweetIds": [id], "editableUntil": "2022-11-03T09:20:26.000Z",
                              "editsRemaining": "5", "isEditEligible": True}},
    "retweeted": False,
    "source": "<a href=\"https://mobile.twitter.com\" rel=\"nofollow\">Twitter Web App</a>",
    "entities": entities, "display_text_range": ["0", str(len(body))],
    "favorite_count": str(rng.randint(0, 999)), "id_str": id, "truncated": False,
    "retweet_count": str(rng.randint(0, 99)), "id": id, "possibly_sensitive": False,
    "created_at": time.strftime("%a %b %d %H:%M:%S +0000 %Y", time.gmtime(seconds)),
    "favorited": False, "full_text": body, "lang": "en",
  }
  if answers is not None:
    value["in_reply_to_status_id_str"] = value["in_reply_to_status_id"] = answers
    value["in_reply_to_user_id_str"] = value["in_reply_to_user_id"] = author
    value["in_reply_to_screen_name"] = "ada" if author == "7" else "bob"
  return value


def posts(count, threads):
  rng = random.Random(7)
  in_threads = count * 2 // 3
  sizes = [in_threads // threads] * threads
  for index in range(in_threads - sum(sizes)):
    sizes[index % threads] += 1
  number = 0
  result = []
  for size in sizes:
    last = None
    for _ in range(size):
      number += 1
      result.append(post(rng, number, last))
      last = result[-1]["id_str"]
  while len(result) < count:
    number += 1
    answered = str(1200000000000000000 + number) if number % 2 else None
    result.append(post(rng, number, answered, "8"))
  rng.shuffle(result)
  return result


def script(name, elements):
  return f"window.YTD.{name}.part0 = " + json.dumps(elements, indent=2, ensure_ascii=False, separators=(",", " : "))


def main():
  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument("file")
  parser.add_argument("--posts", type=int, default=100_000)
  parser.add_argument("--threads", type=int, default=20_000)
  options = parser.parse_args()
  with zipfile.ZipFile(options.file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
    archive.writestr("data/account.js", script("account", [{"account": {
      "username": "ada", "accountId": "7", "createdAt": "2010-02-09T17:10:05.000Z", "accountDisplayName": "Ada"}}]))
    archive.writestr("data/profile.js", script("profile", [{"profile": {"description": {"bio": "Invented."}}}]))
    archive.writestr("data/manifest.js", "window.__THAR_CONFIG = " + json.dumps(
      {"archiveInfo": {"generationDate": "2026-01-01T00:00:00.000Z", "isPartialArchive": False}}))
    archive.writestr(
      "data/tweets.js", script("tweets", [{"tweet": value} for value in posts(options.posts, options.threads)]))


if __name__ == "__main__":
  main()
