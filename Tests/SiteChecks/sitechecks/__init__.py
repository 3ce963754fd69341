"""The sections of the checks, in their order: each has `check(site, report)`."""

from . import browserfiles, feeds, htmlchecker, links, pages, policy, reach, sitemap, structured

SECTIONS = {
    "html": htmlchecker,
    "feeds": feeds,
    "sitemap": sitemap,
    "json-ld": structured,
    "links": links,
    "pages": pages,
    "policy": policy,
    "browser": browserfiles,
    "reach": reach,
}
