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

  init(_ sources: [TemplateSource]) {
    for kind in ComponentKind.allCases where kind.isSection {
      let (open, close) = ("<!-- \(kind.name) ", "<!-- /\(kind.name) ")
      let (opens, closes) = (Self.places(of: open, in: sources), Self.places(of: close, in: sources))
      if closes.isEmpty, let place = opens.first {
        problems.append(
          "\(place): error: this marker is never closed; write \(close)--> at the end of the component")
      }
      if opens.isEmpty, let place = closes.first {
        problems.append(
          "\(place): error: this marker closes nothing; write \(open)--> at the start of the component")
      }
    }
  }

  /// Returns the places of a text in the templates, as `file:line:col`. A `{{` may follow the name of a marker directly.
  private static func places(of marker: String, in sources: [TemplateSource]) -> [String] {
    let name = Array(marker.utf8.dropLast())
    var places: [String] = []
    for source in sources {
      for (line, text) in source.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .enumerated()
      {
        let bytes = Array(text.utf8)
        for start in bytes.indices where bytes[start...].starts(with: name) {
          let next = start + name.count
          guard next < bytes.count, bytes[next] == UInt8(ascii: " ") || bytes[next] == UInt8(ascii: "{")
          else { continue }
          let column = String(decoding: bytes[..<start], as: UTF8.self).unicodeScalars.count + 1
          places.append("\(source.file):\(line + 1):\(column)")
        }
      }
    }
    return places
  }
}
