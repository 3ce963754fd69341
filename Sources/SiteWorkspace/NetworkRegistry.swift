import Basics
import BlueskyNetwork
import MastodonNetwork
package import NetworkSources
package import SiteConfig
package import ThreadModel
import XNetwork

/// The supported networks. No other part of the pipeline names any of them.
package struct NetworkRegistry: Sendable {
  package let networks: [any NetworkSource]

  /// The networks of this version. The Fediverse is last, because any host may be one of its servers.
  package static let all = NetworkRegistry([XSource(), BlueskySource(), MastodonSource()])

  /// - Parameter networks: in the order in which they are asked whether a URL belongs to them.
  package init(_ networks: [any NetworkSource]) { self.networks = networks }

  /// Parses the URLs of all networks.
  package var addresses: AddressBook { AddressBook(networks.map(\.addresses)) }

  /// Returns the network of a platform; `nil` for a platform that is unknown to this version.
  package subscript(platform: Platform) -> (any NetworkSource)? {
    networks.first { $0.platform == platform }
  }

  /// Returns a command for fetching from a network, in parentheses, with the network's requirements.
  package func advice(_ command: String, on platform: Platform) -> String {
    "(`threadsite \(command)`" + (self[platform]?.requirement.map { ", \($0)" } ?? "") + ")"
  }

  /// The networks from which threads can be fetched.
  package var fetchable: [any NetworkSource] { networks.filter(\.isFetchable) }

  /// Returns the export in a file or folder; `nil` if no network recognizes it.
  ///
  /// A network may mistake a file for a damaged export, as X does with any zip file. Therefore all networks are asked before an error is
  /// thrown. The last error is used, because the networks after X check for files that only their exports have.
  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
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

  /// Returns the network whose servers sent the JSON in a file, if saved responses of that network cannot be imported.
  package func source(ofAnswer bytes: [UInt8]) -> (any NetworkSource)? {
    let value = try? JSONReader.read(bytes) { reader throws(JSONError) in try reader.readValue() }
    // A response may be recorded with its request.
    let answer = value?["body"] ?? value
    guard let object = answer?.object ?? answer?.array?.first?.object else { return nil }
    return networks.first { $0.savedAnswers == nil && $0.isAnswer(object) }
  }

  /// Returns the URLs for actions on a post at its network.
  package func actions(for post: PostID) -> PostActions? { self[post.platform]?.links.actions(for: post) }
}
