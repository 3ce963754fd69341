import Basics
import Foundation
package import SiteConfig
package import ThreadModel

/// Parses URLs on x.com and twitter.com. Also accepts `mobile.` and `www.`, `/i/status/…`, a final `/photo/1`, queries and fragments.
package struct XAddresses: AddressReader {
  package let platform = Platform.x
  package let examplePost = "https://x.com/ada/status/1346889436626259968"
  package let exampleAccount = "https://x.com/ada"
  package let exampleName = "@ada"
  package let section: (any NetworkSection.Type)? = XSection.self
  package let searchesWords = true
  package let marksOfPosts: [StaticString] = ["/status"]

  package init() {}

  private static let hosts: Set<String> = [
    "x.com", "www.x.com", "mobile.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com",
    "m.twitter.com",
  ]

  /// Parts of the names of front ends, such as fxtwitter.com, nitter.net and threadreaderapp.com.
  private static let frontEnds = [
    "twitter", "nitter", "xcancel", "fixupx", "fixvx", "twittpr", "tweet", "threadreaderapp", "twstalker",
    "sotwe",
  ]

  package func isFrontEnd(_ host: String) -> Bool {
    Self.hosts.contains(host)
      || host.contains(".") && Self.frontEnds.contains { host.firstRange(of: $0) != nil }
  }

  package func owns(_ address: NetworkAddress) throws(InvalidValue) -> Bool {
    if address.host == "t.co" || address.host == "x.co" {
      throw InvalidValue("\(quoted(address.text)) is a short link; use the URL that it leads to")
    }
    return address.host.map(Self.hosts.contains) ?? false
  }

  package func post(_ address: NetworkAddress) throws(InvalidValue) -> PostReference? {
    let path = address.path
    // /ada/status/1, /ada/statuses/1, /i/status/1, /i/web/status/1
    guard let word = path.firstIndex(where: { $0 == "status" || $0 == "statuses" }), (1...2).contains(word),
      word + 1 < path.count
    else { return nil }
    let isAnonymous = path[0].lowercased() == "i"
    guard isAnonymous ? word == 1 || path[1] == "web" : word == 1 else { return nil }
    let id = try Self.id(path[word + 1])
    guard !isAnonymous else { return Self.post(id) }
    guard Self.isHandle(path[0]) else {
      throw InvalidValue(
        "\(quoted(path[0])) is not a handle on X: expected up to 15 letters, digits and \"_\"")
    }
    return Self.post(id, handle: path[0])
  }

  package func account(_ address: NetworkAddress) -> AccountReference? {
    let path = address.path
    guard path.count == 1, Self.isHandle(path[0]), !Self.pages.contains(path[0].lowercased()) else {
      return nil
    }
    return AccountReference(platform: .x, handle: path[0])
  }

  /// Parses `@ada`, or the digits of an id.
  package func account(named text: String) -> AccountReference? {
    if (1...19).contains(text.utf8.count), text.utf8.allSatisfy(isASCIIDigit) {
      return AccountReference(platform: .x, handle: text, authorID: AuthorID(text, on: .x))
    }
    guard let name = text.without(bytePrefix: "@").map(String.init), Self.isHandle(name) else { return nil }
    return AccountReference(platform: .x, handle: name)
  }

  package func url(of account: AccountReference) -> String { "https://x.com/\(account.handle)" }

  package func search(_ address: NetworkAddress) -> String? {
    guard address.path.count == 2, address.path.first == "hashtag",
      let name = address.path.last?.removingPercentEncoding
    else { return nil }
    return "#" + name
  }

  /// Digits without a URL are the id of a post on X, because users of other networks do not refer to posts by id.
  package func post(named id: String) throws(InvalidValue) -> PostReference? {
    guard !id.isEmpty, id.utf8.allSatisfy(isASCIIDigit) else { return nil }
    return Self.post(try Self.id(id))
  }

  package func post(named id: String, besides thread: PostReference) throws(InvalidValue) -> PostReference? {
    try post(named: id)
  }

  /// X shows a post under any handle, so the handle in a URL does not identify the author.
  private static func post(_ id: String, handle: String? = nil) -> PostReference {
    PostReference(
      platform: .x, id: id, postID: PostID(id, on: .x), handle: handle,
      address: "https://x.com/\(handle ?? "i")/status/\(id)")
  }

  /// Paths of x.com that look like handles but are X's pages.
  private static let pages: Set<String> = [
    "home", "explore", "search", "settings", "messages", "notifications", "i", "hashtag", "compose", "login",
  ]

  /// X's ids are positive 64-bit numbers: 1 to 19 digits, without leading zeros.
  private static func id(_ text: some StringProtocol) throws(InvalidValue) -> String {
    guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy(isASCIIDigit), text.utf8.first != 0x30
    else {
      throw InvalidValue("\(quoted(String(text))) is not the id of a post on X: expected 1 to 19 digits")
    }
    return String(text)
  }

  /// 1 to 15 letters, digits and `_` (X's rule since 2009; a few older handles are longer, up to 20).
  private static func isHandle(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count)
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "_") }
  }
}
