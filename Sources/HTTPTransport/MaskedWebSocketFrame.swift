/// A masked frame to the server (RFC 6455, 5.2 and 5.3). Its payload is masked part by part, so that no masked copy of all of it is needed.
package struct MaskedWebSocketFrame: Sendable {
  /// The first bytes up to the mask; empty when they have been taken.
  private var head: [UInt8]
  private var payload: ArraySlice<UInt8>
  private let mask: [UInt8]

  /// - Parameter mask: the first byte of the mask is the highest one. It must be unpredictable.
  package init(_ opcode: WebSocketOpcode, _ payload: [UInt8], mask: UInt32) {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
    self.mask = bytes(mask)
    self.payload = payload[...]
    head = [0x80 | opcode.rawValue]
    switch payload.count {
    case ...125: head.append(0x80 | UInt8(payload.count))
    case ...0xFFFF: head += [0x80 | 126] + bytes(UInt16(payload.count))
    default: head += [0x80 | 127] + bytes(UInt64(payload.count))
    }
    head += self.mask
  }

  /// Whether all bytes have been taken.
  package var isEmpty: Bool { head.isEmpty && payload.isEmpty }

  /// Removes and returns the next bytes.
  ///
  /// - Parameter maximum: their maximum number, at least that of the head (6 to 14).
  package mutating func take(_ maximum: Int) -> [UInt8] {
    var taken = head
    head = []
    let part = payload.prefix(maximum - taken.count)
    taken.reserveCapacity(taken.count + part.count)
    for (index, byte) in zip(part.indices, part) { taken.append(byte ^ mask[index % 4]) }
    payload = payload.dropFirst(part.count)
    return taken
  }
}
