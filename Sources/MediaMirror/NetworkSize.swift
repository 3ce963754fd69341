import UTF8Text

/// The sizes in which X gives a photo, and how its address asks for one.
///
/// Facts from the network's own pages: `https://pbs.twimg.com/media/<key>.jpg` has the same photo at
/// `…/media/<key>?format=jpg&name=<size>`; a size is the most that either side has, and a smaller photo is not enlarged.
/// An older notation puts `:large` behind the extension.
enum NetworkSize: String {
  case small, medium, large
  /// As it was uploaded.
  case original = "orig"

  /// Pixels of the longer side, where there is a limit.
  var side: Int? {
    switch self {
    case .small: 680
    case .medium: 1200
    case .large: 2048
    case .original: nil
    }
  }
}

/// The address of a photo whose network gives it in several sizes.
struct SizedAddress: Hashable {
  private let stem: Substring
  private let format: Substring

  /// - Parameter prefixes: what such addresses begin with.
  init?(_ url: String, prefixes: [String]) {
    guard let prefix = prefixes.first(where: { url.hasBytePrefix($0) }) else { return nil }
    let path = url.prefix(upToBytes: "?#")
    let start = url.utf8.index(url.startIndex, offsetBy: prefix.utf8.count)
    // A prefix may itself hold a question mark.
    guard start <= path.endIndex else { return nil }
    let parts = path[start...].prefix(upToBytes: ":").split(
      atBytes: ".", omittingEmptySubsequences: false)
    if parts.count == 2 {
      format = parts[1]
    } else if let query = url.split(atBytes: "?", maxSplits: 1).dropFirst().first,
      let value = query.split(atBytes: "&").lazy.compactMap({ $0.without(bytePrefix: "format=") }).first
    {
      format = value
    } else {
      return nil
    }
    guard ["jpg", "jpeg", "png", "webp"].contains(format), let key = parts.first, !key.isEmpty,
      key.utf8.allSatisfy(Self.isOfKey)
    else { return nil }
    stem = path[..<start] + key
  }

  func url(_ size: NetworkSize) -> String { "\(stem)?format=\(format)&name=\(size.rawValue)" }

  private static func isOfKey(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }
}
