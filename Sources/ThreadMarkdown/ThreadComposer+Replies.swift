import Templates
import ThreadModel
import UTF8Text
import Wording

extension ThreadComposer {
  /// What others replied to the thread, in a section of its own behind it.
  mutating func replies(_ replies: [Reply]) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      for reply in replies { try composer.reply(reply) }
    }
    var count = 0
    for reply in replies { reply.forEachPost { _ in count += 1 } }
    try append(
      .replies, ["content": .markup(inside), "count": .text(wording.count(count, .countReplies))])
  }

  /// A reply, and within it what was replied to it. Unrolling bounds how deep that goes.
  private mutating func reply(_ reply: Reply) throws(ThreadMarkdownError) {
    let post = reply.post
    let inside = try content { composer throws(ThreadMarkdownError) in
      try composer.parts(of: post, text: post.text, quote: reply.quote, author: reply.author, depth: 0)
    }
    let below = try content { composer throws(ThreadMarkdownError) in
      for reply in reply.replies { try composer.reply(reply) }
    }
    var values: TemplateObject = [
      "anchor": .text(MarkdownPieces.anchor(post.id.value)),
      "name": shownName(reply.author),
      "handle_link": handleLink(reply.author),
      "by_author": .bool(reply.isByAuthor),
      "content": .markup(inside),
    ]
    if let addressee = reply.addressee { values["to"] = .text(shortName(addressee)) }
    let address = address(of: post, by: reply.author)
    if let date = post.createdAt {
      values["date_link"] = MarkdownPieces.link(options.calendar.day(date), safe: address)
    } else if let address {
      values["date_link"] = MarkdownPieces.link(wording.text(.original), safe: address)
    }
    if !below.isEmpty { values["replies"] = .markup(below) }
    try append(.reply, values)
  }
}
