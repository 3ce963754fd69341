package import Basics

/// A page of another site that answers, mentions or recommends a page of this site (https://www.w3.org/TR/webmention/).
///
/// All text is by strangers. The initializer limits its length, and removes everything that is not visible text on its line.
package struct WebMention: Hashable, Sendable {
  /// The relation of the source to the target, with the names of microformats.
  package enum Kind: String, Sendable, CaseIterable {
    case reply = "in-reply-to"
    case mention = "mention-of"
    case like = "like-of"
    case repost = "repost-of"
    case bookmark = "bookmark-of"

    /// Whether pages show its words. Other kinds are only counted.
    package var hasWords: Bool { self == .reply || self == .mention }
  }

  package let kind: Kind
  /// The URL of the page that links to this site; http or https.
  package let source: String
  /// The URL of the page on this site, as the source writes it; http or https.
  package let target: String
  /// The name of the author, on one line; `nil` if it is unknown.
  package let author: String?
  /// The author's own page; http or https.
  package let authorURL: String?
  /// When the page was written or, if that is unknown, received.
  package let writtenAt: Timestamp?
  /// The beginning of the words as plain text; `nil` for none.
  package let text: String?
  /// Whether the words continue after ``text``.
  package let isCut: Bool

  /// The maximum length of ``text`` in Unicode scalars.
  package static let longestText = 1000
  /// The maximum number of lines in ``text``.
  private static let mostLines = 40
  /// The maximum length of a URL in bytes.
  private static let longestURL = 2000

  /// - Parameters:
  ///   - writtenAt: when the page was written or received.
  ///   - text: plain text of any length.
  ///   - isCut: whether the words continue after `text`.
  /// - Returns: `nil` if the source or the target is not the URL of a web page.
  package init?(
    _ kind: Kind, source: String, target: String, author: String? = nil, authorURL: String? = nil,
    writtenAt: Timestamp? = nil, text: String? = nil, isCut: Bool = false
  ) {
    guard let source = Self.page(source), let target = Self.page(target) else { return nil }
    self.kind = kind
    self.source = source
    self.target = target
    self.author = author.flatMap(Self.name)
    self.authorURL = authorURL.flatMap(Self.page)
    self.writtenAt = writtenAt
    let (words, isLonger) = kind.hasWords ? Self.words(text ?? "") : ("", false)
    self.text = words.isEmpty ? nil : words
    self.isCut = !words.isEmpty && (isCut || isLonger)
  }

  /// Whether two webmentions are about the same link. The later one replaces the earlier one (section 3.2.4 of the specification).
  package struct Link: Hashable, Sendable, Comparable {
    let target: String
    let source: String

    package static func < (lhs: Link, rhs: Link) -> Bool {
      lhs.target == rhs.target
        ? lhs.source.precedesInBytes(rhs.source)
        : lhs.target.precedesInBytes(rhs.target)
    }
  }

  package var link: Link { Link(target: target, source: source) }

  /// The host of the source, for readers.
  package var host: String { WebAddress.host(of: source) ?? "" }

  /// Returns a URL of a web page; `nil` for other URLs and very long ones.
  private static func page(_ url: String) -> String? {
    guard url.utf8.count <= longestURL, WebAddress.host(of: url) != nil else { return nil }
    // Encoding makes a URL longer, and the store's file must be readable again.
    let encoded = TextControls.percentEncoded(address: url)
    return encoded.utf8.count <= longestURL ? encoded : nil
  }

  /// Returns the visible text on one line; `nil` if nothing is visible.
  private static func name(_ text: String) -> String? {
    let line = line(text.unicodeScalars.prefix(longestText))
    return line.isEmpty ? nil : line.asName
  }

  /// Returns the beginning of a text by whole characters, with at most one blank line in a row, and whether the text continues.
  private static func words(_ text: String) -> (String, isCut: Bool) {
    // More than the limit is read, because white space becomes shorter.
    let read = text.unicodeScalars.prefix(8 * longestText)
    var isCut = read.endIndex < text.unicodeScalars.endIndex
    var lines: [String] = []
    for part in read.split(omittingEmptySubsequences: false, whereSeparator: isLineBreak) {
      let line = line(part)
      if !line.isEmpty || lines.last?.isEmpty == false { lines.append(line) }
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    if lines.count > mostLines {
      lines.removeSubrange(mostLines...)
      isCut = true
    }
    let whole = lines.joined(separator: "\n")
    guard whole.unicodeScalars.count > longestText else { return (whole, isCut) }
    var end = whole.startIndex
    var length = 0
    for index in whole.indices {
      length += whole[index].unicodeScalars.count
      guard length <= longestText else { break }
      end = whole.index(after: index)
    }
    // A single character may have any number of scalars.
    let beginning =
      end > whole.startIndex
      ? String(whole[..<end]) : String(String.UnicodeScalarView(whole.unicodeScalars.prefix(longestText)))
    return (String(beginning.reversed().drop(while: \.isWhitespace).reversed()), true)
  }

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Returns the text without controls and direction marks, and with single spaces between words.
  private static func line(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var result = String.UnicodeScalarView()
    var needsSpace = false
    for scalar in scalars where !TextControls.isDirection(scalar) {
      if scalar.properties.isWhitespace || TextControls.isUnfit(scalar) {
        needsSpace = !result.isEmpty
        continue
      }
      if needsSpace { result.append(" ") }
      needsSpace = false
      result.append(scalar)
    }
    return String(result)
  }
}

// MARK: - As JSON

extension WebMention {
  /// The members of the store's file, which docs/reference/files.md describes.
  package var json: JSONValue {
    var members: JSONObject = [
      "kind": .string(kind.rawValue), "source": .string(source), "target": .string(target),
    ]
    members["author"] = author.map { .string($0) }
    members["author_url"] = authorURL.map { .string($0) }
    members["written_at"] = writtenAt.map { .string($0.iso8601) }
    members["text"] = text.map { .string($0) }
    if isCut { members["is_cut"] = .bool(true) }
    return .object(members)
  }

  /// Reads the members of the store's file; `nil` if they are not those of a webmention.
  package init?(_ value: JSONValue) {
    guard let kind = value["kind"]?.string.flatMap(Kind.init), let source = value["source"]?.string,
      let target = value["target"]?.string
    else { return nil }
    self.init(
      kind, source: source, target: target, author: value["author"]?.string,
      authorURL: value["author_url"]?.string,
      writtenAt: value["written_at"]?.string.flatMap { Timestamp(iso8601: $0) }, text: value["text"]?.string,
      isCut: value["is_cut"] == .bool(true))
  }
}
