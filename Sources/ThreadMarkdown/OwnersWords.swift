package import ThreadModel

/// What a site's owner has to say of a thread: Markdown of theirs, which stands apart from the author's words on the page.
package struct OwnersWords: Sendable, Hashable {
  package var introduction: String?
  package var afterword: String?
  /// Behind single posts.
  package var notes: [PostID: String] = [:]

  package init(introduction: String? = nil, afterword: String? = nil, notes: [PostID: String] = [:]) {
    self.introduction = introduction
    self.afterword = afterword
    self.notes = notes
  }

  package var isEmpty: Bool { introduction == nil && afterword == nil && notes.isEmpty }

  /// All of them, in an order that does not change.
  package var texts: [String] {
    [introduction, afterword].compactMap(\.self) + notes.sorted { $0.key < $1.key }.map(\.value)
  }
}
