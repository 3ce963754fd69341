import Foundation
import SiteOutput
import Testing

@Suite struct SlugTests {
  @Test(arguments: [
    ("How long is this string?", "how-long-is-this-string"),
    ("Crème brûlée à Zürich", "creme-brulee-a-zurich"),
    ("STRASSE, Straße", "strasse-strasse"),
    ("Ærø og Łódź", "aero-og-lodz"),
    ("don't, don’t", "dont-dont"),
    ("  --__ spaces __--  ", "spaces"),
    ("23:59:60", "23-59-60"),
    ("出汁は難しい。本当に？", "出汁は難しい-本当に"),
    ("がぎぐ", "がぎぐ"),
    ("한국어 글", "한국어-글"),
    ("مرحبا بالعالم", "مرحبا-بالعالم"),
    ("हिन्दी में", "हिन्दी-में"),
    ("Ελλάδα και Ёлка", "ελλαδα-και-елка"),
    ("ＡＢＣ", "ａｂｃ"),
    ("🙂🙃", ""),
    ("!!!", ""),
    ("", ""),
    ("../../etc/passwd", "etc-passwd"),
    ("a\u{0}b\u{202E}c/d\\e", "a-b-c-d-e"),
    ("a\u{301}\u{300}", "a"),
  ])
  func makesSlugs(title: String, slug: String) {
    #expect(Slug.make(from: title) == slug)
  }

  @Test func equalTextsHaveOneSpelling() {
    #expect(Array(Slug.make(from: "が").utf8) == Array(Slug.make(from: "か\u{3099}").utf8))
    #expect(Array(Slug.make(from: "각").utf8) == Array("각".utf8))
  }

  @Test func cutsAtAWord() {
    let slug = Slug.make(from: "one two three four five six seven eight nine ten eleven twelve thirteen")
    #expect(slug == "one-two-three-four-five-six-seven-eight-nine-ten-eleven")
    #expect(slug.utf8.count <= 60)
  }

  @Test(arguments: ["ü", "語", "𒀀", "x", "हि"])
  func cutsALongWordBetweenScalars(letter: String) {
    let slug = Slug.make(from: String(repeating: letter, count: 100))
    #expect(slug.utf8.count <= 60)
    #expect(slug.utf8.count > 50)
    #expect(!slug.unicodeScalars.contains("\u{FFFD}"))
  }

  /// Kana voicing, Thai, Hebrew, Arabic, Devanagari, Latin, an enclosing mark, a variation selector.
  static let marks = [
    "\u{3099}", "\u{0E31}", "\u{05B0}", "\u{064B}", "\u{0650}", "\u{093F}", "\u{0301}", "\u{20E3}",
    "\u{FE0F}",
    "\u{FF9F}",
  ]

  @Test(arguments: marks)
  func wordsDoNotBeginWithAMark(mark: String) {
    #expect(Slug.make(from: mark + "ka kb") == "ka-kb")
    #expect(Slug.make(from: "ka " + mark + "kb") == "ka-kb")
    #expect(Slug.make(from: "ka " + mark + " kb") == "ka-kb")
    #expect(Slug.make(from: "…" + mark + mark) == "")
    #expect(TagPath.of(mark).text.hasPrefix("tags/"))
    for title in [mark + "ka", "ka." + mark, "本" + mark + " " + mark + "ka"] {
      let path = SitePath("x/ada/\(Slug.make(from: title))-1/")
      #expect(path.file.utf8.elementsEqual((path.text + "index.html").utf8))
      #expect(path.text.split(separator: "/").count == 3)
    }
  }

  /// Slugs that differ on one file system must not be equal on another.
  @Test func differentSlugsDifferOnFoldingFileSystems() {
    var slugs: [String: String] = [:]
    for value in UInt32(0x80)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for title in ["a\(scalar)b", "a\(scalar)"] {
        let slug = Slug.make(from: title)
        // Foundation's folding, which the slug code does not use.
        let folded = slug.folding(options: .caseInsensitive, locale: nil).decomposedStringWithCanonicalMapping
        let other = slugs.updateValue(slug, forKey: folded) ?? slug
        #expect(Array(other.utf8) == Array(slug.utf8), "U+\(String(value, radix: 16)): \(slug), \(other)")
      }
    }
    #expect(slugs.count > 10_000)
  }

  @Test(arguments: [
    ("ΛΌΓΟΣ", "λογος"), ("λόγοσ", "λογος"), ("σοφός λόγος", "σοφος-λογος"), ("Σ", "σ"),
    ("ſtraſſe", "strasse"),
    ("GROẞ", "gross"),
  ])
  func allFormsOfALetterGiveOneSlug(title: String, slug: String) {
    #expect(Array(Slug.make(from: title).utf8) == Array(slug.utf8))
  }

  @Test func containsOnlySafeCharacters() {
    // All assigned and unassigned scalars of the first planes, each between two letters.
    for value in UInt32(0)...0x2FFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let slug = Slug.make(from: "a\(scalar)b")
      let isClean = slug.unicodeScalars.allSatisfy { scalar in
        scalar == "-" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
      }
      #expect(
        isClean && !slug.hasPrefix("-") && !slug.hasSuffix("-"), "U+\(String(value, radix: 16)): \(slug)")
    }
  }
}

@Suite struct TagPathTests {
  @Test(arguments: [
    ("compilers", "tags/compilers/"),
    ("Compilers", "tags/compilers/"),
    ("café", "tags/cafe/"), ("Café", "tags/cafe/"), ("cafe\u{301}", "tags/cafe/"), ("cafe", "tags/cafe/"),
    ("type theory", "tags/type-theory/"), ("type_theory", "tags/type-theory/"),
    ("日本語", "tags/日本語/"),
    ("c", "tags/c/"),
  ])
  func makesPathsOfPlainTags(tag: String, path: String) {
    #expect(TagPath.of(tag).text == path)
  }

  @Test func distinguishesTagsWithTheSameSlug() {
    let tags = [
      "c", "c++", "c#", "C++", "🙂", "🙃", "a", "aⅧ", "ⓐ", "a+", "../../x", "x", "/x", ".x", "x\u{0}",
    ]
    let paths = Set(tags.map { TagPath.of($0) })
    #expect(paths.count == tags.count)
  }

  @Test(arguments: ["con", "Aux", "nul", "COM1"])
  func tagMayHaveTheNameOfADevice(tag: String) {
    #expect(TagPath.of(tag).text.wholeMatch(of: /tags\/[a-z0-9]+-[0-9a-f]{6}\//) != nil)
  }

  @Test func distinguishesLongTagsWithTheSamePrefix() {
    let start = "a tag that goes on and on until it is longer than a slug may be and then"
    #expect(TagPath.of(start + " one") != TagPath.of(start + " two"))
    #expect(TagPath.of(start + " one").text.utf8.count < 80)
  }

  @Test(arguments: [
    "../../x", "..", ".", "/", "\\..\\x", "a/b", "\u{0}", "a\nb", String(repeating: "/..", count: 50), "",
  ])
  func hostileTagsStayInTheirFolder(tag: String) {
    let parts = TagPath.of(tag).text.split(separator: "/", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts[0] == "tags" && !parts[1].isEmpty && parts[2].isEmpty)
    #expect(!parts[1].contains(".") && !parts[1].contains("\\") && !parts[1].contains("\u{0}"))
  }
}
