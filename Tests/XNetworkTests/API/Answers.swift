import Basics
import ThreadModel
import XNetwork

/// Invented responses of X's API.
enum Answers {
  /// The conversations imported from JSON responses.
  static func conversations(_ answers: String...) throws -> [Conversation] {
    var importer = XImporter()
    for (index, answer) in answers.enumerated() {
      try importer.take(Array(answer.utf8), file: "\(index).json")
    }
    return importer.result().conversations
  }

  /// The post imported from a post object with these members.
  static func post(_ members: JSONObject, includes: JSONObject = [:]) throws -> Post? {
    var object: JSONObject = ["id": "100", "author_id": "1"]
    object.merge(members) { $1 }
    let answer: JSONValue = ["data": .object(object), "includes": .object(includes)]
    let conversations = try conversations(JSONWriter.text(of: answer).string)
    return conversations.first?.posts.first { $0.id.value == object["id"]?.string }
  }

  /// A post's text with its entities.
  static func text(_ text: String, _ entities: JSONObject = [:], _ members: JSONObject = [:]) throws
    -> InlineText?
  {
    var members = members
    members["text"] = .string(text)
    members["entities"] = .object(entities)
    return try post(members)?.text
  }

  /// The text with its entities in brackets: `see [x.org/a](https://x.org/a)`.
  static func marked(_ text: InlineText?) -> String {
    (text?.segments ?? []).map { segment in
      switch segment.entity {
      case nil: String(segment.text)
      case .link(let url, _)?: "[\(segment.text)](\(url))"
      case .mention(let handle, let url, _)?: "[\(segment.text)](mention \(handle) \(url ?? "-"))"
      case .hashtag(let tag, let url)?: "[\(segment.text)](hashtag \(tag) \(url ?? "-"))"
      case .cashtag(let symbol, let url)?: "[\(segment.text)](cashtag \(symbol) \(url ?? "-"))"
      case .emoji(let shortcode, _)?: "[\(segment.text)](emoji \(shortcode))"
      }
    }.joined()
  }

  /// A URL entity with the offsets of its first occurrence.
  static func url(
    _ short: String, in text: String, to expanded: String, _ more: JSONObject = [:]
  ) -> JSONValue {
    var entity: JSONObject = ["url": .string(short), "expanded_url": .string(expanded)]
    if let range = text.firstRange(of: short) {
      let start = text.unicodeScalars.distance(from: text.startIndex, to: range.lowerBound)
      entity["start"] = .integer(Int64(start))
      entity["end"] = .integer(Int64(start + short.unicodeScalars.count))
    }
    entity.merge(more) { $1 }
    return .object(entity)
  }
}
