/// A line of a thread's table of contents.
package struct ContentsEntry: Sendable, Equatable {
  package var title: String
  /// The id of an element of the body.
  package var anchor: String
  /// The number of the post, from 1, where it is one of the main line.
  package var number: Int?
  /// The label of a side branch, where it is one.
  package var branch: String?

  package init(title: String, anchor: String, number: Int? = nil, branch: String? = nil) {
    self.title = title
    self.anchor = anchor
    self.number = number
    self.branch = branch
  }
}
