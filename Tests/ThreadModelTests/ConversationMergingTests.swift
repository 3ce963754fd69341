import TestSupport
import Testing
import ThreadModel

@Suite("Merging conversations")
struct ConversationMergingTests {
  private func post(_ number: Int) -> Post {
    Post(id: PostID("\(number)", on: .x), authorID: AuthorID("7", on: .x), text: InlineText("post \(number)"))
  }

  private func conversation(
    _ posts: [Int], related: [Int] = [], missing: [Int] = [], fetched: Int64? = nil
  ) -> Conversation {
    var conversation = Conversation(id: PostID("1", on: .x), authorID: AuthorID("7", on: .x))
    conversation.posts = posts.map(post)
    conversation.related = related.map(post)
    conversation.tombstones = missing.map { Tombstone(id: PostID("\($0)", on: .x), reason: .deleted) }
    if let fetched {
      conversation.provenance = [Provenance(source: .xAPI, fetchedAt: Timestamp(seconds: fetched))]
    }
    return conversation
  }

  /// A thread that is fetched every day does not grow by one entry per day, whichever days are merged first.
  @Test func provenanceKeepsTheFirstAndTheLastTime() {
    func conversation(_ days: [Int64]) -> Conversation {
      var conversation = Conversation(id: PostID("1", on: .x), authorID: AuthorID("7", on: .x))
      conversation.provenance = days.map {
        Provenance(source: .xAPI, fetchedAt: Timestamp(seconds: $0 * 86_400))
      }
      return conversation
    }
    let days = (1...9).map { conversation([$0]) }
    let expected = conversation([1, 9]).provenance
    let forwards = days.reduce(conversation([])) { $0.merged(with: $1) }
    let backwards = days.reversed().reduce(conversation([])) { $1.merged(with: $0) }
    let halves = days[0..<5].reduce(conversation([])) { $0.merged(with: $1) }
      .merged(with: days[5...].reduce(conversation([])) { $0.merged(with: $1) })
    #expect(
      forwards.provenance == expected && backwards.provenance == expected && halves.provenance == expected)
    // Entries without a time and entries of other sources are kept.
    var other = conversation([4])
    other.provenance += [Provenance(source: .xAPI), Provenance(source: .xArchive)]
    #expect(
      forwards.merged(with: other).provenance
        == [Provenance(source: .xAPI)] + expected + [Provenance(source: .xArchive)])
  }

  @Test func listsAreJoinedAndSortedByID() {
    let merged = conversation([10, 2]).merged(with: conversation([3, 2, 1]))
    #expect(merged.posts.map(\.id.value) == ["1", "2", "3", "10"])
  }

  @Test func mergingTwiceChangesNothing() {
    let one = conversation([1, 2], related: [20], missing: [5], fetched: 1)
    let other = conversation([2, 3], related: [21], missing: [6], fetched: 2)
    let merged = one.merged(with: other)
    #expect(merged.merged(with: other) == merged)
    #expect(merged.merged(with: one) == merged)
    #expect(merged.merged(with: merged) == merged)
    #expect(merged.provenance.count == 2)
  }

  @Test func orderDoesNotMatterWithoutContradictions() {
    let parts = [
      conversation([1, 2], related: [20], missing: [3], fetched: 1),
      conversation([3, 4], related: [5], missing: [6], fetched: 2),
      conversation([5], related: [21, 1], missing: [20, 7], fetched: 3),
    ]
    let merged = parts[0].merged(with: parts[1]).merged(with: parts[2])
    #expect(merged.posts.map(\.id.value) == ["1", "2", "3", "4", "5"])
    #expect(merged.related.map(\.id.value) == ["20", "21"])
    #expect(merged.tombstones.map(\.id.value) == ["6", "7"])
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      #expect(
        parts[order[0]].merged(with: parts[order[1]]).merged(with: parts[order[2]]) == merged, "\(order)")
      #expect(
        parts[order[0]].merged(with: parts[order[1]].merged(with: parts[order[2]])) == merged, "\(order)")
    }
  }

  @Test func postOfTheConversationIsNotRelated() {
    var beside = conversation([], related: [2])
    beside.related[0].language = "en"
    let merged = beside.merged(with: conversation([1, 2]))
    #expect(merged.related.isEmpty)
    #expect(merged.posts.map(\.language) == [nil, "en"])
  }

  @Test func coverageOfTheLaterSourceWinsIfItIsSet() {
    var old = conversation([1])
    old.coverage = Coverage(expectedPosts: 5, limits: [CoverageLimit(.recentSearch)])
    #expect(old.merged(with: conversation([1])).coverage == old.coverage)
    var new = conversation([1])
    new.coverage = Coverage(expectedPosts: 6, limits: [CoverageLimit("a page is missing")])
    #expect(old.merged(with: new).coverage == new.coverage)
  }

  @Test func fetchReplacesUnknownCoverageOfAFile() {
    var fetched = conversation([1])
    fetched.coverage = Coverage(limits: [CoverageLimit(.recentSearch)])
    fetched.coverage.foundBy = .recentSearch
    fetched.coverage.checkedAt = Timestamp(seconds: 5)
    var imported = conversation([1])
    imported.coverage = Coverage(limits: [CoverageLimit("one page of several")])
    #expect(fetched.merged(with: imported).coverage == fetched.coverage)
    #expect(imported.merged(with: fetched).coverage == fetched.coverage)
    var whole = conversation([1])
    whole.coverage.foundBy = .fullSearch
    whole.coverage.checkedAt = Timestamp(seconds: 9)
    #expect(fetched.merged(with: whole).coverage == whole.coverage)
    #expect(whole.merged(with: fetched).coverage == whole.coverage)
  }

  @Test func removedPostComesBackOnlyIfSeenLater() {
    var removed = conversation([1])
    var stone = Tombstone(id: PostID("2", on: .x), reason: .deleted)
    stone.removedAt = Timestamp(seconds: 100)
    removed.tombstones = [stone]
    var seen = conversation([1, 2])
    #expect(seen.merged(with: removed).posts.map(\.id.value) == ["1"])
    #expect(removed.merged(with: seen).tombstones == [stone])
    seen.posts[1].observedAt = Timestamp(seconds: 100)
    #expect(removed.merged(with: seen).posts.map(\.id.value) == ["1"])
    seen.posts[1].observedAt = Timestamp(seconds: 101)
    #expect(removed.merged(with: seen).posts.map(\.id.value) == ["1", "2"])
    #expect(removed.merged(with: seen).tombstones.isEmpty)
  }

  @Test func removedQuoteDoesNotComeBack() {
    var removed = conversation([1])
    removed.tombstones = [Tombstone(id: PostID("20", on: .x), reason: .suspended)]
    removed.tombstones[0].removedAt = Timestamp(seconds: 100)
    #expect(conversation([1], related: [20]).merged(with: removed).related.isEmpty)
  }

  @Test func findsTheAuthorByID() {
    var one = conversation([1])
    one.authors = [
      Author(id: AuthorID("8", on: .x), handle: "bob"), Author(id: AuthorID("7", on: .x), handle: "ada"),
    ]
    #expect(one.author?.handle == "ada")
    #expect(conversation([1]).author == nil)
  }
}
