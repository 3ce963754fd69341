import Basics
import Foundation
import InterfaceText
import MarkdownHTML
import SiteConfig
import SiteOutput
import TestSupport
import ThreadModel

extension FuzzTarget {
  private static let yaml = [
    ": ", "\n- ", "\n  ", "\n", "#", "\"", "'", "|\n", ">\n", "&a ", "*a", "<<: *a", "!!binary ", "---\n",
    "...\n",
    "{", "}", "[", "]", ", ", "? ", "%YAML 1.2\n", "\t", "null", "~", "yes", "0x1F", "1e3", "\u{85}",
    "\u{2028}",
    "\u{FEFF}",
  ]

  /// site.yml: every problem has a place in the file, and adding a thread changes nothing else.
  static let siteConfig = FuzzTarget(
    "site-yml",
    dictionary: yaml + [
      "title: ", "base_url: ", "threads:\n- ", "sources:\n- ", "include: listed",
      "https://x.com/ada/status/1", "author: ", "search: ",
      "archive: ",
      "hide: [", "tags: [", "collections:\n", "token: ", "fetch:\n  ", "feed: { entries: 5 }",
      "theme_options:\n  ",
      "permalink: ", "time_zone: Europe/Berlin", "language: de",
    ],
    seeds: [
      Seeds("Tests/SiteConfigTests/Fixtures", ".yml"), Seeds("Tests/ProgramTests/Fixtures", "site.yml"),
    ],
    openers: bytes("[", "{a: ", "- "), testRuns: 300
  ) { bytes in
    let decoded: DecodedSiteConfig
    do throws(SiteConfigError) {
      decoded = try SiteConfig.decode(bytes: bytes, file: "site.yml", addresses: .networks)
    } catch {
      try ConfigForm.check(error, in: bytes)
      return
    }
    if !decoded.warnings.isEmpty {
      try ConfigForm.check(SiteConfigError(problems: decoded.warnings), in: bytes)
    }
    try require(
      try SiteConfig.decode(bytes: bytes, file: "site.yml", addresses: .networks) == decoded,
      "the second decoding differs")
    let address = "https://x.com/ada/status/9007199254740993"
    if let longer = decoded.adding(address, to: .threads, in: bytes, .networks) {
      let added = try SiteConfig.decode(bytes: longer, file: "site.yml", addresses: .networks).config
      try require(added.threads.dropLast() == decoded.config.threads[...], "what was in the list is another")
      try require(added.sources == decoded.config.sources, "another list changed")
    }
    if let longer = decoded.adding(address, to: .sources, in: bytes, .networks) {
      let added = try SiteConfig.decode(bytes: longer, file: "site.yml", addresses: .networks).config
      try require(added.sources.dropLast() == decoded.config.sources[...], "what was in the list is another")
      try require(added.threads == decoded.config.threads, "another list changed")
    }
  }

  /// The owner's pages: every problem has a place in the file, lines keep their numbers, and all text read
  /// from the Markdown is in it.
  static let page = FuzzTarget(
    "page",
    dictionary: yaml + [
      "title: ", "description: ", "slug: ", "menu: true", "html: true", "draft: ", "language: ar", "\n---\n",
      "# ", "\n===\n", "[a](b.md#c)", "![a](../b%20c.png)", "<b>", "<!-- post 1 -->", "```\n", "\\\n", "\r\n",
    ], seeds: [Seeds("docs", ".md")], openers: bytes("> ", "- ", "["), testRuns: 300
  ) { bytes in
    let page: PageFile
    do throws(SiteConfigError) {
      page = try PageFile.decode(bytes: bytes, file: "a.md")
    } catch {
      try ConfigForm.check(error, in: bytes)
      return
    }
    if !page.warnings.isEmpty { try ConfigForm.check(SiteConfigError(problems: page.warnings), in: bytes) }
    let newline = UInt8(ascii: "\n")
    try require(
      page.markdown.count { $0 == newline } == bytes.count { $0 == newline },
      "the number of lines changed")
    // Carriage returns also end lines.
    let lines = 1 + page.markdown.count { $0 == newline || $0 == 0x0D }
    do {
      if let title = try MarkdownHTML.title(of: page.markdown) {
        try require(
          (1...lines).contains(title.lines.upperBound), "the title is in line \(title.lines) of \(lines)")
      }
      for destination in try MarkdownHTML.destinations(of: page.markdown, readsTables: true) {
        try require((1...lines).contains(destination.line), "line \(destination.line) of \(lines)")
      }
      _ = try MarkdownHTML.words(of: page.markdown, readsTables: true)
      var options = HTMLOptions()
      options.readsTables = true
      options.namesHeadings = true
      options.linksHeadings = true
      options.focusesBoxes = true
      options.keepsHTML = page.frontMatter.keepsHTML
      _ = try MarkdownHTML.render(page.markdown, options: options)
    } catch let error as MarkdownHTMLError {
      try require(!error.message.isEmpty, "no message")
    }
  }

  /// theme.yml with the same properties.
  static let theme = FuzzTarget(
    "theme-yml",
    dictionary: yaml + [
      "name: ", "description: ", "version: ", "extends: ", "options:\n  ", "type: choice", "choices: [",
      "default: ", "avatars: no", "card_images: yes",
    ], seeds: [Seeds("themes", "theme.yml"), Seeds("Tests/SiteConfigTests/Fixtures/themes", ".yml")],
    openers: bytes("[", "{a: ", "- "), testRuns: 300
  ) { bytes in
    do throws(SiteConfigError) {
      _ = try DecodedThemeDescription(bytes: bytes, file: "theme.yml")
    } catch {
      try ConfigForm.check(error, in: bytes)
    }
  }

  /// Strings files: words, plural rules, patterns of dates.
  static let strings = FuzzTarget(
    "strings",
    dictionary: yaml + [
      "language: ", "plurals:\n  one: ", "n % 10 = 2..4", " and ", " or ", "!= 12..14", "numbers:\n  ",
      "digits: ", "dates:\n  months: [", "{day}", "{month}", "{year}", "{n}", "other: ", "words:\n  ",
    ], maximumLength: 16 << 10, seeds: [Seeds("templates/strings", ".yml")],
    openers: bytes("[", "{a: ", "- "), testRuns: 60
  ) { bytes in
    let folder = ScratchFolder("strings")
    try folder.fill([("en.yml", bytes)])
    defer { folder.remove() }
    let localization: Localization
    do throws(SiteConfigError) {
      localization = try LoadedLocalization(language: "en", folders: [folder.path]).localization
    } catch {
      try ConfigForm.check(error, in: bytes)
      return
    }
    for number in [0, 1, 2, 5, 11, 21, 1_000_000, Int.max] {
      try require(!localization.number(number).isEmpty, "the number \(number) is nothing")
      for key in StringKey.allCases { _ = localization.count(number, key) }
    }
  }

  /// Titles, handles and tags as path components.
  static let slug = FuzzTarget(
    "slug",
    dictionary: [
      "/", "..", "\\", "\u{0}", "-", "CON", "%2e", ".", " ", "\u{3099}", "\u{E31}", "\u{5B0}", "\u{64B}",
      "\u{93F}", "\u{200D}", "\u{FE0F}", "か", "e\u{301}", "ß", "ﬀ", "😀", "\u{130}", "\u{1F1E9}\u{1F1EA}",
    ], maximumLength: 512, testRuns: 2000
  ) { bytes in
    let slug = Slug.make(from: String(decoding: bytes, as: UTF8.self))
    try require(slug.utf8.count <= 255, "\(slug.utf8.count) bytes")
    try require(!slug.hasPrefix("-") && !slug.hasSuffix("-"), "a hyphen at an end: \(slug)")
    for scalar in slug.unicodeScalars {
      try require(
        !"/\\.%?#:*\"<>|".unicodeScalars.contains(scalar) && scalar.value > 0x20
          && !(0x7F...0xA0).contains(scalar.value)
          && !scalar.properties.isDefaultIgnorableCodePoint,
        "U+\(String(scalar.value, radix: 16)) in \(slug.debugDescription)")
    }
    let url = SitePath("a/" + slug + "/").urlText
    try require(
      url.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}?#".utf8.contains($0) },
      "a path that is not a URL: \(url)")
    try require(url.removingPercentEncoding == "a/" + slug + "/", "\(url) leads elsewhere")
  }
}

/// Problems of YAML files.
private enum ConfigForm {
  static func check(_ error: SiteConfigError, in bytes: [UInt8]) throws(PropertyFailure) {
    try require(!error.problems.isEmpty, "refused without a problem")
    // Every kind of line break in YAML.
    let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
    let lines = 1 + String(decoding: bytes, as: UTF8.self).unicodeScalars.count(where: breaks.contains)
    for problem in error.problems {
      try require((1...lines).contains(problem.line ?? 1), "line \(problem.line ?? 0) of \(lines)")
      try require((problem.column ?? 1) >= 1, "column \(problem.column ?? 0)")
      try require(!problem.message.isEmpty, "no message")
      try Message.check(problem.description)
    }
  }
}
