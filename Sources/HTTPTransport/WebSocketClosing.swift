/// The reason why a server closed a WebSocket (RFC 6455, 7.4).
package struct WebSocketClosing: Sendable, Hashable {
  static let normal: UInt16 = 1000
  private static let goingAway: UInt16 = 1001

  /// 0 if the server sent none.
  package let code: UInt16
  package let reason: String

  package init(code: UInt16, reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Reads the payload of a closing frame: nothing, or a code and a reason.
  init(payload: [UInt8]) throws(WebSocketFault) {
    guard !payload.isEmpty else {
      self.init(code: 0, reason: "")
      return
    }
    guard payload.count >= 2 else { throw .protocolViolation }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    guard Self.isValid(code) else { throw .protocolViolation }
    guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw .invalidText }
    self.init(code: code, reason: reason)
  }

  /// Whether a server may send a code: those that IANA registered (WebSocket Close Code Number Registry) without the codes that are only for
  /// programs (1005, 1006, 1015) and the reserved 1004; and those for libraries and for private use.
  private static func isValid(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// The payload of the frame that confirms the closing; also the payload of a frame with a code only.
  static func payload(_ code: UInt16) -> [UInt8] {
    code == 0 ? [] : [UInt8(code >> 8), UInt8(code & 0xFF)]
  }

  /// The error for the caller; `nil` if the server closed the connection normally.
  func error(url: String) -> HTTPError? {
    guard ![0, Self.normal, Self.goingAway].contains(code) else { return nil }
    let shown = String(
      String.UnicodeScalarView(reason.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    return HTTPError(
      .cut, "the server closed the connection with code \(code)\(shown.isEmpty ? "" : ": \(shown)")", url: url
    )
  }
}
