import Basics
import NetworkSources
import ThreadModel

/// One response of X's API from a saved file: its body, and the metadata saved with it.
struct XDocument {
  var body: JSONObject
  var status: Int?
  var fetchedAt: Timestamp?

  /// The contents of a file.
  struct Content {
    var documents: [Result<XDocument, XEmptyReason>]
    /// Errors of lines that are not JSON.
    var unread: [JSONError] = []
  }

  /// Reads all responses in a file.
  ///
  /// - Throws: an error if the file (or its list) is empty, if it belongs to an X archive, or if neither the file nor any of its lines is
  ///   JSON.
  static func content(of bytes: [UInt8], file: String) throws(SourceError) -> Content {
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
    let documents = responses.values.map(document)
    guard !documents.isEmpty else {
      throw SourceError(.content, "contains no posts: its list is empty", at: file)
    }
    return Content(documents: documents, unread: responses.unread)
  }

  private static func partOfArchive(_ file: String) -> SourceError {
    SourceError(
      .content,
      "a single file of an X archive: import the archive's zip file or the unpacked folder instead", at: file)
  }

  private static func document(_ value: JSONValue) -> Result<XDocument, XEmptyReason> {
    guard let response = SavedResponse(value) else { return .failure(.notAResponse("not a JSON object")) }
    guard let body = response.body else {
      if let status = response.status, status >= 400 {
        return .failure(.refused(status: status, title: "no JSON", detail: nil))
      }
      return .failure(.notAResponse("the recorded body is not a JSON object"))
    }
    return .success(XDocument(body: body, status: response.status, fetchedAt: response.fetchedAt))
  }

  /// Returns the response, sorted into its parts. An error from X is thrown with X's message.
  func response() throws(XEmptyReason) -> XResponse {
    if let status, status >= 400 {
      let fields = XFields(body)
      let problem = fields.list("errors").first.map(XProblem.init)
      throw .refused(
        status: status, title: fields.text("title") ?? problem?.title ?? "no reason given",
        detail: problem?.detail ?? fields.text("detail"))
    }
    return XResponse(saved: body, fetchedAt: fetchedAt)
  }
}
