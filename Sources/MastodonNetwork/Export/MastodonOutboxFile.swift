import JSONText
import NetworkSources
package import ThreadModel

/// The reader of outboxes without a file: what is given to it, it takes or refuses.
package enum MastodonOutboxFile {
  /// All threads in an `outbox.json`, single posts and answers to others among them; `nil` for what is none.
  package static func conversations(in bytes: [UInt8]) -> [Conversation]? {
    // Why it is refused is not asked here.
    guard let outbox = try? MastodonOutbox(bytes, by: nil) else { return nil }
    let survey = SurveyedMastodonExport(export: MastodonExport(outbox: "outbox.json"), outbox: outbox)
    var choice = ExportChoice()
    choice.minPosts = 1
    choice.includesReplies = true
    var result: [Conversation] = []
    guard let plan = try? survey.plan(choice, conversationOf: { _ in nil }),
      (try? plan.conversations(files: [:], emit: { result.append($0) })) != nil
    else { return nil }
    return result
  }
}
