/// The page tokens that were given out: what each stands for is kept here and cannot be read from it.
struct Pages {
  struct Place: Hashable {
    /// The request that the token continues, without the token and the fields.
    var request: String
    /// Posts older than this, or followers from this index on.
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

  /// `nil` for a token that was never given, or for another request.
  func place(of token: String, request: String) -> Place? {
    places[token].flatMap { $0.request == request ? $0 : nil }
  }
}
