import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// Counters such as "1/2" are removed from the texts of a thread's posts.
struct CounterTests {
  private func stripped(_ texts: [String]) throws -> [String] {
    var options = Components.options
    options.stripsCounters = true
    let posts = texts.enumerated().map { Invented.post("\(10 + $0)", $1) }
    let document = try Components.render(Invented.thread(posts), options: options)
    return try ReadBack.postTexts(Components.tokens(of: document))
  }

  @Test(arguments: [
    (["1/ One", "2/ Two", "3/ Three"], ["One", "Two", "Three"]),
    (["1/3 One", "2/3 Two", "3/3 Three"], ["One", "Two", "Three"]),
    (["One (1/3)", "Two 2/3", "[3/3]\n\nThree"], ["One", "Two", "Three"]),
    (["One 🧵", "2/n Two", "3/n Three"], ["One 🧵", "Two", "Three"]),
    (["0 One", "1/ Two", "2/ Three"], ["0 One", "Two", "Three"]), (["1/🧵 One", "2/ Two"], ["One", "Two"]),
  ])
  func removesCounters(before: [String], after: [String]) throws {
    #expect(try stripped(before) == after)
  }

  @Test(arguments: [
    ["One 1/2", "Two", "Three"], ["1/2 One", "1/2 Two"], ["1/3 One", "2/4 Two"], ["1/ One", "3/ Two"],
    ["1/2", "and 3/4 more", "x"],
    ["1/x1 One", "2/x2 Two"], ["One1/2", "Two2/2"], ["3/2 One", "4/2 Two"],
    ["1/ One", "Two", "Three", "Four", "5/ Five"],
  ])
  func keepsOtherNumbers(texts: [String]) throws {
    #expect(try stripped(texts) == texts)
  }

  /// A counter has one to three digits, because the longest threads have hundreds of posts.
  @Test func countersMayHaveThreeDigits() throws {
    let texts = (998...999).map { "\($0)/999 Words" }
    #expect(try stripped(texts) == ["Words", "Words"])
    #expect(try stripped(["100/101 Words", "101/101 Words"]) == ["Words", "Words"])
    #expect(try stripped(["99/100 Words", "100/100 Words"]) == ["Words", "Words"])
    let longer = ["1000/1001 Words", "1001/1001 Words"]
    #expect(try stripped(longer) == longer)
    let total = ["1/1000 Words", "2/1000 Words"]
    #expect(try stripped(total) == total)
  }

  @Test func countsGaps() throws {
    var options = Components.options
    options.stripsCounters = true
    let gap = ThreadItem.gap(Gap(Tombstone(id: PostID("11", on: .x), reason: .deleted)))
    let items = [
      ThreadItem.post(ThreadPost(Invented.post("10", "1/3 One"))), gap,
      .post(ThreadPost(Invented.post("12", "3/3 Three"))),
    ]
    let document = try Components.render(Invented.thread(items), options: options)
    #expect(try ReadBack.postTexts(Components.tokens(of: document)) == ["One", "Three"])
  }

  @Test func entitiesMoveWithTheText() throws {
    var options = Components.options
    options.stripsCounters = true
    let text = "1/2 👩‍👩‍👧 see #engines"
    let tag = Invented.entity(
      "#engines", in: text, .hashtag(tag: "engines", url: "https://x.com/hashtag/engines"))
    let posts = [Invented.post("10", text, entities: [tag]), Invented.post("11", "2/2 end")]
    let document = try Components.render(Invented.thread(posts), options: options)
    let links = try Components.tokens(of: document).contents(ofClass: "post-text").flatMap { tokens in
      tokens.contents { $0.name == "a" }.map { $0.text() }
    }
    #expect(links == ["#engines"])
  }

  @Test func keepsCountersByDefault() throws {
    let posts = [Invented.post("10", "1/2 One"), Invented.post("11", "2/2 Two")]
    let document = try Components.render(Invented.thread(posts))
    #expect(try ReadBack.postTexts(Components.tokens(of: document)) == ["1/2 One", "2/2 Two"])
  }
}
