import Foundation

/// Everything that exists on the stub's network: users, posts and what is attached to them.
///
/// A value: a test builds one, gives it to a stub, and changes the stub's copy during the run (`XStub.change`).
package struct StubWorld: Sendable {
  package internal(set) var users: [StubID: StubUser] = [:]
  package internal(set) var posts: [StubID: StubPost] = [:]
  /// Whether the text of a long post arrives escaped, as `text` does. No document says; tests try both.
  package var escapesNotes = true
  /// Files below `/media/`, beside those that are drawn from their names.
  package var files: [String: StubFile] = StubMediaFiles.odd

  var counter: UInt64 = 0
  var idsByName: [String: StubID] = [:]

  package init() {}

  // MARK: Looking

  package func user(named username: String) -> StubUser? {
    idsByName[username.lowercased()].flatMap { users[$0] }
  }

  package func post(_ id: StubID) -> StubPost? { posts[id] }

  /// The address that people copy from their browser.
  package func url(of id: StubID) -> String {
    let name = posts[id].flatMap { users[$0.author] }?.username ?? "i"
    return "https://x.com/\(name)/status/\(id)"
  }

  /// Posts that searches and timelines give out: readable, not deleted, in their last version; newest first.
  func visiblePosts(where holds: (StubPost) -> Bool = { _ in true }) -> [StubPost] {
    posts.values.filter { obstacle(to: $0) == nil && $0.isLatestVersion && holds($0) }
      .sorted { $0.id > $1.id }
  }

  /// Why a post is not given out; `nil` when it is.
  ///
  /// Posts of suspended users answer with `not-authorized-for-resource`, as those of protected ones do (seen in an answer of
  /// 2020; no document says); `hide` gives any other reason.
  func obstacle(to post: StubPost) -> StubHiding? {
    if let hidden = post.hidden { return hidden }
    guard !post.isDeleted, let author = users[post.author], !author.deactivated else { return .notFound }
    return author.isReadable ? nil : .notAuthorized
  }

  // MARK: Ids

  mutating func newID(at date: Date) -> StubID {
    counter += 1
    return StubID(at: date, counter: counter)
  }

  /// A t.co address of its own: ten letters and digits.
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
