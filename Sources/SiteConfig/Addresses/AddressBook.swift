import Basics
package import ThreadModel

/// Understands the addresses of one network.
package protocol AddressReader: Sendable {
  var platform: Platform { get }
  /// The address of some post, for messages that say what one looks like.
  var examplePost: String { get }

  /// Whether the address is this network's.
  ///
  /// - Throws: ``InvalidValue`` for one that is, and that leads nowhere by itself, such as a short link.
  func owns(_ address: NetworkAddress) throws(InvalidValue) -> Bool
  /// The post that an address of the network's means; `nil` where it means something else.
  ///
  /// - Throws: ``InvalidValue`` where it looks like a post's, and names none.
  func post(_ address: NetworkAddress) throws(InvalidValue) -> PostReference?
  /// The account that an address of the network's means; `nil` where it means something else.
  func account(_ address: NetworkAddress) -> AccountReference?

  /// The account that people name without an address, by its name or by its id; `nil` for what is neither.
  func account(named text: String) -> AccountReference?

  /// The search whose results an address of the network's shows, such as a hashtag's, as the network's client takes it; `nil` where
  /// it shows something else.
  func search(_ address: NetworkAddress) -> String?

  /// What addresses of posts hold, each one of these: cheaper to look for than to read an address.
  var marksOfPosts: [String] { get }

  /// The post that people name by its id alone, without any address; `nil` for what is no such id.
  func post(named id: String) throws(InvalidValue) -> PostReference?
  /// The post of a thread that an id alone names; `nil` for what is no id on this network.
  func post(named id: String, besides thread: PostReference) throws(InvalidValue) -> PostReference?
}

extension AddressReader {
  package func account(_ address: NetworkAddress) -> AccountReference? { nil }
  package func account(named text: String) -> AccountReference? { nil }
  package func search(_ address: NetworkAddress) -> String? { nil }
  package var marksOfPosts: [String] { ["://"] }
  package func post(named id: String) throws(InvalidValue) -> PostReference? { nil }
  package func post(named id: String, besides thread: PostReference) throws(InvalidValue) -> PostReference? {
    nil
  }
}

/// Understands the addresses of all networks.
package struct AddressBook: Sendable {
  private let readers: [any AddressReader]

  /// - Parameter readers: in the order in which they are asked: one that takes any host comes last.
  package init(_ readers: [any AddressReader]) { self.readers = readers }

  /// Reads the address of a post, or an id that is one without an address.
  ///
  /// - Throws: ``InvalidValue``, saying what the address is instead, where that can be told.
  package func post(_ text: String) throws(InvalidValue) -> PostReference {
    for reader in readers { if let post = try reader.post(named: text) { return post } }
    let address = try NetworkAddress(text)
    let reader = try reader(of: address)
    if let post = try reader.post(address) { return post }
    if reader.account(address) != nil {
      throw InvalidValue(
        "\(quoted(text)) is an account, not a post; its threads are a source: \"account: \(clipped(text))\"")
    }
    throw InvalidValue("\(quoted(text)) is not the address of a post, such as \(reader.examplePost)")
  }

  /// Reads the address of an account.
  ///
  /// - Throws: ``InvalidValue`` for anything else.
  package func account(_ text: String) throws(InvalidValue) -> AccountReference {
    let address = try NetworkAddress(text)
    if let account = try reader(of: address).account(address) { return account }
    throw InvalidValue(
      "\(quoted(text)) is not the address of an account, such as https://x.com/ada or https://social.example/@ada"
    )
  }

  /// Reads the address of an account, its name or its id.
  ///
  /// - Throws: ``InvalidValue`` for anything else.
  package func account(named text: String) throws(InvalidValue) -> AccountReference {
    for reader in readers { if let account = reader.account(named: text) { return account } }
    // What is no address at all was meant as a name.
    guard text.contains("/") else {
      throw InvalidValue(
        "\(quoted(text)) is no account: expected an address such as https://x.com/ada, @ada for X, @ada.example for Bluesky,"
          + " @ada@social.example for Mastodon, or an id")
    }
    return try account(text)
  }

  /// Reads what to search for: the address of a hashtag, or else words in X's own operators.
  ///
  /// - Throws: ``InvalidValue`` for an address of anything else.
  package func search(_ text: String) throws(InvalidValue) -> (platform: Platform, query: String) {
    guard text.hasBytePrefix("https://") || text.hasBytePrefix("http://"),
      !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    else { return (.x, text) }
    let address = try NetworkAddress(text)
    let reader = try reader(of: address)
    if let query = reader.search(address) { return (reader.platform, query) }
    throw InvalidValue(
      "\(quoted(text)) is not the address of a hashtag, such as https://social.example/tags/gardening; to search X for an"
        + " address, write url:\"\(clipped(text))\"")
  }

  /// Reads an entry of a `hide` list: an address, or an id of the network that the thread is on.
  package func post(_ text: String, besides thread: PostReference) throws(InvalidValue) -> PostReference {
    guard !text.utf8.contains(UInt8(ascii: "/")),
      let reader = readers.first(where: { $0.platform == thread.platform })
    else { return try post(text) }
    if let post = try reader.post(named: text, besides: thread) { return post }
    throw InvalidValue("\(quoted(text)) is neither the URL nor the id of a post")
  }

  /// The post that a link leads to, as far as its address alone tells; `nil` for links that lead to none.
  package func post(linkedBy url: String) -> PostReference? {
    guard url.utf8.count < 300, readers.contains(where: { $0.marksOfPosts.contains(where: url.holds) }) else {
      return nil
    }
    // What is no address of a post is a link like any other.
    guard let address = try? NetworkAddress(url), let reader = try? reader(of: address) else { return nil }
    return try? reader.post(address)
  }

  /// The account that a link leads to, as far as its address alone tells; `nil` for links that lead to none.
  package func account(linkedBy url: String) -> AccountReference? {
    guard url.utf8.count < 300, let address = try? NetworkAddress(url), let reader = try? reader(of: address)
    else { return nil }
    return reader.account(address)
  }

  private func reader(of address: NetworkAddress) throws(InvalidValue) -> any AddressReader {
    for reader in readers { if try reader.owns(address) { return reader } }
    throw InvalidValue("\(quoted(address.text)) is on no network that this version knows")
  }
}

extension String {
  /// Whether an ASCII text stands in it; by bytes.
  fileprivate func holds(_ mark: String) -> Bool {
    let mark = mark.utf8
    guard let first = mark.first else { return true }
    var rest = utf8[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: mark) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
