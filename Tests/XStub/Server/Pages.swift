/// The issued page tokens and their meanings, which cannot be derived from the tokens.
struct Pages {
  struct Place: Hashable {
    /// The identity of the request that the token continues, which excludes page tokens.
    var request: String
    /// The ID before which the next posts are, or the index of the next follower, from 0.
    var position: UInt64
  }

  private var places: [String: Place] = [:]
  private var count: UInt64 = 0

  mutating func token(for place: Place) -> String {
    count += 1
    let token = "7140dibdnow9c7btw" + String(count &* 0x9E37_79B9_7F4A_7C15, radix: 36)
    places[token] = place
    return token
  }

  /// Returns the place of a token; `nil` if the token was never issued, or is for a different request.
  func place(of token: String, request: String) -> Place? {
    places[token].flatMap { $0.request == request ? $0 : nil }
  }
}
