import Basics

/// Finds the names and ids of a few accounts in texts and in URLs. Only this type decides whether a text names an account.
///
/// A name with a host (`ada.example`, `ada@social.example`) and a DID are unambiguous, and are found in any place. A short name, such as `ada`,
/// is found after an `@`, and as a part of a URL of the account's network or of one of its front ends. A number is found only in such URLs.
struct NameMatcher: Sendable {
  /// A name of an account, in lower case.
  struct Name: Hashable, Sendable {
    let platform: Platform
    let text: String
    /// Whether the name is known only from a text that mentions the account. Such a name is not searched for in the hosts of URLs.
    let isClaim: Bool

    init(_ platform: Platform, _ text: String, isClaim: Bool = false) {
      self.platform = platform
      self.text = text.lowercased()
      self.isClaim = isClaim
    }
  }

  private enum Kind {
    case whole, short, number
    /// A part of an id that a URL may contain while the rest is percent-encoded. On its own it names nobody.
    case part
  }

  private struct Needle {
    let bytes: [UInt8]
    let kind: Kind
    let platform: Platform
    /// The only server on which a short name or a number identifies the account; `nil` on networks with one server.
    let host: String?
  }

  /// In lower case. Every text that names an account contains at least one of them.
  let marks: Set<String>
  private let needles: [Needle]
  /// The indices of needles by their first byte.
  private let table: [[Int]]
  /// Whether a host shows accounts of a network under their names.
  private let isFrontEnd: @Sendable (Platform, String) -> Bool

  init(
    _ names: some Sequence<Name>, _ ids: some Sequence<AuthorID>,
    isFrontEnd: @escaping @Sendable (Platform, String) -> Bool
  ) {
    var needles: [Needle] = []
    func add(_ text: some StringProtocol, _ kind: Kind, _ platform: Platform, _ host: String? = nil) {
      guard !text.isEmpty else { return }
      needles.append(Needle(bytes: Array(text.utf8), kind: kind, platform: platform, host: host))
    }
    for name in names {
      let parts = name.text.split(separator: "@")
      if parts.count == 2 {
        add(name.text, .whole, name.platform)
        add(parts[0], .short, name.platform, String(parts[1]))
      } else {
        add(name.text, name.text.contains(".") && !name.isClaim ? .whole : .short, name.platform)
      }
    }
    for id in ids {
      let isNumber = id.value.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
      add(
        id.value.lowercased(), isNumber || id.value.utf8.count < 8 ? .number : .whole, id.platform,
        id.authority)
      let parts = id.value.lowercased().split(separator: ":")
      if parts.count > 1, let last = parts.last { add(last, .part, id.platform) }
    }
    // The longest name at a position has precedence.
    needles.sort { $0.bytes.count > $1.bytes.count }
    var table = [[Int]](repeating: [], count: 256)
    for (index, needle) in needles.enumerated() { table[Int(needle.bytes[0])].append(index) }
    self.needles = needles
    self.table = table
    self.isFrontEnd = isFrontEnd
    marks = Set(needles.map { String(decoding: $0.bytes, as: UTF8.self) })
  }

  /// Returns the positions of needles in a text, the longest needle at a position first.
  private func matches(in bytes: [UInt8]) -> [(place: Range<Int>, needle: Needle)] {
    var matches: [(Range<Int>, Needle)] = []
    for start in bytes.indices {
      for index in table[Int(Self.folded(bytes[start]))]
      where Self.holds(needles[index].bytes, in: bytes, at: start) {
        matches.append((start..<start + needles[index].bytes.count, needles[index]))
      }
    }
    return matches
  }

  private static func holds(_ needle: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
    guard start + needle.count <= bytes.count else { return false }
    for offset in needle.indices where folded(bytes[start + offset]) != needle[offset] { return false }
    return true
  }

  // MARK: Texts

  /// Returns the byte ranges of a text that name an account: names with their `@`, and whole URLs.
  func ranges(in text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    var ranges: [Range<Int>] = []
    var end = 0
    /// The last checked word, and the URL in it if the URL names an account.
    var run = 0..<0
    var address: Range<Int>?
    for (place, needle) in matches(in: bytes) where place.lowerBound >= end {
      if !run.contains(place.lowerBound) {
        run = Self.run(around: place.lowerBound, in: bytes)
        address = Self.address(in: bytes[run]).flatMap { names(address: bytes[$0]) ? $0 : nil }
      }
      let found =
        address.flatMap { $0.contains(place.lowerBound) ? $0 : nil } ?? name(needle, at: place, in: bytes)
      guard let found, found.lowerBound >= end else { continue }
      ranges.append(found)
      end = found.upperBound
    }
    return ranges
  }

  /// Whether a text names an account.
  func isNamed(in text: String) -> Bool { !ranges(in: text).isEmpty }

  /// Whether the whole text is a name or an id of an account.
  func isName(_ text: String) -> Bool { marks.contains(text.lowercased()) }

  /// Returns the range of a name in a text, with the `@` before it; `nil` if the match is a part of another word.
  private func name(_ needle: Needle, at place: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
    var start = place.lowerBound
    let sign = bytes[..<start]
    if sign.last == UInt8(ascii: "@") {
      start -= 1
    } else if sign.suffix(3).elementsEqual("＠".utf8) {
      start -= 3
    }
    let hasSign = start < place.lowerBound
    switch needle.kind {
    case .number, .part: return nil
    case .whole:
      return hasSign || Self.isStart(place.lowerBound, in: bytes)
        ? Self.isEnd(place.upperBound, in: bytes) ? start..<place.upperBound : nil : nil
    case .short:
      guard hasSign, Self.isEnd(place.upperBound, in: bytes) else { return nil }
      // `@ada@elsewhere.example` is another account.
      return bytes[place.upperBound...].first == UInt8(ascii: "@")
        && bytes[place.upperBound...].dropFirst().first.map(Self.isOfName) ?? false
        ? nil : start..<place.upperBound
    }
  }

  /// Whether a name can start at a position.
  private static func isStart(_ start: Int, in bytes: some BidirectionalCollection<UInt8>) -> Bool {
    let before = bytes.prefix(start)
    guard let last = before.last, isOfName(last) || last == UInt8(ascii: ".") else { return true }
    return before.suffix(4).elementsEqual("www.".utf8)
  }

  /// Whether a name can end at a position. A full stop ends a sentence unless a lower-case letter or a digit follows.
  private static func isEnd(_ end: Int, in bytes: some BidirectionalCollection<UInt8>) -> Bool {
    let rest = bytes.dropFirst(end)
    guard let next = rest.first else { return true }
    if next == UInt8(ascii: "."), let second = rest.dropFirst().first {
      return !(second &- UInt8(ascii: "a") < 26 || second &- UInt8(ascii: "0") < 10)
    }
    return next == UInt8(ascii: "-") || !isOfName(next)
  }

  fileprivate static func isOfName(_ byte: UInt8) -> Bool {
    let lower = folded(byte)
    return lower &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }

  private static func folded(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

  // MARK: URLs

  /// Returns the range of characters around a position that can occur in URLs.
  private static func run(around place: Int, in bytes: [UInt8]) -> Range<Int> {
    func isOfAddress(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && !"<>\"`".utf8.contains(byte) }
    var (start, end) = (place, place)
    while start > 0, isOfAddress(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, isOfAddress(bytes[end]) { end += 1 }
    return start..<max(end, place + 1)
  }

  /// Returns the range of the URL in a word; `nil` for a word without a URL. The URL may lack its scheme.
  private static func address(in word: ArraySlice<UInt8>) -> Range<Int>? {
    guard let slash = word.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let scheme = word.indices.dropLast(2).first { word[$0...].starts(with: "://".utf8) }
    func start(before end: Int, and more: String) -> Int {
      var start = end
      while start > word.startIndex, isOfName(word[start - 1]) || more.utf8.contains(word[start - 1]) {
        start -= 1
      }
      return start
    }
    let host = start(before: slash, and: ".")
    let starts = [
      scheme.map { start(before: $0, and: ".+") },
      word[host..<slash].contains(UInt8(ascii: ".")) ? host : nil,
    ].compactMap(\.self)
    guard let first = starts.min() else { return nil }
    var end = word.endIndex
    while end > first, ".,;:!?'()[]{}".utf8.contains(word[end - 1]) { end -= 1 }
    return first..<end
  }

  /// Whether a URL leads to one of the accounts, or contains its name.
  func names(address: String) -> Bool { names(address: Array(address.utf8)[...]) }

  private func names(address: ArraySlice<UInt8>) -> Bool {
    let bytes = Self.decoded(address)
    let parts = bytes.split { !Self.isOfName($0) && $0 != UInt8(ascii: ".") }
    let words = parts.map { String(decoding: $0, as: UTF8.self) }
    let starts = Dictionary(uniqueKeysWithValues: parts.enumerated().map { ($1.startIndex, $0) })
    lazy var hosts = Set(words)
    /// Whether the URL belongs to a network or one of its front ends; determined once per network.
    var isOnNetwork: [Platform: Bool] = [:]
    for (place, needle) in matches(in: bytes) {
      let index = starts[place.lowerBound]
      let isNamed = name(needle, at: place, in: bytes) != nil
      guard isNamed || index.map({ isPart(needle, $0, of: words) }) ?? false else { continue }
      if let host = needle.host?.prefix(while: { $0 != ":" }) {
        if needle.kind == .whole || hosts.contains(String(host)) || hosts.contains("www.\(host)") {
          return true
        }
        continue
      }
      // X shows a post under any name before `status`.
      if isNamed || index.map({ words.dropFirst($0 + 1).first?.hasPrefix("status") ?? false }) ?? false {
        return true
      }
      let isOn = isOnNetwork[needle.platform] ?? words.contains { isFrontEnd(needle.platform, $0) }
      isOnNetwork[needle.platform] = isOn
      if isOn { return true }
    }
    return false
  }

  /// Whether a part of a URL is a short name or a number. The caller checks the host.
  private func isPart(_ needle: Needle, _ index: Int, of words: [String]) -> Bool {
    let rest = words[index].utf8.dropFirst(needle.bytes.count)
    // Such as `ada.rss`.
    guard rest.isEmpty || rest.first == UInt8(ascii: ".") && needle.kind == .short else { return false }
    let before = index > 0 ? words[index - 1] : ""
    switch needle.kind {
    case .whole, .part: return false
    case .short: return !["tag", "tags", "hashtag"].contains(before)
    // The ids of posts are also numbers, and the ids of the oldest accounts are short.
    case .number: return needle.bytes.count >= 8 || before.hasPrefix("user") || before.hasPrefix("account")
    }
  }

  /// Returns a URL in lower case without percent-encoding, which may have been applied several times.
  private static func decoded(_ address: ArraySlice<UInt8>) -> [UInt8] {
    var bytes = address.map(folded)
    for _ in 0..<3 where bytes.contains(UInt8(ascii: "%")) {
      var plain: [UInt8] = []
      var rest = bytes[...]
      while let byte = rest.popFirst() {
        let code = rest.prefix(2)
        if byte == UInt8(ascii: "%"), code.count == 2,
          let decoded = UInt8(String(decoding: code, as: UTF8.self), radix: 16)
        {
          plain.append(folded(decoded))
          rest = rest.dropFirst(2)
        } else {
          plain.append(byte)
        }
      }
      bytes = plain
    }
    return bytes
  }

  /// Whether a slug that was made from a title contains a name or an id.
  ///
  /// Slugs have no punctuation: `@ada's` becomes `adas`.
  func isNamed(inSlug slug: String) -> Bool {
    let bytes = slug.lowercased().utf8.map { $0 }
    return needles.contains { needle in
      guard needle.kind != .number || needle.bytes.count > 4 else { return false }
      let form = needle.bytes.map { Self.isOfName($0) && $0 != UInt8(ascii: "_") ? $0 : UInt8(ascii: "-") }
      let name = Array(form.drop { $0 == UInt8(ascii: "-") })
      guard !name.isEmpty else { return false }
      return bytes.indices.contains { start in
        guard Self.holds(name, in: bytes, at: start), start == 0 || !Self.isLetter(bytes[start - 1]) else {
          return false
        }
        // A word that begins with a long name may be a form of the name.
        let rest = bytes[(start + name.count)...]
        if name.count >= 6 || !(rest.first.map(Self.isLetter) ?? false) { return true }
        return rest.first == UInt8(ascii: "s") && !(rest.dropFirst().first.map(Self.isLetter) ?? false)
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { isOfName(byte) && byte != UInt8(ascii: "-") }
}

extension NameMatcher {
  // MARK: Texts with marked ranges

  /// Returns the parts of a text in order: names, and the text between them.
  private func parts(of text: Substring) -> [(text: Substring, isName: Bool)] {
    var parts: [(Substring, Bool)] = []
    var end = text.startIndex
    for range in ranges(in: String(text)) {
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      parts.append((text[end..<start], false))
      end = text.utf8.index(text.startIndex, offsetBy: range.upperBound)
      parts.append((text[start..<end], true))
    }
    return parts + [(text[end...], false)]
  }

  /// Returns a text in which a mark replaces each name.
  func clearing(_ text: String, with mark: String) -> String {
    let parts = parts(of: text[...])
    return parts.count == 1 ? text : parts.map { $0.isName ? mark : String($0.text) }.joined()
  }

  /// Returns a text in which mentions without a handle replace names and links to the accounts.
  ///
  /// - Parameter platform: the network of the text; mentioned ids and short handles belong to it.
  func clearing(_ text: InlineText, with mark: String, on platform: Platform) -> InlineText {
    var result = ""
    var entities: [TextEntity] = []
    var length = 0
    var isChanged = false
    func append(_ text: Substring, _ kind: TextEntity.Kind?, isName: Bool) {
      let shown = isName ? mark[...] : text
      let count = shown.unicodeScalars.count
      let kind = isName ? .mention(handle: "", url: nil) : kind
      if let kind, count > 0 { entities.append(TextEntity(length..<length + count, kind)) }
      result += shown
      length += count
      isChanged = isChanged || isName
    }
    for segment in text.segments {
      if let entity = segment.entity {
        append(segment.text, entity, isName: isNamed(entity, shown: String(segment.text), on: platform))
      } else {
        for part in parts(of: segment.text) { append(part.text, nil, isName: part.isName) }
      }
    }
    return isChanged ? InlineText(result, entities: entities) : text
  }

  private func isNamed(_ entity: TextEntity.Kind, shown: String, on platform: Platform) -> Bool {
    switch entity {
    case .mention(let handle, let url, let id):
      if handle.isEmpty { return false }
      let names = needles.contains { needle in
        func isText(_ text: String) -> Bool { text.lowercased().utf8.elementsEqual(needle.bytes) }
        guard needle.platform == platform else { return false }
        switch needle.kind {
        case .part: return false
        case .number: return id.map(isText) ?? false
        case .whole: return isText(handle) || id.map(isText) ?? false
        // A handle without a server belongs to the server of its URL.
        case .short: return isText(handle) && (needle.host == nil || url == nil)
        }
      }
      return names || url.map { self.names(address: $0) } ?? false
    case .link(let url, let short):
      return names(address: url) || short.map { names(address: $0) } ?? false || isNamed(in: shown)
    case .hashtag, .cashtag, .emoji: return false
    }
  }
}
