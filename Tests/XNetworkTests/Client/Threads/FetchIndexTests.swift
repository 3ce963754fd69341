import TestSupport
import Testing
import ThreadModel

@testable import XNetwork

/// The index gives the same results as walking the whole way from post to post.
@Suite struct FetchIndexTests {
  @Test(arguments: 0..<60) func findsRepliesBelowMarkedPosts(seed: Int) {
    var dice = SeededRandom(seed: UInt64(seed))
    // Chains, branches, circles, and posts that answer nothing or a missing post.
    let count = Int.random(in: 1...40, using: &dice)
    var posts = (1...count).map { number in
      var facts = Post.Facts(id: Self.id(number), authorID: AuthorID("1", on: "x"))
      facts.conversationID = Self.id(1)
      let parent = Int.random(in: -2...count + 2, using: &dice)
      if parent > 0, parent != number { facts.inReplyTo = Self.id(parent) }
      return Post(facts)
    }
    posts.shuffle(using: &dice)
    var known = Conversation(id: Self.id(1), authorID: AuthorID("1", on: "x"))
    known.posts = posts
    var fetchIndex = XFetchIndex()
    fetchIndex.add(known, now: Timestamp(seconds: 1_700_000_000))
    let marked = Set(
      (1...count + 2).filter { _ in Int.random(in: 0..<6, using: &dice) == 0 }.map { Self.id($0).value })

    let parents = Dictionary(uniqueKeysWithValues: posts.map { ($0.id.value, $0.inReplyTo?.value) })
    let expected = posts.map(\.id.value).filter { id in
      var visited: Set<String> = [id]
      var next = parents[id] ?? nil
      while let current = next, visited.insert(current).inserted {
        if marked.contains(current) { return true }
        next = parents[current] ?? nil
      }
      return false
    }
    let found = fetchIndex.answers(
      among: fetchIndex.posts(ofConversation: Self.id(1).value), below: marked.contains)
    // In a circle, a post is above itself. This matters only for marked posts.
    #expect(found.subtracting(marked) == Set(expected).subtracting(marked))
  }

  /// Versions of a post become known in any order, and each one leads to the newest.
  @Test(arguments: 0..<20) func findsTheNewestOfManyVersions(seed: Int) {
    var dice = SeededRandom(seed: UInt64(seed))
    var posts = (2...30).map { number in
      var facts = Post.Facts(id: Self.id(number), authorID: AuthorID("1", on: "x"))
      facts.earlierVersions = [Self.id(number - 1)]
      return Post(facts)
    }
    posts.shuffle(using: &dice)
    var known = Conversation(id: Self.id(1), authorID: AuthorID("1", on: "x"))
    known.posts = posts
    var fetchIndex = XFetchIndex()
    fetchIndex.add(known, now: Timestamp(seconds: 1_700_000_000))
    for number in 1...30 { #expect(fetchIndex.current(Self.id(number).value) == Self.id(30).value) }
    #expect(fetchIndex.current("77") == "77")
  }

  private static func id(_ number: Int) -> PostID { PostID("\(1_700_000_000_000_000_000 + number)", on: "x") }
}
