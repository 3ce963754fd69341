import Basics
import CArchive
import Foundation
import MastodonNetwork
import NetworkSources
import SiteConfig
import TestSupport
import Testing
import ThreadModel

/// An invented account's archive in Mastodon's format.
struct InventedExport {
  static let actor = "https://social.example/users/ada"
  static let everybody = "https://www.w3.org/ns/activitystreams#Public"

  var entries: [JSONValue] = []
  var account: JSONValue? = [
    "type": "Person", "id": .string(actor), "preferredUsername": "ada", "name": "Ada :star:",
    "summary": "<p>Writes <script>alert(1)</script>here</p>", "url": "https://social.example/@ada",
    "published": "2020-01-02T00:00:00Z",
    "icon": ["type": "Image", "mediaType": "image/png", "url": "avatar.png"],
  ]
  /// Files beside `outbox.json` and `actor.json`.
  var files: [String: Data] = [:]

  static func address(_ id: Int) -> String { "\(actor)/statuses/\(id)" }

  /// The first bytes of a PNG file, which is all that the import reads.
  static var png: Data {
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    let size: [UInt8] = [0, 0, 0, 40, 0, 0, 0, 30, 8, 6, 0, 0, 0]
    return Data(head + size + [UInt8](repeating: 7, count: 300))
  }

  /// An entry for a post.
  static func post(
    _ id: Int, _ text: String, answers: String? = nil, to: [String] = [everybody], cc: [String] = [],
    _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    var note: [String: JSONValue] = [
      "id": .string(address(id)), "type": "Note", "summary": nil, "attributedTo": .string(actor),
      "published": .string("2024-05-0\(1 + id / 60 % 9)T10:\(10 + id % 50):00Z"),
      "url": .string("https://social.example/@ada/\(id)"),
      "inReplyTo": answers.map { .string($0) } ?? .null, "sensitive": false,
      "content": .string("<p>\(text)</p>"), "contentMap": ["en": .string("<p>\(text)</p>")],
      "to": .array(to.map { .string($0) }), "cc": .array(cc.map { .string($0) }), "attachment": [], "tag": [],
    ]
    note.merge(more) { $1 }
    return [
      "id": .string(address(id) + "/activity"), "type": "Create", "actor": .string(actor),
      "published": note["published"] ?? .null, "to": note["to"] ?? .null, "cc": note["cc"] ?? .null,
      "object": .object(note),
    ]
  }

  var outbox: Data {
    Self.data([
      "@context": "https://www.w3.org/ns/activitystreams", "id": "outbox.json", "type": "OrderedCollection",
      "totalItems": .integer(Int64(entries.count)), "orderedItems": .array(entries),
    ])
  }

  static func data(_ value: JSONValue) -> Data { Data(JSONWriter.text(of: value).bytes) }

  var allFiles: [(name: String, data: Data)] {
    let facts = [("outbox.json", outbox)] + (account.map { [("actor.json", Self.data($0))] } ?? [])
    return facts + files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: Files

  enum Form: CaseIterable { case folder, zip, tar, gzip }

  func write(_ form: Form, in folder: TemporaryFolder) throws -> String {
    guard form == .folder else {
      let path = folder.path + "/export.\(form)"
      Self.pack(allFiles.map { Entry($0.name, $0.data) }, form, to: path)
      return path
    }
    for (name, data) in allFiles { try folder.write(data, to: "export/\(name)") }
    return folder.path + "/export"
  }

  struct Entry {
    var name: String
    var data: Data
    /// The target of a symbolic or hard link.
    var symbolicLink: String?
    var hardLink: String?
    /// The number of zero bytes after the data.
    var zeros = 0

    init(_ name: String, _ data: Data) { (self.name, self.data) = (name, data) }
  }

  static func pack(_ entries: [Entry], _ form: Form, to path: String) {
    let writer = archive_write_new()
    defer { archive_write_free(writer) }
    switch form {
    case .zip: archive_write_set_format_zip(writer)
    case .tar: archive_write_set_format_ustar(writer)
    default:
      archive_write_set_format_ustar(writer)
      archive_write_add_filter_gzip(writer)
    }
    #expect(archive_write_open_filename(writer, path) == ARCHIVE_OK)
    for file in entries {
      let entry = archive_entry_new()
      archive_entry_set_pathname(entry, file.name)
      archive_entry_set_filetype(entry, file.symbolicLink == nil ? 0o100000 : 0o120000)
      archive_entry_set_perm(entry, 0o644)
      archive_entry_set_size(entry, Int64(file.data.count + file.zeros))
      if let target = file.symbolicLink { archive_entry_set_symlink(entry, target) }
      if let target = file.hardLink { archive_entry_set_hardlink(entry, target) }
      archive_write_header(writer, entry)
      file.data.withUnsafeBytes { _ = archive_write_data(writer, $0.baseAddress, $0.count) }
      let space = [UInt8](repeating: 0x20, count: 1 << 20)
      for _ in 0..<(file.zeros >> 20) { _ = archive_write_data(writer, space, space.count) }
      archive_entry_free(entry)
    }
    archive_write_close(writer)
  }
}

/// The result of importing an export without a store.
struct ReadExport {
  let survey: any SurveyedExport
  let plan: any PlannedExport
  let passedOver: [String]
  /// The files that were read, by name.
  private(set) var files: [String: [UInt8]] = [:]
  private(set) var conversations: [Conversation] = []

  init(
    _ path: String, minPosts: Int = 2, withReplies: Bool = false, withUnlisted: Bool = false,
    account: AccountReference? = nil
  ) throws {
    let found = try #require(try MastodonSource().export(at: path))
    let export = try account.map(found.of) ?? found
    passedOver = export.passedOver
    survey = try export.survey { _, _ in }
    var choice = ExportChoice()
    choice.minPosts = minPosts
    choice.includesReplies = withReplies
    choice.includesUnlisted = withUnlisted
    plan = try survey.plan(choice) { _ in nil }
    var read: [String: [UInt8]] = [:]
    try plan.readMedia(plan.mediaWanted) { (name, content) throws(SourceError) in
      var bytes: [UInt8] = []
      while let piece = try content.next() { bytes += Array(piece) }
      read[name] = bytes
    }
    files = read
    var threads: [Conversation] = []
    _ = try plan.conversations(files: read.mapValues { ArchivedMedia(file: "file-\($0.count)") }) {
      threads.append($0)
    }
    conversations = threads
  }

  /// The posts of a conversation by their texts.
  func posts(_ index: Int = 0) -> [String: Post] {
    guard conversations.indices.contains(index) else { return [:] }
    return Dictionary(conversations[index].posts.map { ($0.text.text, $0) }) { first, _ in first }
  }
}
