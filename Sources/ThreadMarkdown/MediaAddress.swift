import Basics

/// Names in the store's media folder.
package enum MediaFileName {
  /// Whether it is one file's there: letters and digits of ASCII and `. - _`, nothing hidden, nothing that leaves the folder.
  package static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && name.utf8.allSatisfy { MediaAddress.isOfHost($0) || $0 == UInt8(ascii: "_") }
  }
}

/// The address of a picture or a video that a page may load.
struct MediaAddress: Equatable {
  /// As the Markdown's destination reads after its escapes.
  var url: String
  /// Host, and port where there is one; `nil` for what the site keeps itself.
  var host: String?

  /// An address elsewhere: https, with a host of letters, digits, dots and hyphens, so that a Content-Security-Policy can
  /// name it and it can name nothing else there. Not http, which a page served over https would not load.
  init?(external url: String) {
    guard WebAddress.isSafe(url), Self.isHTTPS(url), !Self.isChangedInDestination(url) else { return nil }
    let authority = url.utf8.dropFirst(8).prefix { !Self.endsAuthority($0) }
    let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard let host = parts.first, !host.isEmpty, host.allSatisfy(Self.isOfHost), parts.count <= 2,
      parts.count == 1 || ((1...5).contains(parts[1].count) && parts[1].allSatisfy(Self.isDigit))
    else { return nil }
    self.url = url
    self.host = String(decoding: authority, as: UTF8.self).lowercased()
  }

  /// A file of the store's media folder, where `locate` finds it; `nil` for a name that is not one file's.
  init?(stored file: String, locate: (String) -> String) {
    guard MediaFileName.isPlain(file) else { return nil }
    let url = locate(file)
    if let external = MediaAddress(external: url) {
      self = external
    } else {
      guard !Self.isChangedInDestination(url) else { return nil }
      self.url = url
      host = nil
    }
  }

  /// The store's copy, or else, where pages may load from elsewhere, the address there; `nil` where nothing is shown.
  init?(file: String?, url: String?, _ options: MarkdownOptions) {
    guard options.media != .none else { return nil }
    let copy = file.flatMap { MediaAddress(stored: $0, locate: options.mediaURL) }
    let shown = copy ?? (options.media == .link ? url.flatMap { MediaAddress(external: $0) } : nil)
    guard let shown else { return nil }
    self = shown
  }

  /// Whether it starts with `https://`, in whatever letter case.
  private static func isHTTPS(_ url: String) -> Bool {
    url.utf8.count >= 8 && zip(url.utf8, "https://".utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "#"): true
    default: false
    }
  }

  /// Whether it holds anything that a link destination holds only percent-encoded, U+FFFE and U+FFFF (EF BF BE, EF BF BF)
  /// among it: such an address would not be found again by what it reads as.
  private static func isChangedInDestination(_ url: String) -> Bool {
    url.utf8.withContiguousStorageIfAvailable(isChangedInDestination)
      ?? Array(url.utf8).withUnsafeBufferPointer(isChangedInDestination)
  }

  private static func isChangedInDestination(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    for index in url.indices {
      switch url[index] {
      case 0...0x20, 0x3C, 0x3E, 0x7F: return true
      case 0xEF where index + 2 < url.count && url[index + 1] == 0xBF && url[index + 2] >= 0xBE: return true
      default: break
      }
    }
    return false
  }

  fileprivate static func isOfHost(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || isDigit(byte) || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "-")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
