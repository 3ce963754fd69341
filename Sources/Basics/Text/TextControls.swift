/// Scalars that are not visible text: they control the program that shows the text, or change the direction of the text around them.
package enum TextControls {
  /// Returns whether a scalar is a C0 or C1 control, DEL, or a noncharacter (Unicode, 23.1 and 23.7).
  package static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0xFDD0...0xFDEF: true
    case let value: value & 0xFFFE == 0xFFFE
    }
  }

  /// Returns whether a scalar is an embedding, override or isolate of the bidirectional algorithm (UAX #9, 2), which lasts until its end
  /// mark, or one of the deprecated U+206A to U+206F. The marks U+200E, U+200F and U+061C are not included: they act as invisible letters.
  package static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x206F: true
    default: false
    }
  }

  /// Returns the text without embeddings, overrides and isolates, for example for a URL that a page shows.
  package static func withoutDirections(_ text: some StringProtocol) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !isDirection($0) }))
  }

  /// Returns a URL with controls, noncharacters and direction marks percent-encoded, as browsers send it; for places that show URLs.
  package static func percentEncoded(address: String) -> String {
    guard address.unicodeScalars.contains(where: { isUnfit($0) || isDirection($0) }) else { return address }
    var result = ""
    for scalar in address.unicodeScalars {
      guard isUnfit(scalar) || isDirection(scalar) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      result += PercentEncoding.encode(String(scalar)) { _ in false }
    }
    return result
  }

  /// Returns whether every embedding, override and isolate ends within the text, and the text has no end mark for one that began before it.
  package static func endsItsDirections(_ text: String) -> Bool {
    var open: [UInt32] = []
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x202A, 0x202B, 0x202D, 0x202E: open.append(0x202C)
      case 0x2066...0x2068: open.append(0x2069)
      case 0x202C, 0x2069: if open.popLast() != scalar.value { return false }
      case 0x206A...0x206F: return false
      default: break
      }
    }
    return open.isEmpty
  }

  /// Returns the text for a terminal. Scalars that control the terminal, hide text or change its direction are written as `\\u{1B}`; line
  /// breaks and tabs stay.
  package static func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isWrittenOut) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isWrittenOut(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns the text for a quotation in a message. Like ``shown(_:)``, but also writes line breaks and tabs as escapes, so that no quoted
  /// text looks like a separate message.
  package static func shownOnOneLine(_ text: String) -> String {
    var result = ""
    for scalar in shown(text).unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a JSON text with the same scalars escaped. In JSON, they occur only in strings.
  package static func escaped(json: String) -> String {
    guard json.unicodeScalars.contains(where: isWrittenOut) else { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      guard isWrittenOut(scalar) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return result
  }

  private static func isWrittenOut(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\t": return false
    // Joiners, which are needed between letters and in emoji.
    case "\u{200C}", "\u{200D}": return false
    case "\u{2028}", "\u{2029}": return true
    default: break
    }
    guard scalar.value >= 0x7F || scalar.value < 0x20 else { return false }
    return isUnfit(scalar) || scalar.properties.generalCategory == .format
  }
}
