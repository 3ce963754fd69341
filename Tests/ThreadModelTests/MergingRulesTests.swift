import Basics
import TestSupport
import Testing
import ThreadModel

@Suite("Rules for merging two different observations")
struct MergingRulesTests {
  private func post(_ text: String, at seconds: Int64? = nil, entities: [TextEntity] = []) -> Post {
    var post = Post(
      id: PostID("1", on: .x), authorID: AuthorID("7", on: .x), text: InlineText(text, entities: entities))
    post.observedAt = seconds.map { Timestamp(seconds: $0) }
    return post
  }

  @Test func truncatedTextDoesNotReplaceTheFullText() {
    let whole = post("a long text and its end", at: 1)
    #expect(whole.merged(with: post("a long text…", at: 2)).text.text == "a long text and its end")
    #expect(post("a long text…", at: 1).merged(with: whole).text.text == "a long text and its end")
  }

  @Test func textThatEndsInDotsCountsAsTruncated() {
    #expect(
      post("something longer", at: 1).merged(with: post("else…", at: 2)).text.text == "something longer")
    #expect(post("something…", at: 1).merged(with: post("else…", at: 2)).text.text == "else…")
  }

  @Test func textWithEntitiesBeatsTheSameWithout() {
    let marked = post("see #one", at: 1, entities: [TextEntity(4..<8, .hashtag(tag: "one", url: nil))])
    #expect(marked.merged(with: post("see #one", at: 2)).text.entities.count == 1)
  }

  @Test func editReplacesTheText() {
    var edited = post("short", at: 2)
    edited.editedAt = Timestamp(seconds: 2)
    let before = post("see #one", at: 1, entities: [TextEntity(4..<8, .hashtag(tag: "one", url: nil))])
    #expect(before.merged(with: edited).text.text == "short")
  }

  @Test func observationWithoutTheEditIsOlder() {
    var edited = post("a long text and its end", at: 1)
    edited.editedAt = Timestamp(seconds: 1)
    #expect(edited.merged(with: post("a long text…", at: 2)).text.text == "a long text and its end")
    #expect(edited.merged(with: post("", at: 2)).text.text == "a long text and its end")
  }

  @Test func mergesMediaByTheirIDs() {
    var old = post("", at: 1)
    old.media = [Media(id: "a", kind: .photo, url: "old"), Media(id: "b", kind: .photo, url: "kept")]
    old.media[0].altText = "words"
    var new = post("", at: 2)
    new.media = [Media(id: "a", kind: .photo, url: "new")]
    let merged = old.merged(with: new).media
    #expect(merged.map(\.url) == ["new", "kept"])
    #expect(merged.map(\.altText) == ["words", nil])
  }

  @Test func keepsVotesThatALaterObservationHides() {
    var old = post("", at: 1)
    old.poll = Poll(options: [PollOption("same", votes: 3), PollOption("same", votes: 4)], status: .open)
    var new = post("", at: 2)
    new.poll = Poll(options: [PollOption("same"), PollOption("same", votes: 9)])
    let poll = old.merged(with: new).poll
    #expect(poll?.options.map(\.votes) == [3, 9])
    #expect(poll?.status == .open)
    #expect(poll?.totalVotes == 12)
  }

  @Test func imageOfACardKeepsItsFields() {
    var old = post("", at: 1)
    old.card = LinkCard(url: "u", imageURL: "https://a.example/one")
    old.card?.imageWidth = 100
    old.card?.imageHeight = 50
    var new = post("", at: 2)
    new.card = LinkCard(url: "u", imageURL: "https://a.example/one")
    #expect(old.merged(with: new).card?.imageWidth == 100, "the same image has the same size")
    new.card?.imageURL = "https://a.example/two"
    #expect(old.merged(with: new).card?.imageWidth == nil, "another image has another size")
  }

  @Test func cardOfAnotherPageReplacesTheFirst() {
    var old = post("", at: 1)
    old.card = LinkCard(url: "one", title: "One")
    var new = post("", at: 2)
    new.card = LinkCard(url: "two")
    #expect(old.merged(with: new).card == LinkCard(url: "two"))
  }

  @Test func unknownFieldsAreJoined() {
    var old = post("", at: 1)
    old.extra = ["a": .integer(1), "b": .integer(1)]
    var new = post("", at: 2)
    new.extra = ["b": .integer(2), "c": .integer(2)]
    #expect(old.merged(with: new).extra == ["a": .integer(1), "b": .integer(2), "c": .integer(2)])
  }

  @Test func authorKeepsFieldsThatALaterObservationLacks() {
    var old = Author(id: AuthorID("7", on: .x), handle: "old", name: "Ada")
    old.observedAt = Timestamp(seconds: 1)
    old.bio = InlineText("bio")
    old.followers = 3
    var new = Author(id: AuthorID("7", on: .x), handle: "new")
    new.observedAt = Timestamp(seconds: 2)
    var expected = old
    expected.handle = "new"
    expected.observedAt = Timestamp(seconds: 2)
    let before = ObservationTime(time: Timestamp(seconds: 1))
    expected.older = ["name": before, "bio": before, "followers": before]
    #expect(old.merged(with: new) == expected)
    #expect(new.merged(with: old) == expected)
    #expect(old.merged(with: old) == old)
  }

  @Test func knownReasonBeatsAnUnknownOne() {
    let unknown = Tombstone(id: PostID("1", on: .x), reason: .unknown)
    var deleted = Tombstone(id: PostID("1", on: .x), reason: .deleted, detail: "gone")
    deleted.authorID = AuthorID("7", on: .x)
    #expect(unknown.merged(with: deleted) == deleted)
    #expect(deleted.merged(with: unknown) == deleted)
    #expect(deleted.merged(with: deleted) == deleted)
  }
}
