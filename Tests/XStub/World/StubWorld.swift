import Foundation

/// The content of the stub's network: users, posts and their attachments.
///
/// A world is a value: a test creates it, passes it to a stub, and changes the stub's copy during the run (`XStub.change`).
package struct StubWorld: Sendable {
  package internal(set) var users: [StubID: StubUser] = [:]
  package internal(set) var posts: [StubID: StubPost] = [:]
  /// Whether the text of a long post is escaped in responses, as `text` is. X's documents do not say; tests try both.
  package var escapesNotes = true
  /// The files in `/media/` that are not drawn from their names.
  package var files: [String: StubFile] = StubMediaFiles.odd

  var counter: UInt64 = 0
  var idsByName: [String: StubID] = [:]

  package init() {}

  // MARK: Lookups

  package func user(named username: String) -> StubUser? {
    idsByName[username.lowercased()].flatMap { users[$0] }
  }

  package func post(_ id: StubID) -> StubPost? { posts[id] }

  /// Returns the URL of a post in a browser.
  package func url(of id: StubID) -> String {
    let name = posts[id].flatMap { users[$0.author] }?.username ?? "i"
    return "https://x.com/\(name)/status/\(id)"
  }

  /// Returns the posts that searches and timelines may return: readable, not deleted, in their last version; newest first.
  func visiblePosts(where holds: (StubPost) -> Bool = { _ in true }) -> [StubPost] {
    posts.values.filter { obstacle(to: $0) == nil && $0.isLatestVersion && holds($0) }
      .sorted { $0.id > $1.id }
  }

  /// Returns why a post cannot be read; `nil` if it can.
  ///
  /// For posts of suspended users, the reason is `not-authorized-for-resource`, as for those of protected users (seen in a response of
  /// 2020; not documented); `hide` sets any other reason.
  func obstacle(to post: StubPost) -> StubHiding? {
    if let hidden = post.hidden { return hidden }
    guard !post.isDeleted, let author = users[post.author], !author.deactivated else { return .notFound }
    return author.isReadable ? nil : .notAuthorized
  }

  // MARK: IDs

  mutating func newID(at date: Date) -> StubID {
    counter += 1
    return StubID(at: date, counter: counter)
  }

  /// Returns a new t.co URL with ten letters and digits.
  mutating func newShortLink() -> String {
    counter += 1
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var rest = counter &* 0x9E37_79B9_7F4A_7C15
    let letters = (0..<10).map { _ in
      defer { rest /= 62 }
      return alphabet[Int(rest % 62)]
    }
    return "https://t.co/" + String(letters)
  }
}
