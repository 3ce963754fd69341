package import ThreadModel

/// One entry of `errors` beside `data`: an object or field that X could not return, and the reason.
package struct XProblem: Hashable, Sendable {
  /// The last segment of `type`, such as `resource-not-found`; the host before it differs by version.
  package let kind: String
  package let title: String
  package let detail: String?
  /// `tweet`, `post`, `user`, …
  package let resourceType: String?
  /// The id of the missing object, if the problem names a valid one.
  package let resourceID: String?

  init(_ fields: XFields) {
    kind = fields.string("type")?.split(separator: "/").last.map(String.init) ?? ""
    title = fields.text("title") ?? fields.text("message") ?? kind
    detail = fields.text("detail") ?? fields.text("message")
    resourceType = fields.string("resource_type")
    resourceID = fields.id("resource_id") ?? fields.id("value")
  }

  /// The id of the post that is missing; `nil` for a problem with a user or with one field.
  package var missingPost: String? {
    guard resourceType == "tweet" || resourceType == "post", !isAboutField else { return nil }
    return resourceID
  }

  /// The id of the user that is missing.
  package var missingUser: String? { resourceType == "user" && !isAboutField ? resourceID : nil }

  private var isAboutField: Bool {
    ["not-authorized-for-field", "field-unauthorized", "field-hydration-failure"].contains(kind)
  }

  /// The reason for the tombstone in the place of the post.
  package var reason: TombstoneReason {
    let words = "\(title) \(detail ?? "")".lowercased()
    if words.contains("suspended") { return .suspended }
    if words.contains("withheld") { return .withheld }
    if words.contains("blocked") { return .blocked }
    if words.contains("deleted") || words.contains("deactivated") { return .deleted }
    switch kind {
    case "resource-not-found": return .notFound
    case "not-authorized-for-resource": return .protected
    default: break
    }
    // Some sample responses have no type, and X may add new types.
    if words.contains("not found") { return .notFound }
    return words.contains("not authorized") || words.contains("authorization") ? .protected : .unknown
  }

  /// Summarises the missing objects: "15 posts: not found".
  static func summary(_ problems: [XProblem]) -> String {
    var counts: [String: Int] = [:]
    for problem in problems {
      let what = problem.missingPost != nil ? "posts" : problem.missingUser != nil ? "users" : "things"
      let reason =
        problem.reason == .unknown ? problem.title : problem.reason.rawValue.replacing("_", with: " ")
      counts["\(what): \(reason)", default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { key, count in
      "\(count) \(count == 1 ? key.replacing("s: ", with: ": ", maxReplacements: 1) : key)"
    }.joined(separator: "; ")
  }
}

/// Why a saved response could not be imported.
package enum XEmptyReason: Error, Hashable, Sendable {
  /// The JSON is not a response of X's API.
  case notAResponse(String)
  /// X answered with an error: the HTTP status where it is known, and X's own words.
  case refused(status: Int?, title: String, detail: String?)
  /// The response is about objects other than posts.
  case noPosts(String)

  static let imported = "`import` reads archives of X, Mastodon and Bluesky, and saved answers of X's API"

  /// The reason as a clause that follows the file's name.
  package var words: String {
    switch self {
    case .notAResponse(let what): return "holds nothing that can be imported (\(what)); \(Self.imported)"
    case .refused(let status, let title, let detail):
      let code = status.map { "\($0) " } ?? ""
      let words = detail.map { $0 == title ? "" : ": \($0)" } ?? ""
      return "X answered with an error, and no posts: \(code)\(title)\(words)"
    case .noPosts(let why): return "holds no posts: \(why)"
    }
  }
}
