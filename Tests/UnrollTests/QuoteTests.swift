import Testing
import ThreadModel
import Unroll

@Suite("Quotes")
struct QuoteTests {
  @Test func resolvesTwoLevelsOfQuotes() {
    #expect(Sketch("1q20", beside: "b20q30 c30q40 d40").unrolled().sketch == "1{b20{c30}}")
  }

  @Test func postOfTheThreadCanBeQuoted() {
    #expect(Sketch("1 2<1q1").unrolled().sketch == "1 2{1}")
  }

  @Test func unknownQuoteIsATombstone() {
    #expect(Sketch("1q20").unrolled().sketch == "1{20 unknown}")
    #expect(Sketch("1q20", deleted: [20]).unrolled().sketch == "1{20 deleted}")
    #expect(Sketch("1q20", beside: "b20q30", deleted: [30]).unrolled().sketch == "1{b20{30 deleted}}")
  }

  @Test func circularQuotesTerminate() {
    #expect(Sketch("1q20", beside: "b20q1").unrolled().sketch == "1{b20}")
    #expect(Sketch("1q1").unrolled().sketch == "1")
    #expect(Sketch("1q20", beside: "b20q20").unrolled().sketch == "1{b20}")
  }

  @Test func quoteOfAReplacedVersionShowsTheLatestOne() {
    var sketch = Sketch("1q20", beside: "b21")
    sketch.conversation.related[0].earlierVersions = [.sketch(20)]
    #expect(sketch.unrolled().sketch == "1{b21}")
  }

  private func text(_ sketch: Sketch, hiding hidden: [Int] = []) -> String? {
    sketch.unrolled(hiding: hidden).mainPosts.first?.post.text.text
  }

  @Test(arguments: [
    ("RE: https://a.example/20\n\nMine", "Mine"), ("Mine\n\nQT:https://a.example/20", "Mine"),
    ("RE: https://a.example/20", ""),
    ("Mine\nRE: https://a.example/20\nand mine", "Mine\nRE: https://a.example/20\nand mine"),
    ("See https://a.example/20", "See https://a.example/20"),
    ("RE: https://a.example/21", "RE: https://a.example/21"),
  ])
  func removesTheLinkToAQuoteOnlyIfTheQuoteIsShown(source: String, shown: String) throws {
    func sketch(_ beside: String) throws -> Sketch {
      var sketch = Sketch("1q20", beside: beside)
      let start = try #require(source.firstRange(of: "https")).lowerBound
      let place = source.unicodeScalars.distance(from: source.startIndex, to: start)
      let url = String(source[start...].prefix { !$0.isWhitespace })
      sketch.conversation.posts[0].text = InlineText(
        source,
        entities: [TextEntity(place..<place + url.unicodeScalars.count, .link(url: url, short: nil))])
      for index in sketch.conversation.related.indices {
        sketch.conversation.related[index].url = "https://a.example/20"
      }
      return sketch
    }
    #expect(text(try sketch("b20")) == shown)
    // Without the quoted post, the link may be the only information about it.
    #expect(text(try sketch("")) == source)
    // A hidden post is not shown in any form.
    #expect(text(try sketch("b20"), hiding: [20]) == shown)
  }

  @Test func removesTheCardOfAQuoteOnlyIfTheQuoteIsShown() {
    for beside in ["", "b20"] {
      var sketch = Sketch("1q20", beside: beside)
      sketch.conversation.posts[0].card = LinkCard(url: "https://a.example/20")
      for index in sketch.conversation.related.indices {
        sketch.conversation.related[index].url = "https://a.example/20"
      }
      #expect((sketch.unrolled().mainPosts.first?.post.card == nil) == (beside == "b20"))
    }
  }

  @Test func quotesHaveTheirAuthors() {
    var conversation = Sketch("1q20", beside: "b20").conversation
    conversation.authors = [Author(id: .sketch("b"), handle: "bob")]
    guard case .post(_, let author, _)? = UnrolledThread(unrolling: conversation).mainPosts.first?.quote
    else { return #expect(Bool(false), "a quote") }
    #expect(author?.handle == "bob")
  }
}
