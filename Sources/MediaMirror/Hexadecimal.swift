enum Hexadecimal {
  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    var digits = ""
    for byte in bytes {
      digits += String(byte >> 4, radix: 16)
      digits += String(byte & 15, radix: 16)
    }
    return digits
  }
}
