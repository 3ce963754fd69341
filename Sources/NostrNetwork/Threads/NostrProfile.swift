import Basics
package import ThreadModel

/// The profile of an account: an event whose content is a JSON object (NIP-01, NIP-24).
package struct NostrProfile: Sendable {
  private let event: NostrEvent
  private let members: JSONObject

  /// - Returns: `nil` if the event is not a profile.
  package init?(_ event: NostrEvent) {
    guard event.kind == NostrEvent.Kind.profile,
      // A content that is not JSON states nothing.
      let members = (try? JSONValue(parsing: Array(event.content.utf8)))?.object
    else { return nil }
    (self.event, self.members) = (event, members)
  }

  /// The public key of the account.
  package var key: String { event.author }

  /// The name that the account chose, on one line.
  package var name: String? {
    ["display_name", "displayName", "name", "username"].lazy.compactMap { text($0, atMost: 100) }.first
  }

  /// The internet identifier that the account claims (NIP-05). Only the server of the identifier confirms it.
  package var claimedIdentifier: String? {
    members["nip05"]?.string.flatMap { NostrAddresses.isInternetIdentifier($0) ? $0.lowercased() : nil }
  }

  private func text(_ member: String, atMost most: Int) -> String? {
    members[member]?.string.map { $0.onOneLine(atMost: most) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func url(_ member: String) -> String? {
    members[member]?.string.flatMap { NostrMedia.isFile($0) ? $0 : nil }
  }

  /// Returns the account.
  ///
  /// - Parameter handle: the verified internet identifier, or `npub1…`.
  package func author(handle: String) -> Author {
    var author = Author(id: NostrID.author(key), handle: handle, name: name)
    author.url = NostrAddresses.url(NostrID.name(ofKey: key))
    author.avatarURL = url("picture")
    author.website = url("website")
    let emoji = event.emoji
    author.bio = members["about"]?.string.map(\.trimmed).flatMap {
      $0.isEmpty || $0.utf8.count > 20_000 ? nil : InlineText($0, marking: emoji)
    }
    author.emoji = Set(InlineText(author.name ?? "", marking: emoji).emoji + (author.bio?.emoji ?? []))
      .sorted { $0.shortcode < $1.shortcode }
    // The newest event of an account replaces the others.
    author.observedAt = Timestamp(seconds: event.createdAt)
    return author
  }
}
