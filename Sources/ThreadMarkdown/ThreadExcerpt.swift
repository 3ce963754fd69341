import Basics
package import ThreadModel

/// The first words of a thread as plain text, for indexes, feeds and previews.
package enum ThreadExcerpt {
  /// The number of scalars of a post that are read.
  private static let window = 2000

  /// Returns at most `limit` characters on one line, from as many posts of the main line as needed; empty if the posts have no words. A post behind a
  /// content warning contributes only the warning, and nothing if the post before it has the same warning.
  ///
  /// - Parameter title: The title of the thread, if it is shown above the excerpt: the excerpt then continues where the title ends, and is empty if
  ///   no text follows.
  package static func make(from thread: UnrolledThread, after title: ThreadTitle? = nil, limit: Int = 200)
    -> String
  {
    PlainText.shortened(words(of: thread, after: title, upTo: limit), to: limit)
  }

  /// Returns the beginning of any other text on one line, in at most `limit` characters.
  package static func make(from text: String, limit: Int = 200) -> String {
    PlainText.shortened(PlainText.singleLine(text), to: limit)
  }

  /// Returns the text after a title in the title's post, without the punctuation that ended the title; after a title that was cut, it begins with an
  /// ellipsis.
  private static func rest(of post: Post, after source: ThreadTitle.Source) -> String {
    let text = post.text
    let words = text.openingWords(keepsSeries: true, isAnswer: post.inReplyTo != nil)
    let scalars = text.text.unicodeScalars
    guard
      let end = scalars.index(scalars.startIndex, offsetBy: source.end, limitedBy: words.endIndex)
    else { return "" }
    var rest = ExcerptWords(text, from: end, to: words.endIndex, window: window)
    rest.dropMarks()
    if !source.isCut { rest.dropAddresses() }
    rest.dropEnd()
    let line = rest.line
    return source.isCut && !line.isEmpty ? "… " + line : line
  }

  /// Returns the words of a post.
  private static func line(of post: Post) -> String {
    let text = post.words
    var words = ExcerptWords(post.text, from: text.startIndex, to: text.endIndex, window: window)
    let all = words
    words.dropEnd()
    let line = words.line
    // The post consists of tags only.
    return line.isEmpty ? all.line : line
  }

  private static func words(
    of thread: UnrolledThread, after title: ThreadTitle?, upTo limit: Int
  ) -> String {
    var excerpt = ""
    var warning = title?.warning
    var source = title?.source
    for case .post(let threadPost) in thread.items {
      let post = threadPost.post
      if let start = source {
        guard post.id == start.post else { continue }
        source = nil
        excerpt = rest(of: post, after: start)
        if PlainText.isLonger(excerpt, than: limit) { break }
        continue
      }
      let before = warning
      warning = PlainText.nonEmptyLine(post.contentWarning)
      if warning != nil, warning == before { continue }
      let line = warning ?? line(of: post)
      guard !line.isEmpty else { continue }
      excerpt += excerpt.isEmpty ? line : " " + line
      if PlainText.isLonger(excerpt, than: limit) { break }
    }
    if excerpt.isEmpty, title.map({ $0.source == nil && $0.warning == nil }) ?? true {
      return thread.firstPost.map(linked) ?? ""
    }
    return excerpt
  }

  /// Returns the target of a link in a post without words.
  private static func linked(from post: Post) -> String {
    if PlainText.nonEmptyLine(post.contentWarning) != nil { return "" }
    if let title = PlainText.nonEmptyLine(post.card?.title) { return title }
    let link = post.text.segments.first { segment in
      if case .link? = segment.entity { segment.text.isAddress } else { false }
    }
    guard let link else { return "" }
    let line = PlainText.singleLine(link.text)
    let scheme = ["https://", "http://"].first { line.hasPrefix($0) }
    return String(line.dropFirst(scheme?.count ?? 0))
  }
}

/// The words of a part of a post's text; words that are useless in an excerpt are removed.
private struct ExcerptWords {
  private struct Word {
    var text: Substring
    /// Whether the word begins a line.
    var beginsLine: Bool

    /// Whether the word is a tag; `#1` is not.
    var isTag: Bool {
      guard text.utf8.first == UInt8(ascii: "#"), let second = text.utf8.dropFirst().first else {
        return false
      }
      return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
    }
    /// Whether the word consists only of dashes and similar marks, or of signs that point to something.
    var isMark: Bool { text.unicodeScalars.allSatisfy { ExcerptWords.leadsOn($0) || ExcerptWords.ends($0) } }
    var isPointer: Bool { text.unicodeScalars.allSatisfy(ExcerptWords.leadsOn) }
    /// Whether the word credits the author of the preceding link, or names a recipient.
    var isCredit: Bool {
      text.utf8.first == UInt8(ascii: "@") && text.utf8.count > 1
        || ["via", "(via", "by", "cc", "cc:", "/cc", "von", "par", "por"].contains(text.lowercased())
    }
    var endsSentence: Bool {
      guard let last = text.unicodeScalars.last else { return true }
      return !last.isAlphabetic && last.properties.numericType == nil && !",;&+".unicodeScalars.contains(last)
    }
  }

  private let text: String
  /// The ranges of links that are written as addresses.
  private let links: [Range<String.Index>]
  private var words: [Word] = []

  /// - Parameter window: The number of scalars that are read.
  init(_ text: InlineText, from start: String.Index, to end: String.Index, window: Int) {
    self.text = text.text
    links = Self.addresses(in: text)
    let part = text.text[start..<end].unicodeScalars
    let limit = part.index(part.startIndex, offsetBy: window, limitedBy: part.endIndex) ?? part.endIndex
    var index = part.startIndex
    var beginsLine = false
    while index < limit {
      if part[index].isWhiteSpace {
        beginsLine = beginsLine || part[index] == "\n" || part[index] == "\r"
        index = part.index(after: index)
        continue
      }
      let behind = part[index..<limit].firstIndex(where: \.isWhiteSpace) ?? limit
      words.append(Word(text: text.text[index..<behind], beginsLine: beginsLine))
      beginsLine = false
      index = behind
    }
  }

  private static func addresses(in text: InlineText) -> [Range<String.Index>] {
    guard text.entities.contains(where: { if case .link = $0.kind { true } else { false } }) else {
      return []
    }
    return text.segments.compactMap { segment in
      guard case .link? = segment.entity, segment.text.isAddress else { return nil }
      return segment.text.startIndex..<segment.text.endIndex
    }
  }

  var line: String {
    guard let first = words.first, let last = words.last else { return "" }
    return PlainText.singleLine(text[first.text.startIndex..<last.text.endIndex])
  }

  private func isLink(_ word: Word) -> Bool {
    let word = word.text
    return word.hasBytePrefix("https://") || word.hasBytePrefix("http://") || TitleCutter.isShortAddress(word)
      || links.contains { $0.lowerBound < word.endIndex && word.startIndex < $0.upperBound }
  }

  /// Removes marks between a title and the following text.
  mutating func dropMarks() {
    while let first = words.first, first.isMark { words.removeFirst() }
    guard let first = words.first else { return }
    words[0].text = Substring(first.text.unicodeScalars.drop(while: Self.leadsOn))
  }

  /// Removes links directly after a title, and their credits.
  mutating func dropAddresses() {
    guard let first = words.first, isLink(first) else { return }
    while let first = words.first, isLink(first) || first.isMark { words.removeFirst() }
    if words.allSatisfy({ isLink($0) || $0.isMark || $0.isCredit || $0.isTag }) { words = [] }
  }

  /// Removes parts at the end of a text that an index shows separately or not at all: tags, links, dashes before these, and signs that point to them.
  /// A tag that belongs to the last sentence stays.
  mutating func dropEnd() {
    var end = words.endIndex
    while end > 0, isLink(words[end - 1]) || words[end - 1].isPointer { end -= 1 }
    let endOfTags = end
    while end > 0, words[end - 1].isTag { end -= 1 }
    let count = endOfTags - end
    if count == 1, end > 0, endOfTags == words.endIndex, !words[end].beginsLine, !words[end - 1].endsSentence
    {
      end = endOfTags
    }
    while end > 0, isLink(words[end - 1]) && count > 0 || words[end - 1].isPointer { end -= 1 }
    words.removeSubrange(end...)
    // The closing mark of an old repost, whose beginning is not part of this text.
    if let last = words.last, last.text.last == "”", !words.contains(where: { $0.text.contains("“") }) {
      words[words.count - 1].text = last.text.dropLast()
    }
  }

  /// Whether a scalar is a dash, or an emoji or arrow that points to the following text.
  private static func leadsOn(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "–", "—", "-", "|", "👉", "👇", "👈", "👆", "➡", "⬇", "⤵", "↓", "→", "▶", "🧵", "\u{FE0F}",
      "\u{1F3FB}"..."\u{1F3FF}":
      true
    default: false
    }
  }

  private static func ends(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", ",", ";", ":", "!", "?", "…", "。", "、", "，", "；", "：", "！", "？", "؛", "،", "؟", "”", "“", "\"",
      "»", "’",
      "'", ")", "]", "}":
      true
    default: false
    }
  }
}
