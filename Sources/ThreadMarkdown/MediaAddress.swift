import Basics

/// Checks names in the store's media folder.
package enum MediaFileName {
  /// Whether a name can be a single file in the folder: ASCII letters and digits and `. - _`, not hidden, and not leaving the folder.
  package static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && name.utf8.allSatisfy { MediaAddress.isOfHost($0) || $0 == UInt8(ascii: "_") }
  }
}

/// The URL of a picture or a video that a page may load.
struct MediaAddress: Equatable {
  /// The URL as it reads in the Markdown's destination after unescaping.
  var url: String
  /// Host, and port if any; `nil` for the site's own files.
  var host: String?

  /// Creates an external URL: https, with a host of letters, digits, dots and hyphens, so that a Content-Security-Policy can contain the
  /// host and the host cannot add anything else to the policy. A page served over https would not load http.
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

  /// Creates the URL of a file of the store's media folder; `nil` if the name is not the name of a single file.
  init?(stored file: String, _ links: any ThreadLinks) {
    guard MediaFileName.isPlain(file) else { return nil }
    let url = links.media(file)
    if let external = MediaAddress(external: url) {
      self = external
    } else {
      guard !Self.isChangedInDestination(url) else { return nil }
      self.url = url
      host = nil
    }
  }

  /// Creates the URL of the store's copy or, if there is no copy and pages may load external media, the external URL; `nil` if no media are
  /// shown.
  init?(file: String?, url: String?, _ options: MarkdownOptions) {
    guard options.media != .none else { return nil }
    let copy = file.flatMap { MediaAddress(stored: $0, options.links) }
    let shown = copy ?? (options.media == .link ? url.flatMap { MediaAddress(external: $0) } : nil)
    guard let shown else { return nil }
    self = shown
  }

  /// Whether a URL starts with `https://`, in any letter case.
  private static func isHTTPS(_ url: String) -> Bool {
    url.utf8.count >= 8 && zip(url.utf8, "https://".utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "#"): true
    default: false
    }
  }

  /// Whether a URL contains characters that must be percent-encoded in a link destination, including U+FFFE and U+FFFF (EF BF BE, EF BF
  /// BF). Such a URL would not be found again, because its written form differs.
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
