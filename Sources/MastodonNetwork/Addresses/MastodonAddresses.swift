package import SiteConfig
package import ThreadModel
import UTF8Text

/// Addresses on servers of the Fediverse: `/@ada/…`, `/users/ada/statuses/…`, GoToSocial's `/@ada/statuses/01ABC`.
///
/// Any host may be one, so that this reader is asked last.
package struct MastodonAddresses: AddressReader {
  package let platform = Platform.mastodon
  package let examplePost = "https://social.example/@ada/109348684215482921"
  package let marksOfPosts = ["/@", "/statuses/"]

  package init() {}

  package func owns(_ address: NetworkAddress) throws(InvalidValue) -> Bool {
    guard let host = address.host else { return false }
    // What is checked is only that it can be a host: it is not looked up here.
    _ = try SiteURL("https://" + host)
    return true
  }

  package func post(_ address: NetworkAddress) throws(InvalidValue) -> PostReference? {
    guard let instance = address.host else { return nil }
    let path = address.path
    let (handle, id): (String, String)
    if path.count >= 2, let name = path[0].without(bytePrefix: "@") {
      // Mastodon's /@ada/1, and /@ada@elsewhere.example/1 for a post seen through another instance;
      // GoToSocial's /@ada/statuses/01ABC
      let isLong = path[1] == "statuses" && path.count >= 3
      (handle, id) = (String(name), path[isLong ? 2 : 1])
      guard isLong || id.utf8.allSatisfy(isASCIIDigit) else { return nil }
    } else if path.count >= 4, path[0] == "users", path[2] == "statuses" {
      (handle, id) = (path[1], path[3])
    } else {
      return nil
    }
    guard Self.isHandle(handle) else {
      throw InvalidValue("\(quoted(handle)) is not a handle on \(quoted(instance))")
    }
    guard Self.isID(id) else { return nil }
    return Self.post(id, by: handle, on: instance)
  }

  package func account(_ address: NetworkAddress) -> AccountReference? {
    let path = address.path
    guard let instance = address.host, path.count == 1, let name = path[0].without(bytePrefix: "@"),
      Self.isHandle(String(name))
    else { return nil }
    return AccountReference(platform: .mastodon, handle: String(name), instance: instance)
  }

  package func post(named id: String, besides thread: PostReference) -> PostReference? {
    guard Self.isID(id), let handle = thread.handle,
      let host = try? NetworkAddress(thread.address).host  // it was read from one
    else { return nil }
    return Self.post(id, by: handle, on: host)
  }

  private static func post(_ id: String, by handle: String, on instance: String) -> PostReference {
    PostReference(
      platform: .mastodon, id: id, postID: PostID(id, by: instance, on: .mastodon), handle: handle,
      address: "https://\(instance)/@\(handle)/" + (id.utf8.allSatisfy(isASCIIDigit) ? id : "statuses/\(id)"))
  }

  /// Digits on Mastodon; others behind the same paths, such as GoToSocial, use letters, too.
  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_".utf8.contains($0) }
  }

  /// `ada`, or `ada@elsewhere.example`.
  private static func isHandle(_ text: String) -> Bool {
    let parts = text.split(atBytes: "@", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count)
      && parts.allSatisfy { part in
        (1...253).contains(part.utf8.count) && !part.hasBytePrefix(".")
          && part.utf8.allSatisfy { isASCIILetterOrDigit($0) || "_-.".utf8.contains($0) }
      }
  }
}
