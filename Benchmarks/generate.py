#!/usr/bin/env python3
"""Generates threads for benchmarks: a store for threadsite, and the same threads as content for Hugo.

    generate.py FOLDER [--threads N] [--hugo FOLDER]

FOLDER gets a `site.yml` and a `threads/` of format 1, as described by docs/conversation.schema.json. With --hugo, the
other folder gets a complete Hugo site: configuration and layouts from Benchmarks/hugo, and one Markdown file per thread.
Thread number k is the same in every run and for every N, because its random numbers depend only on k. Only Python's
standard library is required.
"""

import argparse
import json
import multiprocessing
import os
import random
import re
import shutil
import sys
from datetime import datetime, timezone

POSTS = 12
AUTHORS = 223  # a prime, so that the choice of an author does not correlate with other choices
FIRST = 1514764800  # 2018-01-01
LAST = 1782777600  # 2026-06-30
OBSERVED = 1783036800  # 2026-07-03: when everything was "fetched"

NAMES = (
  "Ada Bruno Chiara Dai Edda Farid Greta Hiro Ines Jonas Kaja Luis Mina Noor Olga Pavel Quinn Rosa Sami Tove Uma "
  "Viggo Wen Xenia Yusuf Zoe"
).split()
SURNAMES = "Alder Birch Cedar Dogwood Elm Fir Gorse Hazel Ivy Juniper Larch Maple Oak Pine Rowan Spruce Thorn Willow".split()
TAGS = (
  "algebra archives astronomy baking bees birds bookbinding botany bread bridges calendars canals cartography ceramics "
  "cheese chemistry chess cinema clocks clouds coffee compilers cooking corals cycling dance databases deserts dialects "
  "dictionaries drawing dyes etymology fables ferries fermentation ferns fungi gardens geology glaciers glass grammar "
  "harbours history ink insects islands jazz kites knots lakes lanterns lenses letters libraries lichens lighthouses "
  "looms magnets maps marshes measures metals mills minerals moons mosses mountains museums music navigation networks "
  "noise oceans opera optics orchards origami owls paper parsers perfume pigments poetry printing puzzles railways rain "
  "rivers roads roofs ropes sailing salt seeds shadows silk snow soil sound spices stars statistics stone storms sundials "
  "tea textiles theatre tides tiles timber tools trams type unicode valleys violins volcanoes walls water weaving wheels "
  "whales wind windows wine wool words"
).split()
WORDS = (
  "the the the the a a a an of of of to to and and in in is it that was for on with as at by from but not or which had "
  "have are be this they we you one two three all some every other small large old new long slow quick quiet bright "
  "heavy hollow narrow patient ordinary curious careful forgotten water stone paper letter river morning window ladder "
  "number question answer pattern corner margin surface shadow engine kettle lantern harbour orchard valley ribbon thread "
  "needle copper silver glass winter summer evening hour minute century nobody somebody everything nothing something "
  "first second last never always often almost only still again there here where because before after between beneath "
  "reads writes turns holds keeps finds loses makes breaks carries measures counts follows leaves begins ends waits "
  "listens remembers repeats explains hides grows falls stands moves opens closes touches carried measured written "
  "printed folded hidden broken mended borrowed polished painted counted drawn"
).split()
ODDITIES = [
  "R&D < tea & cake", "2 * 3 * 5 = 30", "snake_case_names", "“quoted”", "naïve café", "静かな朝", "🧵", "👩‍🔬", "1. first",
  "[sic]", "50 % or so", "C:\\archive", "it’s", "`ticks`", "~approximately~", "#1", "a > b",
]  # texts of posts that Markdown or HTML would misinterpret


class Author:
  def __init__(self, number):
    dice = random.Random(f"author {number}")
    self.name = f"{dice.choice(NAMES)} {dice.choice(SURNAMES)}"
    self.handle = f"{self.name.split()[0].lower()}_{number}_ex"
    self.id = str(1_000_000_000 + number * 7919)
    self.url = f"https://x.example/{self.handle}"
    self.bio = sentence(dice)
    self.joined = FIRST - dice.randrange(200_000_000)
    self.counts = [dice.randrange(50_000) for _ in range(3)]

  def as_json(self):
    return {
      "bio": self.bio, "followers": self.counts[0], "following": self.counts[1], "handle": self.handle, "id": self.id,
      "joined_at": moment(self.joined), "name": self.name, "observed_at": moment(OBSERVED), "posts": self.counts[2],
      "url": self.url, "verified": self.counts[0] % 5 == 0,
    }


def moment(seconds):
  """RFC 3339 in UTC."""
  return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def post_id(seconds, dice):
  """Returns an id like X's: milliseconds since X's epoch, shifted left by 22 bits."""
  return str((((seconds * 1000) - 1288834974657) << 22) | dice.getrandbits(22))


def sentence(dice):
  words = [dice.choice(WORDS) for _ in range(dice.randint(6, 16))]
  if dice.random() < 0.12:
    words.insert(dice.randrange(len(words)), dice.choice(ODDITIES))
  if len(words) > 9:
    words[len(words) // 2] += ","
  return words[0][0].upper() + " ".join(words)[1:] + dice.choice("....?!")


def prose(dice, length):
  """Returns sentences with at least `length` characters in total, in one or two paragraphs."""
  text = sentence(dice)
  while len(text) < length:
    text += dice.choice([" ", " ", " ", " ", " ", "\n", "\n\n"]) + sentence(dice)
  return text


class Text:
  """A post's text while it is written, with its entities. Offsets are in Unicode scalars, like Python's string indices."""

  def __init__(self, text=""):
    self.text = text
    self.entities = []

  def add(self, text, **entity):
    if entity:
      self.entities.append({**entity, "start": len(self.text), "end": len(self.text) + len(text)})
    self.text += text

  def add_tag(self, tag):
    self.add(" ")
    self.add("#" + tag, type="hashtag", tag=tag, url="https://x.example/hashtag/" + tag)

  def add_link(self, url, dice):
    self.add("\n\n")
    self.add(url, type="link", url=url, short_url=f"https://s.example/{dice.getrandbits(40):010x}")

  def add_mention(self, author):
    self.add(" ")
    self.add("@" + author.handle, type="mention", handle=author.handle, url=author.url)


class Thread:
  """Thread number `number`: the data from which the store's JSON and Hugo's Markdown are written."""

  def __init__(self, number, authors):
    dice = random.Random(f"thread {number}")
    # Some people write much more than others.
    self.author = authors[int(len(authors) * dice.random() ** 1.7)]
    self.others = {}
    self.tags = dice.sample(TAGS, dice.choice([1, 2, 2, 3, 3, 4]))
    self.related = []
    self.posts = []
    clock = dice.randrange(FIRST, LAST)
    image, quote, card = (dice.randrange(1, POSTS) if dice.random() < odds else None for odds in (0.7, 0.5, 0.6))
    poll = dice.randrange(1, POSTS) if dice.random() < 0.15 else None
    mention = dice.randrange(1, POSTS) if dice.random() < 0.5 else None
    for index in range(POSTS):
      text = Text(prose(dice, dice.randint(150, 270)))
      if index == 0:
        self.title = re.split(r"(?<=[.?!])\s", text.text)[0]
        self.summary = " ".join(text.text.split())[:200]
      if index in (0, POSTS - 1):
        for tag in self.tags[:2] if index == 0 else self.tags[2:]:
          text.add_tag(tag)
      if index == mention:
        text.add_mention(self.someone(authors, dice))
      post = self.post(clock, self.author, text, dice)
      if index == card:
        self.add_card(post, text, dice)
      if index == image:
        self.add_image(post, dice)
      if index == quote:
        self.add_quote(post, authors, dice)
      if index == poll:
        self.add_poll(post, clock, dice)
      if index:
        post["in_reply_to"] = self.posts[-1]["id"]
        post["in_reply_to_author"] = self.author.id
      post["conversation_id"] = self.posts[0]["id"] if self.posts else post["id"]
      self.posts.append(post)
      clock += dice.randint(40, 900)
    self.id = self.posts[0]["id"]

  def someone(self, authors, dice):
    other = dice.choice(authors)
    self.others[other.id] = other
    return other

  @staticmethod
  def post(clock, author, text, dice):
    post = {
      "author_id": author.id, "created_at": moment(clock), "extra": {"possibly_sensitive": False, "reply_settings": "everyone"},
      "id": post_id(clock, dice), "language": "en",
      "metrics": {
        "bookmarks": dice.randrange(90), "likes": dice.randrange(3000), "quotes": dice.randrange(20),
        "replies": dice.randrange(60), "reposts": dice.randrange(400), "views": dice.randrange(200_000),
      },
      "observed_at": moment(OBSERVED), "text": text.text,
    }
    if text.entities:
      post["entities"] = text.entities
    post["url"] = f"{author.url}/status/{post['id']}"
    return post

  @staticmethod
  def add_card(post, text, dice):
    url = f"https://reading.example/{dice.choice(TAGS)}/{dice.choice(TAGS)}-{dice.randrange(10_000)}"
    text.add_link(url, dice)
    post["text"], post["entities"] = text.text, text.entities
    post["card"] = {"summary": sentence(dice), "title": sentence(dice)[:-1], "url": url}

  @staticmethod
  def add_image(post, dice):
    width, height = dice.choice([(1200, 800), (800, 1200), (1000, 1000), (1600, 600)])
    key = f"3_{post['id']}"
    post["media"] = [{
      "alt_text": sentence(dice), "height": height, "id": key, "kind": "photo", "url": f"https://media.example/{key}.jpg",
      "width": width,
    }]

  def add_quote(self, post, authors, dice):
    other = self.someone(authors, dice)
    clock = dice.randrange(FIRST - 50_000_000, FIRST)
    quoted = self.post(clock, other, Text(prose(dice, 120)), dice)
    quoted["conversation_id"] = quoted["id"]
    self.related.append(quoted)
    post["quotes"] = quoted["id"]

  @staticmethod
  def add_poll(post, clock, dice):
    options = [
      {"label": " ".join(dice.choice(WORDS) for _ in range(3)).capitalize(), "votes": dice.randrange(2000)}
      for _ in range(dice.choice([2, 3, 4]))
    ]
    post["poll"] = {"ends_at": moment(clock + 86400), "id": post["id"], "options": options, "status": "closed"}

  def as_json(self):
    people = {self.author.id: self.author, **self.others}
    conversation = {
      "author_id": self.author.id,
      "authors": [people[key].as_json() for key in sorted(people, key=int)],
      "format": 1,
      "id": self.id,
      "platform": "x",
      "posts": self.posts,
      "provenance": [{"fetched_at": moment(OBSERVED), "source": "x-api"}],
    }
    if self.related:
      conversation["related"] = self.related
    return json.dumps(conversation, ensure_ascii=False, indent=2, sort_keys=True) + "\n"

  # MARK: Hugo

  def as_markdown(self):
    """Returns the thread as Markdown with front matter: the visible content of threadsite's page, and the tags and dates."""
    first, last = self.posts[0]["created_at"], self.posts[-1]["created_at"]
    quote = json.dumps
    lines = [
      "---", f"title: {quote(self.title, ensure_ascii=False)}", f"date: {first}", f"lastmod: {last}",
      f"description: {quote(self.summary, ensure_ascii=False)}", f"authors: [{self.author.handle}]",
      f"author_name: {quote(self.author.name, ensure_ascii=False)}", f"author_url: {self.author.url}",
      f"source: {self.posts[0]['url']}", f"posts: {len(self.posts)}", f"tags: [{', '.join(self.tags)}]",
      f"years: ['{first[:4]}']", f"months: ['{first[:7]}']", "---", "",
    ]
    for post in self.posts:
      lines += self.markdown_of(post)
    return "\n".join(lines)

  def markdown_of(self, post):
    lines = [marked_up(post["text"], post.get("entities", [])), ""]
    for media in post.get("media", []):
      lines += [f"![{escaped(media['alt_text'])}]({media['url']})", ""]
    if "poll" in post:
      options = post["poll"]["options"]
      total = sum(option["votes"] for option in options)
      best = max(option["votes"] for option in options)
      for option in options:
        share = f"{escaped(option['label'])}: {option['votes'] * 100 / max(total, 1):.0f} % ({option['votes']:,} votes)"
        lines.append(f"- **{share}**" if option["votes"] == best else f"- {share}")
      lines += ["", f"{total:,} votes, ended {post['poll']['ends_at'][:10]}", ""]
    if "quotes" in post:
      quoted = self.related[0]
      other = self.others[quoted["author_id"]]
      body = marked_up(quoted["text"], []).split("\n")
      lines += [f"> **{escaped(other.name)}** [@{escaped(other.handle)}]({other.url})", ">"]
      lines += [f"> {line}".rstrip() for line in body]
      lines += [">", f"> [{quoted['created_at'][:10]}]({quoted['url']})", ""]
    if "card" in post:
      card = post["card"]
      lines += [f"> **[{escaped(card['title'])}]({card['url']})**", ">", f"> {escaped(card['summary'])}", ""]
    return lines + [f"[{post['created_at'][:16].replace('T', ' ')}]({post['url']})", ""]


SPECIAL = re.compile(r"([\\`*_\[\]<>&~#]|^[-+](?=\s)|^\d+(?=[.)]\s))", re.MULTILINE)


def escaped(text):
  """Returns the text escaped, so that Markdown shows it unchanged."""
  return SPECIAL.sub(lambda found: found[1] + "\\" if found[1].isdigit() else "\\" + found[1], text)


def marked_up(text, entities):
  """Returns the text as Markdown, with its links. The author's line breaks stay line breaks."""
  parts, end = [], 0
  for entity in entities:
    parts.append(escaped(text[end:entity["start"]]))
    url = f"/tags/{entity['tag']}/" if entity["type"] == "hashtag" else entity["url"]
    end = entity["end"]
    parts.append(f"[{escaped(text[entity['start']:end])}]({url})")
  parts.append(escaped(text[end:]))
  return re.sub(r"(?<!\n)\n(?!\n)", "\\\\\n", "".join(parts))


# MARK: Writing

SITE = """\
title: A benchmark
base_url: https://bench.example/
description: Invented threads
language: en
theme: paper
timezone: UTC
media: link
"""


def write(path, text):
  try:
    file = open(path, "w", encoding="utf-8", newline="\n")
  except FileNotFoundError:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    file = open(path, "w", encoding="utf-8", newline="\n")
  with file:
    file.write(text)


def set_posts(count):
  """Sets the number of posts of each thread in this process."""
  global POSTS
  POSTS = count


def write_threads(job):
  """Writes the threads of a range of numbers. Returns the number of bytes of JSON and of Markdown."""
  numbers, store, hugo = job
  authors = [Author(number) for number in range(AUTHORS)]
  sizes = [0, 0]
  for number in numbers:
    thread = Thread(number, authors)
    text = thread.as_json()
    sizes[0] += len(text.encode())
    write(f"{store}/threads/x/{thread.author.handle}/{thread.id}.json", text)
    if hugo:
      text = thread.as_markdown()
      sizes[1] += len(text.encode())
      write(f"{hugo}/content/threads/{thread.author.handle}/{thread.id}.md", text)
  return sizes


def main():
  arguments = argparse.ArgumentParser(description="Writes invented threads for benchmarks.")
  arguments.add_argument("folder", help="a new or empty folder for site.yml and threads/")
  arguments.add_argument("--threads", type=int, default=10_000, metavar="N")
  arguments.add_argument("--posts", type=int, default=POSTS, metavar="N", help="the number of posts of each thread, at least 2")
  arguments.add_argument("--hugo", metavar="FOLDER", help="a new or empty folder for the same threads as a Hugo site")
  options = arguments.parse_args()
  if options.posts < 2:
    sys.exit("--posts: at least 2")
  for folder in filter(None, (options.folder, options.hugo)):
    if os.path.isdir(folder) and os.listdir(folder):
      sys.exit(f"{folder} is not empty: name a new folder")
  write(f"{options.folder}/site.yml", SITE)
  if options.hugo:
    here = os.path.dirname(os.path.abspath(__file__))
    shutil.copytree(f"{here}/hugo", options.hugo, dirs_exist_ok=True)
  chunk = 100
  jobs = [
    (range(start, min(start + chunk, options.threads)), options.folder, options.hugo)
    for start in range(0, options.threads, chunk)
  ]
  with multiprocessing.Pool(initializer=set_posts, initargs=(options.posts,)) as workers:
    sizes = workers.map(write_threads, jobs, chunksize=1)
  of_json, of_markdown = (sum(size[kind] for size in sizes) for kind in (0, 1))
  threads = max(options.threads, 1)
  print(f"{options.threads} threads of {options.posts} posts: {of_json / 1e6:.1f} MB of JSON ({of_json / threads / 1e3:.1f} kB each)")
  if options.hugo:
    print(f"the same as Markdown: {of_markdown / 1e6:.1f} MB ({of_markdown / threads / 1e3:.1f} kB each)")


if __name__ == "__main__":
  main()
