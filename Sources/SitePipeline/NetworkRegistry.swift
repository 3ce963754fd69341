import BlueskyNetwork
import MastodonNetwork
package import NetworkSources
package import SiteConfig
package import ThreadModel
import XNetwork

/// The networks that there are: the one place in the pipeline that names any of them.
package struct NetworkRegistry: Sendable {
  package let networks: [any NetworkSource]

  /// Those of this version; servers of the Fediverse last, as any host may be one.
  package static let all = NetworkRegistry([XSource(), BlueskySource(), MastodonSource()])

  /// - Parameter networks: in the order in which they are asked whether an address is theirs.
  package init(_ networks: [any NetworkSource]) { self.networks = networks }

  /// Understands the addresses of all networks.
  package var addresses: AddressBook { AddressBook(networks.map(\.addresses)) }

  /// The network of a platform; `nil` for one that this version does not know.
  package subscript(platform: Platform) -> (any NetworkSource)? {
    networks.first { $0.platform == platform }
  }

  /// The networks that threads are fetched from.
  var fetchable: [any NetworkSource] { networks.filter(\.isFetchable) }

  /// The export that a file or folder is; `nil` where no network knows it as one of its own.
  func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
    for network in networks { if let export = try network.export(at: path) { return export } }
    return nil
  }

  /// What readers can do with a post at its network.
  func actions(for post: PostID) -> PostActions? { self[post.platform]?.links.actions(for: post) }
}
