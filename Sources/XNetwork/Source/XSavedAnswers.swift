package import NetworkSources
package import ThreadModel

extension XImporter: SavedAnswers {
  package static var platform: Platform { .x }

  package mutating func take(_ bytes: [UInt8], file: String) throws(SourceError) {
    try add(bytes, file: file)
  }

  package static func summary(of conversation: Conversation) -> XPlacement.ConversationSummary {
    XPlacement.ConversationSummary(conversation)
  }

  package static func isChosen(_ conversation: Conversation) -> Bool { XPart(conversation).isChosen }

  package func grouped(
    with stored: [XPlacement.ConversationSummary]
  ) -> (groups: [ConversationGroup], report: ImportReport) {
    let placement = XPlacement(parts.map(XPlacement.ConversationSummary.init) + stored)
    return (placement.groups, report(placement))
  }

  package static func resolve(_ parts: [Conversation], as id: PostID) -> [Conversation] {
    XPlacement.resolve(parts.map { XPart($0) }, as: id)
  }
}
