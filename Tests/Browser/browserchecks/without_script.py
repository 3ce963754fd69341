"""Every page with JavaScript switched off."""

from __future__ import annotations

from .pages import WITH_SCRIPT
from .report import Report
from .visit import PATIENCE, PHONE, RENDER_ALL, Visit

NOTHING = "without script: no button without an effect is shown"
COMPLETE = "without script: a page shows the same text"
HONEST = "without script: the search page states that it needs JavaScript, shows no field, and links to the indexes"
CLAIMS = (COMPLETE, NOTHING, HONEST)
ABSENT = "the site has no search page"

# Without content that needs scripts: at the end of the home page, the reader's settings, and the button that copies a thread's URL.
TEXT = "() => {" + RENDER_ALL + """
  const own = [...document.querySelectorAll('#wander, .look, [name=copy], [name=share]')];
  for (const element of own) element.style.display = 'none';
  const text = document.body.innerText.replace(/\\s+/g, ' ').trim();
  for (const element of own) element.style.display = '';
  return text;
}"""


def check(visit: Visit, report: Report) -> None:
    context = visit.browser.new_context(viewport=PHONE, color_scheme="light", locale="en-GB", java_script_enabled=False)
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.goto(visit.url, wait_until="load")
        shown = [one.inner_text() for one in page.locator(".look, button[name]").all() if one.is_visible()]
        report.expect_none(NOTHING, shown, visit)
        if visit.site_page.kind in WITH_SCRIPT:
            check_honest(page, visit, report)
        else:
            without, with_script = page.evaluate(TEXT), visit.page.evaluate(TEXT)
            report.expect(COMPLETE, len(without) > 40, visit, f"hardly any text: {without!r}")
            report.expect(COMPLETE, without == with_script, visit, f"{len(without)} characters instead of {len(with_script)}")
    finally:
        context.close()


def check_honest(page, visit: Visit, report: Report) -> None:
    text = page.evaluate("document.querySelector('main').innerText")
    report.expect(HONEST, "javascript" in text.lower() or "script" in text.lower(), visit, f"it says: {text[:200]!r}")
    fields = page.locator("main input").all()
    report.expect(HONEST, not any(field.is_visible() and field.is_enabled() for field in fields), visit, "a field can be typed into")
    for index in ("archive/", "tags/", "authors/"):
        if (visit.folder / index / "index.html").exists():
            links = [link for link in page.locator("main a[href]").all() if link.is_visible()]
            leads = any((link.get_attribute("href") or "").endswith(index) for link in links)
            report.expect(HONEST, leads, visit, f"no link to {index}")
