"""Breaks copies of a valid site in different ways to test the checks: `run --try BINARY`.

A breakage consists of the claim that should fail, the page that is checked (the beginning of its name), the file, and the replaced text.
CSS is added to the style sheet. A page is taken only through the section of the claim.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from browserchecks import accessibility, firefox, hostile, keyboard, layout, loading, look, payloads, preview, printing, recovering, searching, sites, wandering, webkit, weight, without_script
from browserchecks.pages import pages_to_visit
from browserchecks.report import Report
from browserchecks.sections import SECTIONS, check_page, pool
from browserchecks.server import serving

PAGE, CSS, HEADERS = "the page", "the style sheet", "_headers"
POLL, PICTURES = "thread-every-good-alphabet", "thread-when-a-whale-dies"

BREAKAGES: list[tuple[str, str, str, str, str]] = [
    (loading.QUIET, "home", PAGE, r"</main>", '<img src="x.png" alt=""></main>'),
    (loading.POLICY, "home", PAGE, r"</main>", '<p style="color:red">Red</p></main>'),
    (loading.POLICY, "home", PAGE, r'<meta http-equiv="Content-Security-Policy"[^>]*>', ""),
    (loading.POLICY, "home", HEADERS, r"Content-Security-Policy:[^\n]*", "X-Policy: none"),
    (loading.ANSWERED, "home", PAGE, r'href="[^"]*\.css"', 'href="nowhere.css"'),
    (loading.HOSTS, "home", PAGE, r"</main>", '<img src="https://media.example/x.png" alt=""></main>'),
    (loading.SCRIPTS, "home", PAGE, r"</main>", '<script src="x.js"></script></main>'),
    (loading.SCRIPTS, "home", PAGE, r"<main", '<main onclick="x()"'),
    (loading.FONTS, "home", CSS, "", "@font-face { font-family: F; src: url(f.woff2) } body { font-family: F }"),
    (loading.SHIFTS, PICTURES, PAGE, r'(<main[^>]*>)(.*?<img [^>]*?src="([^"]*)")', r'\1<img src="\3" alt="">\2'),
    (loading.PARTS, POLL, CSS, "", ".post { display: flex; flex-direction: column-reverse }"),
    (loading.PARTS, "authors", CSS, "", "main:not(:has(.people)) { max-inline-size: 200px !important }"),
    (accessibility.AXE, "home", CSS, "", "main p { color: #aaa !important }"),
    (accessibility.AXE, "home", CSS, "", "@media (prefers-color-scheme: dark) { main p { color: #444 !important } }"),
    (accessibility.AXE, "home", CSS, "", "@media (min-width: 60em) and (prefers-color-scheme: light) { main p { color: #aaa !important } }"),
    (accessibility.AXE, "home", PAGE, r'(<html) lang="[^"]*"', r"\1"),
    (accessibility.AXE, "tags", CSS, "", "nav ul { gap: 0 !important } nav a { font-size: 6px !important; line-height: 1; padding: 0 !important }"),
    (accessibility.UNDECIDED, POLL, CSS, "", "main { background-image: linear-gradient(#888, #999) }"),
    (accessibility.OUTLINE, "home", PAGE, r"</main>", "<h1>Again</h1></main>"),
    (accessibility.OUTLINE, "home", PAGE, r"</main>", "<h4>Deep</h4></main>"),
    (accessibility.OUTLINE, "home", PAGE, r"</body>", "<footer>Again</footer></body>"),
    (accessibility.IMAGES, PICTURES, PAGE, r'(<img [^>]*?) alt="[^"]*"', r"\1"),
    (accessibility.IMAGES, PICTURES, PAGE, r'(<img [^>]*?) width="\d+"', r"\1"),
    (accessibility.IMAGES, POLL, PAGE, r"<video controls", "<video autoplay muted"),
    (layout.WIDTHS, "home", CSS, "", "main { min-width: 330px }"),
    (layout.WIDTHS, "home", CSS, "", "body { overflow-x: hidden } main { min-width: 1500px }"),
    (layout.WIDTHS, "thread-a-litre", CSS, "", "@media (min-width: 70rem) and (max-width: 75rem) { .permalink { inline-size: 30rem !important } }"),
    (layout.APART, "thread-a-litre", CSS, "", ".post { block-size: 0 !important }"),
    (layout.LARGE, "home", CSS, "", "main p { font-size: 16px !important }"),
    (layout.LARGE, "home", CSS, "", "nav li { height: 30px; overflow: hidden }"),
    (layout.TARGETS, "tags", CSS, "", "main li a { display: inline-block !important; font-size: 6px !important; line-height: 1 !important; padding: 0 !important } main ul { gap: 0 !important }"),
    (layout.MOTION, "home", CSS, "", "a { transition: color 1s }"),
    (layout.MOTION, "home", CSS, "", "html { scroll-behavior: smooth !important }"),
    (keyboard.SKIP, "home", PAGE, r'<a class="skip"', '<a href="/">First</a><a class="skip"'),
    (keyboard.SKIP, "home", CSS, "", ".skip:focus { clip-path: inset(50%) !important }"),
    (keyboard.SKIP, "home", PAGE, r'id="main"', 'id="mane"'),
    (keyboard.ORDER, "home", PAGE, r"(<main.*?<a) ", r'\1 tabindex="1" '),
    (keyboard.FOCUS, "home", CSS, "", "a:focus-visible { outline: none !important }"),
    (keyboard.FOCUS, "home", CSS, "", "a:focus-visible { outline-color: #eee !important }"),
    (keyboard.FOCUS, "home", CSS, "", "body > footer { position: fixed; inset: 0; background: white }"),
    (keyboard.LARGE, POLL, PAGE, r' popover id=', " id="),
    (keyboard.FOLDED, PICTURES, PAGE, r'<details class="warning"', '<details open class="warning"'),
    (keyboard.FOLDED, "thread-the-sea", CSS, "", ".sensitive img, .sensitive video { filter: none !important }"),
    (keyboard.FOLDED, "thread-the-sea", CSS, "", ".sensitive * { visibility: visible !important }"),
    (keyboard.ENTER, "not-found", PAGE, r"<main.*</body>", '<main id="main"><h1>Nothing</h1></main></body>'),
    (without_script.COMPLETE, "home", PAGE, r"</main>", "<noscript>Please switch on JavaScript.</noscript></main>"),
    (without_script.NOTHING, "home", PAGE, r'class="look" hidden', 'class="look"'),
    (look.CHOSEN, "home", PAGE, r"<script data-src=[^>]*>", r"\g<0>1;"),
    (look.CHOSEN, "home", CSS, "", ":root { font-size: 16px !important }"),
    (look.FIRST, "home", PAGE, r"(<script data-src=.*?</script>)(.*)</body>", r"\2\1</body>"),
    (look.OPENED, "home", CSS, "", ".look > div { min-inline-size: 600px !important; max-inline-size: none !important }"),
    (look.FACE, "thread-a-litre", CSS, "", ".post-text { font-family: monospace !important }"),
    (look.KEYS, "thread-a-litre", CSS, "", ".permalink { display: none !important }"),
    (look.RESUMED, "thread-a-litre", PAGE, r' id="post-[^"]*"', ""),
    (look.QUOTED, "thread-a-litre", PAGE, r' id="post-[^"]*"', ""),
    (look.COPY, "thread-the-sea", CSS, "", ".large { display: block !important }"),
    (look.PICTURES, "thread-the-sea", PAGE, r' popover id="large-2"', ' id="large-2"'),
    (look.COPIED, "thread", PAGE, r' data-done="[^"]*"', ' data-done=""'),
    (wandering.DAY, "home", PAGE, r" data-day>", ">"),
    (wandering.RANDOM, "home", PAGE, r" data-random>", ">"),
    (printing.PDF, "home", CSS, "", "@media print { p { break-before: page } }"),
    (printing.TEXT, PICTURES, CSS, "", "@media print { .post:nth-of-type(3) { display: none } }"),
    (printing.LINKS, "thread-a-hundred-year", CSS, "", "@media print { .card a::after { content: none !important } .post-text a { display: none } }"),
    (printing.CHROME, "home", CSS, "", "@media print { nav { display: block !important } }"),
]
# The search page, if the site has one.
OF_SEARCH: list[tuple[str, str, str, str, str]] = [
    (searching.ANSWER, "search", PAGE, r"<script [^>]*src=[^>]*>", "<script>"),
    (searching.STATUS, "search", CSS, "", "[role=status], [aria-live], output { display: none !important }"),
    (recovering.RECOVERS, "search", PAGE, r' data-failed="[^"]*"', ""),
    (recovering.MORE, "search", PAGE, r' data-failed="[^"]*"', ""),
    (without_script.HONEST, "search", PAGE, r"(?s)<noscript>.*?</noscript>", ""),
]


def broken(folder: Path, file: Path, search: str, replacement: str) -> bool:
    """Replaces the first match in a file, removes all matches, or appends to it; returns whether the file changed. The file may be a hard link to the valid
    site's file, so it is recreated."""
    text = file.read_text("utf-8")
    replaced = text + "\n" + replacement if not search else re.sub(search, lambda found: found.expand(replacement), text, count=1 if replacement else 0, flags=re.DOTALL)
    file.unlink()
    file.write_text(replaced, "utf-8")
    return replaced != text


def section_of(claim: str) -> str:
    return claim.partition(":")[0]


def attempt(job: tuple[str, Path, tuple[str, str, str, str, str]]) -> str | None:
    """Breaks one copy; returns a description of a missed fault, if any."""
    theme, sound, (claim, name, where, search, replacement) = job
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "site")
        shutil.copytree(sound, folder, copy_function=copy_cheaply)
        pages = [page for page in pages_to_visit(folder) if page.name.startswith(name)]
        if not pages:
            return f"{claim}: no page {name}"
        files = {PAGE: pages[0].file, HEADERS: folder / "_headers"}
        file = files[where] if where in files else next(folder.glob("assets/style.*.css"))
        if not broken(folder, file, search, replacement):
            return f"{claim}: {where} of {name} does not hold {search!r}"
        with serving(folder) as home:
            _, report = check_page((theme, folder, home, pages[0]), [section_of(claim)])
    return None if claim in report.failures else f"{claim}: {where} of {name}: {search!r} {replacement[:60]!r} {report.failures}"


def copy_cheaply(source: str, target: str) -> str:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target


def try_all(binary: Path, theme: str) -> int:
    """Prints the missed faults; returns 1 if there are any."""
    sites.WORK.mkdir(parents=True, exist_ok=True)
    sound = sites.build_sample(binary, theme)
    breakages = [*BREAKAGES, *(OF_SEARCH if (sound / "search" / "index.html").exists() else [])]
    with pool() as workers:
        jobs = [(theme, sound, breakage) for breakage in breakages]
        missed = [text for text in workers.imap_unordered(attempt, jobs) if text]
    missed += try_weight(sites.build_weighed(binary, [theme])[theme])
    missed += hostile.try_it(binary)
    missed += payloads.try_it(binary)
    missed += preview.try_it(binary)
    others = {firefox: firefox.path(), webkit: webkit.programs()}
    for module, is_installed in others.items():
        missed += module.try_it(binary)
        if not is_installed:
            print(f"skipped: {len(module.BREAKAGES)} breakages of {module.SITE}, which is not installed")
    for text in missed:
        print(f"  MISSED {text}")
    # A claim that no breakage makes fail may be unable to fail.
    tried = {claim for claim, *_ in breakages} | set(weight.CLAIMS)
    untried = [claim for name, section in SECTIONS.items() for claim in section.CLAIMS if claim not in tried and name not in ("search", "recovery")]
    untried = [claim for claim in untried if claim != without_script.HONEST]
    for claim in untried:
        print(f"  UNTRIED {claim}")
    count = len(breakages) + 4 + sum(len(module.BREAKAGES) for module in (payloads, preview, *(module for module in others if others[module])))
    print(f"{count - len(missed)} breakages found, {len(missed)} missed")
    return 1 if missed or untried else 0


def try_weight(folder: Path) -> list[str]:
    """A style sheet of 20 KB that does not compress, and a font."""
    sheet = next(folder.glob("assets/style.*.css"))
    text = sheet.read_text("utf-8")
    sheet.write_text(f"{text}/* {os.urandom(10_000).hex()} */ @font-face {{ font-family: F }}", "utf-8")
    report = Report()
    weight.check(folder, "broken", report)
    return [claim for claim in weight.CLAIMS if claim not in report.failures]
