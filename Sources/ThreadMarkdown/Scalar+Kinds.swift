extension Unicode.Scalar {
  /// White_Space of Unicode's PropList.txt, which has not changed since 2002 but for U+180E; without the standard library's
  /// look-up, which takes longer than all else that is done to a short text.
  var isWhiteSpace: Bool {
    switch value {
    case 0x20, 0x09...0x0D: true
    case ..<0x85: false
    case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
  /// Alphabetic of Unicode's DerivedCoreProperties.txt, letters of ASCII without a look-up.
  var isAlphabetic: Bool {
    isASCII ? "a"..."z" ~= self || "A"..."Z" ~= self : properties.isAlphabetic
  }

  /// Lowercase of the same file, likewise.
  var isLowercase: Bool { isASCII ? "a"..."z" ~= self : properties.isLowercase }
}
