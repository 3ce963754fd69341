import Templates
import ThreadModel
import Wording

extension ThreadComposer {
  /// A post of the author: a section with an anchor.
  mutating func post(_ threadPost: ThreadPost, author: Author) throws(ThreadMarkdownError) {
    let post = threadPost.post
    let inside = try content { composer throws(ThreadMarkdownError) in
      var text = composer.counters?.stripped(post) ?? post.text
      if let opening = composer.opening, opening.post.id == post.id { text = opening.rest }
      try composer.parts(of: post, text: text, quote: threadPost.quote, author: author, depth: 0)
      if composer.options.showsPermalinks { try composer.permalink(post, author: author) }
    }
    var values: TemplateObject = [
      "anchor": .text(MarkdownPieces.anchor(post.id.value)), "content": .markup(inside),
    ]
    if components.showsBylines, options.repeatsBylines { values["byline"] = byline(author) }
    if components.showsMetrics {
      let metrics = metrics(of: post)
      values["metrics"] = .list(metrics)
      values["has_metrics"] = .bool(!metrics.isEmpty)
    }
    try append(.post, values)
  }

  /// What a post shows, in order; the same for a post of the thread and for a quoted one.
  ///
  /// - Parameter depth: How many quotes it stands within.
  mutating func parts(
    of post: Post, text: InlineText, quote: Quote?, author: Author?, depth: Int
  ) throws(ThreadMarkdownError) {
    try notices(post)
    guard let warning = PlainText.nonEmptyLine(post.contentWarning), warning != sharedWarning else {
      return try unwarned(post, text: text, quote: quote, author: author, depth: depth)
    }
    try self.warning(warning, emoji: post.emoji) { composer throws(ThreadMarkdownError) in
      try composer.unwarned(post, text: text, quote: quote, author: author, depth: depth)
    }
  }

  /// What stands behind a post's warning.
  private mutating func unwarned(
    _ post: Post, text: InlineText, quote: Quote?, author: Author?, depth: Int
  ) throws(ThreadMarkdownError) {
    let parted = post.card.flatMap { PartedLink(text, from: $0, options) }
    try self.text(parted?.rest ?? text, of: post)
    // A warning stands before the media, too, and on some networks is what marks them.
    if post.isSensitive, PlainText.nonEmptyLine(post.contentWarning) == nil {
      try sensitive { composer throws(ThreadMarkdownError) in try composer.media(of: post, author: author) }
    } else {
      try media(of: post, author: author)
    }
    if let poll = post.poll {
      try self.poll(poll, of: post)
    } else if post.lacksPoll {
      try note([wording.text(.pollMissing, ["network": post.id.platform.displayName])])
    }
    if let card = post.card { try self.card(card, link: parted?.link) }
    if let quote { try embed(quote, depth: depth) }
  }

  /// The address of the post within the page and on its network, and when it was written: the day where it is another than that of the post
  /// before, else the time alone, as nobody wants to read or hear a date a dozen times.
  mutating func permalink(_ post: Post, author: Author?) throws(ThreadMarkdownError) {
    let address = address(of: post, by: author)
    let date = post.createdAt.map { date in
      let isSame = lastDate.map { options.calendar.isSameDay($0, date) } ?? false
      return isSame ? options.calendar.time(date) : options.calendar.minute(date)
    }
    lastDate = post.createdAt ?? lastDate
    let link = date ?? (address == nil ? nil : wording.text(.original))
    var values: TemplateObject = [
      "anchor": .text(MarkdownPieces.anchor(post.id.value)),
      "date": date.map { .text($0) } ?? .missing,
      "date_link": link.map { MarkdownPieces.link($0, safe: address) } ?? .missing,
      "edited": post.editedAt.map { .text(options.calendar.day($0)) } ?? .missing,
    ]
    if let number = numbers[post.id] {
      values["number"] = .text(wording.number(number))
      values["count"] = .text(wording.number(numbers.count))
    }
    try append(.permalink, values)
  }
}
