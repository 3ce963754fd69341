package import Basics
package import ThreadModel

/// The addresses of the records that describe a site in a repository of the AT Protocol, by which Bluesky shows links to its pages as cards
/// (https://standard.site, lexicons `site.standard.publication` and `site.standard.document`).
///
/// The keys of records are computed from the site and its threads. A page can therefore name its record before the record exists, and
/// publishing a thread again replaces its record.
package struct StandardSite: Sendable {
  package static let publications = "site.standard.publication"
  package static let documents = "site.standard.document"
  /// The file that confirms the publication (https://standard.site, "Verification"). For a site below a path, the lexicon's clients look for
  /// it at the root of the host, with this path appended.
  static let confirmation: SitePath = ".well-known/site.standard.publication"

  /// The DID of the account that publishes the records.
  package let account: String
  /// The AT URI of the record that describes the site.
  package let publication: String
  private let links: [any NetworkLinks]

  /// - Parameters:
  ///   - baseURL: the URL of the site, with a slash at the end.
  ///   - links: the links of all networks.
  package init(account: String, baseURL: String, links: [any NetworkLinks]) {
    self.account = account
    self.links = links
    // Clients expect a time in the key, so the digest of the URL becomes a time between September 2020 and November 2023.
    let digest = Self.number(of: baseURL)
    let key = RecordKey(
      microseconds: 1_600_000_000_000_000 + digest % 100_000_000_000_000, clock: digest >> 54)
    publication = "at://\(account)/\(Self.publications)/\(key)"
  }

  /// The file that confirms the publication.
  package var files: [(path: SitePath, content: UTF8Buffer)] {
    [(Self.confirmation, UTF8Buffer(publication + "\n"))]
  }

  /// Returns the AT URI of the record that describes a thread; `nil` for threads that search engines are asked to leave out, and for threads
  /// without a time.
  ///
  /// The record of a thread from the AT Protocol has the key of the thread's first post. Another thread's key has the time of the first
  /// post, and digits of the digest of the thread's id below a millisecond.
  package func document(of thread: ThreadSummary) -> String? {
    guard !thread.isHiddenFromSearch, !thread.author.isHiddenFromSearch else { return nil }
    return key(of: thread).map { "at://\(account)/\(Self.documents)/\($0)" }
  }

  /// Returns the AT URI of a post; `nil` for posts of other networks.
  package func record(of post: PostID) -> String? { links.lazy.compactMap { $0.record(of: post) }.first }

  private func key(of thread: ThreadSummary) -> String? {
    if let key = record(of: thread.id)?.split(separator: "/").last, RecordKey.isValid(key) {
      return String(key)
    }
    guard let milliseconds = thread.published?.milliseconds, milliseconds >= 0 else { return nil }
    let digest = Self.number(of: "\(thread.id.platform.rawValue) \(thread.id.text)")
    return RecordKey(microseconds: UInt64(milliseconds) * 1000 + digest % 1000, clock: digest >> 54)
      .description
  }

  private static func number(of text: String) -> UInt64 {
    SHA256.hash(Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// A timestamp identifier (TID), the usual key of records: 53 bits of microseconds since 1970 and 10 bits that tell clocks apart, as 13
/// digits of base 32 (https://atproto.com/specs/tid).
struct RecordKey: CustomStringConvertible {
  private static let digits = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)

  let description: String

  /// - Parameters:
  ///   - microseconds: only the low 53 bits are used.
  ///   - clock: only the low 10 bits are used.
  init(microseconds: UInt64, clock: UInt64) {
    let number = (microseconds & (1 << 53 - 1)) << 10 | clock & (1 << 10 - 1)
    description = String(
      decoding: (0..<13).map { Self.digits[Int(number >> (5 * (12 - UInt64($0))) & 31)] }, as: UTF8.self)
  }

  /// Whether a text is a TID. The first of its 65 bits are zero.
  static func isValid(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 13 && text.utf8.allSatisfy(digits.contains)
      && text.utf8.first.map { "234567abcdefghij".utf8.contains($0) } == true
  }
}
