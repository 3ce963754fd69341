import Basics
import NetworkSources

/// Files with saved responses of X's API.
enum XDocument {
  /// Reads all responses in a file.
  ///
  /// - Throws: an error if the file (or its list) is empty, if it belongs to an X archive, or if neither the file nor any of its lines is
  ///   JSON.
  static func responses(in bytes: [UInt8], file: String) throws(SourceError) -> SavedResponses {
    let responses: SavedResponses
    do {
      responses = try SavedResponses(bytes)
    } catch {
      if bytes.starts(with: "window.YTD".utf8) { throw Self.partOfArchive(file) }
      var failure = SourceError(error, in: file)
      if error.line == 1, error.column == 1 {
        failure.message += "; not valid JSON: \(XEmptyReason.imported)"
      } else if error.isOfEnd {
        failure.message += "; the file is incomplete: save the response again"
      }
      throw failure
    }
    if !responses.unread.isEmpty, bytes.starts(with: "window.YTD".utf8) { throw Self.partOfArchive(file) }
    guard !responses.isEmptyFile else {
      throw SourceError(.content, "contains no posts: the file is empty", at: file)
    }
    guard !responses.values.isEmpty else {
      throw SourceError(.content, "contains no posts: its list is empty", at: file)
    }
    return responses
  }

  private static func partOfArchive(_ file: String) -> SourceError {
    SourceError(
      .content,
      "a single file of an X archive: import the archive's zip file or the unpacked folder instead", at: file)
  }

  /// Returns a response, sorted into its parts. An error from X is thrown with X's message.
  static func response(_ value: JSONValue) throws(XEmptyReason) -> XResponse {
    guard let saved = SavedResponse(value) else { throw .notAResponse("not a JSON object") }
    let status = saved.status.flatMap { $0 >= 400 ? $0 : nil }
    guard let body = saved.body else {
      if let status { throw .refused(status: status, title: "no JSON", detail: nil) }
      throw .notAResponse("the recorded body is not a JSON object")
    }
    guard let status else { return XResponse(saved: body, fetchedAt: saved.fetchedAt) }
    let fields = XFields(body)
    let problem = fields.list("errors").first.map(XProblem.init)
    throw .refused(
      status: status, title: fields.text("title") ?? problem?.title ?? "no reason given",
      detail: problem?.detail ?? fields.text("detail"))
  }
}
