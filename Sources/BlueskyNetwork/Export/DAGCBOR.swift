import Basics

/// An error in a block or a CAR file.
struct DAGCBORError: Error, Hashable {
  var message: String
  init(_ message: String) { self.message = message }
}

/// A value of DAG-CBOR, restricted to the types that AT Protocol allows.
indirect enum DAGCBORValue {
  case null
  case bool(Bool)
  case integer(Int64)
  case bytes(ArraySlice<UInt8>)
  case text(String)
  case array([DAGCBORValue])
  case map([String: DAGCBORValue])
  case link(ContentID)

  subscript(key: String) -> DAGCBORValue? { if case .map(let members) = self { members[key] } else { nil } }
  var link: ContentID? { if case .link(let id) = self { id } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  var bytes: ArraySlice<UInt8>? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var array: [DAGCBORValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The value in AT Protocol's JSON form. Bytes, which posts do not contain, become `null`.
  var json: JSONValue {
    switch self {
    case .null, .bytes: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .text(let value): .string(value)
    case .array(let elements): .array(elements.map(\.json))
    case .map(let members): .object(members.mapValues(\.json))
    case .link(let id): .object(["$link": .string(id.text)])
    }
  }

  /// Reads one value, which must end at the end of the bytes.
  init(_ bytes: ArraySlice<UInt8>) throws(DAGCBORError) {
    var reader = DAGCBORReader(bytes)
    self = try reader.value(depth: 0)
    guard reader.isAtEnd else { throw DAGCBORError("there is data after the value") }
  }
}

/// A strict parser of DAG-CBOR, which accepts only the canonical encoding of each value.
///
/// Lengths are checked against the remaining bytes before use. The nesting depth and the number of values are limited.
private struct DAGCBORReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  private var elements = 0

  private static let deepest = 32
  private static let mostElements = 131_072

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var isAtEnd: Bool { place == bytes.endIndex }

  mutating func value(depth: Int) throws(DAGCBORError) -> DAGCBORValue {
    guard depth <= Self.deepest else { throw DAGCBORError("it is nested too deeply") }
    elements += 1
    guard elements <= Self.mostElements else { throw DAGCBORError("it has too many parts") }
    let head = try byte()
    let (kind, short) = (head >> 5, head & 31)
    if kind == 7 {
      switch short {
      case 20: return .bool(false)
      case 21: return .bool(true)
      case 22: return .null
      default:
        throw DAGCBORError("it contains a value that the AT Protocol does not allow, such as a fraction")
      }
    }
    let argument = try argument(short)
    switch kind {
    case 0: return .integer(try integer(argument))
    case 1: return .integer(-1 - (try integer(argument)))
    case 2: return .bytes(try take(argument))
    case 3: return .text(try text(argument))
    case 4:
      var list: [DAGCBORValue] = []
      for _ in 0..<(try count(argument)) { list.append(try value(depth: depth + 1)) }
      return .array(list)
    case 5: return .map(try map(try count(argument), depth: depth))
    default:
      guard argument == 42 else {
        throw DAGCBORError("it contains a tag that the AT Protocol does not allow")
      }
      return .link(try link())
    }
  }

  private mutating func map(_ count: Int, depth: Int) throws(DAGCBORError) -> [String: DAGCBORValue] {
    var members: [String: DAGCBORValue] = [:]
    var last: ArraySlice<UInt8>?
    for _ in 0..<count {
      let head = try byte()
      guard head >> 5 == 3 else { throw DAGCBORError("a key is not text") }
      let raw = try take(try argument(head & 31))
      if let last {
        guard last.count < raw.count || (last.count == raw.count && last.lexicographicallyPrecedes(raw))
        else {
          throw DAGCBORError("its keys are out of order or repeated")
        }
      }
      last = raw
      members[try Self.string(raw)] = try value(depth: depth + 1)
    }
    return members
  }

  private mutating func link() throws(DAGCBORError) -> ContentID {
    let head = try byte()
    guard head >> 5 == 2 else { throw DAGCBORError("a link is not a byte string") }
    let raw = try take(try argument(head & 31))
    guard raw.first == 0, let id = ContentID(raw.dropFirst()) else {
      throw DAGCBORError("a link has a type that repositories do not use")
    }
    return id
  }

  // MARK: Parts

  private mutating func byte() throws(DAGCBORError) -> UInt8 {
    guard place < bytes.endIndex else { throw DAGCBORError("it ends too early") }
    defer { place += 1 }
    return bytes[place]
  }

  /// Reads the argument of a head; throws if the number is not in its shortest form.
  private mutating func argument(_ short: UInt8) throws(DAGCBORError) -> UInt64 {
    if short < 24 { return UInt64(short) }
    guard short < 28 else { throw DAGCBORError("a length is missing") }
    var number: UInt64 = 0
    let width = 1 << Int(short - 24)
    for _ in 0..<width { number = number << 8 | UInt64(try byte()) }
    let least: UInt64 = [24, 1 << 8, 1 << 16, 1 << 32][Int(short - 24)]
    guard number >= least else { throw DAGCBORError("a number is not in its shortest form") }
    return number
  }

  private func integer(_ argument: UInt64) throws(DAGCBORError) -> Int64 {
    guard let number = Int64(exactly: argument) else { throw DAGCBORError("a number is too large") }
    return number
  }

  /// Returns a count of elements or bytes. Throws if it exceeds the remaining bytes, because each element has at least one byte.
  private func count(_ argument: UInt64) throws(DAGCBORError) -> Int {
    guard argument <= UInt64(bytes.endIndex - place) else { throw DAGCBORError("it ends too early") }
    return Int(argument)
  }

  private mutating func take(_ argument: UInt64) throws(DAGCBORError) -> ArraySlice<UInt8> {
    let length = try count(argument)
    defer { place += length }
    return bytes[place..<place + length]
  }

  private mutating func text(_ argument: UInt64) throws(DAGCBORError) -> String {
    try Self.string(try take(argument))
  }

  private static func string(_ raw: ArraySlice<UInt8>) throws(DAGCBORError) -> String {
    guard let text = String(validating: raw, as: UTF8.self) else { throw DAGCBORError("a text is not UTF-8") }
    return text
  }
}
