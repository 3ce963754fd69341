import NetworkSources
import SiteConfig
import TestSupport
import Testing
import ThreadModel

/// The handling of known posts that their network no longer shows.
@Suite struct RemovalsTests {
  private static let ada = AuthorID("1", on: .x)
  private static let bo = AuthorID("2", on: .x)
  private static let now = Timestamp(seconds: 1_790_000_000)

  private static func id(_ value: String) -> PostID { PostID(value, on: .x) }

  private static func post(
    _ value: String, by author: AuthorID = ada, answering parent: String? = nil, quoting quoted: String? = nil
  ) -> Post {
    var post = Post(id: id(value), authorID: author, text: InlineText("Text \(value)"))
    post.inReplyTo = parent.map(id)
    post.quotes = quoted.map(id)
    return post
  }

  /// Ada's posts 1, 2 and 3. Bo answers the second, and Ada and he continue below it. The third quotes 9.
  private static let known: Conversation = {
    var conversation = Conversation(id: id("1"), authorID: ada)
    conversation.posts = [
      post("1"), post("2", answering: "1"), post("3", answering: "2", quoting: "9"),
      post("4", by: bo, answering: "2"), post("5", by: bo, answering: "4"), post("6", answering: "4"),
    ]
    conversation.related = [post("9", by: bo)]
    conversation.authors = [
      Author(id: ada, handle: "ada", name: "Ada"), Author(id: bo, handle: "bo", name: "Bo"),
    ]
    return conversation
  }()

  private func apply(
    _ causes: [String: Removals.Cause], fresh: [Post] = [], closing closed: [AuthorID: TombstoneReason] = [:],
    _ deletion: SiteConfig.Fetch.Deletion = .remove, isWhole: Bool = true
  ) -> Conversation {
    var removals = Removals(
      Dictionary(uniqueKeysWithValues: causes.map { (Self.id($0.key), $0.value) }), now: Self.now)
    removals.closedAccounts = closed
    var read = Conversation(id: Self.id("elsewhere"), authorID: Self.bo)
    read.posts = fresh
    return removals.apply(to: Self.known, fresh: read, deletion, isWhole: isWhole)
  }

  private func values(_ posts: [Post]) -> Set<String> { Set(posts.map(\.id.value)) }

  @Test func removesAPostAndTheRepliesOfOthers() throws {
    let result = apply(["2": Removals.Cause(.deleted, detail: "gone")])
    // Ada's own posts below it stay, because they are part of her thread.
    #expect(values(result.posts) == ["1", "3", "6"])
    let stones = Dictionary(uniqueKeysWithValues: result.tombstones.map { ($0.id.value, $0) })
    #expect(
      stones.mapValues(\.reason)
        == ["2": .deleted, "4": .answeredGone, "5": .answeredGone])
    let stone = try #require(stones["2"])
    #expect(stone.detail == "gone" && stone.authorID == Self.ada && stone.handle == "ada")
    #expect(stone.observedAt == Self.now && stone.removedAt == Self.now)
    #expect(result.id == Self.known.id && result.authorID == Self.ada)
  }

  @Test func removedPostsAreNotAddedAgainByTheSameRecheck() {
    let result = apply(
      ["3": Removals.Cause(.deleted)], fresh: [Self.post("3"), Self.post("7", answering: "6")])
    #expect(values(result.posts) == ["1", "2", "4", "5", "6", "7"])
  }

  /// A tombstone explains a gap in a thread. A post that is no longer quoted needs no explanation.
  @Test func quotedPostLeavesATombstoneOnlyWhileItIsQuoted() {
    let quoted = apply(["9": Removals.Cause(.suspended)])
    #expect(quoted.related.isEmpty && quoted.tombstones.map(\.id.value) == ["9"])
    let alone = apply(["9": Removals.Cause(.suspended), "3": Removals.Cause(.deleted)])
    #expect(alone.related.isEmpty && alone.tombstones.map(\.id.value) == ["3"])
  }

  @Test func keepsAndMarksPostsIfConfigured() {
    let result = apply(["2": Removals.Cause(.deleted), "9": Removals.Cause(.withheld)], .keep)
    #expect(values(result.posts) == values(Self.known.posts) && result.tombstones.isEmpty)
    let marked = (result.posts + result.related).filter { $0.removal != nil }
    #expect(marked.map(\.id.value).sorted() == ["2", "9"])
    #expect(marked.allSatisfy { $0.removal?.observedAt == Self.now && !$0.text.text.isEmpty })
    // The same cause again changes nothing, so the time is that of the first observation.
    var later = Removals([Self.id("2"): Removals.Cause(.deleted)], now: Timestamp(seconds: 1_900_000_000))
    later.closedAccounts = [:]
    let again = later.apply(
      to: result, fresh: Conversation(id: result.id, authorID: Self.ada), .keep, isWhole: false)
    #expect(again.posts == result.posts)
  }

  @Test func deletesTheProfilesOfClosedAccounts() throws {
    let result = apply([:], closing: [Self.bo: .suspended])
    let bo = try #require(result.authors.first { $0.id == Self.bo })
    #expect(bo.removal?.reason == .suspended && bo.removal?.observedAt == Self.now && bo.name == nil)
    #expect(result.authors.first { $0.id == Self.ada }?.name == "Ada")
  }

  @Test func onlyACompleteRecheckCountsAsACheck() {
    #expect(apply([:]).coverage.checkedAt == Self.now)
    #expect(apply([:], isWhole: false).coverage.checkedAt == nil)
    #expect(apply([:], .keep).coverage.checkedAt == Self.now)
  }

  @Test func changesNothingWithoutCauses() {
    let result = apply([:], isWhole: false)
    #expect(values(result.posts) == values(Self.known.posts) && result.tombstones.isEmpty)
    #expect(values(result.related) == ["9"])
  }
}
