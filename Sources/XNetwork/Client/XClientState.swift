import Basics
package import ThreadModel

/// What a run learned about X's API, stored for the next run in a small file that may be removed at any time.
package struct XClientState: Sendable, Hashable {
  /// The time at which X refused the full-archive search to this account.
  package var fullArchiveRefusedAt: Timestamp?

  /// The times at which X did not know a field or an expansion, by their names.
  package var fieldRefusals: [String: Timestamp] = [:]

  /// The number of days after which a refused request is tried again: accounts and deployments change.
  private static let refusalDays: Int64 = 7

  package init() {}

  /// Reads the file; a missing or damaged file gives an empty state.
  package init(file: String) {
    self.init()
    guard let bytes = try? FileBytes.read(file, atMost: 65_536), let json = try? JSONValue(parsing: bytes)
    else {
      return
    }
    fullArchiveRefusedAt = json["full_archive_refused_at"]?.string.flatMap { Timestamp(iso8601: $0) }
    for (name, time) in json["refused_fields"]?.object ?? [:] {
      fieldRefusals[name] = time.string.flatMap { Timestamp(iso8601: $0) }
    }
  }

  /// The time from which the full archive may be requested again; `nil` if it may be requested now.
  package func fullArchiveClosedUntil(at now: Timestamp) -> Timestamp? {
    guard let refused = fullArchiveRefusedAt, refused <= now else { return nil }
    let end = Timestamp(milliseconds: refused.milliseconds + Self.refusalDays * 86_400_000)
    return now < end ? end : nil
  }

  /// The fields that are not requested now.
  package func refusedFields(at now: Timestamp) -> Set<String> {
    let oldest = now.milliseconds - Self.refusalDays * 86_400_000
    return Set(fieldRefusals.filter { (oldest...now.milliseconds).contains($0.value.milliseconds) }.keys)
  }

  func write(to file: String) throws(FileError) {
    var object: JSONObject = [:]
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
