package import ThreadModel

/// The ids of posts and accounts of Nostr.
///
/// The id of a post is the id of its event. A replaceable event, such as an article, has another event for each version. The id of its post
/// is therefore its name without relays in bech32, `naddr1…`, with the author's key as its authority.
package enum NostrID {
  /// - Parameter id: the id of an event, 64 lower-case digits.
  package static func post(_ id: String) -> PostID { PostID(id, on: .nostr) }

  package static func post(_ name: NostrCoordinate) -> PostID {
    PostID(NostrReference.replaceable(name).description, by: name.author, on: .nostr)
  }

  /// Returns the id of the post that an event is, or is a version of.
  package static func post(of event: NostrEvent) -> PostID { event.coordinate.map(post) ?? post(event.id) }

  /// - Parameter key: a public key, 64 lower-case digits.
  package static func author(_ key: String) -> AuthorID { AuthorID(key, on: .nostr) }

  /// Returns the event or the replaceable event of a post; `nil` for other ids, such as that of a post of which nothing is stored.
  package static func reference(_ post: PostID) -> NostrReference? {
    guard post.platform == .nostr else { return nil }
    guard let author = post.authority else {
      return NostrHex.isKey(post.value) ? .event(id: post.value) : nil
    }
    guard let reference = try? NostrReference(post.value), case .replaceable(let name, _) = reference,
      name.author == author
    else { return nil }
    return reference
  }

  /// Returns the name of an account in URLs: `npub1…`.
  package static func name(ofKey key: String) -> String { NostrReference.profile(key: key).description }
}

extension NostrEvent {
  /// The kinds of events that are read.
  package enum Kind {
    /// The author's profile.
    package static let profile = 0
    package static let note = 1
    /// A request of the author to delete events.
    package static let deletion = 5
    package static let repost = 6
    package static let genericRepost = 16
    package static let picture = 20
    package static let vote = 1018
    package static let poll = 1068
    /// A reply to an event that is not a note.
    package static let comment = 1111
    package static let article = 30_023

    /// The kinds that become posts.
    package static let posts: Set<Int> = [note, picture, poll, comment, article]
    package static let reposts: Set<Int> = [repost, genericRepost]
  }

  package var isPost: Bool { Kind.posts.contains(kind) }

  /// The name of an article, which is the same for all its versions; `nil` for other events.
  package var coordinate: NostrCoordinate? {
    guard kind == Kind.article else { return nil }
    let name = NostrCoordinate(kind: kind, author: author, identifier: values("d").first?.first ?? "")
    return name.isWritable ? name : nil
  }
}
