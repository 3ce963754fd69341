import Foundation
import NetworkSources
import TestSupport
import Testing
import ThreadModel
import XNetwork

@Suite("The completeness of an archive")
struct CompletenessTests {
  /// Three files of posts, a thread over all of them, and notes.
  private func archive(counts: [(file: String, count: String)] = CompletenessTests.counts) -> Invented {
    var archive = Invented([Invented.post(101, "one"), Invented.post(110, "alone")])
    archive.files["data/tweets-part1.js"] = posts([Invented.post(102, "two", answers: 101)])
    archive.files["data/tweets-part2.js"] = posts([
      Invented.post(103, "three", answers: 102), Invented.post(104, "four", answers: 103),
    ])
    archive.files["data/note-tweet.js"] = Invented.script(
      "note_tweet", [#"{"noteTweet":{"createdAt":"2020-01-01T01:41:00.000Z","core":{"text":"one"}}}"#])
    archive.files["data/manifest.js"] = Invented.manifest(counts: counts)
    return archive
  }

  private static let counts = [
    ("tweets.js", "2"), ("tweets-part1.js", "1"), ("tweets-part2.js", "2"), ("note-tweet.js", "1"),
    ("account.js", "1"), ("profile.js", "1"), ("direct-messages.js", "1000"), ("community-tweet.js", "0"),
  ]

  private func posts(_ posts: [String]) -> String {
    Invented.script("tweets", posts.map { "{\"tweet\":\($0)}" })
  }

  private func completeness(_ archive: Invented) throws -> ArchiveCompleteness {
    try Imported(archive).survey.completeness
  }

  private func messages(_ archive: Invented) throws -> [String] {
    try completeness(archive).shortfalls.map { $0.message(in: "a.zip") }
  }

  @Test func matchesTheManifest() throws {
    let completeness = try completeness(archive())
    #expect(completeness == ArchiveCompleteness(expectedPosts: 5))
  }

  @Test(arguments: ["tweets.js", "tweets-part1.js", "tweets-part2.js", "note-tweet.js", "profile.js"])
  func reportsAMissingFile(name: String) throws {
    var archive = archive()
    archive.files["data/\(name)"] = nil
    let imported = try Imported(archive)
    let shortfall = try #require(imported.survey.completeness.shortfalls.first)
    #expect(imported.survey.completeness.shortfalls.count == 1)
    #expect(shortfall.path == "data/\(name)" && shortfall.read == 0)
    let expected = Self.counts.first { $0.0 == name }.flatMap { Int($0.1) }
    #expect(shortfall.expected == expected)
    #expect(imported.survey.completeness.expectedPosts == 5)
    #expect(!imported.conversations.isEmpty, "the existing posts are imported")
  }

  @Test func messagesNameTheMissingFilesAndCounts() throws {
    var archive = archive()
    archive.files["data/tweets-part1.js"] = nil
    archive.files["data/tweets-part2.js"] = posts([Invented.post(104, "four", answers: 103)])
    archive.files["data/note-tweet.js"] = nil
    archive.files["data/profile.js"] = nil
    #expect(
      try messages(archive) == [
        "a.zip/data/profile.js: error: is missing, although the archive's manifest lists it with 1 profile",
        "a.zip/data/note-tweet.js: error: is missing, although the archive's manifest lists it with 1 full text of a long post",
        "a.zip/data/tweets-part1.js: error: is missing, although the archive's manifest lists it with 1 post",
        "a.zip/data/tweets-part2.js: error: contains 1 post, but the archive's manifest counts 2 posts",
      ])
  }

  @Test(arguments: 1...220)
  func readsTheCompletePartOfATruncatedFile(length: Int) throws {
    var archive = archive()
    let text = posts([
      Invented.post(103, "three", answers: 102), Invented.post(104, "four", answers: 103),
    ])
    let cut = String(text.prefix(text.count * length / 221))
    archive.files["data/tweets-part2.js"] = cut
    let imported = try Imported(archive)
    let shortfall = try #require(imported.survey.completeness.shortfalls.first)
    // Posts with a closing bracket, counted in the text itself.
    let whole = cut.split(separator: "}}", omittingEmptySubsequences: false).count - 1
    #expect(shortfall.read == whole && shortfall.expected == 2)
    #expect(imported.texts == [["one", "two", "three", "four"].prefix(2 + whole).map(\.self)])
    let lines = cut.split(separator: "\n", omittingEmptySubsequences: false)
    let place = "data/tweets-part2.js:\(lines.count):\((lines.last?.count ?? 0) + 1): error: "
    #expect(shortfall.message(in: "a").hasPrefix("a/\(place)the file ends before its last bracket"))
  }

  @Test func readsTruncatedNotesProfilesAndManifests() throws {
    for name in ["note-tweet.js", "profile.js", "manifest.js"] {
      var archive = archive()
      let text = try #require(archive.files["data/\(name)"])
      archive.files["data/\(name)"] = String(text.dropLast(3))
      let imported = try Imported(archive)
      #expect(imported.survey.completeness.shortfalls.map(\.path) == ["data/\(name)"])
      #expect(imported.texts == [["one", "two", "three", "four"]])
    }
  }

  @Test func numbersOfPartsReplaceAMissingManifest() throws {
    var archive = archive()
    archive.files["data/manifest.js"] = nil
    let unlisted = try completeness(archive)
    #expect(unlisted.isWhole && !unlisted.doubts.isEmpty)
    archive.files["data/tweets-part1.js"] = nil
    #expect(
      try messages(archive) == [
        "a.zip/data/tweets-part1.js: error: is missing, although later parts of it are present"
      ])
    archive.files["data/tweets.js"] = nil
    #expect(try completeness(archive).shortfalls.map(\.path) == ["data/tweets.js", "data/tweets-part1.js"])
    archive.files["data/tweets-part2.js"] = nil
    archive.files["data/tweets-part4000000000000.js"] = posts([Invented.post(104, "four")])
    #expect(try completeness(archive).shortfalls.count <= 20, "the list is limited")
  }

  @Test func archiveOfOnlyCommunityPostsLacksTheOthers() throws {
    var archive = Invented([])
    archive.files["data/tweets.js"] = nil
    archive.files["data/community-tweet.js"] = Invented.script("community_tweet", [])
    #expect(
      try messages(archive) == [
        "a.zip/data/tweets.js: error: is missing, although every X archive contains it"
      ])
    archive.files["data/manifest.js"] = Invented.manifest(counts: [
      ("tweets.js", "12"), ("community-tweet.js", "0"),
    ])
    #expect(
      try messages(archive) == [
        "a.zip/data/tweets.js: error: is missing, although the archive's manifest lists it with 12 posts"
      ])
    #expect(try completeness(archive).expectedPosts == 12)
  }

  @Test(arguments: ["", "many", "-1", "1e3", "99999999999999999999"])
  func manifestWithoutACountProvesNothing(count: String) throws {
    var archive = archive(counts: Self.counts.map { ($0.0, $0.0 == "tweets.js" ? count : $0.1) })
    let unlisted = try completeness(archive)
    #expect(unlisted.isWhole && !unlisted.doubts.isEmpty)
    archive.files["data/tweets.js"] = nil
    #expect(
      try messages(archive) == [
        "a.zip/data/tweets.js: error: is missing, although the archive's manifest lists it"
      ])
  }

  @Test func addedFilesOnlyCauseDoubts() throws {
    // More posts than counted, an unlisted file, and a file under another file's name.
    for (change, doubt) in [
      (
        { $0.files["data/tweets-part1.js"] = posts([Invented.post(102, "two"), Invented.post(120, "new")]) },
        "data/tweets-part1.js contains 2 posts, but the manifest counts 1"
      ),
      (
        { $0.files["data/tweets-part3.js"] = posts([Invented.post(121, "new")]) },
        "its manifest does not list data/tweets-part3.js"
      ),
      (
        { $0.files["data/tweets-part1.js"] = posts([Invented.post(101, "one")]) },
        "1 of its posts appear more than once, as if a file replaced another"
      ),
      (
        { $0.files["data/manifest.js"] = Invented.manifest(counts: Self.counts, isPartial: true) },
        "X marks it as a partial archive (isPartialArchive in manifest.js)"
      ),
    ] as [((inout Invented) -> Void, String)] {
      var archive = archive()
      change(&archive)
      let completeness = try completeness(archive)
      #expect(completeness.isWhole && completeness.doubts == [doubt])
    }
  }

  @Test func doesNotCountEntriesThatAreNotPosts() throws {
    var archive = archive()
    archive.files["data/tweets-part1.js"] = Invented.script("tweets", ["{}"])
    #expect(
      try messages(archive) == [
        "a.zip/data/tweets-part1.js: error: contains 0 posts, but the archive's manifest counts 1 post"
      ])
  }

  private func refusal(_ archive: Invented) throws -> String {
    let folder = try TemporaryFolder()
    let path = try archive.zip(in: folder)
    let error = #expect(throws: SourceError.self) { _ = try Imported(path) }
    return error?.description.replacing(path, with: "a.zip") ?? ""
  }

  @Test func rejectsAnArchiveWithAnIncompleteListOfPrivatePosts() throws {
    let counts = Self.counts + [("twitter-circle-tweet.js", "2")]
    var archive = archive(counts: counts)
    #expect(try refusal(archive).hasPrefix("a.zip/data/twitter-circle-tweet.js: error: is missing"))
    let circle = Invented.script(
      "twitter_circle_tweet", [Invented.post(102, "secret"), Invented.post(110, "secret")])
    archive.files["data/twitter-circle-tweet.js"] = circle
    #expect(try Imported(archive).plan.counts.circle == 2)
    archive.files["data/twitter-circle-tweet.js"] = String(circle.dropLast(40))
    #expect(
      try refusal(archive).contains(
        "1 of 2 posts to a circle was read. It lists the private posts to a circle"))
    archive.files["data/twitter-circle-tweet.js"] = nil
    archive.files["data/manifest.js"] = Invented.manifest(
      counts: Self.counts + [("twitter-circle-tweet.js", "0")])
    let completeness = try completeness(archive)
    #expect(completeness.isWhole && completeness.doubts.isEmpty, "a file with zero entries may be missing")
  }

  @Test func rejectsFilesOfSeveralAccounts() throws {
    var archive = archive()
    archive.files["data/manifest.js"] = Invented.manifest(counts: Self.counts, account: "8")
    #expect(
      try refusal(archive).hasPrefix(
        "a.zip/data/account.js: error: belongs to the account 7, but the archive's manifest to the account 8")
    )
    for account in ["", "no id"] {
      archive.files["data/manifest.js"] = Invented.manifest(counts: Self.counts, account: account)
      #expect(try completeness(archive).isWhole, "a manifest without an account")
    }
    archive.files["data/manifest.js"] = Invented.manifest(counts: Self.counts, account: "9")
    archive.files["data/account.js"] = archive.files["data/account.js"]?.replacing("\"7\"", with: "\"9\"")
    #expect(
      try refusal(archive).hasPrefix(
        "a.zip/data/account.js: error: belongs to the account 9, but the posts to the account 7"))
  }

  @Test func folderWithoutPostsIsStillAnArchive() throws {
    let folder = try TemporaryFolder()
    var archive = archive()
    for name in ["tweets.js", "tweets-part1.js", "tweets-part2.js"] { archive.files["data/\(name)"] = nil }
    let path = try archive.unpacked(in: folder)
    #expect(XArchive.isUnpacked(at: path))
    let error = #expect(throws: SourceError.self) { _ = try XArchive.open(path) }
    #expect(error?.description.contains("there is no data/tweets.js in it") == true)
  }
}
