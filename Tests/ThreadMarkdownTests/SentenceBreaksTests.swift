import Testing

@testable import ThreadMarkdown

/// The sentence boundaries of UAX #29. A `
/// ` marks the end of a sentence. The examples of each rule come from the report or follow its style.
struct SentenceBreaksTests {
  private func divided(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    let breaks = SentenceBreaks(classes: scalars.map(SentenceBreaks.Class.init))
    var parts: [String] = []
    var start = 0
    while start < scalars.count {
      let end = breaks.end(of: start)
      var part = String.UnicodeScalarView()
      part.append(contentsOf: scalars[start..<end])
      parts.append(String(part))
      start = end
    }
    return parts.joined(separator: "|")
  }

  @Test(arguments: [
    // SB3 and SB4: line ends.
    "One\r\n|two\n|three\u{2028}|four\u{85}|five",
    // SB5: combining marks and format characters are ignored.
    "One.\u{308} |Two\u{301}. |Three.\u{2060} |Four",
    // SB6 and SB7: numbers and abbreviations.
    "3.4 and U.S. |And c.D and .a", "Resp.Leute",
    // SB8: a lower-case letter continues a sentence only after a full stop.
    "etc.)’ ‘(the same. |Other? |the",
    // SB8a: marks that continue a sentence.
    "“Who?”, he asked.", "Really?, she. |No!.. |Yes",
    // SB9 to SB11: closing marks, spaces and one line end belong to the previous sentence.
    "“One.” |(Two.)  |Three?! \n|Four.\n|\n|Five",
    // Scripts without spaces or letter case.
    "字。|字！」|字", "क। |ख॥ |ग", "سلام؟ |نعم", "เรา. |เขา",
    // The tailorings: an ellipsis, a number, a dash and a smiley.
    "Wait… for it… |Now", "Behind it. |19 hours of it", "Look! |- The engine", "Does it? |:) It does",
  ])
  func findsBoundaries(expected: String) {
    #expect(divided(expected.replacing("|", with: "")) == expected)
  }

  @Test func emptyTextHasNoBoundaries() {
    #expect(SentenceBreaks(classes: []).end(of: 0) == 0)
  }
}
