/// What becomes of photos and videos.
package enum MediaMode: String, Sendable, CaseIterable {
  /// Copied into the store, and shown from the site itself.
  case mirror
  /// Shown from the network's own servers.
  case link
  /// Not shown: their descriptions and links stand in their place.
  case none
}
