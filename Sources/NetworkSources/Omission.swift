/// So many of one kind that an import leaves out on purpose, in the words of its summary.
package struct Omission: Sendable, Hashable {
  package let count: Int
  private let one: String
  private let many: String

  /// - Parameters:
  ///   - one: a single one and why, behind its number: "repost of another's post".
  ///   - many: several of them.
  package init(_ count: Int, _ one: String, _ many: String) {
    self.count = count
    self.one = one
    self.many = many
  }

  fileprivate var text: String { count == 1 ? one : many }

  /// Posts in threads that are shorter than asked for, single posts among them.
  package static func short(_ count: Int) -> Omission {
    Omission(
      count, "post in no thread, or in one that is too short",
      "posts in no thread, or in one that is too short")
  }

  /// Posts in threads of others.
  package static func replies(_ count: Int) -> Omission {
    Omission(
      count, "answer to others (--with-replies takes its thread)",
      "answers to others (--with-replies takes their threads)")
  }

  package static func outOfRange(_ count: Int) -> Omission {
    Omission(count, "thread of another date than asked for", "threads of other dates than asked for")
  }

  package static func reposts(_ count: Int) -> Omission {
    Omission(count, "repost of another's post", "reposts of others' posts")
  }
}

extension [Omission] {
  /// Each of which there are some as a clause: "643 reposts of others' posts".
  package var words: [String] {
    filter { $0.count > 0 }.map { "\($0.count) \($0.text)" }
  }
}
