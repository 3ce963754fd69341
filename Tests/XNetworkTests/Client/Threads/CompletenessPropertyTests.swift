import NetworkSources
import TestSupport
import Testing
import ThreadModel
import XNetwork

/// Random conversations under X's limits. The posts of a thread do not depend on the given post or on
/// interruptions, and missing posts are reported.
@Suite("A thread from X is complete from any of its posts") struct CompletenessPropertyTests {
  @Test func threadsAreCompleteUnderAnyLimits() async throws {
    var random = SeededRandom()
    for number in 0..<TestDepth.cases(fast: 6, deep: 1000) {
      let plan = GeneratedConversation(using: &random)
      var world = World()
      let start = World.ago([1, 6, 40, 730].randomElement(using: &random).map { Int64($0) * World.day } ?? 0)
      var ids: [String] = []
      for post in plan.posts {
        let time = Timestamp(milliseconds: start.milliseconds + Int64(post.second) * 1000)
        ids.append(
          world.post(by: "\(post.author + 1)", at: time, to: post.parent.map { ids[$0] }))
      }
      for (index, post) in plan.posts.enumerated() where post.isGone { world.deleted.insert(ids[index]) }
      let allowsFullSearch = Bool.random(using: &random)
      let reach = Bool.random(using: &random) ? 3200 : Int.random(in: 0...20, using: &random)
      let page = Int.random(in: 5...100, using: &random)
      let made = world
      func x(_ budget: Int = .max) -> FakeX {
        FakeX(made) {
          $0.allowsFullSearch = allowsFullSearch
          $0.timelineReach = reach
          $0.largestPage = page
          $0.budget = budget
        }
      }
      let expected = Set(plan.thread.map { ids[$0] })
      let what =
        "conversation \(number), \(start.iso8601), full search \(allowsFullSearch), \(reach) posts of the timeline"
      for given in (Array(plan.thread.prefix(1)) + plan.thread.shuffled(using: &random).prefix(3)).map({
        ids[$0]
      }) {
        let fetched = await XThreads(x(), now: World.now).thread(of: given)
        let whole = try #require(fetched.conversations.first, "\(what), from \(given)")
        expectComplete(whole, expected, "\(what), from \(given)")
        // The budget ends once or twice before the thread is complete.
        var known: Conversation?
        for _ in 0..<Int.random(in: 1...2, using: &random) {
          let budget = Int.random(in: 0...4, using: &random)
          known =
            await XThreads(x(budget), now: World.now).thread(of: given, known: known).conversations.first
            ?? known
          if let known, known.coverage.limits.isEmpty {
            expectComplete(known, expected, "\(what), cut, from \(given)")
          }
        }
        let last = await XThreads(x(), now: World.now).thread(of: given, known: known).conversations.first
        let resumed = try #require(last, "\(what), continued from \(given)")
        #expect(
          Set(resumed.posts.map(\.id)).isSuperset(of: whole.posts.map(\.id)),
          "\(what), continued from \(given)")
        expectComplete(resumed, expected, "\(what), continued from \(given)")
      }
    }
  }

  private func expectComplete(_ conversation: Conversation, _ expected: Set<String>, _ what: String) {
    let missing = expected.subtracting(conversation.posts.map(\.id.value))
    #expect(
      missing.isEmpty || !conversation.coverage.limits.isEmpty,
      "\(what): \(missing.count) of \(expected.count) posts are missing without a reason")
  }
}
