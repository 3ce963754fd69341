package import NetworkSources
package import SiteConfig
package import ThreadModel

/// Threads by Meta: saved responses of its API. The API gives a token's own posts only, and its exports have no threads.
package struct ThreadsSource: NetworkSource {
  package let platform = Platform.threads
  package let addresses: any AddressReader = ThreadsAddresses()
  package let insteadOfFetching: String? =
    "save responses of the Threads API and import them with `threadsite import` (`threadsite help threads`)"

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    throw SourceError(.content, "No threads are fetched from Threads: \(insteadOfFetching ?? "")")
  }

  /// - Throws: ``SourceError`` if the path is an Instagram export with posts of Threads, which is not imported.
  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
    if let form = InstagramExport.form(of: path) { throw form.refusal(of: path) }
    return nil
  }

  package var savedAnswers: (any SavedAnswers.Type)? { ThreadsAnswers.self }
}

extension Platform {
  static let threads: Platform = "threads"
}

extension SourceKind {
  /// The Threads API.
  static let threadsAPI: SourceKind = "threads-api"
}

extension ConversationPlacement {
  /// A response states the first post of a reply's conversation (`root_post`) and the post that it answers (`replied_to`), if these fields were
  /// requested. A reply that any response states as hidden is not shown.
  static let threads = ConversationPlacement(
    isPost: { $0.authority == nil && ThreadsID.isValid($0.value) },
    hides: { $0.reason == .notShown })
}
