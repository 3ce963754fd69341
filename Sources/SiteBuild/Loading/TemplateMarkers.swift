import Basics
import MarkdownHTML
import Templates

/// The markers of components in the templates of a site, such as `<!-- poll -->` and `<!-- /poll -->` (``ComponentKind``).
///
/// A pair of markers may be in several templates, and a template may have several opening markers of which values select one. So only a
/// marker is reported whose counterpart is in no template. In a document, it would be reported for each thread, without its template.
struct TemplateMarkers {
  /// A message for each marker without a counterpart, at its place in its template.
  private(set) var problems: [String] = []

  /// The first place of a marker: the position of its template, and its offset in bytes.
  private struct Place {
    let source: Int
    let offset: Int
  }

  init(_ sources: [TemplateSource]) {
    // By the marker's name, with the slash of a closing marker.
    var places: [String: Place] = [:]
    for (position, source) in sources.enumerated() {
      let bytes = Array(source.text.utf8)
      for offset in Self.comments(in: bytes) {
        let name = Self.name(at: offset + Self.start.count, in: bytes)
        if places[name] == nil { places[name] = Place(source: position, offset: offset) }
      }
    }
    for kind in ComponentKind.allCases where kind.isSection {
      switch (places[kind.name], places["/" + kind.name]) {
      case (let open?, nil):
        report(open, in: sources, "is never closed; write <!-- /\(kind.name) --> at the end of the component")
      case (nil, let close?):
        report(
          close, in: sources, "closes nothing; write <!-- \(kind.name) --> at the start of the component")
      default: break
      }
    }
  }

  private static let start = Array("<!-- ".utf8)

  /// Returns the offsets of the comments in a template.
  private static func comments(in bytes: [UInt8]) -> [Int] {
    var offsets: [Int] = []
    var offset = 0
    while let next = bytes[offset...].firstIndex(of: start[0]) {
      if bytes[next...].starts(with: start) { offsets.append(next) }
      offset = next + 1
    }
    return offsets
  }

  /// Returns the word at an offset: letters, and a slash before them. A space or `{{` follows the name of a marker.
  private static func name(at offset: Int, in bytes: [UInt8]) -> String {
    let word = bytes[offset...].prefix { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "/") }
    return String(decoding: word, as: UTF8.self)
  }

  private mutating func report(_ place: Place, in sources: [TemplateSource], _ problem: String) {
    let source = sources[place.source]
    let before = source.text.utf8.prefix(place.offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start =
      before.lastIndex(of: UInt8(ascii: "\n")).map { source.text.utf8.index(after: $0) } ?? before.startIndex
    let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
    problems.append("\(source.file):\(line):\(column): error: this marker \(problem)")
  }
}
