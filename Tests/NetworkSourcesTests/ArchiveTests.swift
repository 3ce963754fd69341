import Foundation
import NetworkSources
import TestSupport
import Testing

/// Files and folders of which only allowed files are opened.
@Suite struct ArchiveTests {
  /// The rules of an invented network with facts in `data` and media in `media`.
  private struct Rules: ArchiveRules {
    let owner = "Example"

    func role(of path: String) -> ArchiveRole? {
      if path == "data/posts.json" { return .facts }
      return path.hasPrefix("media/") ? .media : nil
    }

    func enters(_ folder: String, depth: Int, beside names: [String]) -> Bool {
      ["data", "media"].contains(folder)
    }

    func wouldRead(_ path: String, depth: Int) -> Bool {
      enters(path, depth: depth, beside: []) || role(of: path) != nil
    }
  }

  private let folder: TemporaryFolder
  private static let files = [
    "data/posts.json": "[1]", "data/messages.json": "private", "media/a.jpg": "picture", "readme.txt": "text",
  ]

  init() throws { folder = try TemporaryFolder() }

  private func zip(_ entries: [ZipWriter.Entry]) throws -> PackedArchive {
    try folder.write(Data(ZipWriter.zip(entries)), to: "a.zip")
    return PackedArchive(path: folder.path + "/a.zip", .zip, Rules())
  }

  private func entries() -> [ZipWriter.Entry] {
    Self.files.sorted { $0.key < $1.key }.map { ZipWriter.Entry($0.key, $0.value) }
  }

  private func unpacked() throws -> FolderArchive {
    for (name, text) in Self.files { try folder.write(text, to: "unpacked/" + name) }
    return FolderArchive(path: folder.path + "/unpacked/", Rules())
  }

  /// The contents of the files that were read, by path.
  private func contents(of archive: any ArchiveSource, _ paths: Set<String>) throws -> [String: String] {
    var read: [String: String] = [:]
    try archive.read(paths) { (entry, content) throws(SourceError) in
      var bytes: [UInt8] = []
      while let piece = try content.next() { bytes.append(contentsOf: piece) }
      read[entry.path] = String(decoding: bytes, as: UTF8.self)
    }
    return read
  }

  private func refusal(_ body: () throws -> Void) throws -> String {
    let error = try #require(throws: SourceError.self) { try body() }
    return error.description.replacing(folder.path + "/", with: "")
  }

  @Test func listsAndReadsAllowedFilesOnly() throws {
    for archive: any ArchiveSource in [try zip(entries()), try unpacked()] {
      let listing = try archive.list()
      #expect(Set(listing.entries.map(\.path)) == ["data/posts.json", "media/a.jpg"])
      #expect(listing.entries.first { $0.path == "media/a.jpg" }?.size == 7)
      #expect(listing.passedOver.isEmpty && listing.zips.isEmpty)
      #expect(
        try contents(of: archive, ["data/posts.json", "media/a.jpg"])
          == ["data/posts.json": "[1]", "media/a.jpg": "picture"])
      #expect(try contents(of: archive, []).isEmpty)
    }
  }

  @Test(arguments: [
    ("../media/x.jpg", "leads out"), ("/media/x.jpg", "absolute"), ("media/../../x", "leads out"),
    ("C:/media/x.jpg", "absolute"), ("media\\..\\..\\x", "leads out"), ("media/\u{1B}[2J", "control"),
  ])
  func reportsPathsOutsideOfTheArchive(name: String, reason: String) throws {
    let listing = try zip(entries() + [ZipWriter.Entry(name, "x")]).list()
    #expect(listing.entries.count == 2)
    #expect(listing.passedOver.count == 1 && listing.passedOver[0].contains(reason))
    #expect(!listing.passedOver[0].contains("\u{1B}"))
  }

  /// Twenty messages, and the number of the rest.
  @Test func countsTheMessagesBeyondTheFirst() throws {
    let bad = (0..<30).map { ZipWriter.Entry("../\($0)", "x") }
    let listing = try zip(entries() + bad).list()
    #expect(listing.passedOver.count == 21 && listing.passedOver[20].contains("10 more entries"))
    var unnamed = ZipWriter.Entry("", "x")
    unnamed.name = [0xFF, 0xFE]
    #expect(
      try zip([unnamed]).list().passedOver.first?.contains("1 files whose names are not valid UTF-8") == true)
  }

  @Test func rejectsDuplicateFactsAndReportsDuplicateMedia() throws {
    let facts = try refusal { _ = try zip(entries() + [ZipWriter.Entry("data/./posts.json", "[2]")]).list() }
    #expect(facts.hasPrefix("a.zip/data/posts.json: error: appears twice"))
    let archive = try zip(entries() + [ZipWriter.Entry("media//a.jpg", "another")])
    #expect(try archive.list().passedOver.first?.contains("the first one is used") == true)
    #expect(try contents(of: archive, ["media/a.jpg"]) == ["media/a.jpg": "picture"])
  }

  @Test func readsNoSymbolicLinks() throws {
    var link = ZipWriter.Entry("media/b.jpg", "/etc/passwd")
    link.mode = 0o120777
    let listing = try zip(entries() + [link]).list()
    #expect(listing.entries.count == 2 && listing.passedOver.first?.contains("symbolic link") == true)
    let archive = try unpacked()
    try folder.write("secret", to: "elsewhere/b.jpg")
    try folder.remove("unpacked/media/a.jpg")
    try folder.remove("unpacked/media")
    #expect(symlink(folder.path + "/elsewhere", folder.path + "/unpacked/media") == 0)
    #expect(try refusal { _ = try archive.list() }.hasPrefix("unpacked/media: error: is a symbolic link"))
  }

  @Test func rejectsEncryptedFiles() throws {
    var all = entries()
    for index in all.indices { all[index].flags |= 1 }
    #expect(try refusal { _ = try zip(all).list() }.contains("is encrypted"))
  }

  @Test func namesZipFilesInTheArchive() throws {
    #expect(try zip([ZipWriter.Entry("more/2024.ZIP", "PK")]).list().zips == ["more/2024.ZIP"])
  }

  @Test func reportsWrongSizesAndChecksums() throws {
    for change: (inout ZipWriter.Entry) -> Void in [
      { $0.declaredSize = 3 }, { $0.declaredSize = 1000 }, { $0.isChecked = false },
    ] {
      var picture = ZipWriter.Entry("media/a.jpg", "picture")
      change(&picture)
      let archive = try zip([picture])
      let message = try refusal { _ = try contents(of: archive, ["media/a.jpg"]) }
      #expect(message.hasPrefix("a.zip"), "\(message)")
    }
    #expect(
      try refusal { _ = try contents(of: zip(entries()), ["media/gone.jpg"]) }.contains("the entry is gone"))
  }

  @Test func rejectsTruncatedFiles() throws {
    let whole = ZipWriter.zip(entries())
    for length in [0, 3, whole.count / 2, whole.count - 1] {
      try folder.write(Data(whole[..<length]), to: "a.zip")
      let archive = PackedArchive(path: folder.path + "/a.zip", .zip, Rules())
      #expect(try refusal { _ = try archive.list() }.hasPrefix("a.zip: error: "), "\(length)")
    }
  }

  @Test func recognizesFormatsByTheirBytes() throws {
    _ = try zip(entries())
    #expect(try PackedArchive.Format.of(folder.path + "/a.zip") == .zip)
    try folder.write(Data([0x1F, 0x8B, 8, 0]), to: "a.zip")
    #expect(try PackedArchive.Format.of(folder.path + "/a.zip") == .tar)
    try folder.write(String(repeating: " ", count: 257) + "ustar", to: "a.txt")
    #expect(try PackedArchive.Format.of(folder.path + "/a.txt") == .tar)
    try folder.write("PK is no archive", to: "a.txt")
    #expect(try PackedArchive.Format.of(folder.path + "/a.txt") == nil)
  }

  @Test func readsSmallFilesUpToALimit() throws {
    let archive = try unpacked()
    func bytes(atMost limit: Int) throws -> Int {
      var count = 0
      try archive.read(["media/a.jpg"]) { (_, content) throws(SourceError) in
        count = try FolderArchive.bytes(of: content, atMost: limit) {
          SourceError(export: "a", "is too large")
        }
        .count
      }
      return count
    }
    #expect(try bytes(atMost: 7) == 7)
    #expect(try refusal { _ = try bytes(atMost: 6) } == "a: error: is too large")
  }
}
