import Basics
import Foundation
import SiteConfig

/// Resolves links on pages of the site: to a file of the site, or to an external URL.
struct SiteAddresses: Sendable {
  enum Target: Hashable, Sendable {
    /// A file below the site's folder, and an anchor in it.
    case file(String, fragment: String?)
    /// An external URL, without its fragment.
    case external(String)
    /// An address that is not checked: mail, telephone, data within the page.
    case none
    /// An invalid URL, with the reason.
    case wrong(String)
  }

  /// `https://example.org/threads/`; `nil` if site.yml does not set it.
  private let base: String?
  /// `/threads/`
  private let basePath: String

  init(_ baseURL: SiteURL?) {
    base = baseURL?.description
    let path = baseURL.flatMap { URL(string: $0.description)?.path(percentEncoded: true) } ?? "/"
    basePath = path.hasSuffix("/") ? path : path + "/"
  }

  /// - Parameter page: the path of the file with the link, below the site's folder.
  func resolve(_ link: String, in page: String) -> Target {
    let link = link.trimmingCharacters(in: .whitespacesAndNewlines)
    var path: Substring = link[...]
    var isAbsolute = false
    if let scheme = Self.scheme(of: link) {
      guard scheme == "http" || scheme == "https" else { return .none }
      guard let base else { return .external(Self.withoutFragment(link)) }
      if link.hasBytePrefix(base) {
        path = link[link.utf8.index(link.startIndex, offsetBy: base.utf8.count)...]
      } else if link + "/" == base || Self.withoutFragment(link) + "/" == base {
        path = ""
      } else {
        return .external(Self.withoutFragment(link))
      }
      isAbsolute = true
    } else if link.hasBytePrefix("//") {
      return .external("https:" + Self.withoutFragment(link))
    } else if link.hasBytePrefix("/") {
      guard link.hasBytePrefix(basePath) else {
        return .wrong("it leads outside the site, which is at \(basePath)")
      }
      path = link[link.utf8.index(link.startIndex, offsetBy: basePath.utf8.count)...]
      isAbsolute = true
    }
    return file(path, isAbsolute: isAbsolute, in: page)
  }

  private func file(_ link: Substring, isAbsolute: Bool, in page: String) -> Target {
    let mark = link.utf8.firstIndex(of: UInt8(ascii: "#"))
    let place = link[..<(mark ?? link.endIndex)].prefix(upToBytes: "?")
    let fragment = mark.map { String(link[link.utf8.index(after: $0)...]) }
    guard let decoded = place.removingPercentEncoding else {
      return .wrong("it is not a valid URL: \"%\" needs two hexadecimal digits")
    }
    let name = fragment.flatMap { $0.removingPercentEncoding ?? $0 }.flatMap { $0.isEmpty ? nil : $0 }
    if decoded.isEmpty, !isAbsolute { return .file(page, fragment: name) }
    var parts = isAbsolute ? [] : page.split(atBytes: "/").map(String.init).dropLast()
    let names = decoded.split(separator: "/", omittingEmptySubsequences: false)
    for part in names {
      switch part {
      case "", ".": break
      case "..":
        guard !parts.isEmpty else { return .wrong("it leads above the site") }
        parts.removeLast()
      default: parts.append(String(part))
      }
    }
    let isFolder = parts.isEmpty || ["", ".", ".."].contains(names.last ?? "")
    let path = parts.joined(separator: "/")
    return .file(isFolder ? (path.isEmpty ? "" : path + "/") + "index.html" : path, fragment: name)
  }

  private static func withoutFragment(_ link: String) -> String { String(link.prefix(upToBytes: "#")) }

  /// Returns the scheme of a URL in lower case, if it has one (RFC 3986, 3.1).
  private static func scheme(of link: String) -> String? {
    guard let colon = link.utf8.firstIndex(of: UInt8(ascii: ":")), colon > link.startIndex else { return nil }
    let name = link[..<colon]
    let isScheme = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
    }
    return isScheme ? name.lowercased() : nil
  }
}
