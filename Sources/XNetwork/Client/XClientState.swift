import Basics
package import ThreadModel

/// What a run learned about X's answers, for the next one: a small file that may be removed at any time.
package struct XClientState: Sendable, Hashable {
  /// The dialect that X understood.
  package var dialect: XDialect?
  /// When X refused the full-archive search to this account.
  package var fullArchiveRefusedAt: Timestamp?

  /// When X said that it does not know a field or an expansion, by their names.
  package var fieldRefusals: [String: Timestamp] = [:]

  /// What was refused is asked for again after so many days: accounts and deployments change.
  private static let refusalDays: Int64 = 7

  package init() {}

  /// What a file says; a file that is missing or damaged says nothing.
  package init(file: String) {
    self.init()
    guard let bytes = try? FileBytes.read(file, atMost: 65_536), let json = try? JSONValue(parsing: bytes)
    else {
      return
    }
    dialect = json["dialect"]?.string.flatMap(XDialect.named)
    fullArchiveRefusedAt = json["full_archive_refused_at"]?.string.flatMap { Timestamp(iso8601: $0) }
    for (name, time) in json["refused_fields"]?.object ?? [:] {
      fieldRefusals[name] = time.string.flatMap { Timestamp(iso8601: $0) }
    }
  }

  /// When the full archive may be asked for again; `nil` where it may be now.
  package func fullArchiveClosedUntil(at now: Timestamp) -> Timestamp? {
    guard let refused = fullArchiveRefusedAt, refused <= now else { return nil }
    let end = Timestamp(milliseconds: refused.milliseconds + Self.refusalDays * 86_400_000)
    return now < end ? end : nil
  }

  /// Fields that are not asked for now.
  package func refusedFields(at now: Timestamp) -> Set<String> {
    let oldest = now.milliseconds - Self.refusalDays * 86_400_000
    return Set(fieldRefusals.filter { (oldest...now.milliseconds).contains($0.value.milliseconds) }.keys)
  }

  func write(to file: String) throws(FileError) {
    var object: JSONObject = [:]
    if let dialect { object["dialect"] = .string(dialect.name) }
    if let time = fullArchiveRefusedAt { object["full_archive_refused_at"] = .string(time.iso8601) }
    if !fieldRefusals.isEmpty {
      object["refused_fields"] = .object(fieldRefusals.mapValues { .string($0.iso8601) })
    }
    if let folder = PathText.folder(of: file), !folder.isEmpty {
      try FileSystem.makeFolders(String(folder))
    }
    try AtomicFile.write(JSONWriter.text(of: .object(object)).bytes, to: file)
  }
}
