#!/usr/bin/env python3
"""Generates queries whose right answer is known from the threads that Benchmarks/generate.py generates.

    queries.py STORE [SEED] > queries.json

The right answer is determined only by the threads, never by an engine: it is the only thread for which the condition of the query's
kind is true (words are compared without letter case and accents). The queries are chosen by a seed, so that they are the same for
every run and every engine.

    title     four words of a title, in their order; no other title has all four
    two       two words of a title; no other title has both
    tags      two tags and the author's first name; no other thread has those tags and such an author
    tag       a tag and a word of the title; no other thread has both
    prefix    three words of a title and the beginning of a fourth; no other title fits
    accents   three words of a title with an accent or a typographic sign, written plainly; no other title has them
    cjk       two characters of a Japanese phrase and three words of the title; no other title has them
    phrase    six words in a row within quotes, from the middle of a post; no other thread has them in a row
    text      the same six words without quotes
"""

import glob
import json
import random
import re
import sys
import unicodedata
from collections import defaultdict

COUNTS = {"title": 8, "two": 8, "tags": 6, "tag": 6, "prefix": 6, "accents": 4, "cjk": 4, "phrase": 4, "text": 4}
CJK = "静かな朝"


def plain(text):
  decomposed = unicodedata.normalize("NFKD", text)
  return "".join(c for c in decomposed if not unicodedata.combining(c)).lower()


def words(text):
  return re.findall(r"[^\W_]+", plain(text))


def shortened(title):
  """Returns the title in the form of pages: up to 80 characters, cut at a word."""
  return title if len(title) <= 80 else title[:80].rsplit(" ", 1)[0]


def load(store):
  threads = []
  for path in sorted(glob.glob(f"{store}/threads/x/*/*.json")):
    with open(path, encoding="utf-8") as file:
      data = json.load(file)
    posts = data["posts"]
    first = posts[0]["text"]
    title = shortened(re.split(r"(?<=[.?!])\s", re.sub(r"(?: #\w+)+$", "", first))[0])
    author = next(a for a in data["authors"] if a["id"] == data["author_id"])
    threads.append({
      "id": data["id"], "title": words(title), "raw": title, "name": words(author["name"])[0],
      "tags": [e["tag"] for p in posts for e in p.get("entities", []) if e["type"] == "hashtag"],
      "posts": [words(p["text"]) for p in posts + data.get("related", [])],
    })
  return threads


def main():
  threads = load(sys.argv[1])
  dice = random.Random(sys.argv[2] if len(sys.argv) > 2 else "queries")
  titles = defaultdict(set)
  for number, thread in enumerate(threads):
    for word in thread["title"]:
      titles[word].add(number)
  tags = defaultdict(set)
  for number, thread in enumerate(threads):
    for tag in thread["tags"]:
      tags[tag].add(number)
  names = defaultdict(set)
  for number, thread in enumerate(threads):
    names[thread["name"]].add(number)
  texts = ["\n".join(f" {' '.join(post)} " for post in thread["posts"]) for thread in threads]

  def holders(*sets):
    return set.intersection(*sets)

  def starting(beginning):
    return set().union(*(found for word, found in titles.items() if word.startswith(beginning)))

  def some_words(thread, count):
    usable = [i for i, word in enumerate(thread["title"]) if word.isascii() and len(word) > 2]
    if len(set(thread["title"][i] for i in usable)) < count:
      return None
    return [thread["title"][i] for i in sorted(dice.sample(usable, count))]

  def make(kind, number):
    thread = threads[number]
    title = thread["title"]
    if kind in ("title", "two"):
      chosen = some_words(thread, 4 if kind == "title" else 2)
      if chosen and holders(*(titles[w] for w in chosen)) == {number}:
        return " ".join(chosen)
    elif kind == "tags" and len(thread["tags"]) >= 2:
      chosen = dice.sample(thread["tags"], 2)
      if holders(tags[chosen[0]], tags[chosen[1]], names[thread["name"]]) == {number}:
        return f"{thread['name']} {chosen[0]} {chosen[1]}"
    elif kind == "tag" and thread["tags"]:
      tag, chosen = dice.choice(thread["tags"]), some_words(thread, 1)
      if chosen and holders(tags[tag] | titles[tag], titles[chosen[0]]) == {number}:
        return f"{tag} {chosen[0]}"
    elif kind == "prefix":
      chosen = some_words(thread, 4)
      if chosen and len(chosen[3]) > 5:
        beginning = chosen[3][:-2]
        if holders(*(titles[w] for w in chosen[:3]), starting(beginning)) == {number}:
          return " ".join(chosen[:3] + [beginning])
    elif kind == "accents" and "naïve café" in thread["raw"]:
      chosen = some_words(thread, 3)
      if chosen and holders(titles["naive"], titles["cafe"], *(titles[w] for w in chosen)) == {number}:
        return "naive cafe " + " ".join(chosen)
    elif kind == "cjk" and CJK in thread["raw"]:
      chosen = some_words(thread, 3)
      if chosen and holders(*(titles[w] for w in [*chosen, words(CJK)[0]])) == {number}:
        return CJK[:2] + " " + " ".join(chosen)
    elif kind in ("phrase", "text"):
      post = dice.choice(thread["posts"])
      if len(post) > 12:
        start = dice.randrange(2, len(post) - 8)
        run = post[start:start + 6]
        if all(w.isascii() and w.isalpha() for w in run) and sum(f" {' '.join(run)} " in text for text in texts) == 1:
          return f'"{" ".join(run)}"' if kind == "phrase" else " ".join(run)
    return None

  queries = []
  for kind, count in COUNTS.items():
    made = 0
    while made < count:
      number = dice.randrange(len(threads))
      query = make(kind, number)
      if query and all(other["query"] != query for other in queries):
        queries.append({"kind": kind, "query": query, "answer": threads[number]["id"]})
        made += 1
  json.dump(queries, sys.stdout, ensure_ascii=False, indent=1)


main()
