/// Finds personal data in a text that strangers could misuse: mail addresses, telephone and account numbers, places, keys.
///
/// Only the form of the data is checked: rules cannot recognize names, streets or faces. Links and mentions of networks are removed first,
/// because the numbers in them resemble such data.
enum PersonalData {
  struct Match: Hashable, Sendable {
    let kind: SiteReview.Finding.Kind
    /// A masked form that the owner recognizes but that cannot be used.
    let masked: String
  }

  /// Returns the matches in the order of the text.
  static func matches(in text: String) -> [Match] {
    let scalars = Array(text.unicodeScalars)
    var found: [(start: Int, match: Match)] = []
    var index = 0
    while index < scalars.count {
      if let (match, end) = match(scalars, at: index) {
        found.append((index, match))
        index = end
      } else {
        index += 1
      }
    }
    return found.map(\.match)
  }

  private static func match(_ text: [Unicode.Scalar], at index: Int) -> (Match, end: Int)? {
    let isStart = index == 0 || !isWordPart(text[index - 1])
    guard isStart else { return nil }
    let scalar = text[index]
    // Data that begin with a letter may be a URL, an account or a key. Data that begin with a digit or a sign are numbers.
    if isLetterOrDigit(scalar) {
      if let end = email(text, index) { return (Match(kind: .email, masked: masked(text[index..<end])), end) }
      if let end = token(text, index) { return (Match(kind: .token, masked: masked(text[index..<end])), end) }
      if let end = iban(text, index) {
        return (Match(kind: .account, masked: masked(text[index..<end])), end)
      }
    }
    if let end = coordinates(text, index) {
      return (Match(kind: .coordinates, masked: masked(text[index..<end])), end)
    }
    if let (kind, end) = number(text, index) {
      return (Match(kind: kind, masked: masked(text[index..<end])), end)
    }
    return nil
  }

  private static func masked(_ text: ArraySlice<Unicode.Scalar>) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text.prefix(3))
    result.append("…")
    if text.count > 8 { result.append(contentsOf: text.suffix(2)) }
    return String(result)
  }

  // MARK: Forms

  /// Returns the end of a mail address, `somebody@example.org`; `nil` for other text, such as `@somebody@example.org`, which is an account
  /// of the Fediverse.
  private static func email(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
    guard start == 0 || text[start - 1] != "@" else { return nil }
    var index = start
    while index < text.count, index - start < 64,
      isWordPart(text[index]) || "._%+-".unicodeScalars.contains(text[index])
    {
      index += 1
    }
    guard index > start, index < text.count, text[index] == "@" else { return nil }
    let host = index + 1
    var end = host
    while end < text.count, end - host < 255,
      isLetterOrDigit(text[end]) || ".-".unicodeScalars.contains(text[end])
    {
      end += 1
    }
    while end > host, text[end - 1] == "." || text[end - 1] == "-" { end -= 1 }
    guard let dot = text[host..<end].lastIndex(of: "."), dot > host, end - dot > 2,
      text[(dot + 1)..<end].allSatisfy({ $0.properties.isAlphabetic })
    else { return nil }
    return end
  }

  /// Prefixes of keys of online services (GitHub, AWS, Slack, OpenAI, Google).
  private static let beginnings = ["ghp_", "github_pat_", "gho_", "AKIA", "xoxb-", "xoxp-", "sk-", "AIza"].map
  {
    Array($0.unicodeScalars)
  }

  private static func token(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
    guard beginnings.contains(where: { text[start...].starts(with: $0) }) else { return nil }
    var end = start
    while end < text.count, isASCIILetterOrDigit(text[end]) || text[end] == "_" || text[end] == "-" {
      end += 1
    }
    return end - start >= 20 ? end : nil
  }

  /// Returns the end of two letters, two digits, and 11 to 30 letters and digits, optionally in groups, whose remainder modulo 97 is 1 (ISO 13616).
  private static func iban(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
    var letters: [Unicode.Scalar] = []
    var index = start
    var end = start
    while index < text.count, letters.count < 34 {
      if isASCIILetterOrDigit(text[index]) {
        letters.append(text[index])
        end = index + 1
      } else if text[index] != " " || letters.count < 4 {
        break
      }
      index += 1
    }
    guard letters.count >= 15, letters[0...1].allSatisfy({ ("A"..."Z").contains($0) }),
      letters[2...3].allSatisfy(isDigit)
    else { return nil }
    // Words may follow, so the longest valid length is searched for.
    while letters.count >= 15 {
      if remainder(letters) == 1 { return end }
      letters.removeLast()
      end -= 1
      while end > start, text[end - 1] == " " { end -= 1 }
    }
    return nil
  }

  private static func remainder(_ letters: [Unicode.Scalar]) -> Int? {
    var rest = 0
    for letter in letters[4...] + letters[..<4] {
      switch letter {
      case "0"..."9": rest = (rest * 10 + Int(letter.value) - 48) % 97
      case "A"..."Z": rest = (rest * 100 + Int(letter.value) - 55) % 97
      default: return nil
      }
    }
    return rest
  }

  /// Returns the end of two numbers with at least four decimals that form a latitude and a longitude.
  private static func coordinates(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
    guard let (latitude, middle) = decimal(text, start), abs(latitude) <= 90 else { return nil }
    var index = middle
    while index < text.count, index - middle < 3,
      text[index] == "," || text[index] == " " || text[index] == ";"
    { index += 1 }
    guard index > middle, let (longitude, end) = decimal(text, index), abs(longitude) <= 180 else {
      return nil
    }
    return end
  }

  private static func decimal(_ text: [Unicode.Scalar], _ start: Int) -> (Double, end: Int)? {
    var index = start
    if index < text.count, text[index] == "-" || text[index] == "+" { index += 1 }
    let whole = index
    while index < text.count, index - whole < 4, isDigit(text[index]) { index += 1 }
    guard (1...3).contains(index - whole), index < text.count, text[index] == "." else { return nil }
    let fraction = index + 1
    index = fraction
    while index < text.count, index - fraction < 12, isDigit(text[index]) { index += 1 }
    guard index - fraction >= 4, let number = Double(String(String.UnicodeScalarView(text[start..<index])))
    else { return nil }
    return (number, index)
  }

  /// Returns the kind and end of a telephone number (with `+` and 8 to 15 digits, or after a word that announces it) or of a card number
  /// (13 to 16 digits in groups with a valid Luhn checksum).
  private static func number(_ text: [Unicode.Scalar], _ start: Int) -> (SiteReview.Finding.Kind, end: Int)? {
    let hasPlus = text[start] == "+"
    guard hasPlus || isDigit(text[start]) || text[start] == "(" else { return nil }
    var digits: [Int] = []
    var index = hasPlus ? start + 1 : start
    var end = index
    var gaps = 0
    while index < text.count, digits.count < 20 {
      let scalar = text[index]
      if isDigit(scalar) {
        digits.append(Int(scalar.value) - 48)
        end = index + 1
      } else if " -./()".unicodeScalars.contains(scalar), index - end < 2 {
        gaps += 1
      } else {
        break
      }
      index += 1
    }
    if hasPlus { return (8...15).contains(digits.count) ? (.phone, end) : nil }
    if (13...16).contains(digits.count), (3...6).contains(digits[0]), isGroupedAsCard(digits, gaps),
      passesLuhn(digits)
    {
      return (.card, end)
    }
    guard (6...15).contains(digits.count), saysPhone(before: start, in: text) else { return nil }
    return (.phone, end)
  }

  /// Whether a number has as many gaps as a card number: none, three, or two in a number of American Express, which begins with 3.
  private static func isGroupedAsCard(_ digits: [Int], _ gaps: Int) -> Bool {
    gaps == 0 || gaps == 3 || gaps == 2 && digits.count == 15 && digits[0] == 3
  }

  private static func passesLuhn(_ digits: [Int]) -> Bool {
    let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
      let value = digit.offset.isMultiple(of: 2) ? digit.element : digit.element * 2
      return sum + (value > 9 ? value - 9 : value)
    }
    return sum.isMultiple(of: 10)
  }

  private static let words = [
    "tel", "telefon", "téléphone", "teléfono", "phone", "call", "mobile", "mobil", "handy", "cell",
    "whatsapp", "signal",
    "هاتف",
  ]
  /// Words in scripts without spaces between words.
  private static let joinedWords = ["電話", "携帯"]

  private static func saysPhone(before start: Int, in text: [Unicode.Scalar]) -> Bool {
    let before = String(String.UnicodeScalarView(text[max(0, start - 24)..<start])).lowercased()
    let last = before.split { !$0.isLetter }.suffix(3)
    return last.contains { words.contains(String($0)) } || joinedWords.contains { before.contains($0) }
  }

  // MARK: Characters

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isASCIILetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    isDigit(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    isASCIILetterOrDigit(scalar) || scalar.value > 0x7F && scalar.properties.isAlphabetic
  }

  /// Whether a scalar is part of a word, so that no match begins after it.
  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    isASCIILetterOrDigit(scalar) || scalar == "_"
      || scalar.value > 0x7F && scalar.properties.isAlphabetic && !isIdeograph(scalar)
  }

  /// Whether a scalar belongs to a script without spaces between words.
  private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
    (0x2E80...0x9FFF).contains(scalar.value) || (0xAC00...0xD7AF).contains(scalar.value)
  }
}
