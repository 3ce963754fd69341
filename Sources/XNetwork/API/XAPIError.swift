package import JSONText

/// Why a file, or one response in it, could not be imported.
package struct XAPIError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The bytes are no JSON.
    case notJSON(JSONError)
    /// JSON, and nothing that X's API answers with.
    case notAResponse(String)
    /// X answered with an error: the HTTP status where it is known, and X's own words.
    case refused(status: Int?, title: String, detail: String?)
    /// An answer that is about something else than posts.
    case noPosts(String)
  }

  package var file: String
  package var reason: Reason

  package init(file: String, reason: Reason) {
    self.file = file
    self.reason = reason
  }

  package var description: String {
    if case .notJSON(let error) = reason {
      let isAtStart = error.line == 1 && error.column == 1
      return error.description(file: file)
        + (isAtStart
          ? "; this is no JSON: what is imported are archives, and answers of X's API as files" : "")
    }
    return "\(file): error: \(reason.words)"
  }
}

extension XAPIError.Reason {
  /// The reason as a clause, to stand after the file's name.
  package var words: String {
    switch self {
    case .notJSON(let error): return "not JSON: \(error.message)"
    case .notAResponse(let what): return "not a response of the X API v2: \(what)"
    case .refused(let status, let title, let detail):
      let code = status.map { "\($0) " } ?? ""
      let words = detail.map { $0 == title ? "" : ": \($0)" } ?? ""
      return "X answered with an error, and no posts: \(code)\(title)\(words)"
    case .noPosts(let why): return "holds no posts: \(why)"
    }
  }
}
