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
  ///
  /// A network may take a file for one of its own that is not whole, and be wrong: X does so with any zip file. So all are asked before anything is
  /// refused, and the last that refused is believed, as those behind X look for files that nobody else's exports have.
  func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
    var refusal: SourceError?
    for network in networks {
      do throws(SourceError) {
        if let export = try network.export(at: path) { return export }
      } catch {
        refusal = error
      }
    }
    if let refusal { throw refusal }
    return nil
  }

  /// What readers can do with a post at its network.
  func actions(for post: PostID) -> PostActions? { self[post.platform]?.links.actions(for: post) }
}
