import Basics
package import ThreadModel

/// Reads one network's values in a site.yml: URLs, names of accounts, and the network's section.
package protocol AddressReader: Sendable {
  var platform: Platform { get }
  /// The URL of an example post, for error messages.
  var examplePost: String { get }
  /// The URL of an example account.
  var exampleAccount: String { get }
  /// The name of an example account, in its usual form: `@ada`.
  var exampleName: String { get }
  /// The URL of an example search, such as a hashtag; `nil` if the network has no searches.
  var exampleSearch: String? { get }
  /// The network's section in site.yml; `nil` if it has no settings.
  var section: (any NetworkSection.Type)? { get }
  /// Whether a search may consist of words, which become the network's query. At most one network has such searches.
  var searchesWords: Bool { get }

  /// Whether the URL belongs to this network.
  ///
  /// - Throws: ``InvalidValue`` if the URL belongs to this network but does not show its target, such as a short link.
  func owns(_ address: NetworkAddress) throws(InvalidValue) -> Bool
  /// Returns the post of a URL of this network; `nil` if the URL is not a post's.
  ///
  /// - Throws: ``InvalidValue`` if the URL looks like a post's URL but contains no post.
  func post(_ address: NetworkAddress) throws(InvalidValue) -> PostReference?
  /// Returns the account of a URL of this network; `nil` if the URL is not an account's.
  func account(_ address: NetworkAddress) -> AccountReference?

  /// Returns the account for a name or an id without a URL; `nil` if the text is neither.
  func account(named text: String) -> AccountReference?

  /// Returns the account for a text that names it as unmistakably as a URL, such as a public key; `nil` for names.
  func account(writtenAs text: String) -> AccountReference?

  /// Returns the account that a name probably means, for advice: also a name without the signs that make it unmistakable.
  func account(meantBy text: String) -> AccountReference?

  /// Returns the URL of an account, as it is written into site.yml.
  func url(of account: AccountReference) -> String

  /// Returns the query of a search URL of this network, such as a hashtag's page, in the form that the network's client expects; `nil` if the URL is
  /// not a search's.
  func search(_ address: NetworkAddress) -> String?

  /// Whether a host shows accounts of this network under their names, as the network's own hosts, front ends and viewers do.
  ///
  /// - Parameter host: in lower case.
  func isFrontEnd(_ host: String) -> Bool

  /// Every URL of a post contains at least one of these strings. Searching for them is faster than parsing a URL.
  var marksOfPosts: [StaticString] { get }

  /// Returns the post for an id without a URL; `nil` if the text is not such an id.
  func post(named id: String) throws(InvalidValue) -> PostReference?
  /// Returns the post of a thread's network for an id without a URL; `nil` if the text is not an id of this network.
  func post(named id: String, besides thread: PostReference) throws(InvalidValue) -> PostReference?
}

extension AddressReader {
  package var exampleSearch: String? { nil }
  package var section: (any NetworkSection.Type)? { nil }
  package var searchesWords: Bool { false }
  package func account(_ address: NetworkAddress) -> AccountReference? { nil }
  package func account(named text: String) -> AccountReference? { nil }
  package func account(writtenAs text: String) -> AccountReference? { nil }
  package func account(meantBy text: String) -> AccountReference? { account(named: text) }
  package func url(of account: AccountReference) -> String { account.description }
  package func search(_ address: NetworkAddress) -> String? { nil }
  package func isFrontEnd(_ host: String) -> Bool { false }
  package var marksOfPosts: [StaticString] { ["://"] }
  package func post(named id: String) throws(InvalidValue) -> PostReference? { nil }
  package func post(named id: String, besides thread: PostReference) throws(InvalidValue) -> PostReference? {
    nil
  }
}

/// Reads the URLs of all networks.
package struct AddressBook: Sendable {
  private let readers: [any AddressReader]

  /// - Parameter readers: the networks' readers in order of precedence; a reader that accepts any host must be last.
  package init(_ readers: [any AddressReader]) { self.readers = readers }

  /// The sections that networks declare for site.yml.
  package var sections: [any NetworkSection.Type] { readers.compactMap(\.section) }

  /// The URL of an example post; `nil` without networks.
  var examplePost: String? { readers.first?.examplePost }

  /// Example accounts of the first and the last network, whose URLs usually differ most.
  private var exampleAccounts: String {
    (readers.prefix(1) + readers.dropFirst().suffix(1)).map(\.exampleAccount).joined(separator: " or ")
  }

  /// Reads the URL of a post, or the id of a post without a URL.
  ///
  /// - Throws: ``InvalidValue`` if the text is not a post. If the URL is known to be an account or a search, the message names it.
  package func post(_ text: String) throws(InvalidValue) -> PostReference {
    for reader in readers { if let post = try reader.post(named: text) { return post } }
    func refusal() -> InvalidValue {
      InvalidValue(
        "\(quoted(text)) is an account, not a post; to fetch its threads, write \"account: \(clipped(text))\" under sources in site.yml"
      )
    }
    if readers.contains(where: { $0.account(writtenAs: text) != nil }) { throw refusal() }
    let address = try NetworkAddress(text)
    let reader = try reader(of: address)
    if let post = try reader.post(address) { return post }
    if reader.account(address) != nil { throw refusal() }
    throw InvalidValue("\(quoted(text)) is not the URL of a post, such as \(reader.examplePost)")
  }

  /// Reads the URL of an account, or a text that names it as unmistakably.
  ///
  /// - Throws: ``InvalidValue`` for anything else.
  package func account(_ text: String) throws(InvalidValue) -> AccountReference {
    for reader in readers { if let account = reader.account(writtenAs: text) { return account } }
    if let meant = url(ofAccountMeantBy: text) {
      throw InvalidValue("\(quoted(text)) is a name; write the URL of the account: \(meant)")
    }
    guard text.utf8.contains(UInt8(ascii: "/")) else {
      throw InvalidValue("\(quoted(text)) is not the URL of an account, such as \(exampleAccounts)")
    }
    let address = try NetworkAddress(text)
    if let account = try reader(of: address).account(address) { return account }
    throw InvalidValue(
      "\(quoted(text)) is not the URL of an account, such as \(exampleAccounts)")
  }

  /// The post or the account of a URL on the command line.
  package enum Target: Sendable {
    case post(PostReference)
    case account(AccountReference)
  }

  /// Reads the URL or the id of a post, or the URL or the name of an account.
  ///
  /// - Throws: ``InvalidValue`` for anything else.
  package func target(_ text: String) throws(InvalidValue) -> Target {
    for reader in readers { if let post = try reader.post(named: text) { return .post(post) } }
    if !text.contains("/") {
      for reader in readers { if let account = reader.account(named: text) { return .account(account) } }
      if let meant = url(ofAccountMeantBy: text) {
        throw InvalidValue(
          "\(quoted(text)) is not a URL; for the threads of the account, write \(meant)")
      }
    }
    let address = try NetworkAddress(text)
    let reader = try reader(of: address)
    if let post = try reader.post(address) { return .post(post) }
    if let account = reader.account(address) { return .account(account) }
    throw InvalidValue(
      "\(quoted(text)) is neither the URL of a post, such as \(reader.examplePost), nor of an account, such as \(reader.exampleAccount)"
    )
  }

  /// Returns the URL of an account as it is written into site.yml.
  package func url(of account: AccountReference) -> String {
    readers.first { $0.platform == account.platform }?.url(of: account) ?? account.description
  }

  /// Returns the URL of the account that a name without a URL probably means; `nil` if the text is not a name.
  private func url(ofAccountMeantBy text: String) -> String? {
    guard !text.utf8.contains(UInt8(ascii: "/")) else { return nil }
    for reader in readers {
      if let account = reader.account(meantBy: text), account.authorID == nil || text.hasBytePrefix("did:") {
        return reader.url(of: account)
      }
    }
    return nil
  }

  /// Reads the URL, the name or the id of an account.
  ///
  /// - Throws: ``InvalidValue`` for anything else.
  package func account(named text: String) throws(InvalidValue) -> AccountReference {
    for reader in readers { if let account = reader.account(named: text) { return account } }
    // A text without a slash was probably meant as a name.
    guard text.contains("/") else {
      throw InvalidValue(
        "\(quoted(text)) is not an account: expected "
          + (readers.first.map { "a URL such as \($0.exampleAccount), " } ?? "")
          + readers.map { "\($0.exampleName) for \($0.platform.displayName), " }.joined() + "or an id")
    }
    return try account(text)
  }

  /// Reads a search: the URL of a hashtag, or words with X's search operators.
  ///
  /// - Throws: ``InvalidValue`` for a URL of anything else.
  package func search(_ text: String) throws(InvalidValue) -> (platform: Platform, query: String) {
    let words = readers.first(where: \.searchesWords)
    guard text.hasBytePrefix("https://") || text.hasBytePrefix("http://"),
      !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    else {
      if let words { return (words.platform, text) }
      throw InvalidValue("\(quoted(text)) is not the URL of a hashtag")
    }
    let address = try NetworkAddress(text)
    let reader = try reader(of: address)
    if let query = reader.search(address) { return (reader.platform, query) }
    let example = readers.compactMap(\.exampleSearch).last.map { ", such as \($0)" } ?? ""
    let advice =
      words.map {
        "; to search \($0.platform.displayName) for an address, write url:\"\(clipped(text))\""
      } ?? ""
    throw InvalidValue("\(quoted(text)) is not the URL of a hashtag\(example)\(advice)")
  }

  /// Reads an entry of a `hide` list: a URL, or an id on the thread's network.
  package func post(_ text: String, besides thread: PostReference) throws(InvalidValue) -> PostReference {
    guard !text.utf8.contains(UInt8(ascii: "/")),
      let reader = readers.first(where: { $0.platform == thread.platform })
    else { return try post(text) }
    if let post = try reader.post(named: text, besides: thread) { return post }
    throw InvalidValue("\(quoted(text)) is neither the URL nor the id of a post")
  }

  /// Returns the post to which a link leads, if the URL alone identifies it; otherwise `nil`.
  package func post(linkedBy url: String) -> PostReference? {
    guard url.utf8.count < 300,
      readers.contains(where: { $0.marksOfPosts.contains { url.contains(bytes: $0) } })
    else { return nil }
    // A link that is not the URL of a post is not an error.
    guard let address = try? NetworkAddress(url), let reader = try? reader(of: address) else { return nil }
    return try? reader.post(address)
  }

  /// Returns the account to which a link leads, if the URL alone identifies it; otherwise `nil`.
  package func account(linkedBy url: String) -> AccountReference? {
    guard url.utf8.count < 300, let address = try? NetworkAddress(url), let reader = try? reader(of: address)
    else { return nil }
    return reader.account(address)
  }

  /// Whether a host shows accounts of a network under their names.
  package func isFrontEnd(_ host: String, of platform: Platform) -> Bool {
    readers.contains { $0.platform == platform && $0.isFrontEnd(host) }
  }

  private func reader(of address: NetworkAddress) throws(InvalidValue) -> any AddressReader {
    for reader in readers { if try reader.owns(address) { return reader } }
    throw InvalidValue("\(quoted(address.text)) is not on a supported network")
  }
}
