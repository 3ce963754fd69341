import Basics
import Foundation

/// Publishes the files in a theme's `static/`. Each published name contains a digest of the content, so that browsers can cache the file
/// permanently and still request a changed file at once. In a preview, the names of style sheets do not, so that a changed style sheet
/// leaves all pages unchanged.
///
/// A style sheet refers to other files by their published names, so its own digest changes with theirs.
struct ThemeAssets {
  private let layers: ThemeLayers
  private let accent: ThemeAccent?
  private let namesStyleSheetsByContent: Bool
  private var published: [String: Theme.Asset] = [:]
  /// The paths of the style sheets that are being read, outermost first; used to detect circular imports.
  private var reading: [String] = []

  /// - Parameters:
  ///   - accent: the site's accent color, which is added to the end of the theme's style sheet.
  ///   - namesStyleSheetsByContent: whether the published names of style sheets contain a digest of the content.
  init(_ layers: ThemeLayers, accent: ThemeAccent?, namesStyleSheetsByContent: Bool) {
    self.layers = layers
    self.accent = accent
    self.namesStyleSheetsByContent = namesStyleSheetsByContent
  }

  /// Returns all assets, sorted by name.
  mutating func publishAll() throws(SiteOutputError) -> [Theme.Asset] {
    var assets: [Theme.Asset] = []
    for name in Self.names(in: layers) {
      if let asset = try publish(name) { assets.append(asset) }
    }
    return assets
  }

  /// Returns the names of all assets below `static/`, sorted.
  static func names(in layers: ThemeLayers) -> [String] {
    layers.files.compactMap { $0.name.without(bytePrefix: "static/").map { String($0) } }
      .filter { !isPart($0) }
  }

  private static let folder = "static/"

  /// Whether a file is only a part of style sheets: its name begins with `_` and ends with `.css`. Parts are not published.
  private static func isPart(_ name: String) -> Bool {
    let last = PathText.name(of: name)
    return last.hasBytePrefix("_") && last.hasByteSuffix(".css")
  }

  /// - Returns: `nil` if the theme has no such file.
  private mutating func publish(_ name: String) throws(SiteOutputError) -> Theme.Asset? {
    if let asset = published[name] { return asset }
    guard let layer = layers.holders[Self.folder + name]?.last else { return nil }
    let path = path(of: name, in: layer)
    var bytes = try Self.read(path)
    var content = Theme.Asset.Content.file(path)
    let isStyleSheet = name.hasByteSuffix(".css")
    if isStyleSheet {
      bytes = StyleSheetText.condensed(
        try styleSheet(bytes, Place(name: name, layer: layer, path: path), for: name))
      if name == "style.css", let accent { bytes += Array(accent.styleSheet.utf8) }
      content = .text(bytes)
    }
    let published =
      isStyleSheet && !namesStyleSheetsByContent
      ? SitePath("assets/\(name)") : Self.path(of: name, content: bytes)
    let asset = Theme.Asset(name: name, path: published, content: content)
    self.published[name] = asset
    return asset
  }

  /// A file in one layer.
  private struct Place {
    let name: String
    let layer: Int
    let path: String
  }

  private func path(of name: String, in layer: Int) -> String {
    "\(layers.layers[layer].folder)/\(Self.folder)\(name)"
  }

  private static func read(_ path: String) throws(SiteOutputError) -> [UInt8] {
    Array(try withFiles { () throws(FileError) in try FileBytes.read(path) })
  }

  /// Returns the published path, such as `assets/fonts/a.0123456789.woff2` for `fonts/a.woff2`.
  private static func path(of name: String, content: [UInt8]) -> SitePath {
    let hash = ContentHash.of(content).prefix(10)
    let last = PathText.name(of: name)
    guard let dot = last.utf8.lastIndex(of: UInt8(ascii: ".")), dot > last.startIndex else {
      return SitePath("assets/\(name).\(hash)")
    }
    return SitePath("assets/\(name[..<dot]).\(hash)\(name[dot...])")
  }

  // MARK: - Style sheets

  /// Returns a style sheet with references to published names, in which `base:` imports are replaced by the imported style sheets.
  ///
  /// - Parameter target: the name of the style sheet that will contain the result.
  private mutating func styleSheet(
    _ bytes: [UInt8], _ place: Place, for target: String
  ) throws(SiteOutputError) -> [UInt8] {
    guard !reading.contains(place.path) else {
      throw .badTheme(
        file: place.path,
        problem: "style sheets import each other in a circle: "
          + (reading + [place.path]).joined(separator: " → "))
    }
    reading.append(place.path)
    defer { reading.removeLast() }
    var result: [UInt8] = []
    var position = 0
    for reference in StyleSheetReferences.find(in: bytes) {
      result += bytes[position..<reference.range.lowerBound]
      position = reference.range.upperBound
      let site = Site(bytes: bytes, offset: reference.range.lowerBound, place: place)
      if reference.isImport, reference.target.hasBytePrefix(Self.below) {
        result += try importedFromBelow(reference, site, target: target)
      } else if let address = try address(of: reference, site, target: target) {
        result += Array((reference.isImport ? "@import " : "").utf8) + Array("url(\"\(address)\")".utf8)
      } else {
        result += bytes[reference.range]
      }
    }
    return result + bytes[position...]
  }

  /// The position of a reference in its file, for error messages.
  private struct Site {
    let bytes: [UInt8]
    let offset: Int
    let place: Place

    func error(_ problem: String) -> SiteOutputError {
      let before = bytes[..<offset]
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1
      let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let column = bytes[start..<offset].count { $0 & 0xC0 != 0x80 } + 1
      return .badTheme(file: "\(place.path):\(line):\(column)", problem: problem)
    }
  }

  /// The prefix of imports that are replaced by the style sheet that they name: `@import "base:style.css";` by the version of that file in
  /// the layers below this one, `@import "base:_core.css";` by a part, which may also be in this layer.
  private static let below = "base:"

  private mutating func importedFromBelow(
    _ reference: StyleSheetReferences.Reference, _ site: Site, target: String
  ) throws(SiteOutputError) -> [UInt8] {
    let name = String(reference.target.without(bytePrefix: "base:") ?? "")
    guard reference.isWhole else {
      throw site.error(
        "expected \";\" after \"\(reference.target)\": this import cannot have conditions.")
    }
    let isPart = Self.isPart(name)
    guard
      let layer = layers.holders[Self.folder + name]?.last(where: {
        $0 < site.place.layer || isPart && $0 == site.place.layer && name != site.place.name
      })
    else {
      throw site.error(
        "there is no other \"static/\(name)\", in the theme that this one extends or in the installed theme."
      )
    }
    let place = Place(name: name, layer: layer, path: path(of: name, in: layer))
    return try styleSheet(try Self.read(place.path), place, for: target)
  }

  /// Returns the URL of a file of the theme, relative to the style sheet `target`; `nil` for a URL outside the theme.
  private mutating func address(
    of reference: StyleSheetReferences.Reference, _ site: Site, target: String
  ) throws(SiteOutputError) -> String? {
    let text = reference.target
    let path = text.prefix(upToBytes: "?#")
    // A colon before the first slash ends a URL scheme.
    let start = path.prefix(upToBytes: "/:").endIndex
    let isElsewhere =
      path.hasBytePrefix("/") || start < path.endIndex && path.utf8[start] == UInt8(ascii: ":")
    if reference.isImport, start < path.endIndex, path.utf8[start] == UInt8(ascii: ":") {
      let scheme = String(path[..<start])
      if !["http", "https", "data"].contains(scheme.lowercased()),
        Suggestion.nearest(to: scheme, among: ["base"]) != nil
      {
        throw site.error("\"\(scheme):\" is unknown; did you mean \"\(Self.below)\"?")
      }
    }
    guard !path.isEmpty, !isElsewhere, !text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
    let folder = site.place.name.split(atBytes: "/").dropLast()
    guard
      let name = Self.resolve(path.removingPercentEncoding ?? String(path), from: folder.map(String.init)),
      let asset = try publish(name)
    else {
      throw site.error(
        "there is no \"\(path)\" next to this style sheet in the theme's static/ folder"
          + (reference.isImport ? "." : "; an external URL begins with https://."))
    }
    let up = String(repeating: "../", count: target.utf8.count { $0 == UInt8(ascii: "/") })
    return up + asset.path.urlText.dropFirst("assets/".count) + text[path.endIndex...]
  }

  /// Returns a path relative to `static/`; `nil` if the path leads out of that folder.
  private static func resolve(_ path: String, from folder: [String]) -> String? {
    var parts = folder
    for part in path.split(atBytes: "/") {
      if part == ".." {
        if parts.popLast() == nil { return nil }
      } else if part != "." {
        parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
