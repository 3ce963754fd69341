"""The faults that `run` plants. Each is one change of the code, the check that must fail, and the text that the check must print.

Faults of one group are planted together and share a build, because their modules do not depend on each other and the tests of each module
find its fault.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
  name: str
  # The effect of the planted fault.
  what: str
  file: str
  # The replaced text; the file contains it exactly once.
  old: str
  new: str
  # The check of .ci/checks.py that must find the fault.
  check: str
  # The part of that check that is run.
  command: str
  # A regular expression for the output of the failed check.
  finding: str
  group: str = ""


CONTRAST = """
main p, main time { color: #b5b5b5 !important; }
"""

UNLOCKED = """
    final class Unlocked: @unchecked Sendable {
      var values: [PostingEncoder.Encoded?]
      init(_ values: [PostingEncoder.Encoded?]) { self.values = values }
      func withLock<Result>(_ body: (inout [PostingEncoder.Encoded?]) -> Result) -> Result { body(&values) }
    }
    let encoded = Unlocked([PostingEncoder.Encoded?](repeating: nil, count: count))
"""

FAULTS = (
  # Fast checks
  Fault(
    "layout", "a line of code is indented wrongly", "Sources/Unroll/Unroll.swift",
    "    let graph = ReplyGraph(known)\n", "      let graph = ReplyGraph(known)\n",
    "format", "make check-format", r"Unroll\.swift:\d+:\d+: error: .*[Ii]ndent"),
  Fault(
    "prose", "a comment begins with a paraphrase", "Sources/Unroll/Unroll.swift",
    "package import ThreadModel\n", "// What is there is taken as it is, too.\npackage import ThreadModel\n",
    "prose", "make check-prose", r"error: Sources/Unroll has"),
  Fault(
    "import", "a stage imports a module that Package.swift does not give it", "Sources/Unroll/Unroll.swift",
    "package import ThreadModel\n", "import SiteConfig\npackage import ThreadModel\n",
    "lint", ".ci/checks.py lint", r"error: .*Unroll imports SiteConfig"),
  Fault(
    "skipped", "a deep check that was skipped is recorded as passed", ".ci/checks.py",
    "    if result != PASSED or not recording:\n", "    if result == FAILED or not recording:\n",
    "lint-tests", ".ci/test_checks.py", r"FAIL: test_skipped_and_failed_checks_are_not_recorded"),
  Fault(
    "warning", "a value is computed and never used", "Sources/ThreadModel/Poll.swift",
    "/// A question with options for readers to vote on.\n",
    "private func leftover() { let unused = 1 }\n\n/// A question with options for readers to vote on.\n",
    "build-tests", "make build-tests", r"error: .*'unused' was never used"),
  Fault(
    "escape", "quotation marks in attributes of a page are not escaped", "Sources/MarkdownHTML/CmarkEscaping.swift",
    'case UInt8(ascii: "\\""): replacement = "&quot;"', 'case UInt8(ascii: "\\""): replacement = "\\""',
    "test", "make test MODULE=MarkdownHTML", r"✘ Test run with", "debug"),
  Fault(
    "lost-post", "the last answer of an author is left out of the thread", "Sources/Unroll/Unroll.swift",
    "    answers = outline.answers.map { answer in", "    answers = outline.answers.dropLast().map { answer in",
    "test", "make test MODULE=Unroll", r"✘ Test run with", "debug"),
  Fault(
    "secret", "a token is printed where it is described", "Sources/HTTPTransport/Secret.swift",
    'package var description: String { "(redacted)" }', "package var description: String { value }",
    "test", "make test MODULE=HTTPTransport", r"✘ Test run with", "debug"),
  Fault(
    "instruction", "a tutorial contains a misspelled command", "docs/tutorials/x-archive.md",
    "```sh\nthreadsite review\n```", "```sh\nthreadsite reveiw\n```",
    "test", "make setup setup-tests build-tests && swift test --skip-build --disable-xctest --filter ProgramTests.InstructionsTests",
    r"tutorials/x-archive\.md:\d+: exit code"),
  Fault(
    "markup", "an element of every page is closed twice", "themes/paper/layouts/base.mustache",
    "</body>", "</div></body>",
    "site", "make check-site", r"(?i)stray end tag|error:|FAIL"),
  Fault(
    "contrast", "text is too pale to be read", "themes/paper/static/style.css",
    "\na:hover {", CONTRAST + "\na:hover {",
    "pages", "make check-pages", r"FAIL accessibility"),
  # Deep checks
  Fault(
    "leak", "a parser of libyaml is never freed", "Sources/SiteConfig/Reading/YAMLParser.swift",
    "    yaml_parser_delete(parser)\n    parser.deallocate()\n", "",
    "memory", "make test-memory MEMORY=SiteConfig", r"LeakSanitizer: detected memory leaks"),
  Fault(
    "race", "workers write their results into one array without a lock", "Sources/SearchIndex/SearchIndexWriter.swift",
    "    let encoded = Mutex([PostingEncoder.Encoded?](repeating: nil, count: count))\n", UNLOCKED,
    "threads", "env THREADSITE_TESTS=SearchIndex make test-threads PARALLEL=SearchIndexTests", r"ThreadSanitizer: (data|Swift access) race"),
  Fault(
    "nesting", "a block of an archive may be nested without a limit", "Sources/BlueskyNetwork/Export/DAGCBOR.swift",
    'guard depth <= Self.deepest else { throw DAGCBORError("it is nested too deeply") }', "_ = Self.deepest",
    "fuzz", "make fuzz TIME=30 TARGET=repository SEED=20261121", r"stack-overflow|trap|findings.*\n.*repository.*[1-9]|exit code"),
  Fault(
    "quadratic", "every post looks for its place from the first post on", "Sources/Unroll/KnownPosts.swift",
    "  func position(of id: PostID) -> Int? { index.position(of: id) }", "  func position(of id: PostID) -> Int? { posts.firstIndex { $0.id == id } ?? index.position(of: id) }",
    "growth", "make test-growth CLAIM=unrolling", r"error: .*unrolling"),
  Fault(
    "leftovers", "temporary files of killed commands stay in the store forever", "Sources/SiteWorkspace/Store/StoreWriting.swift",
    "    removeAbandoned()\n", "",
    "crash", "make test-crash", r"✘ Test run with"),
  Fault(
    "slow", "every thread is rendered twice", "Sources/SiteBuild/Rendering/ThreadWorker.swift",
    "      html = try MarkdownHTML.render(document.body, options: options)\n",
    "      for _ in 0..<8 { _ = try MarkdownHTML.render(document.body, options: options) }\n"
    "      html = try MarkdownHTML.render(document.body, options: options)\n",
    "instructions", "make test-instructions", r"error: build takes"),
  Fault(
    "package", "the package has no themes", "Packaging/files",
    "for name in templates themes docs; do", "for name in templates docs; do",
    "packages", "make test-deb", r"FAIL|error:"),
  Fault(
    "launcher", "the command of the wheel prints a line of its own", "Packaging/wheel/threadsite/__init__.py",
    "  os.execv(", "  print('threadsite', flush=True)\n    os.execv(",
    "wheel", "make test-wheel", r"FAIL: starting prints more than the version"),
  Fault(
    "workflow", "a workflow that `init --ci` writes has a step that GitHub does not know", "templates/ci/github/workflow.yml",
    "    timeout-minutes: 60\n", "    timeout: 60\n",
    "workflows", "make check-ci", r"(?i)timeout|schema"),
)
