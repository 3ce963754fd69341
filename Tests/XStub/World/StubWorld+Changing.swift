/// Changes of posts and users after they were read.
extension StubWorld {
  /// Deletes a post with all its versions.
  package mutating func delete(_ id: StubID) {
    for version in posts[id]?.history ?? [] { posts[version]?.isDeleted = true }
  }

  /// Hides a post: requests for it give a partial error.
  package mutating func hide(_ id: StubID, as reason: StubHiding) {
    for version in posts[id]?.history ?? [] { posts[version]?.hidden = reason }
  }

  package mutating func withhold(_ id: StubID, _ withheld: StubWithheld) {
    for version in posts[id]?.history ?? [] { posts[version]?.withheld = withheld }
  }

  package mutating func protect(_ user: StubID) { users[user]?.protected = true }
  package mutating func suspend(_ user: StubID) { users[user]?.suspended = true }
  package mutating func deactivate(_ user: StubID) { users[user]?.deactivated = true }

  package mutating func changePost(_ id: StubID, _ change: (inout StubPost) -> Void) {
    guard var post = posts[id] else { return }
    change(&post)
    posts[id] = post
  }

  package mutating func changeUser(_ id: StubID, _ change: (inout StubUser) -> Void) {
    guard var user = users[id] else { return }
    change(&user)
    users[id] = user
  }
}
