package import HTTPTransport
package import ThreadModel

/// What a mirror fetches, and how.
package struct MediaMirrorOptions: Sendable {
  /// Whether videos and GIFs come along; their posters always do.
  package var videos = false
  /// Transfers at once.
  package var atOnce = 8
  package var limits = MediaLimits()
  /// Which addresses a host may lead to: whoever wrote a post chose them.
  package var reach = HTTPRequest.Reach.publicOnly
  /// The networks that give their photos in several sizes.
  package var networks: [any NetworkLinks] = []
  /// Seconds for one picture; a video may take ten times as long.
  package var seconds = 300

  package init() {}

  func request(_ url: String, for family: MediaType.Family?) -> HTTPRequest {
    var request = HTTPRequest(.get, url)
    request.reach = reach
    request.maximumRedirects = 3
    request.limits.maximumBytes = limits.bytes(of: family)
    request.limits.totalSeconds = family == .image ? seconds : seconds * 10
    return request
  }
}
