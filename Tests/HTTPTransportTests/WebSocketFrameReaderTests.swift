import HTTPTransport
import TestSupport
import Testing

/// Frames without a connection.
@Suite struct WebSocketFrameReaderTests {
  typealias Event = WebSocketFrameReader.Event

  /// All events, and the error that ended reading.
  struct Reading: Equatable {
    var events: [Event] = []
    var fault: WebSocketFault?
  }

  /// Reads parts up to the end, an error or a closing frame.
  private static func read(_ parts: [ArraySlice<UInt8>], maximumBytes: Int = 1 << 20) -> Reading {
    var reader = WebSocketFrameReader(maximumBytes: maximumBytes)
    var reading = Reading()
    do throws(WebSocketFault) {
      for part in parts {
        var bytes = part
        while let event = try reader.next(&bytes) {
          reading.events.append(event)
          if case .closing = event { return reading }
        }
        #expect(bytes.isEmpty)
      }
    } catch {
      reading.fault = error
    }
    return reading
  }

  private static func read(_ bytes: [UInt8], maximumBytes: Int = 1 << 20) -> Reading {
    read([bytes[...]], maximumBytes: maximumBytes)
  }

  private static func frame(_ opcode: UInt8, _ text: String, isLast: Bool = true) -> [UInt8] {
    WebSocketPeer.frame(opcode, Array(text.utf8), isLast: isLast)
  }

  private static func message(_ text: String) -> Event { .message(Array(text.utf8)) }

  // MARK: Examples of RFC 6455, 5.7

  private static let masked: [UInt8] = [0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]

  @Test func readsTheExamplesOfTheStandard() {
    let hello = Array("Hello".utf8)
    #expect(Self.read([0x81, 0x05] + hello).events == [.message(hello)])
    #expect(
      Self.read([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]) == Reading(events: [.message(hello)]))
    #expect(Self.read([0x89, 0x05] + hello) == Reading(events: [.ping(hello)]))
    #expect(Self.read([0x81] + Self.masked) == Reading(fault: .protocolViolation))
    #expect(Self.read([0x8A] + Self.masked) == Reading(fault: .protocolViolation))
    // The two binary examples, also as text.
    for head: [UInt8] in [[0x7E, 1, 0], [0x7F, 0, 0, 0, 0, 0, 1, 0, 0]] {
      let payload = [UInt8](repeating: 0x61, count: head.count == 3 ? 256 : 65_536)
      #expect(Self.read([0x82] + head + payload) == Reading(fault: .binaryMessage))
      #expect(Self.read([0x81] + head + payload) == Reading(events: [.message(payload)]))
    }
  }

  @Test(arguments: [1, 2, 5] as [Int])
  func masksTheExamplesOfTheStandard(parts: Int) {
    for (opcode, first) in [(WebSocketOpcode.text, 0x81), (.pong, 0x8A)] as [(WebSocketOpcode, UInt8)] {
      var frame = MaskedWebSocketFrame(opcode, Array("Hello".utf8), mask: 0x37FA_213D)
      var bytes: [UInt8] = []
      while !frame.isEmpty { bytes += frame.take(parts == 1 ? 1000 : 6 + parts) }
      #expect(bytes == [first] + Self.masked)
    }
  }

  /// Masked frames of every form of length, unmasked by the head and the mask in them.
  @Test(arguments: [0, 1, 125, 126, 65_535, 65_536])
  func masksFramesOfAnyLength(count: Int) {
    var random = SeededRandom()
    let payload = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let mask = UInt32.random(in: .min ... .max, using: &random)
    var frame = MaskedWebSocketFrame(.text, payload, mask: mask)
    var bytes: [UInt8] = []
    while !frame.isEmpty { bytes += frame.take(Int.random(in: 14...999, using: &random)) }
    let unmasked = WebSocketPeer.frame(WebSocketPeer.text, payload)
    let headCount = unmasked.count - count
    #expect(bytes.count == unmasked.count + 4)
    #expect(bytes[0] == unmasked[0])
    #expect(bytes[1] == unmasked[1] | 0x80)
    #expect(bytes[2..<headCount] == unmasked[2..<headCount])
    let key = (0..<4).map { UInt8(truncatingIfNeeded: mask >> (24 - 8 * $0)) }
    #expect(Array(bytes[headCount...].prefix(4)) == key)
    let revealed = bytes.dropFirst(headCount + 4).enumerated().map { $1 ^ key[$0 % 4] }
    #expect(revealed == payload)
  }

  // MARK: Rules

  /// Bytes of a server with the error; `nil` for those that are only almost an error.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let fault: WebSocketFault?

    init(_ name: String, _ bytes: [UInt8], _ fault: WebSocketFault? = .protocolViolation) {
      testDescription = name
      self.bytes = bytes
      self.fault = fault
    }
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private static let heads: [Case] = [
    Case("first reserved bit", [0xC1, 0]), Case("second reserved bit", [0xA1, 0]),
    Case("third reserved bit", [0x91, 0]), Case("reserved bit of a ping", [0xC9, 0]),
    Case("mask", [0x81, 0x80, 0, 0, 0, 0]), Case("mask of a ping", [0x89, 0x80, 0, 0, 0, 0]),
    Case("126 bytes in 2 bytes", [0x81, 126, 0, 126] + zeros(126), nil),
    Case("125 bytes in 2 bytes", [0x81, 126, 0, 125] + zeros(125)),
    Case("65,536 bytes in 8 bytes", [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0] + zeros(65_536), nil),
    Case("65,535 bytes in 8 bytes", [0x81, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + zeros(65_535)),
    Case("0 bytes in 8 bytes", [0x81, 127] + zeros(8)),
    Case("first bit of the length", [0x81, 127, 0x80] + zeros(7)),
    Case(
      "largest length", [0x81, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7), .tooLarge(limit: 1 << 20)),
    Case("binary", frame(2, "a"), .binaryMessage),
    Case("fragmented binary", frame(2, "a", isLast: false), .binaryMessage),
  ]

  private static let sequences: [Case] = [
    Case("continuation without a start", frame(0, "a")),
    Case("continuation after the end", frame(1, "a") + frame(0, "a")),
    Case("continuation after the last one", frame(1, "a", isLast: false) + frame(0, "b") + frame(0, "c")),
    Case("text within a message", frame(1, "a", isLast: false) + frame(1, "b")),
    Case("binary within a message", frame(1, "a", isLast: false) + frame(2, "b")),
    Case("ping of 125 bytes", WebSocketPeer.frame(9, zeros(125)), nil),
    Case("ping of 126 bytes", WebSocketPeer.frame(9, zeros(126))),
    Case("ping with a long length", [0x89, 126, 0, 5] + zeros(5)),
    Case("fragmented ping", frame(9, "", isLast: false)),
    Case("fragmented pong", frame(10, "", isLast: false)),
    Case("fragmented closing", frame(8, "", isLast: false)),
    Case("closing without a code", frame(8, ""), nil),
    Case("closing with half a code", [0x88, 1, 3]),
    Case("closing with a reason", [0x88, 4, 0x03, 0xE8, 0xC3, 0xA9], nil),
    Case("closing with an invalid reason", [0x88, 3, 0x03, 0xE8, 0xC3], .invalidText),
  ]

  /// The texts that are not UTF-8 are from the Unicode standard, table 3-7.
  private static let texts: [Case] =
    [
      [0xFF], [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF0, 0x9F, 0xA7],
    ].flatMap { (bytes: [UInt8]) in
      [
        Case("text \(bytes)", WebSocketPeer.frame(1, bytes), .invalidText),
        Case(
          "text \(bytes) in two frames",
          WebSocketPeer.frame(1, [0x61, bytes[0]], isLast: false)
            + WebSocketPeer.frame(0, Array(bytes[1...])),
          .invalidText),
      ]
    } + [
      Case(
        "divided character",
        WebSocketPeer.frame(1, [0xF0, 0x9F], isLast: false) + frame(9, "")
          + WebSocketPeer.frame(0, [0xA7, 0xB5]),
        nil)
    ]

  @Test(arguments: heads + sequences + texts)
  func appliesTheRulesForFrames(_ example: Case) {
    let before = Self.frame(1, "before")
    let reading = Self.read(before + example.bytes + Self.frame(9, "after"))
    #expect(reading.fault == example.fault)
    #expect(reading.events.first == Self.message("before"))
    let isClosed = if case .closing? = reading.events.last { true } else { false }
    #expect((reading.events.last == .ping(Array("after".utf8))) == (example.fault == nil && !isClosed))
    // The parts have no effect, not even single bytes.
    let bytes = before + example.bytes
    guard bytes.count < 500 else { return }
    #expect(Self.read(bytes.indices.map { bytes[$0...$0] }) == Self.read(bytes))
  }

  /// RFC 6455, 5.2: all other opcodes are reserved.
  @Test func rejectsReservedOpcodes() {
    for opcode in UInt8(0)...15 where !([0, 1, 2, 8, 9, 10] as [UInt8]).contains(opcode) {
      #expect(Self.read([0x80 | opcode, 0]) == Reading(fault: .protocolViolation), "opcode \(opcode)")
    }
  }

  /// RFC 6455, 7.4, and the codes that IANA has registered since then.
  @Test func acceptsOnlyCodesThatServersMaySend() {
    let registered: [ClosedRange<Int>] = [1000...1003, 1007...1014, 3000...4999]
    for code in 0...0xFFFF {
      let reading = Self.read([0x88, 3, UInt8(code >> 8), UInt8(code & 0xFF), 0x61])
      let isValid = registered.contains { $0.contains(code) }
      let closing = WebSocketClosing(code: UInt16(code), reason: "a")
      #expect(
        reading == (isValid ? Reading(events: [.closing(closing)]) : Reading(fault: .protocolViolation)),
        "code \(code)")
    }
  }

  // MARK: Parts

  /// A server's bytes with all kinds of frames, and their events.
  ///
  /// Not a stored property: at the end of the run, the address sanitizer reports its arrays as leaks, because Swift keeps the case of `Event` in the
  /// high bits of the address of its payload.
  private static var conversation: (bytes: [UInt8], events: [Event]) {
    let long = String(repeating: "é", count: 100)
    let parts: [[UInt8]] = [
      frame(1, "größer 🧵"), frame(1, ""), frame(9, "one"), frame(1, "in ", isLast: false), frame(9, "two"),
      frame(10, "unasked"), frame(0, "", isLast: false), frame(0, "parts"), frame(1, long),
      frame(1, "", isLast: false), frame(0, ""), [0x88, 5, 0x0F, 0xA1], Array("bye".utf8),
    ]
    let events: [Event] = [
      message("größer 🧵"), message(""), .ping(Array("one".utf8)), .ping(Array("two".utf8)),
      message("in parts"),
      message(long), message(""), .closing(WebSocketClosing(code: 4001, reason: "bye")),
    ]
    return (Array(parts.joined()), events)
  }

  @Test func everyDivisionInTwoPartsGivesTheSameEvents() {
    let (bytes, events) = Self.conversation
    for place in 0...bytes.count {
      #expect(Self.read([bytes[..<place], bytes[place...]]) == Reading(events: events), "at \(place)")
    }
    #expect(Self.read(bytes.indices.map { bytes[$0...$0] }) == Reading(events: events))
  }

  /// An incomplete sequence is neither an error nor a message.
  @Test func everyBeginningGivesTheFirstEvents() {
    let (bytes, events) = Self.conversation
    for count in 0..<bytes.count {
      let reading = Self.read(Array(bytes[..<count]))
      #expect(reading.fault == nil)
      #expect(reading.events.count < events.count)
      #expect(events.starts(with: reading.events), "\(count) bytes")
    }
  }

  /// Random messages in random frames, with pings between them, in random parts.
  @Test func randomFramesGiveTheirMessages() {
    var random = SeededRandom()
    for _ in 0..<TestDepth.cases(fast: 200, deep: 5000) {
      var bytes: [UInt8] = []
      var events: [Event] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let repeated = ["a", "é", "🧵", "\u{0}"].randomElement(using: &random) ?? ""
        var rest = Array(String(repeating: repeated, count: Int.random(in: 0...200, using: &random)).utf8)[
          ...]
        let message = Array(rest)
        var opcode: UInt8 = 1
        repeat {
          if Int.random(in: 0..<3, using: &random) == 0 {
            let payload = [UInt8](repeating: 0xFF, count: Int.random(in: 0...125, using: &random))
            bytes += WebSocketPeer.frame(9, payload)
            events.append(.ping(payload))
          }
          let part = rest.prefix(Int.random(in: 1...150, using: &random))
          rest = rest.dropFirst(part.count)
          bytes += WebSocketPeer.frame(opcode, Array(part), isLast: rest.isEmpty)
          opcode = 0
        } while !rest.isEmpty
        events.append(.message(message))
      }
      var parts: [ArraySlice<UInt8>] = []
      var unread = bytes[...]
      while !unread.isEmpty {
        parts.append(unread.prefix(Int.random(in: 1...100, using: &random)))
        unread = unread.dropFirst(parts.last?.count ?? 0)
      }
      let reading = Self.read(parts)
      #expect(reading == Reading(events: events))
      if reading != Reading(events: events) { return }
    }
  }

  // MARK: Limits

  @Test func countsAllFrames() {
    let (bytes, events) = Self.conversation
    #expect(Self.read(bytes, maximumBytes: bytes.count) == Reading(events: events))
    for limit in [-1, 0, 1, 2, 3, 20, 60, 100, bytes.count - 1] {
      let reading = Self.read(bytes, maximumBytes: limit)
      #expect(reading.fault == .tooLarge(limit: max(limit, 0)))
      #expect(events.starts(with: reading.events))
    }
  }

  /// The head alone exceeds the limit; the payload is not awaited.
  @Test func rejectsALengthBeyondTheLimitAtOnce() {
    #expect(Self.read([0x81, 100], maximumBytes: 101).fault == .tooLarge(limit: 101))
    #expect(Self.read([0x81, 100], maximumBytes: 102) == Reading())
  }

  @Test func allocatesNothingForAnAnnouncedLength() {
    #expect(Self.read([0x81, 127, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0x61], maximumBytes: .max) == Reading())
  }

  /// A cost of the square of the length would take hours.
  @Test(.timeLimit(.minutes(5)))
  func readsALongMessageByteByByte() {
    let payload = [UInt8](repeating: 0x61, count: TestDepth.cases(fast: 1 << 18, deep: 1 << 21))
    let bytes =
      WebSocketPeer.frame(1, payload, isLast: false)
      + Array(repeatElement([UInt8]([0, 1, 0x62]), count: payload.count / 4).joined()) + [0x80, 0]
    let reading = Self.read(bytes.indices.lazy.map { bytes[$0...$0] }, maximumBytes: .max)
    #expect(
      reading == Reading(events: [.message(payload + [UInt8](repeating: 0x62, count: payload.count / 4))]))
  }
}
