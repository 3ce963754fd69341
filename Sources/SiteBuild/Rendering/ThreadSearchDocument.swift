import InterfaceText
import SearchIndex
import SiteOutput
import ThreadMarkdown
import ThreadModel

extension SearchDocument {
  /// Creates the search document of a thread from everything that its page shows. Words of other authors have half the weight.
  init(of thread: UnrolledThread, _ summary: ThreadSummary, calendar: SiteCalendar) {
    self.init(url: summary.path.urlText, title: summary.title, author: summary.author.name)
    if let published = summary.published {
      date = calendar.isoDay(published)
      dateText = calendar.day(published)
    }
    authorNames = [summary.author.handle, summary.author.name].compactMap(\.self)
    tags = summary.tags.map(\.name)
    var long = LongQuotes()
    add(thread.context, &long)
    add(thread.items, &long)
    for answer in thread.answers {
      add(answer.inReplyTo, &long)
      add(answer.items, &long)
    }
    for reply in thread.replies {
      reply.forEachPost { add($0, &long) }
    }
  }

  private mutating func add(_ items: [ThreadItem], _ long: inout LongQuotes) {
    for case .post(let threadPost) in items {
      add(threadPost.post, .full)
      add(threadPost.quote, &long)
      for branch in threadPost.branches { add(branch.items, &long) }
    }
  }

  private mutating func add(_ post: Post, _ weight: Weight) {
    for text in post.texts([post.text.text]) { add(text, weight) }
    add(post.card?.title, .half)
    add(post.card?.summary, .half)
  }

  /// Adds a quoted or answered post and its author, both with half the weight.
  private mutating func add(_ quote: Quote?, _ long: inout LongQuotes) {
    guard case .post(let post, let author, let inner)? = quote, !long.repeats(post) else { return }
    add(author)
    add(post, .half)
    add(inner, &long)
  }

  private mutating func add(_ reply: Reply, _ long: inout LongQuotes) {
    if !reply.isByAuthor { add(reply.author) }
    add(reply.post, reply.isByAuthor ? .full : .half)
    add(reply.quote, &long)
  }

  private mutating func add(_ author: Author?) {
    add(author?.name, .half)
    add(author?.handle, .half)
  }

  private mutating func add(_ text: String?, _ weight: Weight) {
    if let text, !text.isEmpty { passages.append(Passage(text, weight)) }
  }
}
