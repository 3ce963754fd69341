import Basics
import MarkdownHTML
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// Numbers that no real network sends.
@Suite struct ForgedNumberTests {
  /// There is one voter, so the share is greater than any Int.
  @Test func shareOfForgedVotesIsAtMostOneHundredPercent() throws {
    var poll = Poll(
      options: [PollOption("a", votes: Int.max), PollOption("b", votes: Int.max)], status: .closed)
    poll.allowsMultiple = true
    poll.voters = 1
    #expect(poll.totalVotes == Int.max)
    var post = Invented.post("10", "Which?")
    post.poll = poll
    let tokens = try Components.tokens(of: Components.render(Invented.thread([post])))
    let meters = tokens.startTags.filter { $0.name == "meter" }
    #expect(meters.compactMap { $0["value"] } == ["100.0", "100.0"])
  }

  /// Feeds round the duration, which could overflow.
  @Test(arguments: [Int.max, 3_600_000_000, 0, -1, .min])
  func implausibleDurationIsUnknown(milliseconds: Int) throws {
    func duration(_ milliseconds: Int) throws -> Int? {
      var media = Media(id: "1", kind: .audio, url: "https://a.example/sound.mp3")
      media.durationMilliseconds = milliseconds
      var post = Invented.post("10", "Listen")
      post.media = [media]
      let document = try Components.render(Invented.thread([post]))
      return try #require(document.media["https://a.example/sound.mp3"]).durationMilliseconds
    }
    #expect(try duration(milliseconds) == nil)
    #expect(try duration(2500) == 2500)
  }
}
