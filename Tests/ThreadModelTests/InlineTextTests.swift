import TestSupport
import Testing
import ThreadModel

@Suite("Inline text")
struct InlineTextTests {
  private func tag(_ range: Range<Int>) -> TextEntity { TextEntity(range, .hashtag(tag: "t", url: nil)) }

  @Test func cutsSegmentsAtEntities() {
    let text = InlineText("see #one, #two", entities: [tag(10..<14), tag(4..<8)])
    #expect(text.segments.map { String($0.text) } == ["see ", "#one", ", ", "#two"])
    #expect(text.segments.map { $0.entity != nil } == [false, true, false, true])
  }

  @Test func rangesCountUnicodeScalars() {
    // The family consists of seven scalars, the e with its accent of two.
    let text = InlineText("👨‍👩‍👧‍👦 #one e\u{301}#two", entities: [tag(8..<12), tag(15..<19)])
    #expect(text.segments.map { String($0.text) } == ["👨‍👩‍👧‍👦 ", "#one", " e\u{301}", "#two"])
  }

  @Test func textWithoutEntitiesIsOneSegment() {
    #expect(InlineText("plain").segments.map { String($0.text) } == ["plain"])
    #expect(InlineText("").segments.isEmpty)
    #expect(InlineText("").isEmpty)
  }

  @Test func keepsAdjacentEntities() {
    let text = InlineText("#a#b", entities: [tag(0..<2), tag(2..<4)])
    #expect(text.segments.map { String($0.text) } == ["#a", "#b"])
  }

  @Test(arguments: [-1..<2, 3..<3, 3..<6, 5..<9, Int.min..<Int.max, Int.max - 1..<Int.max, 0..<5])
  func dropsInvalidEntities(range: Range<Int>) {
    #expect(InlineText("#one", entities: [tag(range)]).entities.isEmpty)
  }

  @Test func keepsTheFirstOfOverlappingEntities() {
    #expect(InlineText("abcdef", entities: [tag(2..<5), tag(0..<3)]).entities == [tag(0..<3)])
  }

  @Test func losesNoTextForAnyEntities() {
    let alphabet: [Unicode.Scalar] = ["a", "\u{301}", "👩", "\u{200D}", "\r", "\n", "🇩", "日", "\u{FE0F}", "<"]
    var generator = SeededRandom()
    for _ in 0..<500 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        if let scalar = alphabet.randomElement(using: &generator) { scalars.append(scalar) }
      }
      let entities = (0..<4).map { _ in
        let start = Int.random(in: -2...12, using: &generator)
        return tag(start..<start + Int.random(in: 0...5, using: &generator))
      }
      let text = InlineText(String(scalars), entities: entities)
      let joined = text.segments.flatMap { Array($0.text.unicodeScalars) }
      #expect(joined == Array(scalars), "\(entities.map(\.range))")
      #expect(text.segments.count { $0.entity != nil } == text.entities.count)
      #expect(text.segments.allSatisfy { !$0.text.isEmpty })
      for (entity, segment) in zip(text.entities, text.segments.filter { $0.entity != nil }) {
        #expect(Array(segment.text.unicodeScalars) == Array(Array(scalars)[entity.range]))
      }
    }
  }
}
