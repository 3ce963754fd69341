import Basics
import ThreadModel

/// A message of a relay (NIP-01).
enum RelayMessage {
  /// An event of a subscription, which is not checked yet.
  case event(subscription: String, JSONObject)
  /// All stored events of a subscription were sent.
  case end(subscription: String)
  /// The relay ended a subscription.
  case closed(subscription: String, reason: String)
  /// A text for the user.
  case notice(String)
  /// Other messages: requests to log in (NIP-42), counts (NIP-45), and everything that is not a message.
  case other

  init(_ bytes: [UInt8]) {
    // A relay that sends something else is not trusted more than one that sends nothing.
    guard let parts = (try? JSONValue(parsing: bytes))?.array, let name = parts.first?.string else {
      self = .other
      return
    }
    let first = parts.count > 1 ? parts[1].string : nil
    switch (name, first) {
    case ("EVENT", let subscription?):
      let event = parts.count > 2 ? parts[2].object : nil
      self = event.map { .event(subscription: subscription, $0) } ?? .other
    case ("EOSE", let subscription?): self = .end(subscription: subscription)
    case ("CLOSED", let subscription?):
      self = .closed(subscription: subscription, reason: (parts.count > 2 ? parts[2].string : nil) ?? "")
    case ("NOTICE", let text?): self = .notice(text)
    default: self = .other
    }
  }

  /// Returns a client's message that requests events.
  static func request(_ subscription: String, _ filter: RelayFilter) -> [UInt8] {
    JSONWriter.text(of: ["REQ", .string(subscription), filter.json], .compact).bytes
  }

  /// Returns a client's message that ends a subscription.
  static func close(_ subscription: String) -> [UInt8] {
    JSONWriter.text(of: ["CLOSE", .string(subscription)], .compact).bytes
  }
}
