import Basics
import ThreadModel

/// Converts names from a network into names of files and folders.
///
/// A name of `A–Z a–z 0–9 _ . - @` stays unchanged if it does not begin with a dot, a hyphen or an at sign, does not end with a dot, has at
/// most 64 bytes, and is not reserved by any file system. Any other name is changed and gets a digest of the original, so that two
/// different names never become equal.
enum SafeName {
  private static let maximumLength = 64

  static func make(_ name: String) -> String {
    if isSafe(name) { return name }
    var kept = String(
      decoding: name.utf8.prefix(40).map { isSafe($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    if let first = kept.utf8.first, ".-@".utf8.contains(first) {
      kept = "_" + kept.dropFirst()
    }
    return (kept.isEmpty ? "_" : kept) + "~" + ContentHash.of(name.utf8)
  }

  /// Returns the file name for an id.
  ///
  /// - Parameter isScoped: whether the folder already identifies the id's authority. Otherwise the name is followed by two tildes, which no
  ///   other name contains, and a digest of the authority.
  static func make<Subject>(_ id: NetworkID<Subject>, isScoped: Bool) -> String {
    let name = make(id.value)
    guard !isScoped, let authority = id.authority else { return name }
    return name + "~~" + ContentHash.of(authority.utf8)
  }

  /// Whether a name may be a result of `make`.
  static func isPossible(_ name: String) -> Bool {
    let parts = name.split(atBytes: "~", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[0].utf8.first else { return parts.count == 1 && isSafe(name) }
    return parts[0].utf8.count <= 40 && parts[0].utf8.allSatisfy(isSafe) && !".-@".utf8.contains(first)
      && isSafe(String(parts[1]))
  }

  private static func isSafe(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-"),
      first != UInt8(ascii: "@"), name.utf8.last != UInt8(ascii: ".")
    else { return false }
    return name.utf8.count <= maximumLength && name.utf8.allSatisfy(isSafe) && !PathText.isDevice(name)
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "@"):
      true
    default: false
    }
  }
}
