import NetworkSources
import Testing
import ThreadModel

@Suite struct ConversationPlacementTests {
  private let placement = ConversationPlacement(isPost: { _ in true }, hides: { $0.reason == .notShown })
  private let ada = AuthorID("ada", on: "nets")
  private let bo = AuthorID("bo", on: "nets")
  private let cy = AuthorID("cy", on: "nets")

  private func id(_ number: Int) -> PostID { PostID("\(number)", on: "nets") }

  private func post(_ number: Int, by author: AuthorID, answers parent: Int? = nil) -> Post {
    var facts = Post.Facts(id: id(number), authorID: author)
    facts.inReplyTo = parent.map(id)
    facts.conversationID = id(1)
    return Post(facts)
  }

  private func part(by author: AuthorID, _ posts: [Post], hidden: [Int] = []) -> Conversation {
    var part = Conversation(id: id(1), authorID: author)
    part.posts = posts
    part.tombstones = hidden.map { Tombstone(id: id($0), reason: .notShown) }
    return part
  }

  /// A thread that was fetched with replies would otherwise show the post again when it is fetched the next time.
  @Test(arguments: [true, false]) func conversationKeepsTheTombstonesOfItsPosts(isKnown: Bool) throws {
    let fetched = part(by: bo, [post(2, by: bo, answers: 1), post(3, by: cy, answers: 2)])
    let told = part(by: ada, isKnown ? [post(1, by: ada)] : [post(4, by: ada, answers: 1)], hidden: [3])
    let first = placement.resolve([fetched, told], as: id(1), keeping: [bo])
    let own = try #require(first.first { $0.authorID == bo })
    #expect(own.posts.map(\.id) == [id(1), id(2)].filter { isKnown || $0 != id(1) })
    #expect(own.tombstones.map(\.id).contains(id(3)))
    // Another response with the post does not restore it.
    let again = placement.resolve([own, fetched], as: id(1), keeping: [bo])
    #expect(again.allSatisfy { $0.authorID == bo && !$0.posts.map(\.id).contains(id(3)) })
  }

  /// The posts between may be in another file.
  @Test func firstPostStaysWithoutTheConversationOfItsAuthor() throws {
    let own = part(by: ada, [post(1, by: bo), post(3, by: ada, answers: 2)])
    let alone = placement.resolve([own], as: id(1), by: [ada])
    #expect(alone.map { $0.posts.map(\.id) } == [[id(1), id(3)]])
    let between = placement.resolve([part(by: cy, [post(2, by: cy, answers: 1)])], as: id(1), by: [cy])
    let both = placement.resolve(alone + between, as: id(1))
    let whole = part(by: ada, own.posts + [post(2, by: cy, answers: 1)])
    #expect(both == placement.resolve([whole], as: id(1), by: [ada, cy]))
  }
}
