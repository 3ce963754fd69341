/// What becomes of photos and videos.
package enum MediaMode: String, Sendable, CaseIterable {
  /// Shown from the network's own servers.
  case link
  /// Not shown: their descriptions and links stand in their place.
  case none

  /// What to say to words that will mean something later.
  static let advice = ["mirror": "mirror is not available yet; use link or none"]
}
