import Testing
import ThreadMarkdown
import ThreadModel

@Suite struct ReadingTimeTests {
  private func minutes(_ texts: String...) -> Int {
    ReadingTime.minutes(
      of: Invented.thread(texts.enumerated().map { Invented.post("\(10 + $0.offset)", $0.element) }))
  }

  @Test func countsWordsOfAllPosts() {
    let words = { (count: Int) in Array(repeating: "wörd", count: count).joined(separator: " ") }
    #expect(minutes("") == 1)
    #expect(minutes(words(238)) == 1)
    #expect(minutes(words(238), "one") == 2)
    #expect(minutes(words(119) + "\n\n" + words(119)) == 1)
    #expect(minutes(words(2380)) == 10)
    // White space before the first word and after the last is ignored.
    #expect(minutes(" " + words(238) + " ") == 1)
    #expect(minutes("\n\n" + words(239)) == 2)
    #expect(minutes(Array(repeating: " ", count: 2000).joined()) == 1)
    // Characters that are counted one by one do not change how words are counted.
    #expect(minutes(words(2379) + " 🧵") == 10)
    #expect(minutes(words(2380) + " 🧵") == 11)
  }

  @Test func countsCharactersOfScriptsWithoutSpaces() {
    #expect(minutes(String(repeating: "機", count: 500)) == 1)
    #expect(minutes(String(repeating: "機", count: 501)) == 2)
    #expect(minutes(String(repeating: "かな漢字𠮷", count: 200)) == 2)
    #expect(minutes(String(repeating: "𠮷", count: 1500)) == 3)
    // The last of the supplementary ideographs.
    #expect(minutes(String(repeating: "\u{2FA1D}", count: 1500)) == 3)
    // Korean has spaces.
    #expect(minutes(Array(repeating: "해석기관은", count: 238).joined(separator: " ")) == 1)
  }

  @Test func countsQuotesButNotReplies() {
    let long = Invented.post("20", Array(repeating: "word", count: 1000).joined(separator: " "))
    var thread = Invented.thread([
      ThreadItem.post(ThreadPost(Invented.post("10", "Look"), quote: .post(long, author: nil, quote: nil)))
    ])
    #expect(ReadingTime.minutes(of: thread) == 5)
    thread.replies = [Reply(long, author: nil)]
    #expect(ReadingTime.minutes(of: thread) == 5)
    thread.answers = [
      Answer(inReplyTo: .post(long, author: nil, quote: nil), items: [.post(ThreadPost(long))])
    ]
    #expect(ReadingTime.minutes(of: thread) == 9)
  }
}
