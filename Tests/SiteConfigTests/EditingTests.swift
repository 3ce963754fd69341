import SiteConfig
import Testing

@Suite("Editing a thread's entry in site.yml")
struct EditingTests {
  private static let address = "https://x.com/ada/status/99"

  private func edit(_ yaml: String, entry: Int?, _ change: ThreadChange) throws -> String? {
    try SiteConfig.decode(yaml: yaml, file: "site.yml")
      .changing(entry: entry, address: Self.address, change, .networks)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let yaml: String
    var entry: Int? = 0
    let change: ThreadChange
    let expected: String?
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "an address alone becomes an entry, and its comment stays",
      yaml: "threads:\n  - 1  # the first\n  # - 2\n  - 3\n", change: .title("A: \"b\" # c"),
      expected: "threads:\n  - url: 1  # the first\n    title: \"A: \\\"b\\\" # c\"\n  # - 2\n  - 3\n"),
    Case(
      name: "a title is replaced, and the comment behind it stays",
      yaml: "threads:\n  - url: 1\n    title: 'Old # no comment'   # why\n    tags: [a]\n",
      change: .title("new"),
      expected: "threads:\n  - url: 1\n    title: new   # why\n    tags: [a]\n"),
    Case(
      name: "a title of many lines is replaced whole",
      yaml:
        "threads:\n  - title: >-\n      Old\n      words\n\n    # of the address\n    url: 1\nlanguage: en\n",
      change: .title("New words"),
      expected: "threads:\n  - title: \"New words\"\n\n    # of the address\n    url: 1\nlanguage: en\n"),
    Case(
      name: "tags join those on one line", yaml: "threads:\n- url: 1\n  tags: [a, \"b ]\"]  # ]\n",
      change: .tags(["A", "c d"]), expected: "threads:\n- url: 1\n  tags: [a, \"b ]\", \"c d\"]  # ]\n"),
    Case(
      name: "tags join those on lines of their own",
      yaml: "threads:\n- url: 1\n  tags:\n  - a\n  # more\n- 2\n", change: .tags(["true"]),
      expected: "threads:\n- url: 1\n  tags:\n  - a\n  - \"true\"\n  # more\n- 2\n"),
    Case(
      name: "tags where there are none", yaml: "threads:\n  - url: 1\n    hide:\n      - 2\n\n# end\n",
      change: .tags(["a"]), expected: "threads:\n  - url: 1\n    hide:\n      - 2\n    tags: [a]\n\n# end\n"),
    Case(
      name: "a post is hidden", yaml: "threads:\r\n  - url: 1\r\n    title: A\r\n", change: .hide([address]),
      expected: "threads:\r\n  - url: 1\r\n    title: A\r\n    hide:\r\n      - \(address)\r\n"),
    Case(
      name: "another post is hidden", yaml: "threads:\n  - hide:\n      - 2\n    url: 1",
      change: .hide([address]), expected: "threads:\n  - hide:\n      - 2\n      - \(address)\n    url: 1"),
    Case(
      name: "no title of the owner's any more",
      yaml: "threads:\n  - url: 1\n    title: >-\n      A\n      b\n    slug: c\n",
      change: .title(nil), expected: "threads:\n  - url: 1\n    slug: c\n"),
    Case(
      name: "tags on one line are removed",
      yaml: "threads:\n  - url: 1\n    tags: [a, \"b, c\", 'd']  # mine\n",
      change: .withoutTags(["A", "B, C"]), expected: "threads:\n  - url: 1\n    tags: ['d']  # mine\n"),
    Case(
      name: "a tag after tags outside of ASCII is removed",
      yaml: "threads:\n  - url: 1\n    tags: [Übüng, 日本, b, c]\n",
      change: .withoutTags(["b"]), expected: "threads:\n  - url: 1\n    tags: [Übüng, 日本, c]\n"),
    Case(
      name: "a tag after a repeated tag is removed",
      yaml: "threads:\n  - url: 1\n    tags: [a, A, b]\n",
      change: .withoutTags(["b"]), expected: "threads:\n  - url: 1\n    tags: [a, A]\n"),
    Case(
      name: "a repeated tag is removed everywhere",
      yaml: "threads:\n  - url: 1\n    tags: [a, b, a]\n",
      change: .withoutTags(["a"]), expected: "threads:\n  - url: 1\n    tags: [b]\n"),
    Case(
      name: "a tag on a line of its own is removed",
      yaml: "threads:\n  - url: 1\n    tags:\n      - a\n      # why\n      - b\n    slug: c\n",
      change: .withoutTags(["b"]),
      expected: "threads:\n  - url: 1\n    tags:\n      - a\n      # why\n    slug: c\n"),
    Case(
      name: "the last tag is removed with its key",
      yaml: "threads:\n  - url: 1\n    tags:\n    - a\n    slug: c\n",
      change: .withoutTags(["a"]), expected: "threads:\n  - url: 1\n    slug: c\n"),
    Case(
      name: "alt text joins other alt texts", yaml: "threads:\n  - alt:\n      a.jpg: A\n    url: 1\n",
      change: .alt(picture: "b.jpg", "x: y"),
      expected: "threads:\n  - alt:\n      a.jpg: A\n      b.jpg: \"x: y\"\n    url: 1\n"),
    Case(
      name: "alt text over several lines is replaced",
      yaml: "threads:\n  - url: 1\n    alt:\n      a.jpg: >-\n        A\n        b\n      b.jpg: B\n",
      change: .alt(picture: "a.jpg", "new"),
      expected: "threads:\n  - url: 1\n    alt:\n      a.jpg: new\n      b.jpg: B\n"),
    Case(
      name: "one of two alt texts is removed",
      yaml: "threads:\n  - url: 1\n    alt:\n      a.jpg: A\n      b.jpg: B\n",
      change: .alt(picture: "b.jpg", nil),
      expected: "threads:\n  - url: 1\n    alt:\n      a.jpg: A\n"),
    Case(
      name: "alt text in braces is left to the owner", yaml: "threads:\n  - url: 1\n    alt: { a.jpg: A }\n",
      change: .alt(picture: "b.jpg", "B"), expected: nil),
    Case(
      name: "a draft", yaml: "threads:\n  - 1", change: .draft(true),
      expected: "threads:\n  - url: 1\n    draft: true"),
    Case(
      name: "no draft any more", yaml: "threads:\n  - url: 1\n    draft: true # not yet\n    title: A\n",
      change: .draft(false), expected: "threads:\n  - url: 1\n    title: A\n"),
    Case(
      name: "no draft any more, where that is how the entry begins",
      yaml: "threads:\n  - draft: true\n    url: 1\n", change: .draft(false),
      expected: "threads:\n  - draft: false\n    url: 1\n"),
    Case(
      name: "what is said already", yaml: "threads:\n  - url: 1\n    exclude: true\n", change: .exclude(true),
      expected: "threads:\n  - url: 1\n    exclude: true\n"),
    Case(
      name: "a list that is not there", yaml: "title: A\n\n\n", entry: nil, change: .tags(["a"]),
      expected: "title: A\n\nthreads:\n  - url: \(address)\n    tags: [a]\n"),
    Case(
      name: "an empty file", yaml: "", entry: nil, change: .exclude(true),
      expected: "threads:\n  - url: \(address)\n    exclude: true\n"),
    Case(
      name: "an empty list", yaml: "threads: []  # none yet\ntitle: A\n", entry: nil,
      change: .hide([address]),
      expected:
        "threads:  # none yet\n  - url: \(address)\n    hide:\n      - \(address)\ntitle: A\n"),
    Case(
      name: "a new entry behind others", yaml: "threads:\n    - 1\n# end\n", entry: nil, change: .draft(true),
      expected: "threads:\n    - 1\n    - url: \(address)\n      draft: true\n# end\n"),
    Case(name: "an entry in braces", yaml: "threads:\n  - {url: 1}\n", change: .draft(true), expected: nil),
    Case(
      name: "a list in brackets", yaml: "threads: [1, 2]\n", entry: nil, change: .draft(true), expected: nil),
    Case(
      name: "tags over several lines", yaml: "threads:\n  - url: 1\n    tags: [a,\n      b]\n",
      change: .tags(["c"]), expected: nil),
    Case(
      name: "a title that cannot be one", yaml: "threads:\n  - 1\n", change: .title("a\u{202E}b"),
      expected: nil),
    Case(
      name: "a post on another network", yaml: "threads:\n  - 1\n",
      change: .hide(["https://bsky.app/profile/did:plc:z72i7hdynmk6r22z27h6tvur/post/3lqosh4yb72vi"]),
      expected: nil),
  ])
  func keepsTheRestOfTheFile(_ test: Case) throws {
    #expect(try edit(test.yaml, entry: test.entry, test.change) == test.expected)
  }

  /// For any file, an edit gives the intended configuration or none. The test decodes both to compare them.
  @Test(arguments: [
    "threads:\n  - url: 1\n    title: |\n      # A\n      b\n", "threads:\n  -   url: 1\n      title: a\n",
    "threads:\n  - \"url\": 1\n    \"title\": a\n", "---\nthreads:\n  - url: 1\n...\n",
    "threads:\n  - url: 1\n    tags:\n    - a\n    title: b\n", "{threads: [{url: 1}]}\n",
    "threads:\n  - url:\n      1\n", "threads:\n  -\n    url: 1\n", "\u{FEFF}threads:\n  - 1\n",
    "threads:\n  - url: 1 \n    title: a\u{2028}b\n", "threads:\n  - ? url\n    : 1\n",
  ])
  func changesNothingElse(yaml: String) throws {
    guard let before = try? SiteConfig.decode(yaml: yaml, file: "site.yml").config else { return }
    for change in [
      ThreadChange.title("New"), .title(nil), .tags(["new"]), .withoutTags(["a"]), .hide(["77"]), .show([]),
      .alt(picture: "a.jpg", "A"), .draft(true), .publishAt("2026-12-01"), .exclude(true),
    ] {
      guard let edited = try edit(yaml, entry: 0, change) else { continue }
      let after = try SiteConfig.decode(yaml: edited, file: "site.yml").config
      var expected = before
      switch change {
      case .title(let title): expected.threads[0].title = title
      case .withoutTags: expected.threads[0].tags = []
      case .show: break
      case .alt(let picture, let text): expected.threads[0].alt[picture] = text
      case .tags: expected.threads[0].tags.append("new")
      case .hide: expected.threads[0].hide = after.threads[0].hide
      case .draft: expected.threads[0].isDraft = true
      case .publishAt(let time): expected.threads[0].publishAt = try time.map { try PublicationTime($0) }
      case .exclude: expected.threads[0].isExcluded = true
      }
      #expect(after == expected, "\(edited)")
      if case .hide = change { #expect(after.threads[0].hide.map(\.id) == ["77"]) }
    }
  }
}
