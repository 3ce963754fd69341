import Foundation

/// Masks credentials in messages, in every form in which programs and servers quote them: unchanged, percent-encoded, escaped for JSON, and
/// within base64, as in the `Authorization` header.
///
/// These forms are known only here. All code that prints for users or writes to logs applies it last.
package struct SecretRedaction: Sendable {
  /// The text in place of a credential.
  package static let mark = "(redacted)"

  /// In bytes. A shorter text may be a word, and masking it everywhere would reveal more than it hides.
  private static let shortest = 8

  private struct Form: Sendable, Hashable {
    var bytes: [UInt8]
    /// Whether the form is a part of a run of base64. The whole run is then masked, because its other bytes contain the rest of the
    /// credential.
    var isInBase64: Bool
  }

  private var forms: Set<Form> = []
  /// For each byte, whether a form begins with it.
  private var begins = [Bool](repeating: false, count: 256)
  /// The forms, longest first, so that no form hides a part of a longer one.
  private var sorted: [Form] = []

  package init(_ secrets: some Sequence<String> = []) { add(secrets) }

  package var isEmpty: Bool { forms.isEmpty }

  /// Adds credentials; those that are too short to be distinguished from words are ignored.
  package mutating func add(_ secrets: some Sequence<String>) {
    for secret in secrets {
      for text in Self.forms(of: secret) { forms.insert(Form(bytes: Array(text.utf8), isInBase64: false)) }
      for text in Self.plainForms(of: secret) {
        for core in Self.cores(ofBase64: Array(text.utf8)) {
          forms.insert(Form(bytes: core, isInBase64: true))
        }
      }
    }
    sorted = forms.sorted { ($0.bytes.count, $0.bytes.first ?? 0) > ($1.bytes.count, $1.bytes.first ?? 0) }
    for form in sorted { if let first = form.bytes.first { begins[Int(first)] = true } }
  }

  /// Returns a text with every form of the credentials masked.
  package func callAsFunction(_ text: String) -> String {
    guard !sorted.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isMasked = false
    var position = 0
    while position < bytes.count {
      guard begins[Int(bytes[position])],
        let form = sorted.first(where: { Self.has($0.bytes, bytes, position) })
      else {
        result.append(bytes[position])
        position += 1
        continue
      }
      isMasked = true
      position += form.bytes.count
      if form.isInBase64 {
        while let last = result.last, Self.isBase64(last), last != UInt8(ascii: "=") { result.removeLast() }
        while position < bytes.count, Self.isBase64(bytes[position]) { position += 1 }
      }
      result += Self.mark.utf8
    }
    return isMasked ? String(decoding: result, as: UTF8.self) : text
  }

  /// Returns the forms of a credential outside base64; empty if the credential is too short.
  package static func forms(of secret: String) -> Set<String> {
    var forms: Set<String> = []
    for plain in plainForms(of: secret) {
      let encoded = PercentEncoding.encode(plain)
      let json = plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      forms.formUnion([
        plain, encoded, lowerCased(escapesIn: encoded), json, json.replacing("/", with: "\\/"),
      ])
    }
    return forms
  }

  /// A token is sometimes copied from a URL, where some of its characters are percent-encoded.
  private static func plainForms(of secret: String) -> Set<String> {
    Set([secret, secret.removingPercentEncoding ?? secret].filter { $0.utf8.count >= shortest })
  }

  /// Returns the parts of base64 that depend on the credential alone, for each of its three possible positions within a group of three
  /// bytes.
  private static func cores(ofBase64 secret: [UInt8]) -> [[UInt8]] {
    var cores: [[UInt8]] = []
    for shift in 0..<3 {
      let text = Array(Data([UInt8](repeating: 0, count: shift) + secret).base64EncodedString().utf8)
      let core = Array(text[((8 * shift + 5) / 6)..<(8 * (shift + secret.count) / 6)])
      let forURLs = core.map {
        $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
      }
      let encoded = PercentEncoding.encode(String(decoding: core, as: UTF8.self))
      cores += [core, forURLs, Array(encoded.utf8)]
    }
    return cores
  }

  private static func lowerCased(escapesIn text: String) -> String {
    var bytes = Array(text.utf8)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
      for digit in bytes.indices.clamped(to: index + 1..<index + 3) where (0x41...0x46).contains(bytes[digit])
      {
        bytes[digit] += 0x20
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func has(_ form: [UInt8], _ bytes: [UInt8], _ position: Int) -> Bool {
    position + form.count <= bytes.count && bytes[position..<position + form.count].elementsEqual(form)
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    Byte.isAlphanumeric(byte) || "+/-_=".utf8.contains(byte)
  }
}
