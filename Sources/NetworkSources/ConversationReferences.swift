package import ThreadModel

/// The posts and authors to which the posts of a conversation refer.
package enum ConversationReferences {
  /// Quotes inside quotes are followed this far.
  private static let quoteDepth = 2

  /// Returns the posts that posts quote, without the posts themselves.
  package static func quoted(by posts: [Post], _ known: (PostID) -> Post?) -> [Post] {
    var seen = Set(posts.map(\.id))
    var result: [Post] = []
    var level = posts
    for _ in 0..<quoteDepth {
      level = level.compactMap(\.quotes).compactMap { id in
        known(id).flatMap { seen.insert(id).inserted ? $0 : nil }
      }
      result += level
    }
    return result
  }

  /// Returns the author of a missing post, whom a direct reply to it names.
  package static func author(of id: PostID, answeredBy posts: [Post]) -> AuthorID? {
    PostOrder.sorted(posts.filter { $0.inReplyTo == id }).lazy.compactMap(\.inReplyToAuthor).first
  }

  /// Returns the authors of posts and of the posts that these answer, and the author of the thread.
  package static func people(in posts: [Post], by author: AuthorID) -> Set<AuthorID> {
    Set(posts.flatMap { [$0.authorID, $0.inReplyToAuthor].compactMap(\.self) }).union([author])
  }

  /// Returns the number of posts in an author's longest chain, in which each post answers another post of the author.
  ///
  /// - Parameters:
  ///   - posts: the author's known posts.
  ///   - isOwn: whether a post, which may be missing, is by the author.
  ///   - parent: the post that a post answers.
  package static func longestChain<ID: Hashable>(
    of posts: some Sequence<ID>, isOwn: (ID) -> Bool, parent: (ID) -> ID?
  ) -> Int {
    chainLengths(of: posts, isOwn: isOwn, parent: parent).values.max() ?? 0
  }

  /// Returns the number of posts in an author's chain that ends with each post. The parameters are those of ``longestChain(of:isOwn:parent:)``.
  package static func chainLengths<ID: Hashable>(
    of posts: some Sequence<ID>, isOwn: (ID) -> Bool, parent: (ID) -> ID?
  ) -> [ID: Int] {
    var lengths: [ID: Int] = [:]
    for post in posts {
      var line: [ID] = []
      // Damaged posts, and versions of one post, could answer each other in a circle.
      var seen: Set<ID> = []
      var place: ID? = post
      while let each = place, isOwn(each), lengths[each] == nil, seen.insert(each).inserted {
        line.append(each)
        place = parent(each)
      }
      var length = place.flatMap { lengths[$0] } ?? 0
      for each in line.reversed() {
        length += 1
        lengths[each] = length
      }
    }
    return lengths
  }

  /// The maximum number of other authors' posts kept above one of the author's posts. A page shows the answered post, and the posts above
  /// give its context. Without a limit, a conversation in which every post has a different author would be stored as often as it has posts.
  package static let most = 50

  /// Returns an author's posts in another author's conversation and up to `most` posts above each: unordered, each once.
  ///
  /// The result does not depend on the order of `own`, and further posts by the author only ever add to it.
  ///
  /// - Parameter parent: the post that a post answers; `nil` if the post answers no post or is not known.
  package static func above(_ own: [PostID], parent: (PostID) -> PostID?) -> Set<PostID> {
    // The number of further posts that may be kept above each post: the highest number found on any path to the post.
    var left: [PostID: Int] = [:]
    for id in own { left[id] = most }
    for id in own {
      var room = most
      var next = parent(id)
      while room > 0, let current = next, left[current].map({ $0 < room - 1 }) ?? true {
        room -= 1
        left[current] = room
        next = parent(current)
      }
    }
    return Set(left.keys)
  }
}
