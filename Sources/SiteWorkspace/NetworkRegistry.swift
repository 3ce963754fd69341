import Basics
import BlueskyNetwork
package import Foundation
import MastodonNetwork
package import NetworkSources
import NostrNetwork
package import SiteConfig
package import ThreadModel
import ThreadsNetwork
import XNetwork

/// The supported networks. No other part of the pipeline names any of them.
package struct NetworkRegistry: Sendable {
  package let networks: [any NetworkSource]

  /// The networks of this version. The Fediverse is last, because any host may be one of its servers.
  package static let all = NetworkRegistry([
    XSource(), BlueskySource(), ThreadsSource(), NostrSource(), MastodonSource(),
  ])

  /// - Parameter networks: in the order in which they are asked whether a URL belongs to them.
  package init(_ networks: [any NetworkSource]) { self.networks = networks }

  /// Parses the URLs of all networks.
  package var addresses: AddressBook { AddressBook(networks.map(\.addresses)) }

  /// Returns the sections of all networks in a site.yml.
  private func sections(of config: SiteConfig) -> [any NetworkSection] {
    addresses.sections.map { config.networks.section(of: $0) }
  }

  /// Returns the environment variables that may contain credentials for networks, for publishing or for the inbox of webmentions.
  package func credentialVariables(of config: SiteConfig) -> [String] {
    sections(of: config).flatMap(\.credentialVariables) + (config.publish?.credentialVariables ?? [])
      + [config.webmention.tokenEnv].compactMap(\.self)
  }

  /// Returns the files that may contain credentials, as written in site.yml.
  package func credentialFiles(of config: SiteConfig) -> [String] {
    fetchingCredentialFiles(of: config) + (config.publish?.credentialFiles ?? [])
  }

  /// Returns the files with credentials that a fetch reads, for networks and for the inbox of webmentions.
  package func fetchingCredentialFiles(of config: SiteConfig) -> [String] {
    sections(of: config).flatMap(\.credentialFiles) + [config.webmention.tokenFile].compactMap(\.self)
  }

  /// Returns whether the URL of a network's API or of the inbox of webmentions is a server on this machine.
  package func useThisMachine(in config: SiteConfig) -> Bool {
    sections(of: config).flatMap(\.apiURLs).contains(where: \.isLoopback) || config.webmention.usesThisMachine
  }

  /// Returns the maximum cost of one run in US dollars, which site.yml sets for networks that charge for requests.
  package func maximumCost(in config: SiteConfig) -> Decimal {
    sections(of: config).compactMap(\.maximumCost).reduce(0, +)
  }

  /// Returns the network of a platform; `nil` for a platform that is unknown to this version.
  package subscript(platform: Platform) -> (any NetworkSource)? {
    networks.first { $0.platform == platform }
  }

  /// Returns how to get threads of a network that the store lacks, as a clause.
  ///
  /// - Parameters:
  ///   - action: what to do on a network from which threads can be fetched, such as "fetch it".
  ///   - command: the command that does this.
  package func advice(_ action: String, _ command: String, on platform: Platform) -> String {
    let network = self[platform]
    if let instead = network?.insteadOfFetching { return instead }
    return "\(action) (`threadsite \(command)`" + (network?.requirement.map { ", \($0)" } ?? "") + ")"
  }

  /// Returns the ways to get a thread that the store lacks, each as a clause.
  ///
  /// - Parameter command: the command that fetches the thread.
  package func waysToGetThread(by command: String, on platform: Platform) -> [String] {
    [advice("fetch it", command, on: platform)] + (self[platform]?.isFetchable == false ? [] : ["import it"])
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

  /// The parsers of saved responses. The first one also reports files that no network recognizes.
  package var savedAnswers: [any SavedAnswers.Type] { networks.compactMap(\.savedAnswers) }

  /// Returns the parser of the saved responses in a file; `nil` if no network supports saved responses.
  package func savedAnswers(in bytes: [UInt8]) -> (any SavedAnswers.Type)? {
    let all = savedAnswers
    return all.first { $0.recognizes(bytes) } ?? all.first
  }

  /// Returns the network whose servers sent the JSON in a file, if saved responses of that network cannot be imported.
  package func source(ofAnswer bytes: [UInt8]) -> (any NetworkSource)? {
    let value = try? JSONReader.read(bytes) { reader throws(JSONError) in try reader.readValue() }
    // A response may be recorded with its request.
    let answer = value?["body"] ?? value
    guard let object = answer?.object ?? answer?.array?.first?.object else { return nil }
    return networks.first { $0.savedAnswers == nil && $0.isAnswer(object) }
  }

  /// Returns the URL of a post as far as its id alone tells; `nil` if that is not enough, or if the network is unknown.
  package func url(of post: PostID, handle: String?) -> String? {
    self[post.platform]?.links.url(of: post, handle: handle)
  }

  /// Returns the URL of a post as people write it.
  package func writtenURL(of post: PostID, handle: String?) -> String? {
    self[post.platform]?.links.writtenURL(of: post, handle: handle)
  }

  /// Returns the URL under which web archives are most likely to have a post.
  package func archived(_ post: PostID, handle: String?) -> ArchivedPost? {
    self[post.platform]?.links.archived(post, handle: handle)
  }

  /// Returns whether a URL may lead to a post or an account of a network. If such a page is gone, somebody may have removed it.
  package func mayShowPosts(_ url: String) -> Bool {
    let page = String(url.prefix(upToBytes: "?#"))
    // Longer URLs are not parsed.
    guard let host = WebAddress.host(of: page), page.utf8.count < 300 else { return true }
    let addresses = addresses
    return networks.contains { addresses.isFrontEnd(host, of: $0.platform) }
      || addresses.post(linkedBy: page) != nil || addresses.account(linkedBy: page) != nil
  }

  /// Returns the URLs for actions on a post at its network.
  package func actions(for post: PostID) -> PostActions? { self[post.platform]?.links.actions(for: post) }
}
