/// The few words and numbers that components share, in English.
enum Wording {
  /// `1,004`
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude).utf8)
    var text: [UInt8] = number < 0 ? [UInt8(ascii: "-")] : []
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `1 post`, `1,004 posts`
  static func count(_ number: Int, _ noun: String) -> String {
    count(number, noun, noun + "s")
  }

  /// `1 reply`, `12 replies`
  static func count(_ number: Int, _ noun: String, _ plural: String) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural)"
  }

  /// The parts with a middle dot between them.
  static func dotted(_ parts: [String?]) -> String {
    parts.compactMap(\.self).joined(separator: " · ")
  }
}
