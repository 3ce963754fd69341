import Basics
import SiteOutput
import Testing

@Suite struct ExcerptsTests {
  @Test(arguments: [
    ("", ""), ("Whole.", "Whole."), ("The begin…", "The beginning of a text…"), ("…", "Only an ellipsis…"),
    ("Another text…", "A text…"), ("Longer than the other…", "Longer…"), ("No ellipsis", "No ellipsis here"),
    ("e\u{301}…", "\u{E9} is the same letter"), ("👩‍👩‍👧…", "👩‍👩‍👧‍👦 is a family"), ("", "Only the long one"),
  ])
  func returnsBothTextsUnchanged(short: String, long: String) throws {
    let excerpts = Excerpts(short: short, long: long)
    #expect(Array(excerpts.short.utf8) == Array(short.utf8))
    #expect(Array(excerpts.long.utf8) == Array(long.utf8))
    let read = try Excerpts(byteCoding: excerpts.byteCoding)
    #expect(Array(read.short.utf8) == Array(short.utf8))
    #expect(Array(read.long.utf8) == Array(long.utf8))
  }
}
