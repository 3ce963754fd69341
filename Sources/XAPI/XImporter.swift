package import ThreadModel

/// Collects saved answers of X's API v2, from any number of files, and makes conversations of them.
///
/// Nothing is translated before all files are in: pages of one search share users and media, and a post that lacks a
/// field in one answer may have it in another. The order of the files makes no difference to the conversations.
package struct XImporter: Sendable {
  struct Source: Sendable {
    var file: Int
    var response: XResponse
  }

  private var sources: [Source] = []
  private var files: [ImportReport.File] = []

  package init() {}

  /// Takes the answers in a file: one, an array of them, or one a line, bare or as recorded exchanges.
  ///
  /// Throws where no answer in it holds posts; the users and the missing posts that it may name are kept all the same. An
  /// answer without posts, beside others that have some, becomes a problem in the report.
  package mutating func add(_ bytes: [UInt8], file: String) throws(XAPIError) {
    var reasons: [XAPIError.Reason] = []
    var holdsPosts = false
    for document in try XDocument.all(in: bytes, file: file) {
      do throws(XAPIError.Reason) {
        let response = try document.get().response()
        sources.append(Source(file: files.count, response: response))
        if let reason = response.emptyReason { reasons.append(reason) } else { holdsPosts = true }
      } catch {
        reasons.append(error)
      }
    }
    if !holdsPosts, let reason = reasons.first {
      files.append(ImportReport.File(name: file))
      throw XAPIError(file: file, reason: reason)
    }
    files.append(ImportReport.File(name: file, problems: reasons.map(\.words)))
  }

  /// Takes an answer that was just fetched.
  package mutating func add(_ response: XResponse) {
    sources.append(Source(file: files.count, response: response))
    files.append(ImportReport.File(name: "answer \(files.count + 1)"))
  }

  /// Conversations with exactly the posts that somebody chose, one for each choice and in that order.
  package func conversations(_ selections: [XSelection]) -> [Conversation] {
    let assembly = XAssembly(sources)
    return selections.map { assembly.conversation($0) }
  }

  /// The conversations, sorted by id and author.
  package func conversations() -> [Conversation] { result().conversations }

  /// What became of each file.
  package var report: ImportReport { result().report }

  /// Conversations and report together; each call works them out anew.
  package func result() -> (conversations: [Conversation], report: ImportReport) {
    let assembly = XAssembly(sources)
    return (assembly.conversations(), ImportReport(files: assembly.report(on: files)))
  }
}
