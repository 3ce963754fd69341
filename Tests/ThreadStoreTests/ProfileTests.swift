import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

@Suite("Profiles in the store")
struct ProfileTests {
  private func withStore(_ body: (ThreadStore) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try body(ThreadStore(folder: folder.path + "/threads"))
  }

  private var profile: Profile {
    let followers = [
      Author(id: AuthorID("12", on: .x), handle: "bob", name: "Bob"), Author(id: AuthorID("9", on: .x)),
    ]
    return Profile(
      author: SampleConversations.fullAuthor(), followers: followers, observedAt: SampleConversations.time)
  }

  @Test func readBackWithTheirFollowersInOrder() throws {
    try withStore { store in
      #expect(try store.profile(of: SampleConversations.ada) == nil)
      try store.save(profile)
      #expect(try store.profile(of: SampleConversations.ada) == profile)
    }
  }

  @Test func areListedByAccount() throws {
    try withStore { store in
      #expect(try store.profiles() == [])
      let others = [AuthorID("7", on: .x), AuthorID("did:plc:a", on: .bluesky)].map {
        Profile(author: Author(id: $0), followers: [], observedAt: SampleConversations.time)
      }
      for profile in others + [profile] { try store.save(profile) }
      // Other files are ignored.
      try Data().write(to: URL(filePath: store.folder + "/profiles/note.txt"))
      try Data().write(to: URL(filePath: store.folder + "/profiles/x/note.txt"))
      #expect(try store.profiles() == (others + [profile]).sorted { $0.author.id < $1.author.id })
    }
  }

  @Test func areNotConversations() throws {
    try withStore { store in
      try store.save(profile)
      #expect(try store.list().isEmpty)
    }
  }

  @Test func laterProfileReplacesTheEarlierOne() throws {
    try withStore { store in
      try store.save(profile)
      var later = profile
      later.followers.removeFirst()
      try store.save(later)
      #expect(try store.profile(of: SampleConversations.ada) == later)
    }
  }

  @Test func damagedProfileIsReportedWithItsPlace() throws {
    try withStore { store in
      try store.save(profile)
      let path = store.folder + "/profiles/x/11.json"
      try Data("{\n  \"format\": 1, \"platform\": \"x\", \"author\": 7\n}".utf8).write(
        to: URL(filePath: path))
      let error = #expect(throws: ThreadStoreError.self) { try store.profile(of: SampleConversations.ada) }
      #expect(error?.description.hasPrefix(path + ":2:") == true)
    }
  }
}
