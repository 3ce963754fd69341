import Basics
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

struct LanguageTests {
  @Test(arguments: [
    ("en", "en"), ("pt-BR", "pt-BR"), ("zh-Hant-TW", "zh-Hant-TW"), ("in", "id"), ("iw", "he"), ("ji", "yi"),
    ("iw-IL", "he-IL"),
    ("und", nil), ("zxx", nil), ("qam", nil), ("qme", nil), ("qst", nil), ("QHT", nil), ("art", nil),
    ("", nil), ("e", nil), ("en us", nil),
    ("en\"onload=x", nil), ("en--us", nil), ("-en", nil), ("12", nil), ("日本", nil), ("abcdefghi", nil),
    ("en-123456789", nil), ("que", "que"), ("a{", nil), ("`a", nil), ("az", "az"), ("EN", "en"),
  ])
  func validatesLanguageTags(raw: String, expected: String?) {
    #expect(LanguageTag.valid(raw) == expected)
  }

  /// The language and direction attributes of the posts of a thread, one per text.
  private func marks(_ posts: [(text: String, language: String?)]) throws -> [String] {
    let thread = Invented.thread(
      posts.enumerated().map { Invented.post("\(10 + $0)", $1.text, language: $1.language) })
    let tokens = try Components.tokens(of: Components.render(thread))
    return tokens.startTags.filter { $0.classes.contains("post-text") }
      .map { "\($0["lang"] ?? "") \($0["dir"] ?? "")" }
  }

  @Test func postsStateDifferentLanguages() throws {
    #expect(
      try marks([
        ("a", "en"), ("b", "en"), ("機", "ja"), ("عربي", "ar"), ("עברית", "und"), ("c", nil), ("d", "ar"),
      ])
        == [" ", " ", "ja ", "ar rtl", " auto", " ", "ar "])
  }

  /// The first and last scalars of the blocks, and their neighbors.
  @Test(arguments: [
    ("\u{590}", true), ("\u{58F}", false), ("\u{8FF}", true), ("\u{900}", false), ("\u{FB1C}", false),
    ("\u{FB1D}", true),
    ("\u{FDFF}", true), ("\u{FE6F}", false), ("\u{FE70}", true), ("\u{FEFE}", true), ("\u{FEFF}", false),
    ("\u{107FF}", false),
    ("\u{10800}", true), ("\u{10FFF}", true), ("\u{11000}", false), ("\u{1E7FF}", false), ("\u{1E800}", true),
    ("\u{1EFFF}", true), ("\u{1F000}", false), ("👍🏽", false), ("“…”", false), ("日本", false),
    ("a\u{5D0}", true),
  ])
  func recognizesRightToLeftLetters(text: String, isMarked: Bool) throws {
    #expect(try marks([("x", nil), (text, nil)]) == [" ", isMarked ? " auto" : " "])
  }

  @Test func marksARightToLeftThread() throws {
    #expect(try marks([("عربي", "ar"), ("عربي", "ar"), ("English", "en")]) == [" rtl", " rtl", "en auto"])
  }

  /// Right-to-left names and labels are isolated from the numbers after them, and cannot end the isolation
  /// themselves.
  @Test func isolatesNamesAndLabels() throws {
    var post = Invented.post("10", "?")
    post.poll = Poll(
      options: [PollOption("نعم\u{2069}", votes: 3), PollOption("No", votes: 1)], status: .closed)
    var author = Invented.ada
    author.name = "سليم\u{202E}"
    let text = try Components.render(Invented.thread([post], author: author)).markdown.string
    #expect(text.contains("\n- **\u{2068}نعم\u{2069}**<!-- dash --> — <!-- votes -->75% (3 votes)"))
    #expect(text.contains("\n- No<!-- dash --> — <!-- votes -->25% (1 vote)"))
    #expect(text.contains("\n**\u{2068}سليم\u{2069}** "))
  }

  @Test func documentHasTheLanguageOfMostPosts() throws {
    func language(_ languages: [String?], meta: String? = nil) throws -> String? {
      let posts = languages.enumerated().map { Invented.post("\(10 + $0)", "x", language: $1) }
      return try Components.render(
        Invented.thread(posts), meta: ThreadMeta(title: "T", language: meta)
      ).language
    }
    #expect(try language(["und", "ja", "en", "en"]) == "en")
    #expect(try language(["ja", "en"]) == "ja")
    #expect(try language(["qme", nil]) == nil)
    #expect(try language(["ja"], meta: "de") == "de")
  }
}
