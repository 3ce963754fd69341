import Testing
import ThreadModel
import Unroll

@Suite("Quotes")
struct QuoteTests {
  @Test func quotesAreResolvedToTwoLevels() {
    #expect(Sketch("1q20", beside: "b20q30 c30q40 d40").unrolled().sketch == "1{b20{c30}}")
  }

  @Test func aPostOfTheThreadCanBeQuoted() {
    #expect(Sketch("1 2<1q1").unrolled().sketch == "1 2{1}")
  }

  @Test func anUnknownQuoteIsATombstone() {
    #expect(Sketch("1q20").unrolled().sketch == "1{20 unknown}")
    #expect(Sketch("1q20", deleted: [20]).unrolled().sketch == "1{20 deleted}")
    #expect(Sketch("1q20", beside: "b20q30", deleted: [30]).unrolled().sketch == "1{b20{30 deleted}}")
  }

  @Test func aQuoteInReturnEnds() {
    #expect(Sketch("1q20", beside: "b20q1").unrolled().sketch == "1{b20}")
    #expect(Sketch("1q1").unrolled().sketch == "1")
    #expect(Sketch("1q20", beside: "b20q20").unrolled().sketch == "1{b20}")
  }

  @Test func aQuoteOfAReplacedVersionShowsTheLatestWhereThatAloneIsKnown() {
    var sketch = Sketch("1q20", beside: "b21")
    sketch.conversation.related[0].earlierVersions = [.sketch(20)]
    #expect(sketch.unrolled().sketch == "1{b21}")
  }

  @Test func quotesCarryTheirAuthors() {
    var conversation = Sketch("1q20", beside: "b20").conversation
    conversation.authors = [Author(id: .sketch("b"), handle: "bob")]
    guard case .post(_, let author, _)? = UnrolledThread(unrolling: conversation).mainPosts.first?.quote
    else { return #expect(Bool(false), "a quote") }
    #expect(author?.handle == "bob")
  }
}
