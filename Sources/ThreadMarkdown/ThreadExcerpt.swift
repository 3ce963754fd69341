package import ThreadModel

/// The first words of a thread as plain text, for indexes, feeds and previews.
package enum ThreadExcerpt {
  /// Returns at most `limit` characters on one line, from as many posts of the main line as needed; empty if the posts have no words. A
  /// post behind a content warning contributes only the warning, and nothing if the previous post has the same warning.
  ///
  /// - Parameter title: The title of the thread, if it is shown above the excerpt. The excerpt then continues after the title, and is empty
  ///   if no text follows.
  package static func make(from thread: UnrolledThread, after title: ThreadTitle? = nil, limit: Int = 200)
    -> String
  {
    PlainText.shortened(beginning(of: thread, after: title, longerThan: limit), to: limit)
  }

  /// Returns the usual excerpt, and one of at most twice as many characters, which shares the work on the posts.
  package static func makeBoth(
    from thread: UnrolledThread, after title: ThreadTitle?
  ) -> (short: String, long: String) {
    let text = beginning(of: thread, after: title, longerThan: 400)
    return (PlainText.shortened(text, to: 200), PlainText.shortened(text, to: 400))
  }

  /// Returns the text of the first posts on one line: more than `limit` characters, unless the thread has fewer.
  private static func beginning(
    of thread: UnrolledThread, after title: ThreadTitle?, longerThan limit: Int
  ) -> String {
    var excerpt = ""
    var warning = title?.warning
    var source = title?.source
    for case .post(let threadPost) in thread.items where source == nil || threadPost.post.id == source?.post {
      let post = threadPost.post
      let line: String
      if let title = source {
        line = rest(of: post, after: title)
        source = nil
      } else {
        let before = warning
        warning = post.warningLine
        if warning != nil, warning == before { continue }
        line = warning ?? words(of: post)
      }
      excerpt += excerpt.isEmpty || line.isEmpty ? line : " " + line
      if PlainText.isLonger(excerpt, than: limit) { break }
    }
    if excerpt.isEmpty, title.map({ $0.source == nil && $0.warning == nil }) ?? true {
      excerpt = thread.firstPost.map(linked) ?? ""
    }
    return excerpt
  }

  /// Returns the beginning of any other text on one line, in at most `limit` characters.
  package static func make(from text: String, limit: Int = 200) -> String {
    PlainText.shortened(PlainText.singleLine(text), to: limit)
  }

  /// Returns the text after a title in the title's post, without marks and links directly after the title. If the title was cut, the text
  /// begins with an ellipsis.
  private static func rest(of post: Post, after title: ThreadTitle.Source) -> String {
    let text = PostScalars(post, keepsSeries: true)
    var start = min(title.end, text.words.upperBound)
    let end = text.words.upperBound
    while start < end {
      if let part = text.part(at: start) {
        guard part.kind == .link, !title.isCut else { break }
        start = part.range.upperBound
        if text.isCredits(start..<end) { return "" }
      } else {
        let scalar = text.scalars[start]
        let isMark = ".,;:!?…。、，；：！？؛،؟”»’)]}".unicodeScalars.contains(scalar)
        let isQuote = scalar == "\"" && (start + 1 == end || text.scalars[start + 1].isWhiteSpace)
        guard
          scalar.isWhiteSpace || isMark || isQuote || PostScalars.leadsOn(scalar)
            || PostScalars.modifiesEmoji(scalar)
        else { break }
        start += 1
      }
    }
    let line = line(of: text, start..<text.endOfWords(in: start..<end, pile: 2))
    return title.isCut && !line.isEmpty ? "… " + line : line
  }

  /// Returns the words of a post without the parts at their end that an index shows separately or not at all, unless there is nothing else.
  private static func words(of post: Post) -> String {
    let text = PostScalars(post)
    let line = line(of: text, text.words.lowerBound..<text.endOfWords(in: text.words, pile: 2))
    return line.isEmpty ? self.line(of: text, text.words) : line
  }

  private static func line(of text: PostScalars, _ range: Range<Int>) -> String {
    var line = PlainText.singleLine(text.string(range))
    // The closing mark of a manual retweet, whose beginning is not part of this text.
    if line.last == "”", !line.contains("“"), !line.dropLast().contains("”") { line.removeLast() }
    return line
  }

  /// Returns the target of a link in a post without words.
  private static func linked(from post: Post) -> String {
    if post.warningLine != nil { return "" }
    if let title = PlainText.nonEmptyLine(post.card?.title) { return title }
    let text = PostScalars(post)
    guard let link = text.parts.first(where: { $0.kind == .link }) else { return "" }
    let line = PlainText.singleLine(text.string(link.range))
    let scheme = ["https://", "http://"].first { line.hasPrefix($0) }
    return String(line.dropFirst(scheme?.count ?? 0))
  }
}
