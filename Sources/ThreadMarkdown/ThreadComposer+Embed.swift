import Templates
import ThreadModel
import UTF8Text
import Wording

extension ThreadComposer {
  /// How many quotes are shown within each other; the next is a link.
  private static let deepestQuote = 2

  /// A post that another shows or answers, as a block quote.
  ///
  /// - Parameters:
  ///   - depth: How many quotes it stands within already.
  ///   - subject: What it is called where it is missing.
  mutating func embed(
    _ quote: Quote, depth: Int, subject: Phrase = .subjectQuoted
  ) throws(ThreadMarkdownError) {
    guard depth < Self.deepestQuote, !repeatsAtLength(quote) else { return try quoteLink(quote) }
    if case .tombstone(let tombstone, let author) = quote, let page = options.missingURL(tombstone) {
      return try linkToShown(page, author, tombstone, subject: subject)
    }
    let inside = try content { composer throws(ThreadMarkdownError) in
      switch quote {
      case .post(let post, let author, let inner):
        try composer.quote(post, author: author, inner: inner, depth: depth + 1)
      case .tombstone(let tombstone, let author):
        try composer.missingQuote(tombstone, author: author, subject: subject)
      }
    }
    try append(.embed, ["quote": .markup(inside.prefixingLines(with: "> "))])
  }

  private mutating func repeatsAtLength(_ quote: Quote) -> Bool {
    guard case .post(let post, _, _) = quote else { return false }
    return longQuotes.repeats(post)
  }

  private mutating func quote(
    _ post: Post, author: Author?, inner: Quote?, depth: Int
  ) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      try composer.parts(of: post, text: post.text, quote: inner, author: author, depth: depth)
    }
    var values = TemplateObject()
    values["name"] = shownName(author)
    values["handle_link"] = handleLink(author)
    let address = options.pageURL(post) ?? address(of: post, by: author)
    if let date = post.createdAt {
      values["date_link"] = MarkdownPieces.link(options.calendar.day(date), safe: address)
    } else if let address {
      values["date_link"] = MarkdownPieces.link(wording.text(.original), safe: address)
    }
    if let edited = post.editedAt { values["edited"] = .text(options.calendar.day(edited)) }
    values["content"] = .markup(inside)
    try append(.quote, values)
  }

  /// In place of a post that this conversation lacks and another page of the site shows.
  private mutating func linkToShown(
    _ page: String, _ author: Author?, _ tombstone: Tombstone, subject: Phrase
  ) throws(ThreadMarkdownError) {
    let name =
      author.map { self.name($0) } ?? PlainText.nonEmptyLine(tombstone.handle).map { "@" + $0.asName }
    let label =
      subject == .subjectQuoted
      ? name.map { wording.text(.quotedPostBy, ["name": $0]) } ?? wording.text(subject)
      : wording.text(subject)
    try append(.attachment, ["link": MarkdownPieces.link(label, safe: page)])
  }

  private mutating func missingQuote(
    _ tombstone: Tombstone, author: Author?, subject: Phrase
  ) throws(ThreadMarkdownError) {
    var values = TemplateObject()
    values["missing"] = .text(tombstone.sentence(on: subject, in: wording))
    values["handle_link"] = handleLink(author, else: tombstone.handle)
    if let address = address(of: tombstone, by: author) {
      values["post_link"] = MarkdownPieces.link(tombstone.linkLabel(in: wording), safe: address)
    }
    try append(.quote, values)
  }

  /// In place of a quote too deep to show.
  private mutating func quoteLink(_ quote: Quote) throws(ThreadMarkdownError) {
    switch quote {
    case .post(let post, let author, _):
      let label = wording.text(.quotedPostBy, ["name": name(author)])
      let address = options.pageURL(post) ?? address(of: post, by: author)
      try append(.attachment, ["link": MarkdownPieces.link(label, safe: address)])
    case .tombstone(let tombstone, let author):
      if let page = options.missingURL(tombstone) {
        return try linkToShown(page, author, tombstone, subject: .subjectQuoted)
      }
      let label = tombstone.clause(on: .subjectQuoted, in: wording)
      try append(.attachment, ["link": MarkdownPieces.link(label, address(of: tombstone, by: author))])
    }
  }
}
