import Basics
import SiteWorkspace
import ThreadStore

/// The findings of reviews that the owner accepted, so that later reviews report only new ones.
///
/// The record is kept in the store and meant to be committed with it. It contains only digests, because the findings are personal data. A
/// finding whose post, kind or count changes has a different digest and is reported again.
struct ReviewedFindings: Sendable, Equatable {
  /// The file's name in the store's folder.
  static let fileName = "reviewed.json"
  private static let format: Int64 = 1
  /// Enough for a million findings.
  private static let largestFile = 32 << 20

  private var digests: Set<String> = []

  /// Reads the record of a store. A store without the file has an empty record.
  init(store: String) throws(PipelineError) {
    let file = "\(store)/\(Self.fileName)"
    guard FileSystem.kind(of: file) != .nothing else { return }
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(file, atMost: Self.largestFile)
    } catch {
      throw PipelineError(.io, error)
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw PipelineError(.content, ["\(error.description(file: file)); correct or delete the file"])
    }
    guard value["format"]?.integer == Self.format, let accepted = value["accepted"]?.array else {
      throw PipelineError(
        .content,
        ["\(file): error: this is not a record of reviewed findings (format 1); correct or delete the file"])
    }
    digests = Set(accepted.compactMap(\.string))
  }

  func contains(_ finding: SiteReview.Finding) -> Bool { digests.contains(Self.digest(finding)) }

  /// - Returns: whether the record changed.
  mutating func accept(_ finding: SiteReview.Finding) -> Bool {
    digests.insert(Self.digest(finding)).inserted
  }

  /// - Returns: whether the record changed.
  mutating func forget(_ finding: SiteReview.Finding) -> Bool { digests.remove(Self.digest(finding)) != nil }

  func save(store: String) throws(PipelineError) {
    let file = "\(store)/\(Self.fileName)"
    do {
      guard !digests.isEmpty else { return try FileSystem.remove(file) }
      let accepted = digests.sorted().map { JSONValue.string($0) }
      try AtomicFile.write(
        JSONWriter.text(of: ["format": .integer(Self.format), "accepted": .array(accepted)]).bytes, to: file)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// The first half of a SHA-256 digest, in hexadecimal.
  private static func digest(_ finding: SiteReview.Finding) -> String {
    let text = [finding.kind.rawValue, finding.thread, finding.subject, finding.message].joined(
      separator: "\0")
    return SHA256.hash(text.utf8).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
