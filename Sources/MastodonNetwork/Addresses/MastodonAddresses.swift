import Basics
import Foundation
package import SiteConfig
package import ThreadModel

/// Reads URLs on servers of the Fediverse, as shown by their pages, their apps and other clients.
///
/// Any host may be such a server, so this reader is asked last.
package struct MastodonAddresses: AddressReader {
  package let platform = Platform.mastodon
  package let examplePost = "https://social.example/@ada/109348684215482921"
  package let exampleAccount = "https://social.example/@ada"
  package let exampleName = "@ada@social.example"
  package let exampleSearch: String? = "https://social.example/tags/gardening"
  package let section: (any NetworkSection.Type)? = MastodonSection.self
  package let marksOfPosts: [StaticString] = ["/@", "/statuses/", "/notice/", "/notes/", "/p/"]

  package init() {}

  package func owns(_ address: NetworkAddress) throws(InvalidValue) -> Bool {
    guard let host = address.host else { return false }
    // Only the form of the host is checked; the host is not looked up.
    _ = try SiteURL("https://" + host)
    return true
  }

  package func post(_ address: NetworkAddress) throws(InvalidValue) -> PostReference? {
    guard let instance = address.host else { return nil }
    var path = address.path[...]
    // Mastodon's pages for logged-in users, in two layouts.
    if path.count >= 2, path.first == "web" || path.first == "deck" { path = path.dropFirst() }
    // The ids of snac's API are computed from the whole URL.
    if let snac = ActivityNames.idOfSnac(address.path, on: instance) {
      guard Self.isHandle(snac.handle) else {
        throw InvalidValue("\(quoted(snac.handle)) is not a handle on \(quoted(instance))")
      }
      return PostReference(
        platform: .mastodon, id: snac.id, postID: PostID(snac.id, by: instance, on: .mastodon),
        handle: snac.handle, address: snac.address)
    }
    if let id = Self.idOfMisskey(address.path) { return Self.note(id, on: instance) }
    guard let (handle, id) = Self.place(Array(path)) else { return nil }
    if let handle, !Self.isHandle(handle) {
      throw InvalidValue("\(quoted(handle)) is not a handle on \(quoted(instance))")
    }
    guard Self.isID(id) else { return nil }
    return Self.post(id, by: handle, on: instance)
  }

  /// Returns the id of the post at a path, and its author's handle if the path contains it; `nil` if the path does not lead to a post.
  private static func place(_ path: [String]) -> (handle: String?, id: String)? {
    if path.count >= 2, let name = path[0].without(bytePrefix: "@") {
      // GoToSocial's /@ada/statuses/01ABC, Pleroma's /@ada/posts/Al30Y…
      if path.count >= 3, path[1] == "statuses" || path[1] == "posts" { return (String(name), path[2]) }
      // Mastodon's /@ada/1, and /@ada@elsewhere.example/1 for posts seen through another instance. Other words after the handle are the
      // names of lists.
      return path[1].utf8.allSatisfy(isASCIIDigit) || isFlake(path[1]) ? (String(name), path[1]) : nil
    }
    switch (path.first, path.count) {
    case ("users", 4...) where path[2] == "statuses": return (path[1], path[3])
    // Newer versions of Mastodon have the account's number in place of its handle.
    case ("ap", 5...) where path[1] == "users" && path[3] == "statuses": return (nil, path[4])
    case ("statuses", 2...): return (nil, path[1])
    // Pleroma and Akkoma.
    case ("notice", 2...): return (nil, path[1])
    // Pixelfed.
    case ("p", 3...) where path[2].utf8.allSatisfy(isASCIIDigit): return (path[1], path[2])
    default: return nil
    }
  }

  /// Returns the id of a note of Misskey and related servers from a path such as `/notes/9sxk2v1001`. Other sites also have pages at
  /// `/notes/`, so the id must have the form of one of Misskey's methods (`IdService.ts`): aid, aidx, meid and objectid, or ulid.
  private static func idOfMisskey(_ path: [String]) -> String? {
    guard path.count == 2, path[0] == "notes" else { return nil }
    let id = path[1].utf8
    let (digits, lower, upper) = (
      id.filter(isASCIIDigit).count, id.filter(Self.isLower).count, id.filter(Self.isUpper).count
    )
    let isMisskeys =
      switch id.count {
      case 10, 16: digits + lower == id.count
      case 24: id.allSatisfy { isASCIIDigit($0) || "abcdef".utf8.contains($0) }
      case 26: digits + upper == id.count && digits > 0
      default: false
      }
    return isMisskeys ? path[1] : nil
  }

  private static func isLower(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
  private static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Whether a URL is that of a note of Misskey or a related server.
  static func isOfMisskey(_ url: String) -> Bool {
    (try? NetworkAddress(url)).map { idOfMisskey($0.path) != nil } ?? false  // not a URL
  }

  private static func note(_ id: String, on instance: String) -> PostReference {
    PostReference(
      platform: .mastodon, id: id, postID: PostID(id, by: instance, on: .mastodon), handle: nil,
      address: "https://\(instance)/notes/\(id)")
  }

  /// Whether a text has the form of Pleroma's ids: 18 letters and digits, with at least one digit and one capital letter, so that no word matches.
  private static func isFlake(_ text: String) -> Bool {
    text.utf8.count == 18 && text.utf8.allSatisfy(isASCIILetterOrDigit)
      && text.utf8.contains(where: isASCIIDigit)
      && text.utf8.contains { (0x41...0x5A).contains($0) }
  }

  package func account(_ address: NetworkAddress) -> AccountReference? {
    var path = address.path[...]
    if path.count >= 2, path.first == "web" || path.first == "deck" { path = path.dropFirst() }
    guard let instance = address.host, let first = path.first else { return nil }
    let name: String
    if let handle = first.without(bytePrefix: "@") {
      // An account's page may be followed by the name of one of its lists.
      guard path.count == 1 || path.count == 2 && ["with_replies", "media"].contains(path.last) else {
        return nil
      }
      name = String(handle)
    } else if first == "users", path.count == 2, let last = path.last {
      name = last
    } else {
      return nil
    }
    guard Self.isHandle(name) else { return nil }
    return AccountReference(platform: .mastodon, handle: name, instance: instance)
  }

  /// Reads `@ada@social.example`, with or without the first `@`.
  package func account(named text: String) -> AccountReference? {
    let name = text.without(bytePrefix: "@").map(String.init) ?? text
    let parts = name.split(atBytes: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !text.contains("/"), Self.isHandle(name), parts[1].contains(".") else {
      return nil
    }
    return AccountReference(
      platform: .mastodon, handle: String(parts[0]), instance: parts[1].lowercased())
  }

  package func url(of account: AccountReference) -> String {
    account.instance.map { "https://\($0)/@\(account.handle)" } ?? account.description
  }

  package func search(_ address: NetworkAddress) -> String? { MastodonHashtag(address)?.address }

  package func post(named id: String, besides thread: PostReference) -> PostReference? {
    guard Self.isID(id),
      let host = try? NetworkAddress(thread.address).host  // it was read from one
    else { return nil }
    return Self.isOfMisskey(thread.address)
      ? Self.note(id, on: host) : Self.post(id, by: thread.handle, on: host)
  }

  private static func post(_ id: String, by handle: String?, on instance: String) -> PostReference {
    let place =
      handle.map { "@\($0)/" + (id.utf8.allSatisfy(isASCIIDigit) ? id : "statuses/\(id)") }
      ?? (isFlake(id) ? "notice/\(id)" : "web/statuses/\(id)")
    return PostReference(
      platform: .mastodon, id: id, postID: PostID(id, by: instance, on: .mastodon), handle: handle,
      address: "https://\(instance)/\(place)")
  }

  /// Whether a text can be a post's id: digits on Mastodon. Other servers with the same paths, such as GoToSocial, also use letters.
  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_".utf8.contains($0) }
  }

  /// Whether a text is a handle: `ada`, or `ada@elsewhere.example`.
  private static func isHandle(_ text: String) -> Bool {
    let parts = text.split(atBytes: "@", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count)
      && parts.allSatisfy { part in
        (1...253).contains(part.utf8.count) && !part.hasBytePrefix(".")
          && part.utf8.allSatisfy { isASCIILetterOrDigit($0) || "_-.".utf8.contains($0) }
      }
  }
}

/// A hashtag on one server. It stands for the public posts with this hashtag that the server knows, including posts of other servers.
struct MastodonHashtag: Sendable, Hashable {
  let server: MastodonServer
  /// Without `#`.
  let name: String

  /// Reads a URL such as `https://social.example/tags/Gardening`; `nil` if the URL does not lead to a hashtag.
  init?(_ address: NetworkAddress) {
    var path = address.path[...]
    if path.count >= 2, path.first == "web" || path.first == "deck" { path = path.dropFirst() }
    // Mastodon and GoToSocial have /tags/, Pleroma and Akkoma have /tag/.
    guard let host = address.host, path.count == 2, path.first == "tags" || path.first == "tag",
      let name = path.last?.removingPercentEncoding, (1...200).contains(name.utf8.count),
      name.unicodeScalars.allSatisfy(Self.isAllowed)
    else { return nil }
    (server, self.name) = (MastodonServer(host), name)
  }

  /// Reads a hashtag from the value of its `address`.
  init?(query: String) {
    guard let address = try? NetworkAddress(query) else { return nil }
    self.init(address)
  }

  /// The hashtag's URL in its canonical form.
  var address: String { "https://\(server.name)/tags/\(encodedName)" }

  /// The name with percent encoding, as a component of a path.
  var encodedName: String {
    name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(["/"])) ?? ""
  }

  /// Whether a hashtag may contain a character: letters, marks and digits of any script, and the characters that Mastodon allows between them
  /// (`app/models/tag.rb`).
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation:
      true
    default: "·・\u{200C}".unicodeScalars.contains(scalar)
    }
  }
}
