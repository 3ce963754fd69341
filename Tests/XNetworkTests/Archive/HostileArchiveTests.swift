import CArchive
import Foundation
import NetworkSources
import TestSupport
import Testing
import XNetwork

@Suite("Hostile archives")
struct HostileArchiveTests {
  private let expected = [["one", "two & more", "three"]]

  private func write(_ entries: [ZipWriter.Entry], in folder: TemporaryFolder) throws -> String {
    try folder.write(Data(ZipWriter.zip(entries)), to: "a.zip")
    return folder.path + "/a.zip"
  }

  /// The error of importing the invented archive with the changed entries.
  private func refusal(_ change: (inout [ZipWriter.Entry]) -> Void) throws -> String {
    let folder = try TemporaryFolder()
    var entries = Invented(Invented.posts).entries
    change(&entries)
    let path = try write(entries, in: folder)
    let error = #expect(throws: SourceError.self) { _ = try Imported(path) }
    return error?.description.replacing(folder.path + "/", with: "") ?? ""
  }

  @Test func neverOpensPrivateFiles() throws {
    let folder = try TemporaryFolder()
    let names = [
      "direct-messages.js", "direct-messages-group.js", "contact.js", "ip-audit.js", "phone-number.js",
      "ad-engagements.js",
      "deleted-tweets.js", "deleted-tweet-headers.js", "like.js", "follower.js", "tweet-headers.js",
      "tweetdeck.js", "README.txt",
      "direct_messages_media/101-a.jpg", "deleted_tweets_media/101-a.jpg", "tweets.js.html",
      "tweets-partX.js",
    ]
    var archive = Invented(Invented.posts)
    // Reading any of them fails: they are not JSON, and in the zip file they are longer than the directory
    // states.
    for name in names { archive.files["data/" + name] = "POISON {{{" }
    let unpacked = try archive.unpacked(in: folder)
    for name in names { chmod("\(unpacked)/data/\(name)", 0) }
    #expect(try Imported(unpacked).texts == expected)
    var entries = archive.entries
    for index in entries.indices where entries[index].data.starts(with: "POISON".utf8) {
      entries[index].declaredSize = 3
      entries[index].isChecked = false
    }
    // Headers are found through the directory, so the false size hides no entry.
    let poisoned = entries.filter { $0.data.starts(with: "POISON".utf8) }
    let others = entries.filter { !$0.data.starts(with: "POISON".utf8) }
    #expect(try Imported(try write(others + poisoned, in: folder)).texts == expected)
    let source = RecordingSource(XArchive.zip(folder.path + "/a.zip"))
    let zip = try XArchive(source)
    let survey = try zip.readSurvey()
    _ = try ArchivePlan(survey, ExportChoice()).conversations(files: [:]) { _ in }
    #expect(
      source.opened.sorted() == ["data/account.js", "data/manifest.js", "data/profile.js", "data/tweets.js"])
  }

  @Test(arguments: [
    "../data/tweets.js", "/data/tweets.js", "data/../../tweets.js", "C:/data/tweets.js",
    "data\\..\\..\\tweets.js",
  ])
  func skipsPathsOutsideOfTheArchive(name: String) throws {
    let folder = try TemporaryFolder()
    let evil = ZipWriter.Entry(
      name, "window.YTD.tweets.part0 = [ {\"tweet\":\(Invented.post(900, "evil"))} ]")
    let path = try write(Invented(Invented.posts).entries + [evil], in: folder)
    let imported = try Imported(path)
    #expect(imported.texts == expected)
    #expect(imported.archive.passedOver.count == 1 && imported.archive.passedOver[0].contains("skipped"))
    #expect(try folder.tree().keys.sorted() == ["a.zip"], "no file is written")
  }

  @Test func rejectsSymbolicLinks() throws {
    var link = ZipWriter.Entry("data/tweets_media/101-a.jpg", "/etc/passwd")
    link.mode = 0o120777
    let folder = try TemporaryFolder()
    let imported = try Imported(try write(Invented(Invented.posts).entries + [link], in: folder))
    #expect(imported.texts == expected && imported.archive.passedOver.count == 1)
    var posts = ZipWriter.Entry("data/tweets.js", "/etc/passwd")
    posts.mode = 0o120777
    #expect(
      try refusal { entries in
        entries.removeAll { $0.name == posts.name }
        entries.append(posts)
      }.contains("there is no data/tweets.js"))
  }

  @Test func rejectsSymbolicLinksInAFolder() throws {
    let folder = try TemporaryFolder()
    let path = try Invented(Invented.posts).unpacked(in: folder)
    try folder.write("secret", to: "elsewhere/101-a.jpg")
    #expect(symlink(folder.path + "/elsewhere", path + "/data/tweets_media") == 0)
    let error = #expect(throws: SourceError.self) { _ = try Imported(path) }
    #expect(error?.description.contains("data/tweets_media: error: is a symbolic link") == true)
    try folder.remove("archive/data/tweets_media")
    #expect(symlink(folder.path + "/elsewhere/101-a.jpg", path + "/data/note-tweet.js") == 0)
    let file = #expect(throws: SourceError.self) { _ = try Imported(path) }
    #expect(file?.description.contains("data/note-tweet.js: error: is a symbolic link") == true)
    try folder.remove("archive/data/note-tweet.js")
    // Links to files that are not read are ignored.
    #expect(symlink(folder.path + "/elsewhere", path + "/data/direct-messages.js") == 0)
    #expect(try Imported(path).texts == expected)
  }

  @Test func rejectsADuplicateName() throws {
    let message = try refusal {
      $0.append(ZipWriter.Entry("data/./tweets.js", "window.YTD.tweets.part0 = []"))
    }
    #expect(
      message == "a.zip/data/tweets.js: error: appears twice")
  }

  @Test func detectsFalseSizes() throws {
    let less = try refusal { entries in
      let index = entries.firstIndex { $0.name == Array("data/tweets.js".utf8) } ?? 0
      entries[index].declaredSize = 40
    }
    #expect(less.hasPrefix("a.zip/data/tweets.js"), "\(less)")
    let more = try refusal { entries in
      let index = entries.firstIndex { $0.name == Array("data/tweets.js".utf8) } ?? 0
      entries[index].declaredSize = entries[index].data.count + 100_000
    }
    #expect(more.hasPrefix("a.zip/data/tweets.js"), "\(more)")
    let changed = try refusal { entries in
      let index = entries.firstIndex { $0.name == Array("data/tweets.js".utf8) } ?? 0
      entries[index].isChecked = false
    }
    #expect(changed.contains("damaged"), "\(changed)")
  }

  @Test func reportsAnEncryptedArchive() throws {
    let message = try refusal { entries in for index in entries.indices { entries[index].flags |= 1 } }
    #expect(message.contains("is encrypted: unpack the archive with its password"), "\(message)")
  }

  @Test func reportsAZipWithinAZip() throws {
    let message = try refusal { $0 = [ZipWriter.Entry("twitter-2024.zip", "PK")] }
    #expect(message.contains("contains no posts, but a zip file (twitter-2024.zip)"), "\(message)")
  }

  @Test func rejectsATruncatedZip() throws {
    let folder = try TemporaryFolder()
    let whole = ZipWriter.zip(Invented(Invented.posts).entries)
    for length in [0, 3, 100, whole.count / 2, whole.count - 30, whole.count - 1] {
      try folder.write(Data(whole[..<length]), to: "a.zip")
      let error = #expect(throws: SourceError.self, "\(length)") {
        _ = try Imported(folder.path + "/a.zip")
      }
      #expect(error?.description.contains("a.zip: error: ") == true)
    }
    try folder.write("just text", to: "a.zip")
    let error = #expect(throws: SourceError.self) { _ = try Imported(folder.path + "/a.zip") }
    #expect(error?.description.contains("not a complete zip file") == true)
    #expect(throws: SourceError.self) { _ = try Imported(folder.path + "/missing.zip") }
  }

  @Test func damagedBytesDoNotCrash() throws {
    let folder = try TemporaryFolder()
    let whole = ZipWriter.zip(Invented(Invented.posts).entries)
    var generator = SeededRandom()
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      try folder.write(Data(bytes), to: "a.zip")
      do {
        _ = try Imported(folder.path + "/a.zip")
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(try folder.tree().keys.sorted() == ["a.zip"])
  }

  @Test func skipsNamesThatAreNotText() throws {
    let folder = try TemporaryFolder()
    var odd = ZipWriter.Entry("", "x")
    odd.name = Array("data/".utf8) + [0xFF, 0xFE]
    let imported = try Imported(try write(Invented(Invented.posts).entries + [odd], in: folder))
    #expect(imported.texts == expected)
    var entries = Invented(Invented.posts).entries
    entries.append(ZipWriter.Entry("data/tweets_media/1\u{1B}[2J-a.jpg", "x"))
    #expect(try Imported(try write(entries, in: folder)).archive.passedOver.count == 1)
  }

  @Test func stopsAtAZipBomb() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/bomb.zip"
    try writeBomb(to: path, megabytes: TestDepth.cases(fast: 80, deep: 200))
    let archive = try XArchive.open(path)
    let error = #expect(throws: SourceError.self) { _ = try archive.readSurvey() }
    #expect(
      error?.description.contains("unpacks to more than 200 times the size") == true,
      "\(error?.description ?? "")")
  }

  @Test func stopsAtAnEndlessElement() throws {
    var archive = Invented([])
    archive.files["data/tweets.js"] =
      "window.YTD.tweets.part0 = [ {\"tweet\": \"" + String(repeating: "x", count: 5 << 20) + "\"} ]"
    #expect(throws: SourceError.self) { _ = try Imported(archive) }
    archive.files["data/tweets.js"] =
      "window.YTD.tweets.part0 = [ {\"tweet\": " + String(repeating: "[", count: 100_000) + "} ]"
    let imported = try Imported(archive)
    #expect(imported.survey.posts == 0 && !imported.survey.completeness.isWhole, "the array has no end")
  }

  /// Zeros between posts, compressed by libarchive.
  private func writeBomb(to path: String, megabytes: Int) throws {
    let writer = archive_write_new()
    defer { archive_write_free(writer) }
    archive_write_set_format_zip(writer)
    #expect(archive_write_open_filename(writer, path) == ARCHIVE_OK)
    let space = [UInt8](repeating: 0x20, count: 1 << 20)
    let files = Invented([]).files.merging(["data/tweets.js": "window.YTD.tweets.part0 = [ "]) { $1 }
    for (name, text) in files {
      let isBomb = name == "data/tweets.js"
      let entry = archive_entry_new()
      archive_entry_set_pathname(entry, name)
      archive_entry_set_filetype(entry, 0o100000)
      archive_entry_set_perm(entry, 0o644)
      archive_entry_set_size(entry, Int64(text.utf8.count + (isBomb ? megabytes << 20 : 0)))
      archive_write_header(writer, entry)
      _ = text.utf8.withContiguousStorageIfAvailable { archive_write_data(writer, $0.baseAddress, $0.count) }
      if isBomb { for _ in 0..<megabytes { _ = archive_write_data(writer, space, space.count) } }
      archive_entry_free(entry)
    }
    archive_write_close(writer)
  }
}

/// Records which entries are opened.
private final class RecordingSource: ArchiveSource, @unchecked Sendable {
  private let source: PackedArchive
  private(set) var opened: Set<String> = []

  init(_ source: PackedArchive) { self.source = source }

  var path: String { source.path }

  func list() throws(SourceError) -> ArchiveListing { try source.list() }

  func read(
    _ paths: Set<String>, _ body: (ArchiveEntry, any EntryBytes) throws(SourceError) -> Void
  ) throws(SourceError) {
    opened.formUnion(paths)
    try source.read(paths, body)
  }
}
