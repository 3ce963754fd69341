import Templates
import ThreadModel
import Wording

extension ThreadComposer {
  /// What the first post answers, where the thread is not the start of its conversation.
  mutating func context(_ quote: Quote) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      try composer.embed(quote, depth: 0, subject: .subjectAnswered)
    }
    try append(.context, ["content": .markup(inside)])
  }
}
