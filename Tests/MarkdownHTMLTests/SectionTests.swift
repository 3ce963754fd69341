import Basics
import Foundation
import MarkdownHTML
import TestSupport
import Testing

/// Details of sections that a template's author would notice on a page.
@Suite struct SectionTests {
  @Test func numbersOfHeadingsAreElements() throws {
    #expect(
      try html("## <!-- number -->3.<!-- /number --> Bread\n")
        == "<h2><span class=\"number\">3.</span> Bread</h2>\n")
    // An element that no marker ends is closed with its heading.
    #expect(try html("## <!-- number -->3. Bread\n") == "<h2><span class=\"number\">3. Bread</span></h2>\n")
    #expect(try html("a <!-- number -->3<!-- /number -->\n") == "<p>a 3</p>\n")
  }

  @Test func rendersThePartsOfAPollBesideItsText() throws {
    let poll =
      "<!-- poll -->\n- Tea <!-- meter 60 --> 60 % <!-- dash -->–<!-- votes --> (3)\n<!-- /poll -->\n"
    let classes = try HTMLTokens(html(poll)).startTags.compactMap { $0["class"] }
    #expect(classes.contains("dash") && classes.contains("votes"), "\(classes)")
    let elsewhere = try html("- Tea <!-- dash -->–<!-- votes --> (3)\n")
    #expect(!elsewhere.contains("class="), "the markers have no effect outside of a poll")
  }

  @Test func partsOfAPollDoNotBeginWithinALink() throws {
    let poll = "<!-- poll -->\n- [Tea <!-- votes --> (3)](https://a.example/)\n<!-- /poll -->\n"
    #expect(!(try html(poll).contains("votes")))
  }

  /// A style sheet computes a length from the two digits.
  @Test func pausesHaveTheirLength() throws {
    func classes(_ marker: String) throws -> String? {
      try HTMLTokens(html("<!-- \(marker) -->\n\nLater.\n\n<!-- /pause -->\n")).startTags.first?["class"]
    }
    #expect(try classes("pause 12") == "pause t1 u2")
    #expect(try classes("pause 3 lang=de") == "pause t0 u3")
    #expect(try classes("pause lang=de") == "pause")
    #expect(try classes("pause") == "pause")
  }

  @Test func countsImages() throws {
    func count(_ markdown: String) throws -> String? {
      try HTMLTokens(html("<!-- images -->\n\n\(markdown)\n\n<!-- /images -->\n")).startTags
        .compactMap { $0["class"] }.first { $0.hasPrefix("images") }
    }
    #expect(try count("![a](/1.jpg)") == "images images-1")
    #expect(try count("![a](/1.jpg)\n![b](/2.jpg)\n\n![c](/3.jpg)") == "images images-3")
    #expect(try count("![a](/1.jpg)\n\nWords, and ![b](/2.jpg)") == "images images-1")
    #expect(try count("Words.") == "images images-0")
  }

  @Test func imagesHaveTheirKnownSize() throws {
    var options = HTMLOptions()
    options.media = ["/1.jpg": MediaFacts(width: 1, height: 1), "/2.jpg": MediaFacts(width: 0, height: 0)]
    let sizes = try HTMLTokens(html("![a](/1.jpg)\n\n![b](/2.jpg)\n", options)).startTags
      .filter { $0.name == "img" }.map { [$0["width"], $0["height"]] }
    #expect(sizes == [["1", "1"], [nil, nil]])
  }

  /// A single large image may be wider than the text if it has at least 1,000 pixels and a ratio of at least
  /// five to four.
  @Test(arguments: [
    (1000, 800, true), (999, 700, false), (1000, 801, false), (1250, 1000, true), (1250, 1001, false),
    (3000, 1, true),
    (1000, 0, false),
  ])
  func singleLargeImageIsWide(width: Int, height: Int, isWide: Bool) throws {
    var options = HTMLOptions()
    options.media = [
      "/1.jpg": MediaFacts(width: width, height: height), "/2.jpg": MediaFacts(width: 3000, height: 1000),
    ]
    let one = try html("<!-- images -->\n\n![a](/1.jpg)\n\n<!-- /images -->\n", options)
    #expect(one.contains("images-1 wide\"") == isWide)
    let two = try html("<!-- images -->\n\n![a](/1.jpg)\n![b](/2.jpg)\n\n<!-- /images -->\n", options)
    #expect(!two.contains("wide"))
  }

  /// Images in a row have shares of the column's width, in tenths of a rem.
  @Test func sizesAreSharesOfTheColumn() throws {
    var options = HTMLOptions()
    for (name, width) in [("/1.jpg", 1500), ("/2.jpg", 1000)] {
      var info = MediaFacts(width: width, height: 1000)
      info.sources = [
        MediaFacts.Source(url: name + "?w=1", width: 1), MediaFacts.Source(url: name + "?w=0", width: 0),
        MediaFacts.Source(url: name + "?w=3,%zz", width: 340),
      ]
      options.media[name] = info
    }
    let pictures = "<!-- images -->\n\n![a](/1.jpg)\n![b](/2.jpg)\n\n<!-- /images -->\n"
    func attribute(_ name: String, _ markdown: String) throws -> [String?] {
      try HTMLTokens(html(markdown, options)).startTags.filter { $0.name == "img" }.map { $0[name] }
    }
    #expect(
      try attribute("srcset", pictures) == [
        "/1.jpg?w=1 1w, /1.jpg?w=3%2C%zz 340w", "/2.jpg?w=1 1w, /2.jpg?w=3%2C%zz 340w",
      ])
    #expect(try attribute("sizes", pictures) == ["50vw", "50vw"])
    #expect(try attribute("sizes", "![a](/1.jpg)\n") == ["100vw"])
    #expect(try attribute("sizes", "<!-- images -->\n\n![a](/1.jpg)\n\n<!-- /images -->\n") == ["100vw"])
    options.column = TextColumn(width: 33, windowWidth: 44)
    let alone = "(min-width: 44rem) 33rem, 100vw"
    #expect(try attribute("sizes", "![a](/1.jpg)\n") == [alone])
    // Text in place of an image has no ratio, so the figures are not in a row.
    #expect(
      try attribute("sizes", "<!-- images -->\n\n![a](/1.jpg)\n[b](/b)\n\n<!-- /images -->\n")
        == ["(min-width: 44rem) 16rem, 50vw"])
    #expect(
      try attribute("sizes", pictures) == [
        "(min-width: 44rem) 19.8rem, 60vw", "(min-width: 44rem) 13.2rem, 40vw",
      ])
  }

  /// The distance of an image from the beginning is counted from the beginning of the header.
  @Test func firstImageNearTheBeginningIsNotLazy() throws {
    let pictures = "<!-- images -->\n\n![a](/1.jpg)\n![b](/2.jpg)\n\n<!-- /images -->\n"
    func after(_ length: Int) throws -> String {
      try html(
        "<!-- header -->\n\n\(String(repeating: "x", count: length))\n\n<!-- /header -->\n\n"
          + pictures)
    }
    let near = try after(2700)
    #expect(near.components(separatedBy: "fetchpriority=\"high\"").count == 2)
    #expect(near.components(separatedBy: "loading=\"lazy\"").count == 2)
    #expect(try !after(3000).contains("fetchpriority"))
  }

  @Test(arguments: [
    (
      "<!-- header -->\n\n# T\n\n<!-- /header -->\n\nx\n",
      "<header class=\"thread-header\">\n<h1>T</h1>\n</header>\n"
    ),
    (
      "<!-- header 2 -->\n<!-- /header -->\n",
      "<header class=\"thread-header\" id=\"post-2\">\n</header>\n"
    ),
    ("# T\n\n<!-- header -->\n\nx\n\n<!-- /header -->\n", ""),
    ("> <!-- header -->\n> <!-- /header -->\n", ""),
    ("# T\n", ""), ("&lt;header>&lt;/header>\n", ""),
  ])
  func separatesTheHeaderAtTheBeginning(markdown: String, header: String) throws {
    let document = try MarkdownHTML.render(Array(markdown.utf8))
    #expect(document.header.string == header)
    #expect(!document.body.string.contains("<h1>") || header.isEmpty)
    #expect(document.whole.string == header + document.body.string)
  }

  /// The names in the list of components equal those of the markers.
  @Test(arguments: ComponentKind.allCases) func everySectionHasItsMarkers(kind: ComponentKind) throws {
    func markerLines(_ opening: String) throws -> [Int] {
      try MarkdownHTML.render(Array("<!-- \(opening) -->\n\na\n\n<!-- /\(kind) -->\n".utf8)).markerLines
    }
    let lines = try (try? markerLines("\(kind)")) ?? markerLines("\(kind) 1")
    #expect(lines == ([.attachment, .quote].contains(kind) ? [] : [1, 5]))
  }

  @Test func languagesHaveAtMost35Characters() throws {
    func text(_ language: String) throws -> String {
      try html("<!-- text lang=\(language) -->\na\n\n<!-- /text -->\n")
    }
    let longest = "x-" + String(repeating: "a", count: 33)
    #expect(try text(longest).contains("lang=\"\(longest)\""))
    for language in [longest + "a", "d_e", "d.e"] {
      #expect(try !text(language).contains("lang="), "\(language) is not a language tag and is omitted")
    }
  }

  @Test func rewritesDestinationsOfTheSite() throws {
    var options = HTMLOptions()
    options.destinations = ["other.md": "../other/"]
    #expect(
      try html("[a](other.md) [b](more.md)", options)
        == "<p><a href=\"../other/\">a</a> <a href=\"more.md\">b</a></p>\n")
  }

  /// A marker may be indented, for example within a list.
  @Test func markersMayBeIndented() throws {
    #expect(try html("   <!-- note -->\nWords\n\n  <!-- /note -->\n").contains("role=\"note\""))
  }

  @Test func urlsKeepTheirEncoding() throws {
    #expect(try html("[a](<https://a.example/%41%zz%4>)").contains("href=\"https://a.example/%41%zz%4\""))
    // Books need invalid percent signs encoded.
    var options = HTMLOptions()
    options.syntax = .xml
    #expect(
      try html("[a](<https://a.example/%41%zz%4>)", options).contains(
        "href=\"https://a.example/%41%25zz%254\""))
    #expect(
      try html("[a](<https://a.example/%4g%g4%>)", options).contains(
        "href=\"https://a.example/%254g%25g4%25\""))
    #expect(try html("[a](<https://a.example/ü b>)").contains("href=\"https://a.example/%C3%BC%20b\""))
  }
}
