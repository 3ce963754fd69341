import ThreadModel

/// The beginning of a post's text as Unicode scalars, with the links, names and tags in it.
///
/// All offsets count scalars from the start of the text, like the ranges of an `InlineText`.
struct PostScalars {
  enum Kind { case link, mention, tag, emoji }

  /// The number of scalars that are read.
  private static let window = 2000
  /// The maximum length of a link that counts as a word of its sentence.
  static let longestLink = 40

  let scalars: [Unicode.Scalar]
  /// The parts other than words, in order: the entities of the text, and text that looks like entities.
  private(set) var parts: [(range: Range<Int>, kind: Kind)] = []
  /// The text without names, links, counters and 🧵 at its start, and without links, counters and pointing emoji at its end.
  private(set) var words = 0..<0
  /// Whether the text repeats another account's post in the form of a manual retweet: `“@ada: …”`.
  private(set) var isRetweet = false
  private let keepsSeries: Bool

  /// - Parameter keepsSeries: Whether to keep a first post's counter whose number is not 1. It counts threads instead of posts.
  init(_ post: Post, keepsSeries: Bool = false) {
    self.keepsSeries = keepsSeries
    scalars = Self.scalars(of: post.text.text)
    findParts(post.text.entities)
    var (start, end) = (0, scalars.count)
    while start < end, let next = beginning(at: start, isAnswer: post.inReplyTo != nil) { start = next }
    if isRetweet, start < end, "”\"“»".unicodeScalars.contains(scalars[end - 1]) { end -= 1 }
    while start < end, scalars.count < Self.window, let next = ending(at: end) { end = next }
    words = start..<max(start, end)
  }

  /// Returns the scalars of a text that are read. (A loop, because `Array(_:)` of a scalar view takes four times as many instructions.)
  private static func scalars(of text: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(min(text.utf8.count, window))
    for scalar in text.unicodeScalars {
      if scalars.count == window { break }
      scalars.append(scalar)
    }
    return scalars
  }

  // MARK: - Parts

  private mutating func findParts(_ entities: [TextEntity]) {
    var next = 0
    for entity in entities {
      let range = entity.range.clamped(to: 0..<scalars.count)
      findParts(in: next..<range.lowerBound)
      next = range.upperBound
      // Entities after the window have no part in it. An empty part would end no search for the end of the words.
      guard !range.isEmpty else { continue }
      switch entity.kind {
      // The text of a link can also consist of words.
      case .link where !scalars[range].contains(".") || scalars[range].contains(where: \.isWhiteSpace): break
      case .link: parts.append((range, .link))
      case .mention: parts.append((range, .mention))
      case .hashtag, .cashtag: parts.append((range, .tag))
      case .emoji: parts.append((range, .emoji))
      }
    }
    findParts(in: next..<scalars.count)
  }

  /// Finds URLs, names and tags that the network has not marked.
  private mutating func findParts(in range: Range<Int>) {
    guard scalars[range].contains(where: { $0 == "/" || $0 == "@" || $0 == "#" }) else { return }
    for word in scalars[range].split(whereSeparator: \.isWhiteSpace) {
      let word = word.drop { ".(\"'“„«".unicodeScalars.contains($0) }
      guard let first = word.first else { continue }
      if first == "#" || first == "@" {
        let name = word.dropFirst().prefix { $0.isOfWord || $0 == "_" || $0.value > 0x1F000 }
        guard let letter = name.first, first == "@" || !("0"..."9" ~= letter) else { continue }
        parts.append((word.startIndex..<name.endIndex, first == "#" ? .tag : .mention))
      } else if isAddress(word),
        let last = word.lastIndex(where: { !".,;:!?)\"'”".unicodeScalars.contains($0) })
      {
        parts.append((word.startIndex..<last + 1, .link))
      }
    }
  }

  /// Whether a word is a URL with its scheme, or a host and a path (`bit.ly/1`).
  private func isAddress(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
    if starts(with: "https://", at: word.startIndex) || starts(with: "http://", at: word.startIndex) {
      return true
    }
    let host = word.prefix { $0.isASCII && $0.isOfWord || $0 == "." || $0 == "-" }
    guard let dot = host.lastIndex(of: "."), starts(with: "/", at: host.endIndex),
      host.endIndex + 1 < word.endIndex
    else { return false }
    return host.endIndex - dot > 2 && host[(dot + 1)...].allSatisfy(\.isAlphabetic)
  }

  func starts(with word: String, at start: Int) -> Bool {
    scalars[start...].starts(with: word.unicodeScalars)
  }

  func part(at place: Int) -> (range: Range<Int>, kind: Kind)? {
    part(before: place + 1).flatMap { $0.range.contains(place) ? $0 : nil }
  }

  private func part(endingAt end: Int) -> (range: Range<Int>, kind: Kind)? {
    part(before: end).flatMap { $0.range.upperBound == end ? $0 : nil }
  }

  /// Returns the last part that starts before an offset, by binary search, because a post may consist of parts alone.
  private func part(before end: Int) -> (range: Range<Int>, kind: Kind)? {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].range.lowerBound < end { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? parts[low - 1] : nil
  }

  // MARK: - The words

  /// Returns the end of a part at the start of the text that is not one of its words; `nil` if the first word is at this place.
  private mutating func beginning(at place: Int, isAnswer: Bool) -> Int? {
    let scalar = scalars[place]
    if let part = part(at: place) {
      let isSubject =
        part.kind == .mention ? !isAnswer && place == 0 && isSubject(part.range) : isSubject(part.range)
      // The full stop makes a reply visible to everyone.
      let isShown = place > 0 && scalars[place - 1] == "."
      return part.kind == .tag || isSubject || isShown ? nil : part.range.upperBound
    }
    if scalar.isWhiteSpace || Self.points(scalar) || Self.modifiesEmoji(scalar) { return place + 1 }
    if ",;:&+|-–—>".unicodeScalars.contains(scalar),
      place + 1 >= scalars.count || scalars[place + 1].isWhiteSpace
    {
      return place + 1
    }
    if starts(with: "RE: ", at: place) || starts(with: "QT: ", at: place) { return place + 3 }
    let counter = ThreadCounter(atStartOf: scalars[place...])
    if let counter, !keepsSeries || counter.number == 1 { return place + counter.length }
    guard let name = part(at: place + 1), name.kind == .mention else { return nil }
    if scalar == "." { return place + 1 }
    guard "“\"„«".unicodeScalars.contains(scalar) else { return nil }
    isRetweet = true
    return name.range.upperBound + (starts(with: ":", at: name.range.upperBound) ? 1 : 0)
  }

  /// Whether a sentence begins with a URL ("example.org is a list of …"), or with a name and a word in "s" ("@ada explains …").
  private func isSubject(_ range: Range<Int>) -> Bool {
    guard range.count <= Self.longestLink, range.upperBound < scalars.count else { return false }
    let isName = scalars[range.lowerBound] == "@"
    guard scalars[range.upperBound] == " " else {
      return !isName && "?'’:".unicodeScalars.contains(scalars[range.upperBound])
    }
    let word = scalars[(range.upperBound + 1)...].prefix { $0.isLowercase }
    return isName ? word.count > 1 && word.last == "s" : !word.isEmpty
  }

  /// Returns the start of a part at the end of the text that is not one of its words.
  private func ending(at place: Int) -> Int? {
    if let part = part(endingAt: place) {
      return part.kind == .link || part.kind == .emoji ? part.range.lowerBound : nil
    }
    let base = scalars[..<place].lastIndex { !Self.modifiesEmoji($0) } ?? 0
    if scalars[base].isWhiteSpace || Self.points(scalars[base]) { return base }
    let counter = ThreadCounter(atEndOf: scalars[..<place])
    return counter.flatMap { !keepsSeries || $0.number == 1 ? place - $0.length : nil }
  }

  /// Returns where the words of a range end, before links, dashes, signs that point to the following text, and tags.
  ///
  /// - Parameter pile: The number of consecutive tags from which on tags do not belong to the sentence before them. Fewer tags belong to it
  ///   if nothing separates them from it.
  func endOfWords(in range: Range<Int>, pile: Int) -> Int {
    var end = range.upperBound
    var (endOfTags, tags, isLinked) = (Int?.none, 0, true)
    while end > range.lowerBound {
      if let part = part(endingAt: end),
        part.range.lowerBound >= range.lowerBound,
        part.kind == .tag || part.kind == .link && isLinked && isApart(part.range)
      {
        endOfTags = part.kind == .tag ? endOfTags ?? end : nil
        tags += part.kind == .tag ? 1 : 0
        end = part.range.lowerBound
        continue
      }
      let base = scalars[..<end].lastIndex { !Self.modifiesEmoji($0) } ?? 0
      guard scalars[base].isWhiteSpace || Self.leadsOn(scalars[base]) else { break }
      // A link before a dash is a word.
      if Self.leadsOn(scalars[base]), !Self.points(scalars[base]) { isLinked = false }
      end = base
    }
    end = max(end, range.lowerBound)
    guard let endOfTags, end > range.lowerBound else { return end }
    let isSeparate = scalars[end..<endOfTags].contains { $0.isLineEnd || Self.leadsOn($0) }
    let endsSentence = !scalars[end - 1].isOfWord && !",;&+".unicodeScalars.contains(scalars[end - 1])
    return tags >= pile || isSeparate || endsSentence ? end : endOfTags
  }

  /// Whether a link is not within a word or quoted code.
  func isApart(_ link: Range<Int>) -> Bool {
    (link.lowerBound == 0 || scalars[link.lowerBound - 1].isWhiteSpace)
      && !starts(with: "'", at: link.upperBound)
  }

  /// Whether a scalar is an emoji or arrow that points to the following text.
  private static func points(_ scalar: Unicode.Scalar) -> Bool { "👉👇👈👆➡⬇⤵↓🧵".unicodeScalars.contains(scalar) }

  /// Whether a scalar is a dash or similar, or points to the following text.
  static func leadsOn(_ scalar: Unicode.Scalar) -> Bool {
    "–—-|→▶".unicodeScalars.contains(scalar) || points(scalar)
  }

  static func modifiesEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || 0x1F3FB...0x1F3FF ~= scalar.value
  }

  /// Returns the words of a range outside of links, names and tags.
  func words(in range: Range<Int>) -> [ArraySlice<Unicode.Scalar>] {
    var words: [ArraySlice<Unicode.Scalar>] = []
    var place = range.lowerBound
    while place < range.upperBound {
      let part = part(at: place)
      let word = scalars[place..<range.upperBound].prefix(while: \.isOfWord)
      if part == nil, !word.isEmpty { words.append(word) }
      place = part?.range.upperBound ?? max(word.endIndex, place + 1)
    }
    return words
  }

  /// Whether a range contains only links, names, tags and punctuation, and perhaps one short word such as "via".
  func isCredits(_ range: Range<Int>) -> Bool {
    let words = words(in: range)
    return words.isEmpty || words.count == 1 && words[0].count <= 3
  }

  func string(_ range: Range<Int>) -> String {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(range.count)
    for scalar in scalars[range] { utf8.append(scalar) }
    return String(decoding: utf8, as: UTF8.self)
  }
}
