import MarkdownHTML
import TestSupport
import Testing

/// Small facts of sections: each is one that a template's author would notice on a page.
@Suite struct SectionTests {
  @Test func thePartsOfAPollStandBesideItsWords() throws {
    let poll =
      "<!-- poll -->\n- Tea <!-- meter 60 --> 60 % <!-- dash -->–<!-- votes --> (3)\n<!-- /poll -->\n"
    let classes = try HTMLTokens(html(poll)).startTags.compactMap { $0["class"] }
    #expect(classes.contains("dash") && classes.contains("votes"), "\(classes)")
    let elsewhere = try html("- Tea <!-- dash -->–<!-- votes --> (3)\n")
    #expect(!elsewhere.contains("class="), "outside of a poll they mean nothing")
  }

  @Test func aPartOfAPollDoesNotBeginWithinALink() throws {
    let poll = "<!-- poll -->\n- [Tea <!-- votes --> (3)](https://a.example/)\n<!-- /poll -->\n"
    #expect(!(try html(poll).contains("votes")))
  }

  @Test func picturesAreCounted() throws {
    func count(_ markdown: String) throws -> String? {
      try HTMLTokens(html("<!-- images -->\n\n\(markdown)\n\n<!-- /images -->\n")).startTags
        .compactMap { $0["class"] }.first { $0.hasPrefix("images") }
    }
    #expect(try count("![a](/1.jpg)") == "images images-1")
    #expect(try count("![a](/1.jpg)\n![b](/2.jpg)\n\n![c](/3.jpg)") == "images images-3")
    #expect(try count("![a](/1.jpg)\n\nWords, and ![b](/2.jpg)") == "images images-1")
    #expect(try count("Words.") == "images images-0")
  }

  @Test func aPictureHasTheSizeThatIsKnown() throws {
    var options = HTMLOptions()
    options.media = ["/1.jpg": MediaInfo(width: 1, height: 1), "/2.jpg": MediaInfo(width: 0, height: 0)]
    let sizes = try HTMLTokens(html("![a](/1.jpg)\n\n![b](/2.jpg)\n", options)).startTags
      .filter { $0.name == "img" }.map { [$0["width"], $0["height"]] }
    #expect(sizes == [["1", "1"], [nil, nil]])
  }

  @Test func aDestinationHasItsAddressOnTheSite() throws {
    var options = HTMLOptions()
    options.destinations = ["other.md": "../other/"]
    #expect(
      try html("[a](other.md) [b](more.md)", options)
        == "<p><a href=\"../other/\">a</a> <a href=\"more.md\">b</a></p>\n")
  }

  /// A marker may be indented, as within a list.
  @Test func aMarkerMayBeIndented() throws {
    #expect(try html("   <!-- note -->\nWords\n\n  <!-- /note -->\n").contains("role=\"note\""))
  }

  @Test func anAddressKeepsItsEncoding() throws {
    #expect(try html("[a](<https://a.example/%41%zz%4>)").contains("href=\"https://a.example/%41%zz%4\""))
    // Books want what encodes nothing encoded.
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
