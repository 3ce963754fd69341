import Basics
import InterfaceText
import ThreadModel

/// The YAML block at the start of a document, with its metadata for this program and others.
///
/// It is written by code instead of a template. Every string is double-quoted, so that a title such as `@ada: yes` remains a string.
struct FrontMatter {
  private(set) var output: UTF8Buffer

  /// - Parameter capacity: The number of bytes of the whole document, which follows in the same buffer.
  init(capacity: Int) {
    output = UTF8Buffer(capacity: capacity)
    output.append("---\n" as StaticString)
  }

  /// Ends the block with a blank line.
  consuming func finish() -> UTF8Buffer {
    output.append("---\n\n" as StaticString)
    return output
  }

  /// Writes `key: "value"`, or nothing for `nil`.
  mutating func add(_ key: StaticString, _ value: String?, indented: Bool = false) {
    guard let value else { return }
    addKey(key, indented: indented)
    output.appendYAMLString(value)
    output.append("\n" as StaticString)
  }

  mutating func add(_ key: StaticString, _ value: Int) {
    addKey(key)
    output.append(integer: value)
    output.append("\n" as StaticString)
  }

  /// Writes `key: ["one", "two"]`.
  mutating func add(_ key: StaticString, _ values: [String]) {
    addKey(key)
    output.append("[" as StaticString)
    for (index, value) in values.enumerated() {
      if index > 0 { output.append(", " as StaticString) }
      output.appendYAMLString(value)
    }
    output.append("]\n" as StaticString)
  }

  /// Writes `key:`, to be followed by indented entries.
  mutating func open(_ key: StaticString) {
    output.append(key)
    output.append(":\n" as StaticString)
  }

  private mutating func addKey(_ key: StaticString, indented: Bool = false) {
    if indented { output.append("  " as StaticString) }
    output.append(key)
    output.append(": " as StaticString)
  }

  /// Returns the front matter of a document.
  static func of(
    _ thread: UnrolledThread, meta: ThreadMeta, language: String?, localization: Localization
  ) -> UTF8Buffer {
    // The usual number of bytes per post, because each growth of the buffer is a copy.
    var frontMatter = FrontMatter(capacity: 1024 + thread.postCount * 640)
    let times = ThreadTimes(thread)
    frontMatter.add("title", PlainText.singleLine(meta.title))
    frontMatter.add("slug", meta.slug)
    frontMatter.open("author")
    frontMatter.add("name", MarkdownPieces.name(thread.author, in: localization), indented: true)
    frontMatter.add("handle", PlainText.nonEmptyLine(thread.author.handle), indented: true)
    frontMatter.add("url", thread.author.url.flatMap(WebAddress.safe), indented: true)
    frontMatter.add("date", times.first?.iso8601)
    frontMatter.add("updated", times.last?.iso8601)
    frontMatter.add("checked", thread.checkedAt?.iso8601)
    frontMatter.add("tags", meta.tags)
    frontMatter.add("source", meta.source.flatMap(WebAddress.safe))
    frontMatter.add("posts", thread.postCount)
    frontMatter.add("language", language)
    frontMatter.add("platform", thread.id.platform.rawValue)
    frontMatter.add("id", thread.id.value)
    return frontMatter.finish()
  }
}

extension UTF8Buffer {
  /// Appends `text` as a YAML double-quoted scalar on one line (YAML 1.2, 7.3.1). Escaped are `"` and `\`, all characters that YAML does
  /// not consider printable or treats as line breaks, and characters that change the direction of the rest of the line.
  mutating func appendYAMLString(_ text: String) {
    append(UInt8(ascii: "\""))
    defer { append(UInt8(ascii: "\"")) }
    let isPlain = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(Self.isPlainInYAML) }
    if isPlain ?? false { return append(text) }
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: append("\\\"" as StaticString)
      case 0x5C: append("\\\\" as StaticString)
      case 0x09: append("\\t" as StaticString)
      case 0x0A: append("\\n" as StaticString)
      case 0x0D: append("\\r" as StaticString)
      case 0..<0x20, 0x7F..<0xA0: appendYAMLEscape("x", scalar.value, digits: 2)
      case 0x2028, 0x2029, 0xFEFF: appendYAMLEscape("u", scalar.value, digits: 4)
      case _ where TextControls.isUnfit(scalar) || TextControls.isDirection(scalar):
        appendYAMLEscape(
          scalar.value > 0xFFFF ? "U" : "u", scalar.value, digits: scalar.value > 0xFFFF ? 8 : 4)
      case ..<0x80: append(UInt8(ascii: scalar))
      default: for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
      }
    }
  }

  /// Whether the byte is neither an escaped character nor the first byte of one. U+0080 to U+009F start with C2; U+2028, U+2029 and
  /// directions with E2; U+FEFF and noncharacters with EF and F0 to F4.
  private static func isPlainInYAML(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F, 0xC2, 0xE2, 0xEF...0xF4: false
    default: true
    }
  }

  private mutating func appendYAMLEscape(_ letter: Unicode.Scalar, _ value: UInt32, digits: Int) {
    append("\\" as StaticString)
    append(UInt8(ascii: letter))
    for place in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: value >> (UInt32(place) * 4)) & 15
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

/// When a thread's first post was written, and when its author last wrote or edited one.
struct ThreadTimes {
  var first: Timestamp?
  /// `nil` if it is the same moment.
  var last: Timestamp?

  init(_ thread: UnrolledThread) {
    first = thread.firstPost?.createdAt
    var last = first
    thread.forEachAuthorPost { post in
      for time in [post.createdAt, post.editedAt] {
        if let time, last.map({ $0 < time }) ?? true { last = time }
      }
    }
    self.last = last == first ? nil : last
  }
}

extension UnrolledThread {
  /// The number of the author's posts in the chain, as counted by unrolling.
  var postCount: Int { completeness.known }
}
