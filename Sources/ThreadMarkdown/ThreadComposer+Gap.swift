import Templates
import ThreadModel

extension ThreadComposer {
  /// The place of a post that is missing from a line, and why.
  mutating func gap(_ gap: Gap) throws(ThreadMarkdownError) {
    var values = TemplateObject()
    values["text"] = .text(gap.tombstone.sentenceInItsPlace(by: options.calendar, in: wording))
    if let address = address(of: gap.tombstone, by: nil) {
      values["post_link"] = MarkdownPieces.link(gap.tombstone.linkLabel(in: wording), safe: address)
    }
    try append(.gap, values)
  }
}
