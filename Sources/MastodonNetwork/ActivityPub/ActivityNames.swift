import Basics
import SiteConfig
import ThreadModel

/// What posts and accounts that ActivityPub names by addresses are called in the API of their servers, so that a post from an export and the same
/// one from the API are one.
enum ActivityNames {
  /// The server of a post, and its id there; `nil` for what is no address on the web.
  ///
  /// Mastodon's addresses end in the API's id. snac's API counts on the address: seconds since 1970 and the MD5 digest of it (`mastoapi_id` in
  /// https://codeberg.org/grunfink/snac2). Pleroma's API has ids that its addresses do not tell: a post of its exports goes by the last part of its
  /// address, after a word and a dot, which no API's ids have.
  static func post(_ address: String) -> (server: MastodonServer, id: String)? {
    guard let host = MastodonServer.host(of: address) else { return nil }
    let server = MastodonServer(host)
    // An address that cannot be taken apart is known as a whole.
    let path = (try? NetworkAddress(address))?.path ?? []
    if let seconds = secondsOfSnac(path) { return (server, seconds + digest(address)) }
    if let place = MastodonPlace(address: address) { return (place.server, place.id) }
    let isWhole = !address.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    if isWhole, path.count == 2, ["objects", "notes", "activities"].contains(path[0]),
      MastodonServer.isID(path[1])
    {
      return (server, "object." + path[1])
    }
    return (server, "address." + ContentHash.of(address.utf8))
  }

  /// What a post is called where posts of one server are read: its id there, or a name of its own for one of another server.
  ///
  /// - Parameter elsewhere: takes the posts of other servers, by these names.
  static func post(
    _ address: String, readOn home: MastodonServer, _ elsewhere: inout [String: PostID]
  ) -> String? {
    guard let place = post(address) else { return nil }
    guard place.server != home else { return place.id }
    let name = "elsewhere-" + ContentHash.of(address.utf8)
    elsewhere[name] = place.server.post(place.id)
    return name
  }

  /// Whether the API may know something by this id, and can be asked for it: not by one that was made here.
  static func isOfAPI(_ id: String) -> Bool {
    !["object.", "address.", "acct."].contains { id.hasBytePrefix($0) }
  }

  /// Whether a post's address is one of snac's: `/ada/p/1795285003.245901`.
  static func isOfSnac(_ address: String) -> Bool {
    (try? NetworkAddress(address)).map { secondsOfSnac($0.path) != nil } ?? false  // no address at all
  }

  /// The id of one of snac's posts, by its address taken apart; `nil` for all others. Servers may have their accounts below a folder.
  static func idOfSnac(_ path: [String], on host: String) -> (handle: String, id: String, address: String)? {
    guard let seconds = secondsOfSnac(path) else { return nil }
    let address = "https://\(host)/" + path.joined(separator: "/")
    return (path[path.count - 3], seconds + digest(address), address)
  }

  private static func secondsOfSnac(_ path: [String]) -> String? {
    guard path.count >= 3, path[path.count - 2] == "p", let parts = path.last?.split(atBytes: "."),
      parts.count == 2, parts[0].utf8.count == 10, parts[1].utf8.count == 6,
      parts.allSatisfy({ $0.utf8.allSatisfy(isASCIIDigit) })
    else { return nil }
    return String(parts[0])
  }

  /// The id that an account has in its server's API: Mastodon's newer addresses end in it (`/ap/users/116…`), and snac's is the digest of the address. Of
  /// others, which say it nowhere, a name that no server's API gives an account: `acct.ada`.
  static func account(_ address: String, name: String, isOfSnac: Bool) -> String {
    if isOfSnac { return digest(address) }
    // An address that cannot be taken apart has no number.
    let path = (try? NetworkAddress(address))?.path ?? []
    if path.count == 3, path[0] == "ap", path[1] == "users", path[2].utf8.allSatisfy(isASCIIDigit) {
      return path[2]
    }
    return provisional(name)
  }

  /// What an account is called whose id nothing says.
  static func provisional(_ name: String) -> String { "acct." + name.lowercased() }

  private static func digest(_ address: String) -> String {
    Hexadecimal.digits(MD5.hash(address.utf8))
  }
}
