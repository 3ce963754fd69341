import Templates
import ThreadModel
import Wording

extension ThreadComposer {
  /// What the author answered to others, apart from the main line: each question, then the answer.
  mutating func answers(_ answers: [Answer], author: Author) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      for answer in answers {
        try composer.embed(answer.inReplyTo, depth: 0, subject: .subjectAnswered)
        try composer.items(answer.items, author: author)
      }
    }
    try append(.answers, ["content": .markup(inside)])
  }
}
