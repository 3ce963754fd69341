import Basics
import SiteConfig
import ThreadModel

/// Converts ActivityPub's URLs of posts and accounts to the ids of their servers' APIs, so that a post has the same id in an export and in
/// the API.
enum ActivityNames {
  /// Returns the server of a post and its id there; `nil` if the text is not a URL.
  ///
  /// Mastodon's URLs end in the API's id. snac's API computes ids from the URL: the seconds since 1970 in it, followed by its MD5 digest
  /// (`mastoapi_id` in https://codeberg.org/grunfink/snac2). Pleroma's URLs do not contain the ids of its API. So the id of a post of a
  /// Pleroma export is a word, a dot, and the last part of the post's URL; no API's ids begin with that word.
  static func post(_ address: String) -> (server: MastodonServer, id: String)? {
    guard let host = MastodonServer.host(of: address) else { return nil }
    let server = MastodonServer(host)
    // A post whose URL cannot be parsed is identified by the digest of the whole URL.
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

  /// Returns the identifier of a post among posts of the server `home`: its id there, or a made-up name if it is on another server.
  ///
  /// - Parameter elsewhere: receives the posts of other servers, keyed by these names.
  static func post(
    _ address: String, readOn home: MastodonServer, _ elsewhere: inout [String: PostID]
  ) -> String? {
    guard let place = post(address) else { return nil }
    guard place.server != home else { return place.id }
    let name = "elsewhere-" + ContentHash.of(address.utf8)
    elsewhere[name] = place.server.post(place.id)
    return name
  }

  /// Whether an id may be one of the server's API, so that the API can be asked for it. Ids made up by this type are not.
  static func isOfAPI(_ id: String) -> Bool {
    !["object.", "address.", "acct."].contains { id.hasBytePrefix($0) }
  }

  /// Whether a post's URL has snac's form: `/ada/p/1795285003.245901`.
  static func isOfSnac(_ address: String) -> Bool {
    (try? NetworkAddress(address)).map { secondsOfSnac($0.path) != nil } ?? false  // not a URL
  }

  /// Returns the account, id and URL of a snac post from the parts of the URL's path; `nil` for all other URLs. A server may have its
  /// accounts below a folder.
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

  /// Returns the id of an account in its server's API. Mastodon's newer URLs end in it (`/ap/users/116…`), and snac's id is the MD5 digest
  /// of the URL. Accounts with other URLs get an id that no server's API uses (`acct.ada`).
  static func account(_ address: String, name: String, isOfSnac: Bool) -> String {
    if isOfSnac { return digest(address) }
    // A URL that cannot be parsed contains no id.
    let path = (try? NetworkAddress(address))?.path ?? []
    if path.count == 3, path[0] == "ap", path[1] == "users", path[2].utf8.allSatisfy(isASCIIDigit) {
      return path[2]
    }
    return provisional(name)
  }

  /// Returns the id of an account whose id in the API is unknown.
  static func provisional(_ name: String) -> String { "acct." + name.lowercased() }

  private static func digest(_ address: String) -> String {
    Hexadecimal.digits(MD5.hash(address.utf8))
  }
}
