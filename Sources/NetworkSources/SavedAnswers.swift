package import ThreadModel

/// Reads answers of a network's API that were saved as files, and makes conversations of them.
///
/// Each answer is understood by itself; which of the conversations are one, and whose they are, can only be told from all, those in
/// the store among them. What comes of it depends on the facts alone, and not on the order in which they came.
package protocol SavedAnswers: Sendable {
  /// What decides of a conversation which others it is one with.
  associatedtype Sketch: Sendable

  static var platform: Platform { get }

  init()

  /// Takes the answers in a file.
  ///
  /// - Throws: ``SourceError`` where no answer in it holds posts.
  mutating func take(_ bytes: [UInt8], file: String) throws(SourceError)
  /// Takes over what another took, as if its files had come after these.
  mutating func add(_ other: Self)
  /// What each answer gave, in no order: conversations that may be the same.
  var parts: [Conversation] { get }

  static func sketch(of conversation: Conversation) -> Sketch
  /// Whether somebody asked for this author's thread, by fetching it or by importing their export: then it stays a thread, whoever began
  /// the conversation.
  static func isChosen(_ conversation: Conversation) -> Bool
  /// Which conversations are one: of the parts, by their positions, and of the store, behind them.
  func grouped(with stored: [Sketch]) -> (groups: [ConversationGroup], report: ImportReport)
  /// The conversations that parts of one make, sorted by author.
  static func settle(_ parts: [Conversation], as id: PostID) -> [Conversation]
}

/// Conversations that are one.
package struct ConversationGroup: Sendable {
  package var id: PostID
  /// Positions among those that were grouped.
  package var members: [Int]

  package init(id: PostID, members: [Int]) {
    self.id = id
    self.members = members
  }
}
