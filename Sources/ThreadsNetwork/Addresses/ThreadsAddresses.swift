import Basics
package import SiteConfig
package import ThreadModel

/// Parses and builds URLs on threads.com and threads.net: `/@ada` and `/@ada/post/<shortcode>`.
package struct ThreadsAddresses: AddressReader {
  package let platform = Platform.threads
  package let examplePost = "https://www.threads.com/@ada/post/DDx2mJ0yAbC"
  package let exampleAccount = "https://www.threads.com/@ada"
  /// A name alone would be read as a name on another network.
  package let exampleName = "https://www.threads.com/@ada"
  package let marksOfPosts: [StaticString] = ["/post/"]

  package init() {}

  private static let hosts: Set<String> = [
    "threads.com", "www.threads.com", "threads.net", "www.threads.net",
  ]

  package func isFrontEnd(_ host: String) -> Bool { Self.hosts.contains(host) }

  package func owns(_ address: NetworkAddress) -> Bool { address.host.map(Self.hosts.contains) ?? false }

  /// A URL has no id of the API, so that stored posts are found by their shortcodes.
  package func post(_ address: NetworkAddress) throws(InvalidValue) -> PostReference? {
    let path = address.path
    guard path.count >= 3, path[1] == "post", let name = Self.name(path[0]) else { return nil }
    guard ThreadsID.isShortcode(path[2]) else {
      throw InvalidValue("\(quoted(path[2])) is not the code of a post on Threads")
    }
    return PostReference(
      platform: .threads, id: path[2], postID: nil, handle: name,
      address: "https://www.threads.com/@\(name)/post/\(path[2])")
  }

  package func account(_ address: NetworkAddress) -> AccountReference? {
    guard address.path.count == 1, let name = Self.name(address.path[0]) else { return nil }
    return AccountReference(platform: .threads, handle: name)
  }

  package func url(of account: AccountReference) -> String { Self.url(ofAccount: account.handle) }

  /// Reads an id of the API.
  package func post(named id: String, besides thread: PostReference) -> PostReference? {
    guard ThreadsID.isValid(id) else { return nil }
    return PostReference(platform: .threads, id: id, postID: ThreadsID.post(id), address: id)
  }

  private static func name(_ part: String) -> String? {
    part.without(bytePrefix: "@").map(String.init).flatMap { ThreadsID.isName($0) ? $0 : nil }
  }

  // MARK: URLs of responses

  /// - Parameter name: a valid name.
  static func url(ofAccount name: String) -> String { "https://www.threads.com/@\(name)" }

  /// Whether a URL is on Threads.
  static func isOwn(_ url: String) -> Bool { WebAddress.host(of: url).map(hosts.contains) ?? false }

  /// Returns the URL of a post: its `permalink`, or one with its shortcode, because Threads sends no `permalink` for posts that were
  /// reported for copyright.
  static func url(of fields: ThreadsFields, by name: String) -> String? {
    if let url = fields.url("permalink"), isOwn(url) { return url }
    guard let code = fields.text("shortcode"), ThreadsID.isShortcode(code) else { return nil }
    return "\(url(ofAccount: name))/post/\(code)"
  }
}
