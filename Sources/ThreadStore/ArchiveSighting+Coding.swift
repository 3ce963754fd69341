import JSONText
import ThreadModel

extension ArchiveSighting {
  init(reading reader: inout JSONReader) throws(JSONError) {
    self.init(date: nil, isOnlySource: false)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "date": date = try reader.readTimestamp()
      case "only_source": isOnlySource = try reader.readBool()
      default: throw reader.unknown(key, in: "archive sighting")
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("date", ifKnown: date)
      if isOnlySource { writer.member("only_source", true) }
    }
  }
}

/// In a file, when a field was seen is a time, `"unknown"`, or either with `archive` before it: `"archive 2022-01-01T00:00:00Z"`,
/// `"archive"`.
extension SightingTime {
  private static let archive = "archive"
  private static let unknown = "unknown"

  fileprivate init?(stored text: String) {
    let isFromArchive = text.hasPrefix(Self.archive)
    let rest = isFromArchive ? text.dropFirst(Self.archive.count) : text[...]
    self.init(isFromArchive: isFromArchive, time: nil)
    if isFromArchive ? rest.isEmpty : rest == Self.unknown { return }
    guard !isFromArchive || rest.first == " ",
      let time = Timestamp(iso8601: String(isFromArchive ? rest.dropFirst() : rest))
    else { return nil }
    self.time = time
  }

  fileprivate var stored: String {
    let time = time?.iso8601
    return isFromArchive
      ? [Self.archive, time].compactMap { $0 }.joined(separator: " ") : time ?? Self.unknown
  }
}

extension JSONReader {
  /// The fields that were seen before the rest, by name.
  mutating func readSightingTimes() throws(JSONError) -> [String: SightingTime] {
    var times: [String: SightingTime] = [:]
    try beginObject()
    while let key = try nextKey() {
      let name = key.string
      let text = try readString()
      guard let time = SightingTime(stored: text) else {
        throw error(
          "expected a time such as 2021-01-06T18:40:40Z, archive with or without one, or unknown, but found \"\(text)\"",
          at: lastStart)
      }
      times[name] = time
    }
    return times
  }
}

extension JSONWriter {
  mutating func member(_ name: String, unlessEmpty times: [String: SightingTime]) {
    guard !times.isEmpty else { return }
    member(name, unlessEmpty: times.mapValues { .string($0.stored) })
  }
}
