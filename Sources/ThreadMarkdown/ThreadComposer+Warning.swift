import Templates
import ThreadModel
import UTF8Text
import Wording

extension ThreadComposer {
  /// What an author warns of, folded away behind the warning.
  ///
  /// - Parameter emoji: those that may stand in the warning.
  mutating func warning(
    _ warning: String, emoji: [CustomEmoji],
    _ body: (inout ThreadComposer) throws(ThreadMarkdownError) -> Void
  ) throws(ThreadMarkdownError) {
    let inside = try content(body)
    try append(
      .warning,
      [
        "text": line(wording.text(.contentWarning, ["text": warning]), with: emoji),
        "content": .markup(inside),
      ])
  }

  /// Media that their author or the network marked as sensitive, behind word of that.
  mutating func sensitive(
    _ body: (inout ThreadComposer) throws(ThreadMarkdownError) -> Void
  ) throws(ThreadMarkdownError) {
    let inside = try content(body)
    guard !inside.bytes.isEmpty else { return }
    try append(.sensitive, ["content": .markup(inside)])
  }

  /// The post whose warning all posts of the thread's own line have, side branches included: it is said once, before all of them.
  /// `nil` where there is only one post, or where any differs.
  func postOfSharedWarning(_ items: [ThreadItem]) -> Post? {
    var posts = 0
    var warned: Post?
    func agrees(_ items: [ThreadItem]) -> Bool {
      items.allSatisfy { item in
        guard case .post(let threadPost) = item else { return true }
        guard let warning = PlainText.nonEmptyLine(threadPost.post.contentWarning),
          warned.map({ PlainText.nonEmptyLine($0.contentWarning) == warning }) ?? true
        else { return false }
        warned = warned ?? threadPost.post
        posts += 1
        return threadPost.branches.allSatisfy { agrees($0.items) }
      }
    }
    return agrees(items) && posts > 1 ? warned : nil
  }
}
