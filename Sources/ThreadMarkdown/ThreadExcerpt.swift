import Basics
package import ThreadModel

/// The first words of a thread as plain text, for indexes, feeds and previews.
package enum ThreadExcerpt {
  /// Scalars of a post that are looked at.
  private static let window = 2000

  /// At most `limit` characters on one line, from as many posts of the main line as it takes; empty where there are no
  /// words. A post behind a content warning gives only the warning, and nothing where the post before it has the same.
  ///
  /// - Parameter title: What the same thread is called, where that stands above the excerpt: the excerpt goes on where the title
  ///   ends, and is empty where nothing follows.
  package static func make(from thread: UnrolledThread, after title: ThreadTitle? = nil, limit: Int = 200)
    -> String
  {
    PlainText.shortened(words(of: thread, after: title, upTo: limit), to: limit)
  }

  /// The beginning of any other text on one line: at most `limit` characters of it.
  package static func make(from text: String, limit: Int = 200) -> String {
    PlainText.shortened(PlainText.singleLine(text), to: limit)
  }

  /// What follows a title in its own text, without what ended the title; behind a title that was cut, with an ellipsis before it.
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

  /// What a post says.
  private static func line(of post: Post) -> String {
    let text = post.words
    var words = ExcerptWords(post.text, from: text.startIndex, to: text.endIndex, window: window)
    let all = words
    words.dropEnd()
    let line = words.line
    // Of a post that is nothing but tags.
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

  /// What a post without words links to.
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

/// A part of a post's text in words, of which those go that are no use in an excerpt.
private struct ExcerptWords {
  private struct Word {
    var text: Substring
    /// Whether a line begins with it.
    var beginsLine: Bool

    /// `#1` is none.
    var isTag: Bool {
      guard text.utf8.first == UInt8(ascii: "#"), let second = text.utf8.dropFirst().first else {
        return false
      }
      return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
    }
    /// Only dashes and the like, or what points to something.
    var isMark: Bool { text.unicodeScalars.allSatisfy { ExcerptWords.leadsOn($0) || ExcerptWords.ends($0) } }
    var isPointer: Bool { text.unicodeScalars.allSatisfy(ExcerptWords.leadsOn) }
    /// Whose the link before it is, or who is told of it.
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
  /// Where links are that stand as addresses.
  private let links: [Range<String.Index>]
  private var words: [Word] = []

  /// - Parameter window: Scalars that are looked at.
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

  /// What stands between a title and what follows it.
  mutating func dropMarks() {
    while let first = words.first, first.isMark { words.removeFirst() }
    guard let first = words.first else { return }
    words[0].text = Substring(first.text.unicodeScalars.drop(while: Self.leadsOn))
  }

  /// Links that a title ended before, and whose they are.
  mutating func dropAddresses() {
    guard let first = words.first, isLink(first) else { return }
    while let first = words.first, isLink(first) || first.isMark { words.removeFirst() }
    if words.allSatisfy({ isLink($0) || $0.isMark || $0.isCredit || $0.isTag }) { words = [] }
  }

  /// What a text ends with and an index shows beside the excerpt, or nowhere: tags, links, dashes before them, and what points
  /// to them. A tag that is a word of the last sentence stays.
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
    // Of an old repost, whose beginning is no part of this.
    if let last = words.last, last.text.last == "”", !words.contains(where: { $0.text.contains("“") }) {
      words[words.count - 1].text = last.text.dropLast()
    }
  }

  /// Dashes, and emoji and arrows that point to what follows.
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
