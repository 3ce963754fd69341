import BlueskyNetwork
import MastodonNetwork
import NostrNetwork
import SiteConfig
import TestSupport
import ThreadModel
import ThreadsNetwork
import XNetwork

extension AddressBook {
  /// The networks of the program.
  static let networks = AddressBook([
    XAddresses(), BlueskyAddresses(), ThreadsAddresses(), NostrAddresses(), MastodonAddresses(),
  ])
}

extension SiteConfig {
  static func decode(yaml: String, file: String) throws(SiteConfigError) -> DecodedSiteConfig {
    try decode(yaml: yaml, file: file, addresses: .networks)
  }

  static func decode(
    bytes: some Sequence<UInt8>, file: String
  ) throws(SiteConfigError) -> DecodedSiteConfig {
    try decode(bytes: bytes, file: file, addresses: .networks)
  }

  static func load(path: String) throws(SiteConfigError) -> DecodedSiteConfig {
    try load(path: path, addresses: .networks)
  }
}

extension PostReference {
  /// A post on X.
  init(x id: String, by handle: String? = nil) {
    self.init(
      platform: .x, id: id, postID: PostID(id, on: .x), handle: handle,
      address: "https://x.com/\(handle ?? "i")/status/\(id)")
  }

  /// A post on Bluesky by its author's handle.
  init(bluesky id: String, by handle: String) {
    self.init(
      platform: .bluesky, id: id, postID: nil, handle: handle,
      address: "https://bsky.app/profile/\(handle)/post/\(id)")
  }
}
