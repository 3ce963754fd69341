"""Builds the sample site once per theme, and the invented threads for the page-weight table."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WORK = ROOT / ".build" / "browser"
# Few enough threads that the sample's home page has a second page.
PER_PAGE = 5
LONG_POSTS = 60
WEIGHED_THREADS = 40


def themes() -> list[str]:
    """Every theme of the repository: a folder with a theme.yml."""
    return sorted(file.parent.name for file in (ROOT / "themes").glob("*/theme.yml"))


# Sites in languages other than the sample's, by name: right-to-left, and one with long words.
TRANSLATED = {
    "paper-ar": ("paper", "ar"), "book-ar": ("book", "ar"), "magazine-ar": ("magazine", "ar"), "timeline-ar": ("timeline", "ar"),
    "zettel-de": ("zettel", "de"),
}


def names() -> list[str]:
    """Every checked site: one per theme, and those in other languages."""
    return themes() + list(TRANSLATED)


def settings(site: str) -> dict[str, str]:
    """The settings in site.yml according to a site's name."""
    theme, language = TRANSLATED.get(site, (site, None))
    return {"theme": theme, **({"language": language} if language else {})}


def build(binary: Path, config: Path, output: Path) -> None:
    environment = {**os.environ, "THREADSITE_SHARE": str(ROOT)}
    command = [str(binary), "build", "--quiet", "--offline", "--force", "--config", str(config), "--output", str(output)]
    subprocess.run(command, check=True, env=environment)


@lru_cache(maxsize=1)
def generator():
    """The generator of the benchmarks, which writes the store's format."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "Benchmarks" / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def add_long_thread(store: Path) -> str:
    """Writes a thread that is longer than those of the sample site; returns the URL of its first post. Its only image is on a host that
    does not exist, so it is not shown. The whole text of its first post is the title, so the post itself is empty."""
    generate = generator()
    usual = generate.POSTS
    generate.POSTS = LONG_POSTS
    try:
        thread = generate.Thread(1, [generate.Author(number) for number in range(generate.AUTHORS)])
    finally:
        generate.POSTS = usual
    for post in thread.posts:
        post.pop("media", None)
    thread.posts[0]["text"] = "A thread that begins with a title."
    thread.posts[0].pop("entities", None)
    file = store / "x" / thread.author.handle / f"{thread.id}.json"
    file.parent.mkdir(parents=True)
    file.write_text(thread.as_json(), "utf-8")
    return f"https://x.com/{thread.author.handle}/status/{thread.id}"


def with_settings(config: str, settings: dict[str, str]) -> str:
    """A site.yml with other values for some of its one-line keys."""
    for key, value in settings.items():
        config = re.sub(rf"(?m)^{key}:.*\n", "", config)
        config += f"{key}: {value}\n"
    return config


def build_sample(binary: Path, site: str) -> Path:
    """The sample site in a theme with a long thread and a second page of its index; returns its output folder."""
    folder = WORK / "sites" / site
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # A copy, because a build records in the store what it published.
    shutil.copytree(ROOT / "threads", folder / "threads")
    long_thread = add_long_thread(folder / "threads")
    config = (ROOT / "site.yml").read_text("utf-8")
    config = re.sub(r"(?m)^threads:\n", f"threads:\n  - {long_thread}\n", config)
    assert long_thread in config, "site.yml has no list of threads"
    config = with_settings(config, {**settings(site), "pagination": f"{{ per_page: {PER_PAGE} }}"})
    (folder / "site.yml").write_text(config, "utf-8")
    build(binary, folder / "site.yml", folder / "site")
    return folder / "site"


def build_weighed(binary: Path, names: list[str]) -> dict[str, Path]:
    """Sites of typical threads of twelve posts, by name."""
    folder = WORK / "weighed"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    generate = generator()
    generate.write(f"{folder}/site.yml", generate.SITE)
    generate.write_threads((range(WEIGHED_THREADS), str(folder), None))
    config = (folder / "site.yml").read_text("utf-8")
    for site in names:
        (folder / f"{site}.yml").write_text(with_settings(config, settings(site)), "utf-8")
        build(binary, folder / f"{site}.yml", folder / site)
    return {site: folder / site for site in names}
