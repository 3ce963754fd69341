import Basics
import TestSupport
import Testing
import ThreadModel

@Suite("Merging an archive's observation with the network's")
struct ArchiveMergingTests {
  private let id = PostID("1", on: .x)
  private let ada = AuthorID("7", on: .x)

  private func archived(_ year: Int = 2022) -> Post {
    var post = Post(id: id, authorID: ada, text: InlineText("text"))
    post.archive = ArchiveObservation(date: Timestamp(year: year, month: 1, day: 1))
    var photo = Media(id: "3_9", kind: .photo, url: "https://pbs.twimg.com/media/a.jpg")
    photo.file = "archive.jpg"
    photo.isFileFromArchive = true
    (photo.width, photo.height) = (4000, 3000)
    post.media = [photo]
    post.metrics = Metrics(likes: year, reposts: 1)
    return post
  }

  private func fetched(at seconds: Int64? = nil) -> Post {
    var post = Post(id: id, authorID: ada, text: InlineText("text"))
    var photo = Media(id: "3_9", kind: .photo, url: "https://pbs.twimg.com/media/a.jpg")
    photo.altText = "a hill"
    photo.file = "network.jpg"
    photo.sizes = [MediaSize(file: "small.jpg", width: 200, height: 150)]
    (photo.width, photo.height) = (1024, 768)
    post.media = [photo]
    post.poll = Poll(options: [PollOption("yes", votes: 1)])
    post.quotes = PostID("0", on: .x)
    post.metrics = Metrics(likes: 5, replies: 3)
    post.observedAt = seconds.map { Timestamp(seconds: $0) }
    return post
  }

  @Test(arguments: [nil, 1, 4_000_000_000])
  func eachFieldComesFromItsBestSource(seconds: Int64?) throws {
    let merged = archived().merged(with: fetched(at: seconds))
    let photo = try #require(merged.media.first)
    #expect(merged.media.count == 1)
    #expect(photo.file == "archive.jpg" && photo.width == 4000 && photo.height == 3000)
    #expect(photo.sizes.isEmpty, "smaller copies of another file are dropped")
    #expect(photo.altText == "a hill")
    #expect(merged.poll != nil && merged.quotes != nil)
    #expect(merged.metrics == Metrics(likes: 5, replies: 3, reposts: 1))
    #expect(merged.archive?.isOnlySource == false)
    #expect(merged.observedAt == fetched(at: seconds).observedAt)
  }

  @Test(arguments: [nil, 1, 4_000_000_000])
  func orderOfSourcesDoesNotMatter(seconds: Int64?) {
    let network = fetched(at: seconds)
    #expect(archived().merged(with: network) == network.merged(with: archived()))
    #expect(archived(2022).merged(with: archived(2024)) == archived(2024).merged(with: archived(2022)))
    #expect(archived(2024).merged(with: archived(2022)).metrics.likes == 2024)
    let all = archived(2022).merged(with: network).merged(with: archived(2024))
    #expect(all == archived(2024).merged(with: archived(2022)).merged(with: network))
  }

  @Test(arguments: [nil, 1, 4_000_000_000])
  func importingAgainChangesNothing(seconds: Int64?) {
    let merged = archived().merged(with: fetched(at: seconds))
    #expect(merged.merged(with: archived()) == merged)
    #expect(archived().merged(with: archived()) == archived())
  }

  @Test func randomPostsMergeTheSameInEitherOrder() {
    var generator = SeededRandom()
    func withFewerFields(_ post: Post) -> Post {
      var post = post
      func chance() -> Bool { Bool.random(using: &generator) }
      if chance() { post.media = [] }
      if chance(), !post.media.isEmpty { post.media[0].file = nil }
      if chance(), !post.media.isEmpty { post.media[0].isFileFromArchive = false }
      if chance(), !post.media.isEmpty { post.media[0].width = nil }
      if chance() { post.metrics = Metrics() }
      if chance() { post.quotes = nil }
      if chance() { post.text = InlineText("") }
      if chance() { post.archive?.date = nil }
      return post
    }
    for _ in 0..<500 {
      let (one, other) = (
        withFewerFields(archived()), withFewerFields(fetched(at: Bool.random(using: &generator) ? 9 : nil))
      )
      #expect(one.merged(with: other) == other.merged(with: one))
      let merged = one.merged(with: other)
      #expect(merged.merged(with: one) == merged)
    }
  }

  @Test func authorsMergeTheSameInEitherOrder() {
    var archived = Author(id: ada, handle: "old", name: "Old")
    archived.archive = ArchiveObservation(date: Timestamp(seconds: 9))
    archived.avatarFile = "a.jpg"
    let fetched = Author(id: ada, handle: "new", name: "New")
    #expect(archived.merged(with: fetched) == fetched.merged(with: archived))
    #expect(archived.merged(with: fetched).handle == "new")
    #expect(archived.merged(with: fetched).avatarFile == "a.jpg")
  }

  @Test func networksReasonBeatsAbsenceFromAnArchive() {
    var lacking = Tombstone(id: id, reason: .notInArchive)
    lacking.handle = "bob"
    let deleted = Tombstone(id: id, reason: .deleted, detail: "gone")
    #expect(lacking.merged(with: deleted) == deleted.merged(with: lacking))
    #expect(lacking.merged(with: deleted).reason == .deleted)
    #expect(lacking.merged(with: deleted).handle == "bob")
    #expect(Tombstone(id: id, reason: .unknown).merged(with: lacking).reason == .notInArchive)
    // A network also reports "not found" for posts for followers.
    var missing = Tombstone(id: id, reason: .notFound)
    missing.observedAt = Timestamp(seconds: 2_000_000_000)
    for reason: TombstoneReason in [.protected, .suspended, .blocked, .deleted] {
      let known = Tombstone(id: id, reason: reason)
      #expect(known.merged(with: missing).reason == reason)
      #expect(missing.merged(with: known).reason == reason)
    }
    #expect(lacking.merged(with: missing).reason == .notFound)
    #expect(lacking.merged(with: Tombstone(id: id, reason: .unknown)).reason == .notInArchive)
  }

  @Test func onlyALaterArchiveRestoresARemovedPost() {
    var known = Conversation(id: id, authorID: ada)
    var stone = Tombstone(id: id, reason: .deleted)
    stone.removedAt = Timestamp(year: 2023, month: 1, day: 1)
    known.tombstones = [stone]
    var old = Conversation(id: id, authorID: ada)
    old.posts = [archived(2022)]
    var new = Conversation(id: id, authorID: ada)
    new.posts = [archived(2024)]
    #expect(known.merged(with: old).posts.isEmpty && old.merged(with: known).posts.isEmpty)
    #expect(known.merged(with: new).posts.count == 1 && new.merged(with: known).posts.count == 1)
  }

  @Test func laterArchiveWithTheSameContentAddsNothing() {
    var old = Conversation(id: id, authorID: ada)
    old.posts = [archived(2022)]
    old.provenance = [Provenance(source: .xArchive, fetchedAt: Timestamp(year: 2022, month: 1, day: 1))]
    var new = old
    new.posts[0].archive?.date = Timestamp(year: 2024, month: 1, day: 1)
    new.provenance[0].fetchedAt = Timestamp(year: 2024, month: 1, day: 1)
    #expect(old.merged(with: new).saysNoMore(than: old))
    new.posts[0].metrics.likes = 0
    #expect(!old.merged(with: new).saysNoMore(than: old))
  }
}
