import MarkdownHTML
import Testing

/// Headings of an owner's page: their IDs for links, and the heading that becomes the page's title.
@Suite struct HeadingTests {
  private func names(_ markdown: String) throws -> [String] {
    var options = HTMLOptions()
    options.namesHeadings = true
    return try html(markdown, options).split(separator: "id=\"").dropFirst().compactMap {
      $0.split(separator: "\"", omittingEmptySubsequences: false).first.map(String.init)
    }
  }

  @Test(arguments: [
    ("# Two words", "two-words"), ("# snake_case & more", "snake_case--more"),
    ("# Part 12, at last!", "part-12-at-last"),
    ("# Hyphen-ated", "hyphen-ated"), ("# हिन्दी", "हिन्दी"), ("# Cafe\u{301}", "cafe\u{301}"),
    ("# ¾ of it", "-of-it"),
    ("# 日本語 の", "日本語-の"), ("# !!!", "section"),
    ("# `code` *and* [link](https://a.example/)", "code-and-link"),
  ])
  func makesIDsOfTheWords(markdown: String, name: String) throws {
    // Compared by scalars, because texts that look the same may be different URLs.
    #expect(try names(markdown).map { Array($0.unicodeScalars) } == [Array(name.unicodeScalars)])
  }

  @Test func idsAreUnique() throws {
    #expect(try names("# A\n\n# A\n\n# A 1\n\n# A\n") == ["a", "a-1", "a-1-1", "a-2"])
  }

  /// A heading is a link to itself, unless it contains a link, which a link cannot contain.
  @Test func headingsLinkToThemselves() throws {
    var options = HTMLOptions()
    options.namesHeadings = true
    #expect(try html("# A *b*\n", options) == "<h1 id=\"a-b\">A <em>b</em></h1>\n")
    options.linksHeadings = true
    #expect(
      try html("# A *b*\n", options)
        == "<h1 id=\"a-b\"><a class=\"anchor\" href=\"#a-b\">A <em>b</em></a></h1>\n")
    #expect(
      try html("# \"\n", options)
        == "<h1 id=\"section\"><a class=\"anchor\" href=\"#section\">&quot;</a></h1>\n")
    #expect(try !html("# A [b](c.md)\n", options).contains("anchor"))
    #expect(try !html("# A <https://a.example>\n", options).contains("anchor"))
    #expect(try !html("#\n", options).contains("anchor"))
    // Dropped HTML cannot be a link, and kept HTML can.
    #expect(try html("# A <a href=\"b\">c</a>\n", options).contains("anchor"))
    options.keepsHTML = true
    #expect(try !html("# A <a href=\"b\">c</a>\n", options).contains("anchor"))
    // Fragments have the prefix of ids.
    options.keepsHTML = false
    options.idPrefix = "p-"
    #expect(try html("# A\n", options).contains("<h1 id=\"p-a\"><a class=\"anchor\" href=\"#p-a\">"))
  }

  @Test(arguments: [
    ("# A *title*\n\nWords.", "A title", 1...1),
    ("\n\nA title\nof two lines\n=====\n", "A title of two lines", 3...5),
  ])
  func titleIsAFirstLevelHeading(markdown: String, title: String, lines: ClosedRange<Int>) throws {
    let found = try #require(try MarkdownHTML.title(of: Array(markdown.utf8)))
    #expect(found.text == title)
    #expect(found.lines == lines)
  }

  @Test(arguments: ["## A section\n\n# Later\n", "Words.\n\n# Later\n", "", "- # In a list\n"])
  func otherFirstBlocksGiveNoTitle(markdown: String) throws {
    #expect(try MarkdownHTML.title(of: Array(markdown.utf8)) == nil)
  }

  @Test func rejectsOnlyTooLongDocuments() throws {
    let longest = 16 * 1024 * 1024
    #expect(throws: MarkdownHTMLError.self) { try html(String(repeating: "a", count: longest + 1)) }
    do throws(MarkdownHTMLError) {
      _ = try html(String(repeating: "a", count: longest + 1))
    } catch {
      #expect(error.isTooLong)
    }
    do throws(MarkdownHTMLError) {
      _ = try html("<!-- poll -->\n")
      Issue.record("no error for an unclosed section")
    } catch {
      #expect(!error.isTooLong)
    }
  }
}
