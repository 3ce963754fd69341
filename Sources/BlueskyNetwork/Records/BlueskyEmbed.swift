import Basics
import ThreadModel

/// The embed of a post: its media, a link card and a quoted post.
struct BlueskyEmbed {
  var media: [Media] = []
  var card: LinkCard?
  /// The quoted post.
  var quotes: RecordAddress?
  /// The AppView's view of the quoted post.
  var quotedView: JSONValue?
  /// The quoted post if it is not shown, and the reason.
  var missing: (address: RecordAddress, reason: TombstoneReason)?
  /// The types of embeds that this program does not know.
  var unknown: [String] = []

  /// - Parameters:
  ///   - record: the embed as its author wrote it; `nil` if there is only a view.
  ///   - view: the same embed as the AppView shows it; `nil` if it shows none, for example for an unknown kind of embed.
  ///   - did: the DID of the post's author.
  init(record: JSONValue?, view: JSONValue?, did: String) {
    guard let kind = view?.embedKind ?? record?.embedKind else { return }
    switch kind {
    case "app.bsky.embed.recordWithMedia":
      add(record?["media"], view?["media"], did: did)
      // "record" occurs twice: the embed of a record contains the record.
      addRecord(record?["record"]?["record"], view?["record"]?["record"])
    case "app.bsky.embed.record":
      addRecord(record?["record"], view?["record"])
    default: add(record, view, did: did)
    }
  }

  private mutating func add(_ record: JSONValue?, _ view: JSONValue?, did: String) {
    guard let kind = view?.embedKind ?? record?.embedKind else { return }
    switch kind {
    case "app.bsky.embed.images", "app.bsky.embed.gallery", "app.bsky.embed.video":
      media = BlueskyMedia(record: record, view: view, did: did).media
    case "app.bsky.embed.external":
      card = LinkCard(external: view?["external"] ?? record?["external"])
    default: unknown.append(kind)
    }
  }

  private mutating func addRecord(_ record: JSONValue?, _ view: JSONValue?) {
    guard let text = view?["uri"]?.string ?? record?["uri"]?.string, let address = RecordAddress(text) else {
      if let kind = view?.type { unknown.append(kind) }
      return
    }
    switch view?.type {
    case "app.bsky.embed.record#viewNotFound": missing = (address, .notFound)
    case "app.bsky.embed.record#viewBlocked": missing = (address, .blocked)
    case "app.bsky.embed.record#viewDetached": missing = (address, .detached)
    case "app.bsky.feed.defs#generatorView", "app.bsky.graph.defs#listView",
      "app.bsky.labeler.defs#labelerView",
      "app.bsky.graph.defs#starterPackViewBasic", "app.bsky.graph.defs#starterPackView":
      card = card ?? LinkCard(record: address, view: view)
      return
    default:
      guard address.isPost else {
        if let other = LinkCard(record: address, view: view) {
          card = card ?? other
        } else {
          unknown.append(view?.type ?? address.collection)
        }
        return
      }
      quotedView = view
    }
    if address.isPost { quotes = address }
  }
}

extension LinkCard {
  /// Creates the preview of a web page; `nil` if the embed has no URL.
  fileprivate init?(external: JSONValue?) {
    guard let url = external?["uri"]?.string, !url.isEmpty else { return nil }
    self.init(
      url: url, title: external?["title"]?.string.flatMap { $0.isEmpty ? nil : $0 },
      summary: external?["description"]?.string.flatMap { $0.isEmpty ? nil : $0 },
      imageURL: external?["thumb"]?.string)
  }

  /// Creates a link to a feed, a list, a starter pack or a labeler, each of which has a page on bsky.app; `nil` for all other records.
  fileprivate init?(record address: RecordAddress, view: JSONValue?) {
    let profile = "https://bsky.app/profile/\(address.did)"
    let page: String? =
      switch address.collection {
      case "app.bsky.feed.generator": "\(profile)/feed/\(address.key)"
      case "app.bsky.graph.list": "\(profile)/lists/\(address.key)"
      case "app.bsky.graph.starterpack": "https://bsky.app/starter-pack/\(address.did)/\(address.key)"
      case "app.bsky.labeler.service": profile
      default: nil
      }
    guard let page else { return nil }
    let creator = view?["creator"]
    let record = view?["record"]
    let title =
      view?["displayName"]?.string ?? view?["name"]?.string ?? record?["name"]?.string
      ?? creator?["displayName"]?.string ?? creator?["handle"]?.string
    self.init(
      url: page, title: title,
      summary: view?["description"]?.string ?? record?["description"]?.string
        ?? creator?["handle"]?.string.map { "@" + $0 },
      imageURL: view?["avatar"]?.string)
  }
}
